"""Reading a suite's history from the store."""

from __future__ import annotations

from datetime import date, timedelta
from typing import Any

import numpy as np
import pytest
from sqlalchemy import Engine

from assay.core.errors import NotFound
from assay.runs.watch.history import stored_history
from assay.store.suites import keep_suite
from assay.watch.history import SampleRows

FIRST = date(2026, 11, 1)


def samples(rows: SampleRows) -> int:
    """Return how many samples some rows count."""
    return int((rows.ok + rows.invalid + rows.error + rows.ungraded).sum())


def test_every_sample_is_counted_on_its_day(watching: Any) -> None:
    """Three days of ten samples: thirty, ten a day, all right."""
    watching.until(3)
    stored = stored_history(watching.engine, watching.suite.digest)
    stored.history.check()
    rows = stored.history.rows
    days = np.array([run.day for run in stored.history.runs])[rows.run]
    assert (stored.history.first, stored.history.days) == (FIRST, 3)
    assert [int(rows.ok[days == day].sum()) for day in range(3)] == [10, 10, 10]
    assert rows.total.sum() == 3000.0


@pytest.mark.slow
def test_a_top_up_is_a_run_of_its_own(watching: Any, wrong: Any) -> None:
    """The further epochs of a day count as another run, so that the gap rule can leave them out alone."""
    watching.until(6)
    watching.on(6, wrong(0))
    history = stored_history(watching.engine, watching.suite.digest).history
    last = [place for place, run in enumerate(history.runs) if run.day == 6]
    counted = {
        place: int(history.rows.ok[history.rows.run == place].sum())
        for place in last
        if (history.rows.run == place).any()
    }
    assert sorted(counted.values()) == [10, 10]
    assert len({history.runs[place].id for place in counted}) == 1


def test_base_rows_leave_the_top_up_out(watching: Any, wrong: Any) -> None:
    """The sequential test reads ten samples of a day on which twenty were taken."""
    watching.until(6)
    watching.on(6, wrong(0))
    stored = stored_history(watching.engine, watching.suite.digest)
    assert samples(stored.history.rows) == 80
    assert samples(stored.base) == 70
    assert stored.base.total.sum() == 6 * 1000.0 + 500.0


def test_each_status_is_counted_as_itself(watching_sqlite: Any) -> None:
    """A wrong answer is ok with 0 points, an empty one invalid, a failed call an error."""

    def answer(prompt: str, before: int) -> Any:
        return {"Question 0": "no", "Question 1": "", "Question 2": 400}.get(prompt[:10], "right")

    watching_sqlite.on(0, answer)
    rows = stored_history(watching_sqlite.engine, watching_sqlite.suite.digest).history.rows
    counts = [int(column.sum()) for column in (rows.ok, rows.invalid, rows.error, rows.ungraded)]
    assert counts == [6, 2, 2, 0]
    assert rows.total.sum() == 400.0


def test_a_history_up_to_a_day_ends_there(watching_sqlite: Any) -> None:
    """Later days are not read, and a day without a run is part of the calendar."""
    watching_sqlite.on(0)
    watching_sqlite.on(4)
    history = stored_history(
        watching_sqlite.engine, watching_sqlite.suite.digest, until=FIRST + timedelta(days=2)
    ).history
    assert (history.days, samples(history.rows)) == (3, 10)


def test_days_watched_out_of_order_find_their_place(watching_sqlite: Any, wrong: Any) -> None:
    """A day that is watched after later ones stands before them, with its own scores."""
    for day in (2, 0, 1):
        watching_sqlite.on(day, wrong(0) if day == 1 else lambda prompt, before: "right")
    history = stored_history(watching_sqlite.engine, watching_sqlite.suite.digest).history
    days = np.array([run.day for run in history.runs])[history.rows.run]
    assert [float(history.rows.total[days == day].sum()) for day in range(3)] == [1000.0, 500.0, 1000.0]


def test_models_are_told_apart_and_named_by_provider(sqlite: Engine, watch: Any) -> None:
    """Each model's samples are its own; who serves it is the name before the slash."""
    watching = watch(sqlite, models=("b", "a"))
    watching.on(0, lambda prompt, before: "right")
    stored = stored_history(sqlite, watching.suite.digest)
    assert [subject.name for subject in stored.history.subjects] == ["test/a", "test/b"]
    assert {subject.provider for subject in stored.history.subjects} == {"test"}
    assert [int((stored.history.rows.model == place).sum()) for place in range(2)] == [10, 10]


def test_one_simulated_run_labels_the_history(watching_sqlite: Any) -> None:
    """A history into which made-up samples went says so."""
    watching_sqlite.on(0)
    digest = watching_sqlite.suite.digest
    assert not stored_history(watching_sqlite.engine, digest).simulated
    watching_sqlite.dialect = "simulated"
    watching_sqlite.on(1)
    assert stored_history(watching_sqlite.engine, digest).simulated


def test_nothing_measured_is_told(watching_sqlite: Any) -> None:
    """A suite that was never watched has no history: the message says what to run."""
    keep_suite(watching_sqlite.engine, watching_sqlite.suite, clock=lambda: 0.0)
    with pytest.raises(NotFound, match="assay watch"):
        stored_history(watching_sqlite.engine, watching_sqlite.suite.digest)
