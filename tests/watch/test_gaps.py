"""The gap rule: more than 20 % of a model's samples errored, run by run."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from assay.watch.gaps import gaps
from assay.watch.history import DayRun, History, WatchedModel

MakeHistory = Callable[..., History]
RUNS = [DayRun(1, 0), DayRun(2, 0)]


@pytest.mark.parametrize(
    ("ok", "invalid", "error", "ungraded", "gap"),
    [
        (8, 0, 2, 0, False),
        (79, 0, 21, 0, True),
        (80, 0, 20, 0, False),
        (0, 8, 2, 0, False),
        (0, 0, 2, 8, False),
        (4, 0, 1, 0, False),
        (3, 0, 1, 0, True),
        (0, 100, 0, 0, False),
        (0, 0, 1, 0, True),
    ],
)
def test_share(history: MakeHistory, ok: int, invalid: int, error: int, ungraded: int, gap: bool) -> None:
    """Only errors count, and exactly 20 % of them is no gap."""
    row = {"ok": ok, "invalid": invalid, "error": error, "ungraded": ungraded}
    assert gaps(history([row], runs=RUNS), 0.2).gap[0, 0] == gap


def test_run_by_run(history: MakeHistory) -> None:
    """A broken run is left out though the day's pooled share would pass, and the other run stays."""
    made = history([{"run": 0, "ok": 70, "error": 5}, {"run": 1, "ok": 5, "error": 5}], runs=RUNS)
    left = gaps(made, 0.2)
    assert left.kept.tolist() == [True, False]
    assert not left.gap[0, 0]
    assert (left.left_out[0, 0], left.attempted[0, 0], left.errored[0, 0]) == (1, 85, 10)


def test_good_run_is_not_sunk_by_a_broken_one(history: MakeHistory) -> None:
    """A day with one whole run is no gap, however many samples of another errored."""
    made = history([{"run": 0, "ok": 5}, {"run": 1, "error": 50}], runs=RUNS)
    assert not gaps(made, 0.2).gap[0, 0]


def test_all_runs_broken(history: MakeHistory) -> None:
    """A day on which every run broke is a gap."""
    made = history([{"run": 0, "ok": 1, "error": 1}, {"run": 1, "ok": 1, "error": 1}], runs=RUNS)
    assert gaps(made, 0.2).gap[0, 0]


def test_share_is_of_the_model_in_the_run(history: MakeHistory) -> None:
    """All use cases of a model count together, and another model's errors do not."""
    rows = [{"case": 0, "ok": 9}, {"case": 1, "error": 2}, {"model": 1, "case": 0, "error": 9}]
    left = gaps(history(rows, runs=RUNS, subjects=[WatchedModel("m"), WatchedModel("n")]), 0.2)
    assert left.gap[:, 0].tolist() == [False, True]


def test_a_day_without_runs_is_not_broken(history: MakeHistory) -> None:
    """A day on which nothing ran is told from a broken one by its denominator."""
    left = gaps(history([{"ok": 1}], runs=RUNS, days=2), 0.2)
    assert (left.attempted[0, 1], left.gap[0, 1]) == (0, False)
