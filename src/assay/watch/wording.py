"""One day's verdict in words and numbers, from a judged history."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from datetime import date

import numpy as np

from assay.core.verdict import UseCaseState as State
from assay.stats.intervals import Interval, bounded_mean
from assay.watch.conditions import Kind, SeenChange, value_of
from assay.watch.evidence import (
    Comparison,
    ConditionChange,
    Counts,
    Fall,
    ModelVerdict,
    ProviderFall,
    UseCaseVerdict,
)
from assay.watch.history import BoolArray
from assay.watch.judgement import Judgement
from assay.watch.paired import Flip, PairedTest, day_on_day, flips, paired
from assay.watch.same_cases import Common, Matched, compare
from assay.watch.scores import JudgeBar, judge_bar
from assay.watch.verdict import Readings

LEFT = "the state is left as it was"


def verdicts_on(judged: Judgement, when: date) -> tuple[ModelVerdict, ...]:
    """Return the verdicts on all models on a calendar date."""
    day = judged.history.day_of(when)
    return tuple(verdict_on(judged, model, day) for model in range(len(judged.history.subjects)))


def verdicts_of(judged: Judgement, model: int) -> Iterator[ModelVerdict]:
    """Yield the verdicts on a model from its first day with samples to the history's last."""
    ran = judged.daily.gaps.attempted[model].nonzero()[0]
    for day in range(int(ran[0]) if ran.size else judged.history.days, judged.history.days):
        yield verdict_on(judged, model, day)


def verdict_on(judged: Judgement, model: int, day: int) -> ModelVerdict:
    """Return the verdict on a model on a day, both by position, with all of its evidence."""
    history, daily = judged.history, judged.daily
    found = tuple(_use_case(judged, model, index, day) for index in range(len(history.use_cases)))
    tested = daily.fit[model, :, day] & judged.baseline.there[model, :, day]
    of_case = np.repeat(np.arange(len(history.use_cases)), np.diff(history.starts))
    common = np.concatenate([_common(judged, model, index, day) for index in range(len(history.use_cases))])
    chosen = tested[of_case] & common
    window = _window(judged, model, day)[of_case][chosen]
    changed: tuple[Flip, ...] = sum((each.flips for each in found), ())
    return ModelVerdict(
        model=history.subjects[model].name,
        day=history.date_of(day),
        suite=history.suite,
        version=history.version,
        state=judged.state(model, day),
        reason=_model_reason(judged, model, day),
        cooked=tuple(each.use_case for each in found if each.state is State.COOKED),
        suspicious=tuple(each.use_case for each in found if each.state is State.SUSPICIOUS),
        held=tuple(each.use_case for each in found if each.held),
        cases=sum(each.cases for each in found),
        known_cases=int(judged.matched.known[model, :, day].sum()),
        counts=_counts(judged, model, day, 0, len(history.cases)),
        attempted=int(daily.gaps.attempted[model, day]),
        errored=int(daily.gaps.errored[model, day]),
        runs_left_out=int(daily.gaps.left_out[model, day]),
        routing_changed=int(daily.elsewhere[model, :, day].sum()),
        judge_moved=bool(daily.barred[model, :, day].any()),
        paired=paired(daily.case_scores[model][chosen], window, day),
        fell_overnight=day_on_day(changed),
        down=bool(judged.down[model, day]),
        provider_fall=_provider_fall(judged, model, day),
        conditions_changed=tuple(
            _change(judged, model, day, seen) for seen in judged.changes.get((model, day), ())
        ),
        use_cases=found,
    )


def _use_case(judged: Judgement, model: int, index: int, day: int) -> UseCaseVerdict:
    history, daily, readings = judged.history, judged.daily, judged.readings
    series = history.use_cases[index]
    low, high = history.starts[index : index + 2]
    cell = (model, index, day)
    score = float(judged.matched.scores[cell])
    scored, fit = not np.isnan(score), bool(daily.fit[cell])
    golden = _comparison(judged.golden, judged.golden_readings, cell)
    baseline = _comparison(judged.matched, readings, cell)
    missing, new = _changed_cases(judged, model, index, day)
    common = _common(judged, model, index, day)
    cases = np.where(common[:, np.newaxis], daily.case_scores[model, low:high], np.nan)
    window = np.broadcast_to(_window(judged, model, day)[index], cases.shape)
    return UseCaseVerdict(
        use_case=series.name,
        grading=series.grading,
        state=State(readings.state[cell]),
        held=bool(readings.held[cell]),
        reading=State(readings.reading[cell]),
        reason=_reason(judged, model, index, day),
        score=score if scored else None,
        cases=int(common.sum()) if scored else 0,
        missing=missing,
        new=new,
        interval=_interval(cases[:, day]) if scored else None,
        counts=_counts(judged, model, day, low, high),
        days_used=int(judged.baseline.days[cell]),
        baseline=baseline,
        flips=_flips(judged, model, index, day) if fit else (),
        full_power=bool(judged.powered[cell]) and scored,
        barred=bool(daily.barred[cell]),
        golden=golden,
        golden_state=State(judged.golden_readings.state[cell])
        if golden is not None and golden.score is not None
        else None,
        paired=paired(cases, window, day) if fit and scored and baseline else None,
        fall=_fall(judged, cell),
    )


def _comparison(matched: Matched, readings: Readings, cell: tuple[int, int, int]) -> Comparison | None:
    baseline = matched.baseline
    if np.isnan(baseline.mean[cell]):
        return None
    score, z, drop = float(matched.scores[cell]), float(readings.z[cell]), float(readings.drop[cell])
    return Comparison(
        mean=float(baseline.mean[cell]),
        deviation=float(baseline.deviation[cell]),
        spread=float(baseline.spread[cell]),
        days=int(baseline.days[cell]),
        score=None if np.isnan(score) else score,
        cases=int(matched.common[cell]),
        z=None if np.isnan(z) else z,
        drop=None if np.isnan(drop) else drop,
    )


def _compared(judged: Judgement, model: int, index: int, day: int) -> Common:
    """Return a day of a use case beside its window, case by case."""
    models, lags = np.array([model]), np.arange(judged.thresholds.window_days, 0, -1)
    today = judged.table.today(index, models, np.array([day]))
    past = judged.table.past(index, models, np.array([day]), day - lags[np.newaxis, :])
    return compare(today, past, judged.thresholds)


def _common(judged: Judgement, model: int, index: int, day: int) -> BoolArray:
    """Return which cases of a use case the day's score is over, shape (cases,)."""
    found = _compared(judged, model, index, day)
    calibrated = found.window_days[0] >= judged.thresholds.least_days
    common: BoolArray = found.now[0] & found.steady[0] if calibrated else found.now[0]
    return common


def _changed_cases(
    judged: Judgement, model: int, index: int, day: int
) -> tuple[tuple[str, ...], tuple[str, ...]]:
    """Return the cases of the baseline that are missing on a scored day, and those that are new on it."""
    found = _compared(judged, model, index, day)
    if found.window_days[0] < judged.thresholds.least_days or not found.now.any():
        return (), ()
    names = judged.history.use_cases[index].cases
    missing, new = found.steady[0] & ~found.now[0], found.now[0] & ~found.steady[0]
    return tuple(names[place] for place in np.flatnonzero(missing)), tuple(
        names[place] for place in np.flatnonzero(new)
    )


def _interval(case_scores: np.ndarray) -> Interval:
    values = np.clip(case_scores[~np.isnan(case_scores)], 0.0, 1.0)
    found = bounded_mean(values.tolist())
    return Interval(100.0 * found.low, 100.0 * found.high, found.level)


def _counts(judged: Judgement, model: int, day: int, low: int, high: int) -> Counts:
    daily = judged.daily
    ok, invalid, error, ungraded = (
        int(column[model, low:high, day].sum())
        for column in (daily.ok, daily.invalid, daily.error, daily.ungraded)
    )
    return Counts(ok + invalid + error + ungraded, ok, invalid, error, ungraded)


def _window(judged: Judgement, model: int, day: int) -> BoolArray:
    """Return the days that each use case's rolling baseline is made of, shape (use cases, days)."""
    chosen: BoolArray = judged.daily.fit[model].copy()
    chosen[:, : max(0, day - judged.thresholds.window_days)] = False
    chosen[:, day:] = False
    under = judged.daily.bases
    chosen &= under.own[model] == under.against[model, :, day][:, np.newaxis]
    return chosen


def _flips(judged: Judgement, model: int, index: int, day: int) -> tuple[Flip, ...]:
    earlier = judged.daily.fit[model, index, :day].nonzero()[0]
    if not earlier.size:
        return ()
    low, high = judged.history.starts[index : index + 2]
    cases = judged.daily.case_scores[model, low:high]
    return flips(judged.history.use_cases[index].cases, cases[:, earlier[-1]], cases[:, day])


def _fall(judged: Judgement, cell: tuple[int, int, int]) -> Fall:
    past, history = judged.recovery, judged.history
    down, recovered = bool(past.down[cell]), int(past.recovered[cell])
    return Fall(
        down=down,
        since=history.date_of(int(past.since[cell])) if down else None,
        mean=float(past.mean[cell]) if down else None,
        spread=float(past.spread[cell]) if down else None,
        within=int(past.within[cell]),
        recovered=history.date_of(recovered) if recovered >= 0 else None,
    )


def _provider_fall(judged: Judgement, model: int, day: int) -> ProviderFall | None:
    subjects = judged.history.subjects
    for note in judged.provider_notes:
        if note.day == day and note.provider == subjects[model].provider:
            return ProviderFall(
                provider=note.provider,
                fell=tuple(subjects[position].name for position in note.fell),
                at_risk=note.at_risk,
                elsewhere_fell=note.elsewhere_fell,
                elsewhere_at_risk=note.elsewhere_at_risk,
                chance=note.chance,
            )
    return None


def _reason(judged: Judgement, model: int, index: int, day: int) -> str | None:
    """Say why a use case has no state of its own this day; None when it has."""
    daily, readings, cell = judged.daily, judged.readings, (model, index, day)
    low, high = judged.history.starts[index : index + 2]
    counts = _counts(judged, model, day, low, high)
    if np.isnan(daily.scores[cell]):
        if daily.gaps.gap[model, day] or (counts.n == 0 and not daily.elsewhere[model, low:high, day].any()):
            return _no_day(judged, model, day) or "no samples of this use case"
        if daily.unmarked[cell]:
            return f"{counts.ungraded} of {_samples(counts.n)} ungraded"
        if daily.elsewhere[model, low:high, day].any():
            return _left_out(judged, model, day, low, high)
        return f"{counts.error} of {_samples(counts.n)} errored"
    if judged.matched.sparse[cell]:
        few = _few(judged, int(judged.matched.common[cell]), int(judged.matched.known[cell]))
        return f"{few}{_elsewhere(judged, model, day, low, high)}"
    if readings.state[cell] == State.CALIBRATING and not judged.baseline.there[cell]:
        least = judged.thresholds.least_days
        return f"{judged.baseline.days[cell]} of {least} days that a baseline needs"
    if daily.bases.frozen[cell]:
        return f"{_other_basis(judged, model, index, day)}: {LEFT}"
    if daily.barred[cell]:
        return f"{_judge(judged, model, day, [index])}: {LEFT}"
    if readings.thin[cell]:
        wanted = int(judged.history.full[index])
        scored = counts.ok + counts.invalid
        return f"looks suspicious, but the re-run left {scored} of {wanted} samples scored: {LEFT}"
    return None


def _model_reason(judged: Judgement, model: int, day: int) -> str | None:
    """Say why a model has no verdict of this day's numbers; None when it has."""
    nothing = _no_day(judged, model, day)
    if nothing is not None:
        return nothing
    if judged.states[model, day] == State.GAP:
        elsewhere = _elsewhere(judged, model, day, 0, len(judged.history.cases))
        return _few_altogether(judged, model, day) or f"no use case has a score{elsewhere}"
    if judged.states[model, day] == State.CALIBRATING:
        return f"no use case has the {judged.thresholds.least_days} days that a baseline needs"
    barred = np.flatnonzero(judged.daily.barred[model, :, day])
    return _judge(judged, model, day, barred.tolist()) if barred.size else None


def _no_day(judged: Judgement, model: int, day: int) -> str | None:
    left = judged.daily.gaps
    attempted, errored = int(left.attempted[model, day]), int(left.errored[model, day])
    if not attempted:
        return "no samples this day"
    return f"{errored} of {_samples(attempted)} errored" if left.gap[model, day] else None


def _left_out(judged: Judgement, model: int, day: int, low: int, high: int) -> str:
    """Say why a use case with samples has no score: errors and answers from elsewhere together."""
    error = int(judged.daily.error[model, low:high, day].sum())
    elsewhere = int(judged.daily.elsewhere[model, low:high, day].sum())
    routed = f"{_answers(elsewhere)} came from another provider than the pin"
    return f"{error} of {_samples(error + elsewhere)} errored, {routed}" if error else routed


def _elsewhere(judged: Judgement, model: int, day: int, low: int, high: int) -> str:
    """Return a clause on the answers from elsewhere among some cases; empty without any."""
    count = int(judged.daily.elsewhere[model, low:high, day].sum())
    return f"; {_answers(count)} came from another provider than the pin" if count else ""


def _answers(count: int) -> str:
    return "1 answer" if count == 1 else f"{count} answers"


def _judge(judged: Judgement, model: int, day: int, use_cases: Sequence[int]) -> str:
    """Say why the day's judge must not change a state: its marks could not be read, or it moved."""
    history, rows = judged.history, judged.history.rows
    marked = np.unique(rows.run[(rows.model == model) & judged.daily.gaps.kept])
    runs = [history.runs[place] for place in marked if history.runs[place].day == day]
    bars = [
        (bar, run.check(use_case))
        for run in runs
        for use_case in use_cases
        if (bar := judge_bar(run, use_case, judged.thresholds)) is not None
    ]
    if any(bar is JudgeBar.UNREADABLE for bar, _ in bars):
        return (
            "too few of the judge's marks on its calibration set could be read to tell whether it has moved"
        )
    furthest = max(abs(check.shift) for _, check in bars if check.shift is not None)
    return f"the judge moved by {furthest:.2f} marks (of 1-5) on its calibration set"


def _other_basis(judged: Judgement, model: int, index: int, day: int) -> str:
    """Say on what other parameters or judge than its baseline's a day rests."""
    under = judged.daily.bases
    own, before = (under.known[int(part[model, index, day])] for part in (under.own, under.against))
    window = under.own[model, index, max(0, day - judged.thresholds.window_days) : day]
    days = int((window == under.own[model, index, day]).sum())
    parts = []
    if own.judge != before.judge:
        parts.append(f"{own.judge or 'no judge'} marked this day, {before.judge or 'no judge'} its baseline")
    if own.parameters != before.parameters:
        parts.append(f"sent with {own.parameters}, its baseline with {before.parameters}")
    least = judged.thresholds.least_days
    return f"{'; '.join(parts)} ({days} of {least} days that a baseline needs)"


def _change(judged: Judgement, model: int, day: int, seen: SeenChange) -> ConditionChange:
    return ConditionChange(
        kind=seen.kind.value,
        before=seen.before,
        after=seen.after,
        since=judged.history.date_of(seen.since),
        samples=seen.samples,
        known=seen.known,
        unchanged=_unchanged(judged, model, day, seen) if seen.samples < seen.known else None,
    )


def _unchanged(judged: Judgement, model: int, day: int, seen: SeenChange) -> PairedTest | None:
    """Return the paired test on the day's samples without the new value; None where nothing is to compare."""
    history, rows = judged.history, judged.history.rows
    if rows.conditions is None or seen.kind is Kind.JUDGE:
        return None
    runs = np.array([run.day == day for run in history.runs])
    other = np.array(
        [False, *(value_of(seen.kind, each) not in (None, seen.after) for each in history.conditions)]
    )
    chosen = (rows.model == model) & runs[rows.run] & judged.daily.gaps.kept & other[rows.conditions + 1]
    scored, total = np.zeros(len(history.cases)), np.zeros(len(history.cases))
    np.add.at(scored, rows.case[chosen], rows.ok[chosen] + rows.invalid[chosen])
    np.add.at(total, rows.case[chosen], rows.total[chosen] / 100.0)
    cases = judged.daily.case_scores[model].copy()
    cases[:, day] = np.divide(total, scored, out=np.full(len(scored), np.nan), where=scored > 0)
    of_case = np.repeat(np.arange(len(history.use_cases)), np.diff(history.starts))
    return paired(np.clip(cases, 0.0, 1.0), _window(judged, model, day)[of_case], day)


def describe_change(change: ConditionChange) -> str:
    """Return a change of conditions as a sentence, with what the unchanged samples say."""
    before = " or ".join(change.before[:3])
    begun = {
        Kind.PARAMETERS.value: "the parameters sent are",
        Kind.JUDGE.value: "the judge is",
        Kind.MODEL.value: "the endpoint serves model",
        Kind.FINGERPRINT.value: "the endpoint serves fingerprint",
    }[change.kind]
    samples = f"{change.samples} of {change.known} samples"
    told = f"since {change.since} {begun} {change.after} (before: {before}), in {samples}"
    if change.unchanged is not None:
        test = change.unchanged
        return (
            f"{told}; on the unchanged samples of {test.cases} cases the mean change is "
            f"{test.difference:+.1f} points, p = {test.p:.2g}"
        )
    if change.samples == change.known:
        return f"{told}; no sample is unchanged, so a fall cannot be distinguished from this change"
    return told


def _few(judged: Judgement, common: int, known: int) -> str:
    least = f"{100 * judged.thresholds.common_share:g} %"
    return f"{common} of {known} cases in common with the baseline, fewer than {least}"


def _few_altogether(judged: Judgement, model: int, day: int) -> str | None:
    """Say that too few of a model's cases are common with its baselines; None where that is not so."""
    if not judged.sparse[model, day]:
        return None
    counted = judged.counted_cases[model, :, day]
    matched = judged.matched
    common, known = (int(part[model, counted, day].sum()) for part in (matched.common, matched.known))
    few = _few(judged, common, known)
    return f"{few}{_elsewhere(judged, model, day, 0, len(judged.history.cases))}"


def _samples(count: int) -> str:
    return "1 sample" if count == 1 else f"{count} samples"
