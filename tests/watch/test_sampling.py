"""Adaptive sampling: what is topped up, and what counts as full power."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from assay.core.case import Grading
from assay.core.suite import Thresholds
from assay.core.verdict import UseCaseState as State
from assay.watch.history import DayRun, History, JudgeCheck, Series
from assay.watch.judgement import judge
from assay.watch.sampling import Rerun, powered
from assay.watch.scores import pool

MakeHistory = Callable[..., History]
FIVE = ("a", "b", "c", "d", "e")


@pytest.mark.parametrize(("scored", "enough"), [(15, True), (12, True), (11, False), (5, False)])
def test_full_power(history: MakeHistory, scored: int, enough: bool) -> None:
    """Full power is at least 80 % of the full count, scored."""
    made = history(
        [{"ok": scored - 4, "total": 100.0}, {"case": 1, "invalid": 4, "error": 3}],
        runs=[DayRun(1, 0)],
        use_cases=[Series("u", Grading.DETERMINISTIC, FIVE, full=3)],
    )
    assert powered(made, pool(made, Thresholds(gap_share=0.5)), 0.2)[0, 0, 0] == enough


def test_imported_histories_are_full_power(history: MakeHistory) -> None:
    """Where no re-run is known every scored day counts."""
    made = history([{"ok": 1, "total": 10.0}], runs=[DayRun(1, 0)])
    assert powered(made, pool(made, Thresholds()), 0.2)[0, 0, 0]


def days(history: MakeHistory, last: float, *, again: float | None = None, errors: int = 0) -> History:
    """Return six days at 80 and a last one, judged and checked use cases alike, one sample a case."""
    use_cases = [
        Series("u", Grading.DETERMINISTIC, FIVE, 3),
        Series("v", Grading.JUDGE, ("f", "g", "h", "i", "j"), 3),
    ]
    rows: list[dict[str, float]] = [
        {"run": day, "case": case, "ok": 1, "total": 80.0 if day < 6 else last}
        for day in range(7)
        for case in range(10)
    ]
    runs = [DayRun(day, day) for day in range(7)]
    if again is not None or errors:
        rows += [
            {"run": 7, "case": case, "ok": 2 - errors, "error": errors, "total": (2 - errors) * (again or 0)}
            for case in range(10)
        ]
        runs.append(DayRun(7, 6))
    return history(rows, runs=runs, use_cases=use_cases, days=7)


def test_a_suspicious_provisional_score_asks_for_a_rerun(history: MakeHistory) -> None:
    """A provisional score beyond the bounds asks for the full count; the state waits for it."""
    made = days(history, 71.0)
    judged = judge(made, Thresholds())
    assert judged.reruns(made.date_of(6)) == (Rerun(0, 0),)
    assert judged.readings.state[0, :, 6].tolist() == [State.OK, State.OK]


def test_an_ordinary_score_asks_for_nothing(history: MakeHistory) -> None:
    """A provisional score within the bounds stands."""
    made = days(history, 79.0)
    assert judge(made, Thresholds()).reruns(made.date_of(6)) == ()


@pytest.mark.parametrize(("again", "state"), [(71.0, State.SUSPICIOUS), (90.0, State.OK)])
def test_the_top_up_decides(history: MakeHistory, again: float, state: int) -> None:
    """After the top-up the pooled samples decide, and nothing more is asked for."""
    made = days(history, 71.0, again=again)
    judged = judge(made, Thresholds())
    assert judged.readings.state[0, 0, 6] == state
    assert judged.reruns(made.date_of(6)) == ()
    expected = (71.0 + 2 * again) / 3
    assert judged.daily.scores[0, 0, 6] == pytest.approx(expected)


def test_a_failed_rerun_leaves_the_state(history: MakeHistory) -> None:
    """A top-up of which half errored is left out, and the state stays as it was."""
    made = days(history, 40.0, again=40.0, errors=1)
    judged = judge(made, Thresholds())
    assert judged.readings.state[0, :, 6].tolist() == [State.OK, State.OK]
    assert judged.readings.reading[0, :, 6].tolist() == [State.COOKED, State.COOKED]


def test_nothing_to_top_up(history: MakeHistory) -> None:
    """Days that cannot change a state ask for no re-run."""
    made = days(history, 40.0)
    moved = tuple(
        DayRun(run.id, run.day, "judge", (JudgeCheck(0.5),) * len(made.use_cases) if run.day == 6 else ())
        for run in made.runs
    )
    barred = History(
        made.suite, made.version, made.subjects, made.use_cases, made.first, made.days, moved, made.rows
    )
    assert judge(barred, Thresholds()).reruns(made.date_of(6)) == (Rerun(0, 0),)
