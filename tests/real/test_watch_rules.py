"""The watch's rules on a coding suite run twice a day on a live product, by task."""

from __future__ import annotations

from datetime import date
from pathlib import Path

import duckdb
import numpy as np
import pytest

from assay.core.case import Grading
from assay.core.suite import Thresholds
from assay.core.verdict import ModelState
from assay.results.watch import ModelVerdict
from assay.watch.history import DayRun, History, SampleRows, UseCaseSeries, WatchedModel
from assay.watch.judgement import judge
from assay.watch.wording import verdict_on

pytestmark = pytest.mark.real
HARNESS_FAILED = "success"
"""The recordings' error type of a task that failed though no test did: the harness broke."""


@pytest.fixture(scope="module")
def verdicts(shared_data: Path) -> dict[date, ModelVerdict]:
    """The verdicts of all days."""
    table = shared_data / "isclaudedumb_tasks.parquet"
    found = duckdb.sql(
        f"select file, date, task_id, passed, coalesce(error_type, '') from '{table}'"
    ).fetchall()
    files, tasks = sorted({row[0] for row in found}), sorted({row[2] for row in found})
    first = date.fromisoformat(min(row[1] for row in found))
    day = {row[0]: (date.fromisoformat(row[1]) - first).days for row in found}
    error = np.array([row[4] == HARNESS_FAILED for row in found])
    none = np.zeros(len(found), dtype=np.int64)
    rows = SampleRows(
        run=np.array([files.index(row[0]) for row in found]),
        model=none,
        case=np.array([tasks.index(row[2]) for row in found]),
        ok=(~error).astype(np.int64),
        invalid=none,
        error=error.astype(np.int64),
        ungraded=none,
        total=100.0 * (np.array([row[3] for row in found]) & ~error),
        elsewhere=none,
    )
    history = History(
        suite="humaneval-plus",
        version="1",
        subjects=(WatchedModel("opus"),),
        use_cases=(UseCaseSeries("code", Grading.DETERMINISTIC, tuple(tasks)),),
        first=first,
        days=max(day.values()) + 1,
        runs=tuple(DayRun(index, day[file]) for index, file in enumerate(files)),
        rows=rows,
    )
    judged = judge(history, Thresholds())
    return {verdict.day: verdict for verdict in (verdict_on(judged, 0, day) for day in range(history.days))}


def test_the_broken_run_is_left_out(verdicts: dict[date, ModelVerdict]) -> None:
    """The run of which 27 % failed in the harness is left out, and its day is judged by the others."""
    broken = verdicts[date(2026, 2, 25)]
    assert (broken.runs_left_out, broken.attempted, broken.errored) == (1, 492, 45)
    assert (broken.state, broken.counts.n) == (ModelState.OK, 328)


def test_only_the_dip_is_flagged(verdicts: dict[date, ModelVerdict]) -> None:
    """Of forty days the two deep days of the dip are suspicious, and no other is."""
    flagged = [day for day, verdict in verdicts.items() if verdict.state is ModelState.SUSPICIOUS]
    assert flagged == [date(2026, 3, 5), date(2026, 3, 7)]


def test_the_paired_test_sees_the_whole_dip(verdicts: dict[date, ModelVerdict]) -> None:
    """By task all three days of the dip stand out at 0.03, and no other judged day does at 0.05."""
    low = [day for day, each in verdicts.items() if each.paired is not None and each.paired.p <= 0.05]
    assert low == [date(2026, 3, 5), date(2026, 3, 6), date(2026, 3, 7)]
