"""Conditions: what of ours changed freezes, what the endpoint changed is judged and told."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import date

import numpy as np
import pytest

from assay.core.case import Grading
from assay.core.conditions import Conditions
from assay.core.suite import Thresholds
from assay.core.verdict import ModelState
from assay.core.verdict import UseCaseState as State
from assay.results.watch import ModelVerdict
from assay.watch.history import DayRun, History, SampleRows, UseCaseSeries, WatchedModel
from assay.watch.judgement import Judgement, judge
from assay.watch.wording import describe_change, verdict_on

CASES = 10
LOW, NONE = '{"reasoning_effort":"low"}', "{}"
OLD = Conditions(LOW, "P", "good", "fp1")


def judged(
    days: Sequence[Sequence[tuple[Conditions, float, int]]],
    judges: Sequence[str | None] = (),
    grading: Grading = Grading.DETERMINISTIC,
) -> Judgement:
    """Return days judged, each of parts: conditions, score 0-100, cases; ten cases in both use cases."""
    known = list(dict.fromkeys(part[0] for day in days for part in day))
    rows = []
    for day, parts in enumerate(days):
        case = 0
        for conditions, score, cases in parts:
            for place in range(case, case + cases):
                rows += [(day, place + 10 * use_case, score, known.index(conditions)) for use_case in (0, 1)]
            case += cases
    run, case_, total, under = (np.array(column) for column in zip(*rows, strict=True))
    ones, zeros = np.ones(len(run), dtype=np.int64), np.zeros(len(run), dtype=np.int64)
    names = tuple(f"c{place}" for place in range(20))
    history = History(
        suite="s",
        version="1",
        subjects=(WatchedModel("m"),),
        use_cases=(UseCaseSeries("a", grading, names[:10]), UseCaseSeries("b", grading, names[10:])),
        first=date(2026, 1, 1),
        days=len(days),
        runs=tuple(DayRun(day, day, judges[day] if judges else None) for day in range(len(days))),
        rows=SampleRows(run, zeros, case_, ones, zeros, zeros, zeros, total.astype(np.float64), zeros, under),
        conditions=tuple(known),
    )
    return judge(history, Thresholds())


def last(made: Judgement) -> ModelVerdict:
    return verdict_on(made, 0, made.history.days - 1)


def whole(conditions: Conditions, score: float = 90.0) -> list[tuple[Conditions, float, int]]:
    return [(conditions, score, CASES)]


def test_a_swapped_model_is_told_though_it_scores_as_before() -> None:
    """Another served model and fingerprint on the seventh day: OK, with both changes since that day."""
    swapped = Conditions(LOW, "P", "totally-other-model", "fp9")
    verdict = last(judged([*[whole(OLD)] * 6, whole(swapped)]))
    assert verdict.state is ModelState.OK
    assert [(each.kind, each.before, each.after) for each in verdict.conditions_changed] == [
        ("served model", ("good",), "totally-other-model"),
        ("fingerprint", ("fp1",), "fp9"),
    ]
    told = describe_change(verdict.conditions_changed[0])
    assert told == (
        "since 2026-01-07 the endpoint serves model totally-other-model (before: good), in 20 of 20 samples; "
        "no sample is unchanged, so a fall cannot be distinguished from this change"
    )


def test_a_change_is_told_until_the_window_has_moved_past_it() -> None:
    """On the thirteenth day after it the baseline still has days from before; on the fourteenth none."""
    other = Conditions(LOW, "P", "other", "fp1")
    made = judged([*[whole(OLD)] * 6, *[whole(other)] * 16])
    told = [bool(verdict_on(made, 0, day).conditions_changed) for day in range(22)]
    assert told == [False] * 6 + [True] * 14 + [False] * 2


def test_a_swapped_model_that_fell_is_cooked_and_told() -> None:
    """What the endpoint serves is the model's matter: it is judged, and the change stands beside."""
    verdict = last(judged([*[whole(OLD)] * 6, whole(Conditions(LOW, "P", "other", "fp1"), 20.0)]))
    assert verdict.state is ModelState.COOKED
    assert len(verdict.conditions_changed) == 1


def test_the_unchanged_samples_are_read_apart() -> None:
    """Half of the cases were served by the old model and stayed as they were: their mean change is 0."""
    parts = [(OLD, 90.0, 5), (Conditions(LOW, "P", "other", "fp1"), 10.0, 5)]
    change = last(judged([*[whole(OLD)] * 6, parts])).conditions_changed[0]
    assert (change.samples, change.known) == (10, 20)
    assert change.unchanged is not None
    assert (change.unchanged.cases, change.unchanged.difference) == (10, pytest.approx(0.0))


def test_rotating_fingerprints_are_no_news() -> None:
    """A fingerprint of the window is no change, one never seen there is."""
    one, two, three = (Conditions(LOW, "P", "good", f"fp{number}") for number in (1, 2, 3))
    days = [whole(one if day % 2 else two) for day in range(10)]
    made = judged([*days, whole(three)])
    assert not any(verdict_on(made, 0, day).conditions_changed for day in range(2, 10))
    assert [each.after for each in last(made).conditions_changed] == ["fp3"]


def test_refused_parameters_never_make_a_model_cooked() -> None:
    """A server that begins to refuse a parameter freezes the state; the numbers alone are shown."""
    refused = Conditions(NONE, "P", "good", "fp1")
    made = judged([*[whole(OLD)] * 6, whole(refused, 20.0), whole(refused, 20.0)])
    verdict = last(made)
    assert (verdict.state, verdict.held) == (ModelState.OK, ("a", "b"))
    assert verdict.use_cases[0].reading is State.COOKED
    assert verdict.use_cases[0].reason == (
        f"the parameters sent are {NONE}, those of the baseline {LOW} (1 of the 5 scored days that a "
        "new baseline needs): "
        "the earlier state is kept"
    )
    assert verdict.conditions_changed[0].kind == "parameters"


def test_changed_parameters_have_a_baseline_of_their_own_after_five_days() -> None:
    """From the sixth day on the model is judged against days under the same parameters."""
    refused = Conditions(NONE, "P", "good", "fp1")
    made = judged(
        [*[whole(OLD)] * 6, *[whole(refused, 50.0)] * 5, whole(refused, 50.0), whole(refused, 10.0)]
    )
    assert made.evidence.held[0, 0].tolist() == [False] * 6 + [True] * 5 + [False] * 2
    assert made.baseline.mean[0, 0, 11] == pytest.approx(50.0)
    assert made.states[0].tolist()[11:] == [State.OK, State.COOKED]


def test_a_few_samples_under_other_parameters_are_left_out() -> None:
    """One case of ten was asked otherwise: the others are judged, and a real fall of theirs is seen."""
    refused = Conditions(NONE, "P", "good", "fp1")
    made = judged([*[whole(OLD)] * 6, [(OLD, 20.0, 9), (refused, 90.0, 1)]])
    verdict = last(made)
    assert (verdict.state, verdict.held) == (ModelState.COOKED, ())
    assert verdict.use_cases[0].cases == 9


def test_one_day_of_another_judge_leaves_earlier_days_as_they_were() -> None:
    """The day itself is frozen; verdicts of before and after it stay what they are without it."""
    days = [whole(OLD)] * 12
    calm = judged(days, ["x"] * 12, Grading.JUDGE)
    odd = judged(days, ["x"] * 8 + ["y"] + ["x"] * 3, Grading.JUDGE)
    assert np.array_equal(calm.states[:, :8], odd.states[:, :8])
    assert odd.evidence.held[0, 0].tolist() == [False] * 8 + [True] + [False] * 3
    assert odd.baseline.days[0, 0, 7] == 7
    assert odd.baseline.days[0, 0, 11] == 10
    reason = verdict_on(odd, 0, 8).use_cases[0].reason
    assert reason == (
        "y marked this day, x the baseline (0 of the 5 scored days that a new baseline needs): the "
        "earlier state is kept"
    )


def test_a_judge_changed_for_good_is_told_and_gets_a_baseline() -> None:
    """Five frozen days, then judged against marks of the new judge; the change is told with its day."""
    made = judged([whole(OLD)] * 14, ["x"] * 7 + ["y"] * 7, Grading.JUDGE)
    assert made.evidence.held[0, 0].tolist() == [False] * 7 + [True] * 5 + [False] * 2
    change = verdict_on(made, 0, 10).conditions_changed[0]
    assert (change.kind, change.before, change.after, change.since) == (
        "judge",
        ("x",),
        "y",
        date(2026, 1, 8),
    )


def test_unknown_conditions_are_no_change() -> None:
    """Samples from before conditions were recorded count as sent with what is usual."""
    unknown = Conditions(None, None, None, None)
    made = judged([*[whole(unknown)] * 6, whole(OLD)])
    assert last(made).conditions_changed == ()
    assert not made.evidence.held.any()
