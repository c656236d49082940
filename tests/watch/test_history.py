"""The input of the watch: what it refuses."""

from __future__ import annotations

from collections.abc import Callable
from datetime import date

import numpy as np
import pytest

from assay.core.case import Grading
from assay.core.errors import InvalidInput
from assay.watch.history import DayRun, History, UseCaseSeries, of_scores

RUN = [DayRun(1, 0)]


def test_fitting_rows_pass(history: Callable[..., History]) -> None:
    """Rows that fit raise nothing."""
    history([{"ok": 2, "total": 150.0}], runs=RUN).check()


@pytest.mark.parametrize(
    ("row", "words"),
    [
        ({"case": 2}, "case goes from 2 to 2"),
        ({"model": 1}, "model goes from 1 to 1"),
        ({"run": -1}, "run goes from -1 to -1"),
        ({"error": -3}, "error has the count -3"),
        ({"ok": 1, "total": 101.0}, "the total 101.0 for 1 ok samples"),
        ({"ok": 1, "total": float("nan")}, "the total nan"),
    ],
)
def test_rows_that_do_not_fit(history: Callable[..., History], row: dict[str, float], words: str) -> None:
    """A row outside the history is refused with the offending value."""
    with pytest.raises(InvalidInput, match=words):
        history([row], runs=RUN).check()


def test_all_problems_at_once(history: Callable[..., History]) -> None:
    """Every misfit is told, not only the first."""
    broken = history(
        [{"case": 9, "ok": -1}], runs=[DayRun(7, 3)], use_cases=[UseCaseSeries("x", Grading.JUDGE, ())]
    )
    with pytest.raises(InvalidInput) as caught:
        broken.check()
    assert len(caught.value.problems) == 5


def test_dates(history: Callable[..., History]) -> None:
    """Positions and dates turn into each other, and dates outside are refused."""
    made = history([], runs=[], days=3)
    assert made.date_of(2) == date(2026, 3, 3)
    assert made.day_of(date(2026, 3, 3)) == 2
    with pytest.raises(InvalidInput, match="give one from 2026-03-01 to 2026-03-03"):
        made.day_of(date(2026, 3, 4))


def test_daily_scores_become_rows() -> None:
    """Daily scores turn into one sample a use case and day, missing ones into none."""
    made = of_scores([[[90.0, np.nan], [50.0, 60.0]]], [Grading.DETERMINISTIC, Grading.JUDGE])
    assert made.rows.total.tolist() == [90.0, 50.0, 60.0]
    assert made.judged.tolist() == [False, True]
