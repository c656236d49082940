"""Verdicts with their evidence: what a reader is told, and why a day is not judged."""

from __future__ import annotations

import json
from collections.abc import Callable
from dataclasses import replace
from datetime import date

import numpy as np
import pytest

from assay.core.case import Grading
from assay.core.suite import Thresholds
from assay.core.verdict import ModelState, StateReason
from assay.core.verdict import UseCaseState as State
from assay.results.published import document
from assay.results.runs import StatusCounts
from assay.results.watch import DayFlip, ModelVerdict
from assay.watch.history import (
    DayRun,
    History,
    JudgeCheck,
    SampleRows,
    UseCaseSeries,
    WatchedModel,
    of_scores,
)
from assay.watch.judgement import judge
from assay.watch.wording import verdict_on, verdicts_on

MakeHistory = Callable[..., History]
CASES = ("a", "b", "c", "d", "e")
TWO = (UseCaseSeries("checked", Grading.DETERMINISTIC, CASES), UseCaseSeries("judged", Grading.JUDGE, ("f",)))


STEADY = JudgeCheck(0.0)


def days(
    history: MakeHistory,
    last: list[dict[str, float]],
    *,
    check: JudgeCheck = STEADY,
    judge_name: str = "judge",
    **options: object,
) -> ModelVerdict:
    """Return the verdict on the seventh day; on the six before it all cases but `e` pass."""
    rows: list[dict[str, float]] = [
        {"run": day, "case": case, "ok": 1, "total": 0.0 if case == 4 else 100.0}
        for day in range(6)
        for case in range(6)
    ]
    rows += [{"run": 6, **row} for row in last]
    runs = [DayRun(day + 10, day, "judge", (JudgeCheck(0.0),) * 2) for day in range(6)]
    runs.append(DayRun(16, 6, judge_name, (check,) * 2))
    made = history(rows, runs=runs, **{"use_cases": TWO, "days": 7, **options})
    return verdict_on(judge(made, Thresholds()), 0, 6)


def passes(*cases: int, total: float = 100.0, **more: float) -> list[dict[str, float]]:
    return [{"case": case, "ok": 1, "total": total, **more} for case in cases]


def fails(*cases: int) -> list[dict[str, float]]:
    return passes(*cases, total=0.0)


def test_a_case_that_is_new_today_is_named_and_not_compared(history: MakeHistory) -> None:
    """Four of the five cases have a baseline: the score, its interval and the test are over these."""
    rows = [
        {"run": day, "case": case, "ok": 1, "total": 100.0} for day in range(7) for case in (0, 1, 2, 3, 5)
    ]
    rows.append({"run": 6, "case": 4, "ok": 1, "total": 0.0})
    made = history(rows, runs=[DayRun(day, day) for day in range(7)], use_cases=TWO, days=7)
    use_case = verdict_on(judge(made, Thresholds()), 0, 6).use_cases[0]
    assert (use_case.new, use_case.cases, use_case.score) == (("e",), 4, 100.0)
    assert use_case.interval is not None
    assert use_case.interval.high == pytest.approx(100.0)
    assert use_case.paired is not None
    assert (use_case.paired.cases, use_case.paired.difference) == (4, 0.0)


def test_evidence_by_hand(history: MakeHistory) -> None:
    """One of four passing cases fails: 60 against 80 with the floor of 2 is z = -10, a drop of 25 %."""
    use_case = days(history, [*passes(1, 2, 3, 5), *fails(0, 4)]).use_cases[0]
    assert (use_case.state, use_case.reason) == (State.SUSPICIOUS, None)
    assert use_case.score == pytest.approx(60.0)
    base = use_case.baseline
    assert base is not None
    assert (base.mean, base.deviation, base.spread, base.days) == pytest.approx((80.0, 0.0, 2.0, 6))
    assert (base.z, base.drop) == pytest.approx((-10.0, 0.25))
    assert use_case.flips == (DayFlip("a", 1.0, 0.0),)
    assert use_case.paired is not None
    assert use_case.paired.p == pytest.approx(1 / 7)
    assert use_case.counts == StatusCounts(5, 0, 0, 0)


def test_interval_is_on_the_scores_scale(history: MakeHistory) -> None:
    """Three of five cases give Clopper-Pearson's 14.7 to 94.7 points."""
    interval = days(history, [*passes(1, 2, 3), *fails(0, 4)]).use_cases[0].interval
    assert interval is not None
    assert (interval.low, interval.high) == pytest.approx((14.663, 94.726), abs=1e-3)


def test_a_broken_day(history: MakeHistory) -> None:
    """A gap says how many samples errored, has no score, and is no zero."""
    verdict = days(history, [*passes(0, 1, 2, 3), {"case": 4, "error": 2}])
    assert (verdict.state, verdict.reason) == (ModelState.GAP, "2 of 6 samples errored")
    assert verdict.reason_kind is StateReason.ERRORS
    assert (verdict.attempted, verdict.errored, verdict.counts.n) == (6, 2, 0)
    assert verdict.use_cases[0].score is None


def test_a_day_without_samples(history: MakeHistory) -> None:
    """A day on which nothing ran says so."""
    verdict = days(history, [])
    assert (verdict.state, verdict.reason) == (ModelState.GAP, "no samples this day")
    assert verdict.reason_kind is StateReason.NO_SAMPLES


def test_a_use_case_that_errored(history: MakeHistory) -> None:
    """A use case of which every sample errored says so while the model is judged by the rest."""
    verdict = days(history, [*passes(0, 1, 2, 3), *fails(4), {"case": 5, "error": 1}])
    assert verdict.state is ModelState.OK
    assert (verdict.use_cases[1].state, verdict.use_cases[1].reason) == (State.GAP, "1 of 1 sample errored")
    assert verdict.use_cases[1].reason_kind is StateReason.ERRORS


def test_an_ungraded_use_case(history: MakeHistory) -> None:
    """A use case without a judge says how much is ungraded."""
    verdict = days(history, [*passes(0, 1, 2, 3), *fails(4), {"case": 5, "ungraded": 3}])
    assert verdict.use_cases[1].reason == "3 of 3 samples ungraded"
    assert verdict.use_cases[1].reason_kind is StateReason.UNGRADED
    assert verdict.counts == StatusCounts(5, 0, 0, 3)


def test_answers_from_elsewhere(history: MakeHistory) -> None:
    """Another provider's answers are left out and counted; the rest is judged."""
    verdict = days(history, [*fails(0, 1, 2, 3), {"case": 4, "elsewhere": 1}, *passes(5)])
    assert (verdict.state, verdict.reason) == (ModelState.SUSPICIOUS, None)
    assert verdict.reason_kind is None
    assert verdict.routing_changed == 1
    assert (verdict.use_cases[0].state, verdict.use_cases[0].cases) == (State.COOKED, 4)


def test_too_few_answers_of_the_pin_are_a_gap(history: MakeHistory) -> None:
    """With three of five cases answered from elsewhere the use case is a gap, and says why."""
    astray: list[dict[str, float]] = [{"case": case, "elsewhere": 1} for case in range(5)]
    verdict = days(history, [*passes(0, 1), *astray[2:], *passes(5)])
    assert verdict.use_cases[0].reason == (
        "2 of 5 cases are in common with the baseline, fewer than 80 %; "
        "3 answers came from another provider than the pin"
    )
    verdict = days(history, [*astray, *passes(5)])
    assert verdict.use_cases[0].reason == "5 answers came from another provider than the pin"
    assert verdict.use_cases[0].reason_kind is StateReason.REROUTED


def test_carried_over_states_are_marked(history: MakeHistory) -> None:
    """What a moved judge leaves as it was is named as carried over."""
    verdict = days(history, [*passes(0, 1, 2, 3), *fails(4, 5)], check=JudgeCheck(0.42))
    assert verdict.held == ("judged",)
    assert [each.held for each in verdict.use_cases] == [False, True]


def test_a_moved_judge(history: MakeHistory) -> None:
    """A day with a moved judge says by how much, for the judged use case alone."""
    verdict = days(history, [*passes(0, 1, 2, 3), *fails(4, 5)], check=JudgeCheck(-0.42))
    assert verdict.judge_moved
    assert verdict.use_cases[0].reason is None
    assert "the judge moved by 0.42 marks" in str(verdict.use_cases[1].reason)
    assert verdict.use_cases[1].reason_kind is StateReason.JUDGE_MOVED
    assert verdict.use_cases[1].state is State.OK


def test_unreadable_marks_are_their_own_reason(history: MakeHistory) -> None:
    """A judge of whose marks too few could be read is not said to be another judge, nor to have moved."""
    verdict = days(history, [*passes(0, 1, 2, 3), *fails(4, 5)], check=JudgeCheck(unreadable=True))
    reason = str(verdict.use_cases[1].reason)
    assert reason.startswith("too few of the judge's marks on its calibration answers could be read")
    assert verdict.use_cases[1].reason_kind is StateReason.JUDGE_UNREADABLE
    assert verdict.use_cases[1].state is State.OK


def test_cases_that_vanished_or_appeared_are_named(history: MakeHistory) -> None:
    """Four of five cases are compared; the one without a score today is named."""
    use_case = days(history, [*passes(1, 2, 3, 5), *fails(4)]).use_cases[0]
    assert (use_case.cases, use_case.missing, use_case.new) == (4, ("a",), ())
    assert use_case.score == pytest.approx(75.0)
    assert use_case.baseline is not None
    assert (use_case.baseline.mean, use_case.baseline.cases) == (pytest.approx(75.0), 4)


def test_too_few_common_cases_are_a_gap_with_the_reason(history: MakeHistory) -> None:
    """Three of five cases are fewer than 80 %: the use case is a gap and says so."""
    use_case = days(history, [*passes(1, 2, 5), *fails(4)]).use_cases[0]
    assert (use_case.state, use_case.score) == (State.GAP, None)
    assert use_case.reason == "3 of 5 cases are in common with the baseline, fewer than 80 %"
    assert use_case.reason_kind is StateReason.FEW_CASES
    assert use_case.missing == ("a", "d")


def test_a_model_with_too_few_common_cases_is_a_gap(history: MakeHistory) -> None:
    """Four of six cases altogether are fewer than 80 %: the day is a gap of the model."""
    verdict = days(history, [*passes(1, 2, 5), *fails(4)])
    assert verdict.state is ModelState.GAP
    assert verdict.reason == "4 of 6 cases are in common with the baseline, fewer than 80 %"
    assert (verdict.cases, verdict.known_cases) == (1, 6)


def test_a_failed_rerun(history: MakeHistory) -> None:
    """A suspicious day without its re-run says how many samples there are of how many."""
    full = (replace(TWO[0], full=3), TWO[1])
    use_case = days(history, [*fails(0, 1, 2, 3, 4), *passes(5)], use_cases=full).use_cases[0]
    assert "only 5 of 15 samples are scored after the re-run" in str(use_case.reason)
    assert use_case.reason_kind is StateReason.UNDERPOWERED
    assert (use_case.state, use_case.full_power) == (State.OK, False)


def test_calibrating(history: MakeHistory) -> None:
    """A use case without a baseline says how many days it has."""
    made = history([{"ok": 1, "total": 100.0}], runs=[DayRun(1, 0)])
    verdict = verdict_on(judge(made, Thresholds()), 0, 0)
    assert verdict.reason == "no use case has the 5 scored days that a baseline needs"
    assert verdict.reason_kind is StateReason.FEW_DAYS
    assert verdict.use_cases[0].reason == "0 of the 5 scored days that a baseline needs"


def test_recovery_beside_the_verdict() -> None:
    """A fall that the rolling baseline has absorbed is still told as down, with the baseline from before."""
    cube = np.array([[[90.0] * 10 + [50.0] * 20]])
    judged = judge(of_scores(cube, [Grading.DETERMINISTIC]), Thresholds())
    use_case = verdict_on(judged, 0, 29).use_cases[0]
    assert use_case.state is State.OK
    assert (use_case.fall.down, use_case.fall.since, use_case.fall.mean) == (True, date(2026, 1, 11), 90.0)
    assert use_case.golden is not None
    assert use_case.golden.days == 14


def test_provider_fall_is_told_to_its_models() -> None:
    """Both models of a provider are told that they fell together, the third model is not."""
    cube = np.full((3, 2, 60), 90.0)
    cube[:2, :, 59] = 50.0
    made = of_scores(cube, [Grading.DETERMINISTIC] * 2)
    subjects = tuple(WatchedModel(f"m{index}", name) for index, name in enumerate("aab"))
    verdicts = verdicts_on(judge(replace(made, subjects=subjects), Thresholds()), made.date_of(59))
    assert verdicts[0].provider_fall is not None
    assert verdicts[0].provider_fall.fell == ("m0", "m1")
    assert verdicts[2].provider_fall is None


def test_a_verdict_is_published_as_json(history: MakeHistory) -> None:
    """A verdict is JSON as it stands: states by name, dates in ISO form, no NaN."""
    verdict = days(history, [*passes(1, 2, 3, 5), *fails(0, 4)])
    published = json.loads(json.dumps(document(verdict), allow_nan=False))
    assert (published["day"], published["state"]) == ("2026-03-07", "SUSPICIOUS")
    assert published["use_cases"][0]["state"] == "SUSPICIOUS"
    assert published["use_cases"][0]["baseline"]["mean"] == 80.0


def test_every_day_of_a_wild_history_is_json() -> None:
    """Whatever the days hold, their verdicts can be written down."""
    rng = np.random.default_rng(2)
    size = 400
    rows = SampleRows(
        run=rng.integers(0, 30, size),
        model=rng.integers(0, 2, size),
        case=rng.integers(0, 6, size),
        ok=(ok := rng.integers(0, 3, size)),
        invalid=rng.integers(0, 2, size),
        error=rng.integers(0, 2, size) * (rng.random(size) < 0.3),
        ungraded=rng.integers(0, 2, size) * (rng.random(size) < 0.2),
        total=100.0 * ok * rng.random(size),
        elsewhere=(rng.random(size) < 0.01).astype(np.int64),
    )
    runs = tuple(
        DayRun(index, index, "judge", (JudgeCheck(0.4),) * 2 if index % 7 == 6 else ()) for index in range(30)
    )
    made = History("s", "1", (WatchedModel("m"), WatchedModel("n")), TWO, date(2026, 1, 1), 30, runs, rows)
    judged = judge(made, Thresholds())
    for model in range(2):
        for day in range(made.days):
            json.dumps(document(verdict_on(judged, model, day)), allow_nan=False)
