"""The verdict of one day, in words and numbers, from a judged history."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import date

import numpy as np

from assay.core.verdict import StateReason
from assay.core.verdict import UseCaseState as State
from assay.core.wording import counted
from assay.results.runs import StatusCounts
from assay.results.watch import (
    BaselineComparison,
    ConditionChange,
    ConditionKind,
    DayFlip,
    Fall,
    ModelVerdict,
    PairedTest,
    ProviderFall,
    UseCaseVerdict,
)
from assay.stats.intervals import Interval, bounded_mean
from assay.watch.conditions import SeenChange, value_of
from assay.watch.history import BoolArray, FloatArray, IntArray, UseCaseSeries
from assay.watch.judgement import Judgement
from assay.watch.paired import PairedCases, day_on_day, flips
from assay.watch.same_cases import MatchedHistory, compare
from assay.watch.scores import judge_problem
from assay.watch.verdict import StateEvidence

KEPT = "the earlier state is kept"


def verdicts_on(judged: Judgement, when: date) -> tuple[ModelVerdict, ...]:
    """Return the verdicts on all models on a calendar date."""
    day = judged.history.day_of(when)
    return tuple(verdict_on(judged, model, day) for model in range(len(judged.history.subjects)))


def verdict_on(judged: Judgement, model: int, day: int) -> ModelVerdict:
    """Return the verdict on a model on a day, both by position, with its evidence."""
    history, daily = judged.history, judged.daily
    beside = _beside_window(judged, model, day)
    use_cases = tuple(
        _use_case_verdict(judged, model, index, day, beside) for index in range(len(history.use_cases))
    )
    tested = daily.fit[model, :, day] & judged.baseline.exists[model, :, day]
    changed: tuple[DayFlip, ...] = sum((verdict.flips for verdict in use_cases), ())
    reason_kind, reason = model_reason(judged, model, day)
    return ModelVerdict(
        model=history.subjects[model].name,
        day=history.date_of(day),
        suite=history.suite,
        version=history.version,
        state=judged.state(model, day),
        reason=reason,
        reason_kind=reason_kind,
        cooked=tuple(verdict.use_case for verdict in use_cases if verdict.state is State.COOKED),
        suspicious=tuple(verdict.use_case for verdict in use_cases if verdict.state is State.SUSPICIOUS),
        held=tuple(verdict.use_case for verdict in use_cases if verdict.held),
        cases=sum(verdict.cases for verdict in use_cases),
        known_cases=int(judged.matched.known[model, :, day].sum()),
        counts=_counts(judged, model, day, 0, len(history.cases)),
        attempted=int(daily.gaps.attempted[model, day]),
        errored=int(daily.gaps.errored[model, day]),
        runs_left_out=int(daily.gaps.left_out[model, day]),
        routing_changed=int(daily.elsewhere[model, :, day].sum()),
        judge_moved=bool(daily.barred[model, :, day].any()),
        paired=beside.pairs.test(tested[beside.use_case] & beside.common),
        fell_overnight=day_on_day(changed),
        down=bool(judged.down[model, day]),
        provider_fall=_provider_fall(judged, model, day),
        conditions_changed=tuple(
            _condition_change(judged, model, day, seen) for seen in judged.changes.get((model, day), ())
        ),
        use_cases=use_cases,
    )


def _use_case_verdict(
    judged: Judgement, model: int, index: int, day: int, beside: _BesideWindow
) -> UseCaseVerdict:
    history, daily, evidence = judged.history, judged.daily, judged.evidence
    series = history.use_cases[index]
    low, high = history.starts[index : index + 2]
    cell = (model, index, day)
    score = float(judged.matched.scores[cell])
    scored, fit = not np.isnan(score), bool(daily.fit[cell])
    golden = _comparison(judged.golden, judged.golden_evidence, cell)
    baseline = _comparison(judged.matched, evidence, cell)
    missing, new = _changed_cases(series, beside, low, high)
    reason_kind, reason = use_case_reason(judged, model, index, day)
    common = beside.common & (beside.use_case == index)
    return UseCaseVerdict(
        use_case=series.name,
        grading=series.grading,
        state=State(evidence.state[cell]),
        held=bool(evidence.held[cell]),
        reading=State(evidence.reading[cell]),
        reason=reason,
        reason_kind=reason_kind,
        score=score if scored else None,
        cases=int(common.sum()) if scored else 0,
        missing=missing,
        new=new,
        interval=_interval(daily.case_scores[model, common, day]) if scored else None,
        counts=_counts(judged, model, day, low, high),
        days_used=int(judged.baseline.days[cell]),
        baseline=baseline,
        flips=_flips(judged, model, index, day) if fit else (),
        full_power=bool(judged.powered[cell]) and scored,
        barred=bool(daily.barred[cell]),
        golden=golden,
        golden_state=State(judged.golden_evidence.state[cell])
        if golden is not None and golden.score is not None
        else None,
        paired=beside.pairs.test(common) if fit and scored and baseline else None,
        fall=_fall(judged, cell),
    )


def _comparison(
    matched: MatchedHistory, evidence: StateEvidence, cell: tuple[int, int, int]
) -> BaselineComparison | None:
    baseline = matched.baseline
    if np.isnan(baseline.mean[cell]):
        return None
    score, z, drop = float(matched.scores[cell]), float(evidence.z[cell]), float(evidence.drop[cell])
    return BaselineComparison(
        mean=float(baseline.mean[cell]),
        deviation=float(baseline.deviation[cell]),
        spread=float(baseline.spread[cell]),
        days=int(baseline.days[cell]),
        score=None if np.isnan(score) else score,
        cases=int(matched.common[cell]),
        z=None if np.isnan(z) else z,
        drop=None if np.isnan(drop) else drop,
    )


@dataclass(frozen=True, slots=True)
class _BesideWindow:
    """A model's day beside the window of its baseline, case by case; arrays of shape (cases,).

    `use_case` is the position of each case's use case. `now` marks the cases that were scored on the day,
    `steady` those of the baseline, if there is one (`calibrated`), and `common` those of the day's score.
    """

    use_case: IntArray
    now: BoolArray
    steady: BoolArray
    calibrated: BoolArray
    common: BoolArray
    pairs: PairedCases


def _beside_window(judged: Judgement, model: int, day: int) -> _BesideWindow:
    """Compare a day of all use cases of a model with their windows, case by case."""
    places = np.arange(len(judged.history.use_cases))
    models, days = np.full(len(places), model), np.full(len(places), day)
    lags = np.arange(judged.thresholds.window_days, 0, -1)
    past = judged.table.past(places, models, days, days[:, np.newaxis] - lags)
    compared = compare(judged.table.today(places, models, days), past, judged.thresholds)
    widths = np.diff(judged.history.starts)
    of_case = np.repeat(places, widths)
    own = np.arange(compared.now.shape[1]) < widths[:, np.newaxis]
    now, steady = compared.now[own], compared.steady[own]
    calibrated = (compared.window_days >= judged.thresholds.least_days)[of_case]
    scores, window = _recent(judged, model, day)
    pairs = PairedCases.of(scores, window[of_case], -1)
    return _BesideWindow(of_case, now, steady, calibrated, now & (steady | ~calibrated), pairs)


def _changed_cases(
    series: UseCaseSeries, beside: _BesideWindow, low: int, high: int
) -> tuple[tuple[str, ...], tuple[str, ...]]:
    """Return the cases of the baseline that are missing on a scored day, and those that are new on it."""
    now, steady = beside.now[low:high], beside.steady[low:high]
    if not beside.calibrated[low] or not now.any():
        return (), ()
    names = np.array(series.cases, dtype=object)
    return tuple(names[steady & ~now]), tuple(names[now & ~steady])


def _interval(case_scores: np.ndarray) -> Interval:
    values = np.clip(case_scores[~np.isnan(case_scores)], 0.0, 1.0)
    interval = bounded_mean(values.tolist())
    return Interval(100.0 * interval.low, 100.0 * interval.high, interval.level)


def _counts(judged: Judgement, model: int, day: int, low: int, high: int) -> StatusCounts:
    daily = judged.daily
    statuses = (daily.ok, daily.invalid, daily.error, daily.ungraded)
    return StatusCounts(*(int(column[model, low:high, day].sum()) for column in statuses))


def _recent(judged: Judgement, model: int, day: int) -> tuple[FloatArray, BoolArray]:
    """Return the case scores (cases, days) of the window's days and, last, of the day itself.

    The second result marks the days of each use case's rolling baseline, shape (use cases, days).
    """
    daily, bases = judged.daily, judged.daily.bases
    span = slice(max(0, day - judged.thresholds.window_days), day + 1)
    alike = bases.own[model, :, span] == bases.against[model, :, day, np.newaxis]
    window = daily.fit[model, :, span] & alike
    window[:, -1] = False
    return daily.case_scores[model, :, span], window


def _flips(judged: Judgement, model: int, index: int, day: int) -> tuple[DayFlip, ...]:
    earlier = judged.daily.fit[model, index, :day].nonzero()[0]
    if not earlier.size:
        return ()
    low, high = judged.history.starts[index : index + 2]
    cases = judged.daily.case_scores[model, low:high]
    return flips(judged.history.use_cases[index].cases, cases[:, earlier[-1]], cases[:, day])


def _fall(judged: Judgement, cell: tuple[int, int, int]) -> Fall:
    recovery, history = judged.recovery, judged.history
    down, recovered = bool(recovery.down[cell]), int(recovery.recovered[cell])
    return Fall(
        down=down,
        since=history.date_of(int(recovery.since[cell])) if down else None,
        mean=float(recovery.mean[cell]) if down else None,
        spread=float(recovery.spread[cell]) if down else None,
        within=int(recovery.within[cell]),
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


Reason = tuple[StateReason | None, str | None]
"""A kind of reason and its sentence; both None if there is nothing to explain."""


def use_case_reason(judged: Judgement, model: int, index: int, day: int) -> Reason:
    """Return the reason why a use case has no state of its own on a day."""
    daily, evidence, cell = judged.daily, judged.evidence, (model, index, day)
    low, high = judged.history.starts[index : index + 2]
    rerouted = bool(daily.elsewhere[model, low:high, day].any())
    if np.isnan(daily.scores[cell]):
        counts = _counts(judged, model, day, low, high)
        if daily.gaps.gap[model, day] or (counts.n == 0 and not rerouted):
            kind, reason = _gap_reason(judged, model, day)
            return (kind, reason) if reason else (StateReason.NO_SAMPLES, "no samples of this use case")
        if daily.unmarked[cell]:
            return StateReason.UNGRADED, f"{counts.ungraded} of {counted(counts.n, 'sample')} ungraded"
        if rerouted:
            return StateReason.REROUTED, _explain_missing(judged, model, day, low, high)
        return StateReason.ERRORS, f"{counts.error} of {counted(counts.n, 'sample')} errored"
    if judged.matched.sparse[cell]:
        few = _common_share(judged, int(judged.matched.common[cell]), int(judged.matched.known[cell]))
        kind = StateReason.REROUTED if rerouted else StateReason.FEW_CASES
        return kind, f"{few}{_rerouted_clause(judged, model, day, low, high)}"
    if evidence.state[cell] == State.CALIBRATING and not judged.baseline.exists[cell]:
        least = judged.thresholds.least_days
        days = int(judged.baseline.days[cell])
        return StateReason.FEW_DAYS, f"{days} of the {least} scored days that a baseline needs"
    if daily.bases.own[cell] != daily.bases.against[cell]:
        return StateReason.OTHER_CONDITIONS, f"{_explain_basis(judged, model, index, day)}: {KEPT}"
    if daily.barred[cell]:
        kind, reason = _judge_reason(judged, model, day, [index])
        return kind, f"{reason}: {KEPT}"
    if evidence.underpowered[cell]:
        wanted = int(judged.history.full[index])
        counts = _counts(judged, model, day, low, high)
        scored = counts.ok + counts.invalid
        few = f"looks suspicious, but only {scored} of {wanted} samples are scored after the re-run"
        return StateReason.UNDERPOWERED, f"{few}: {KEPT}"
    return None, None


def model_reason(judged: Judgement, model: int, day: int) -> Reason:
    """Return the reason why a model has no verdict from a day's scores."""
    kind, reason = _gap_reason(judged, model, day)
    if reason is not None:
        return kind, reason
    if judged.states[model, day] == State.GAP:
        elsewhere = _rerouted_clause(judged, model, day, 0, len(judged.history.cases))
        few = _explain_few_cases(judged, model, day)
        kind = StateReason.FEW_CASES if few else StateReason.NO_SCORE
        return StateReason.REROUTED if elsewhere else kind, few or f"no use case has a score{elsewhere}"
    if judged.states[model, day] == State.CALIBRATING:
        least = judged.thresholds.least_days
        return StateReason.FEW_DAYS, f"no use case has the {least} scored days that a baseline needs"
    barred = np.flatnonzero(judged.daily.barred[model, :, day])
    return _judge_reason(judged, model, day, barred.tolist()) if barred.size else (None, None)


def _gap_reason(judged: Judgement, model: int, day: int) -> Reason:
    gaps = judged.daily.gaps
    attempted, errored = int(gaps.attempted[model, day]), int(gaps.errored[model, day])
    if not attempted:
        return StateReason.NO_SAMPLES, "no samples this day"
    if not gaps.gap[model, day]:
        return None, None
    return StateReason.ERRORS, f"{errored} of {counted(attempted, 'sample')} errored"


def _explain_missing(judged: Judgement, model: int, day: int, low: int, high: int) -> str:
    """Return the reason why a use case has no score: errors and rerouted answers together."""
    error = int(judged.daily.error[model, low:high, day].sum())
    elsewhere = int(judged.daily.elsewhere[model, low:high, day].sum())
    routed = f"{counted(elsewhere, 'answer')} came from another provider than the pin"
    return f"{error} of {counted(error + elsewhere, 'sample')} errored, {routed}" if error else routed


def _rerouted_clause(judged: Judgement, model: int, day: int, low: int, high: int) -> str:
    """Return a clause on the rerouted answers of some cases, or an empty text."""
    count = int(judged.daily.elsewhere[model, low:high, day].sum())
    return f"; {counted(count, 'answer')} came from another provider than the pin" if count else ""


def _judge_reason(
    judged: Judgement, model: int, day: int, use_cases: Sequence[int]
) -> tuple[StateReason, str]:
    """Return the reason why the day's judge may not change a state: unreadable marks, or it moved."""
    history, rows = judged.history, judged.history.rows
    marked = np.unique(rows.run[(rows.model == model) & judged.daily.gaps.kept])
    runs = [history.runs[place] for place in marked if history.runs[place].day == day]
    problems = [
        (problem, run.check(use_case))
        for run in runs
        for use_case in use_cases
        if (problem := judge_problem(run, use_case, judged.thresholds)) is not None
    ]
    if any(problem is StateReason.JUDGE_UNREADABLE for problem, _ in problems):
        few = "too few of the judge's marks on its calibration answers could be read to see whether it moved"
        return StateReason.JUDGE_UNREADABLE, few
    furthest = max(abs(check.shift) for _, check in problems if check.shift is not None)
    moved = f"the judge moved by {furthest:.2f} marks (scale 1-5) on its calibration answers"
    return StateReason.JUDGE_MOVED, moved


def _explain_basis(judged: Judgement, model: int, index: int, day: int) -> str:
    """Return how the parameters or the judge of a day differ from those of its baseline."""
    bases = judged.daily.bases
    own, before = (bases.known[int(part[model, index, day])] for part in (bases.own, bases.against))
    window = bases.own[model, index, max(0, day - judged.thresholds.window_days) : day]
    days = int((window == bases.own[model, index, day]).sum())
    parts = []
    if own.judge != before.judge:
        parts.append(f"{own.judge or 'no judge'} marked this day, {before.judge or 'no judge'} the baseline")
    if own.parameters != before.parameters:
        parts.append(f"the parameters sent are {own.parameters}, those of the baseline {before.parameters}")
    least = judged.thresholds.least_days
    return f"{'; '.join(parts)} ({days} of the {least} scored days that a new baseline needs)"


def _condition_change(judged: Judgement, model: int, day: int, seen: SeenChange) -> ConditionChange:
    return ConditionChange(
        kind=seen.kind,
        before=seen.before,
        after=seen.after,
        since=judged.history.date_of(seen.since),
        samples=seen.samples,
        known=seen.known,
        unchanged=_test_unchanged(judged, model, day, seen) if seen.samples < seen.known else None,
    )


def _test_unchanged(judged: Judgement, model: int, day: int, seen: SeenChange) -> PairedTest | None:
    """Return the paired test on the day's samples without the new value, or None if there are none."""
    history, rows = judged.history, judged.history.rows
    if rows.conditions is None or seen.kind is ConditionKind.JUDGE:
        return None
    runs = np.array([run.day == day for run in history.runs])
    values = [value_of(seen.kind, conditions) for conditions in history.conditions]
    other = np.array([False, *(value not in (None, seen.after) for value in values)])
    chosen = (rows.model == model) & runs[rows.run] & judged.daily.gaps.kept & other[rows.conditions + 1]
    scored, total = np.zeros(len(history.cases)), np.zeros(len(history.cases))
    np.add.at(scored, rows.case[chosen], rows.ok[chosen] + rows.invalid[chosen])
    np.add.at(total, rows.case[chosen], rows.total[chosen] / 100.0)
    recent, window = _recent(judged, model, day)
    cases = recent.copy()
    cases[:, -1] = np.divide(total, scored, out=np.full(len(scored), np.nan), where=scored > 0)
    of_case = np.repeat(np.arange(len(history.use_cases)), np.diff(history.starts))
    pairs = PairedCases.of(np.clip(cases, 0.0, 1.0), window[of_case], -1)
    return pairs.test(np.ones(len(cases), dtype=np.bool_))


def describe_change(change: ConditionChange) -> str:
    """Return a change of conditions as a sentence, with the result of the unchanged samples."""
    before = " or ".join(change.before[:3])
    subject = {
        ConditionKind.PARAMETERS: "the parameters sent are",
        ConditionKind.JUDGE: "the judge is",
        ConditionKind.MODEL: "the endpoint serves model",
        ConditionKind.FINGERPRINT: "the endpoint serves fingerprint",
    }[change.kind]
    samples = f"{change.samples} of {change.known} samples"
    sentence = f"since {change.since} {subject} {change.after} (before: {before}), in {samples}"
    if change.unchanged is not None:
        test = change.unchanged
        return (
            f"{sentence}; on the unchanged samples of {test.cases} cases the mean change is "
            f"{test.difference:+.1f} points, p = {test.p:.2g}"
        )
    if change.samples == change.known:
        return f"{sentence}; no sample is unchanged, so a fall cannot be distinguished from this change"
    return sentence


def _common_share(judged: Judgement, common: int, known: int) -> str:
    least = f"{100 * judged.thresholds.common_share:g} %"
    return f"{common} of {known} cases are in common with the baseline, fewer than {least}"


def _explain_few_cases(judged: Judgement, model: int, day: int) -> str | None:
    """Return the reason that too few of a model's cases are common with its baselines, or None."""
    if not judged.sparse[model, day]:
        return None
    counted = judged.counted_cases[model, :, day]
    matched = judged.matched
    common, known = (int(part[model, counted, day].sum()) for part in (matched.common, matched.known))
    few = _common_share(judged, common, known)
    return f"{few}{_rerouted_clause(judged, model, day, 0, len(judged.history.cases))}"
