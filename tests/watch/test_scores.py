"""Daily scores: samples by case, cases by use case, and what is left out."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
import pytest

from assay.core.case import Grading
from assay.core.suite import Thresholds
from assay.watch.history import DayRun, History, JudgeCheck, UseCaseSeries
from assay.watch.scores import pool

MakeHistory = Callable[..., History]
RUN = [DayRun(1, 0)]
THRESHOLDS = Thresholds()
TWO = [
    UseCaseSeries("checked", Grading.DETERMINISTIC, ("a", "b")),
    UseCaseSeries("judged", Grading.HYBRID, ("c",)),
]


def test_cases_weigh_alike(history: MakeHistory) -> None:
    """Three samples of one case count no more than one sample of another."""
    rows = [{"case": 0, "ok": 3, "total": 300.0}, {"case": 1, "ok": 1, "total": 50.0}]
    assert pool(history(rows, runs=RUN), THRESHOLDS).scores[0, 0, 0] == 75.0


def test_invalid_is_zero(history: MakeHistory) -> None:
    """An invalid sample scores 0 and counts."""
    rows = [{"case": 0, "ok": 1, "invalid": 1, "total": 100.0}, {"case": 1, "ok": 1, "total": 100.0}]
    assert pool(history(rows, runs=RUN), THRESHOLDS).scores[0, 0, 0] == 75.0


def test_errors_are_left_out(history: MakeHistory) -> None:
    """An errored sample neither counts nor lowers the score, and stays in its denominator."""
    rows = [{"case": 0, "ok": 4, "error": 1, "total": 400.0}, {"case": 1, "error": 0, "ok": 1, "total": 50.0}]
    daily = pool(history(rows, runs=RUN), THRESHOLDS)
    assert daily.scores[0, 0, 0] == 75.0
    assert daily.error[0, :, 0].tolist() == [1, 0]


def test_a_case_without_a_scored_sample_is_left_out(history: MakeHistory) -> None:
    """A case of which every sample errored does not enter its use case's mean."""
    rows = [{"case": 0, "ok": 9, "total": 720.0}, {"case": 1, "error": 1}]
    daily = pool(history(rows, runs=RUN), THRESHOLDS)
    assert daily.scores[0, 0, 0] == pytest.approx(80.0)
    assert np.isnan(daily.case_scores[0, 1, 0])


def test_runs_are_pooled_by_sample(history: MakeHistory) -> None:
    """Two runs of a day are one larger day: five samples, not two means."""
    rows = [{"run": 0, "ok": 4, "total": 400.0}, {"run": 1, "ok": 1, "total": 0.0}]
    daily = pool(history(rows, runs=[DayRun(1, 0), DayRun(2, 0)]), THRESHOLDS)
    assert daily.scores[0, 0, 0] == pytest.approx(80.0)


def test_a_broken_run_is_not_pooled(history: MakeHistory) -> None:
    """What a run with too many errors did answer does not enter the score."""
    rows = [{"run": 0, "ok": 4, "total": 400.0}, {"run": 1, "ok": 1, "error": 1, "total": 0.0}]
    daily = pool(history(rows, runs=[DayRun(1, 0), DayRun(2, 0)]), THRESHOLDS)
    assert daily.scores[0, 0, 0] == 100.0


@pytest.mark.parametrize(("ungraded", "scored"), [(1, True), (2, False), (10, False)])
def test_ungraded(history: MakeHistory, ungraded: int, scored: bool) -> None:
    """Up to 20 % ungraded answers are left out; with more the use case has no score that day."""
    rows = [{"ok": 4, "ungraded": ungraded, "total": 320.0}]
    daily = pool(history(rows, runs=RUN), THRESHOLDS)
    assert daily.unmarked[0, 0, 0] != scored
    assert (daily.scores[0, 0, 0] == 80.0) == scored


@pytest.mark.parametrize(("shift", "moved"), [(0.3, False), (0.31, True), (-0.31, True), (np.nan, False)])
def test_judge_drift_bars_judged_use_cases(history: MakeHistory, shift: float, moved: bool) -> None:
    """A judge that moved by more than 0.3 marks bars judged and hybrid use cases, no others."""
    rows = [{"case": 0, "ok": 1, "total": 90.0}, {"case": 2, "ok": 1, "total": 90.0}]
    moved_by = None if np.isnan(shift) else shift
    runs = [DayRun(1, 0, "judge", (JudgeCheck(moved_by),) * 2)]
    daily = pool(history(rows, runs=runs, use_cases=TWO), THRESHOLDS)
    assert daily.barred[0, :, 0].tolist() == [False, moved]
    assert daily.fit[0, :, 0].tolist() == [True, not moved]


def test_a_judge_may_drift_in_one_use_case_alone(history: MakeHistory) -> None:
    """A shift bars the use case it was measured in, if a judge has a say there."""
    rows = [{"case": 0, "ok": 1, "total": 90.0}, {"case": 2, "ok": 1, "total": 90.0}]
    runs = [DayRun(1, 0, "judge", (JudgeCheck(0.9), JudgeCheck(0.1)))]
    assert not pool(history(rows, runs=runs, use_cases=TWO), THRESHOLDS).barred.any()
    runs = [DayRun(1, 0, "judge", (JudgeCheck(0.0), JudgeCheck(0.4)))]
    assert pool(history(rows, runs=runs, use_cases=TWO), THRESHOLDS).barred[0, :, 0].tolist() == [False, True]


def test_answers_from_elsewhere_are_not_the_models(history: MakeHistory) -> None:
    """Answers from another provider are counted and left out; the day is judged by the others."""
    daily = pool(history([{"ok": 2, "total": 150.0, "elsewhere": 1}], runs=RUN), THRESHOLDS)
    assert daily.scores[0, 0, 0] == 75.0
    assert (daily.fit[0, 0, 0], daily.elsewhere[0, 0, 0]) == (True, 1)


def test_a_gap_has_no_score(history: MakeHistory) -> None:
    """A day of which more than 20 % errored has no score, never 0."""
    daily = pool(history([{"ok": 1, "error": 1, "total": 0.0}], runs=RUN), THRESHOLDS)
    assert np.isnan(daily.scores).all()
