"""The sequential test on a recorded live product: 85 runs of 164 coding tasks, one dip, one broken run."""

from pathlib import Path

import duckdb
import numpy as np
import pytest

from assay.watch.sequential import follow

pytestmark = pytest.mark.real

BROKEN = "2026-02-25-1725"
FIRST_OF_DIP = "2026-03-05-0719"


@pytest.fixture(scope="module")
def runs(shared_data: Path) -> tuple[list[str], np.ndarray]:
    """The runs in order without the broken one (a gap), and passes of shape (tasks, runs)."""
    path = shared_data / "isclaudedumb_tasks.parquet"
    rows = duckdb.sql(
        f"select file, task_id, avg(passed::int) from read_parquet('{path}') group by all"
    ).fetchall()
    names = sorted({str(row[0]) for row in rows})
    tasks = sorted({str(row[1]) for row in rows})
    passed = np.full((len(tasks), len(names)), np.nan)
    for name, task, score in rows:
        passed[tasks.index(task), names.index(name)] = score
    kept = [index for index, name in enumerate(names) if name != BROKEN]
    return [names[index] for index in kept], passed[:, kept]


@pytest.mark.parametrize("seed", [1, 2, 3])
def test_the_recorded_dip_is_the_only_alarm_and_is_dated_to_its_first_run(
    runs: tuple[list[str], np.ndarray], seed: int
) -> None:
    """Each run as one observation: one alarm in 84 runs, at most 6 runs into the dip."""
    names, passed = runs
    ties = 1.0 - np.random.default_rng(seed).random((1, len(names)))
    course = follow(passed[None], np.zeros(len(passed)), ties)
    alarms = np.nonzero(course.alarm[0])[0]
    dip = names.index(FIRST_OF_DIP)
    assert len(alarms) == 1
    assert dip <= alarms[0] < dip + 6
    assert course.since[0, alarms[0]] == dip
