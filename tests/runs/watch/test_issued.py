"""Verdicts as issued: records that nothing rewrites, with recomputations beside."""

from __future__ import annotations

from dataclasses import replace
from datetime import date
from typing import Any

import pytest
from sqlalchemy import select

from assay.core.suite import Bounds
from assay.runs.watch.verdicts import Verdicts
from assay.store.schema import issued_verdicts

SEVENTH = date(2026, 11, 7)


def states(engine: Any) -> list[tuple[str, str]]:
    """Return day and state of every issue, oldest first."""
    v = issued_verdicts.c
    with engine.connect() as connection:
        return [tuple(row) for row in connection.execute(select(v.day, v.state).order_by(v.id))]


@pytest.mark.slow
def test_a_second_issue_stands_beside_the_first(watching: Any, wrong: Any) -> None:
    """A day that is measured again is issued again, and the first verdict stays on record."""
    watching.until(6)
    watching.on(6, wrong(0))
    watching.on(6, wrong(0, 1))
    assert [state for day, state in states(watching.engine) if day == "2026-11-07"] == [
        "SUSPICIOUS",
        "COOKED",
    ]
    record = Verdicts(watching.engine, watching.suite.digest).day(0, SEVENTH).issued
    assert record is not None
    assert (record.first_state, record.state, record.issues, record.differs) == (
        "SUSPICIOUS",
        "COOKED",
        2,
        (),
    )


@pytest.mark.slow
def test_later_days_do_not_change_a_record(watching_sqlite: Any, wrong: Any) -> None:
    """Days that are measured afterwards add records and leave the earlier ones."""
    watching_sqlite.until(6)
    before = states(watching_sqlite.engine)
    watching_sqlite.on(6, wrong(0, 1))
    assert states(watching_sqlite.engine)[: len(before)] == before


@pytest.mark.slow
def test_changed_thresholds_are_said_beside_the_record(watching_sqlite: Any, wrong: Any) -> None:
    """Judged by laxer thresholds the day reads OK; it was issued as COOKED."""
    watching_sqlite.until(6)
    watching_sqlite.on(6, wrong(0, 1, cases=2))
    lax = Bounds(-100.0, 0.9, -100.0, 0.95, 1.0, 60.0)
    thresholds = replace(watching_sqlite.suite.thresholds, deterministic=lax, judged=lax)
    verdicts = Verdicts(watching_sqlite.engine, watching_sqlite.suite.digest, thresholds=thresholds)
    report = verdicts.day(0, SEVENTH)
    assert report.issued is not None
    assert (report.verdict.state.value, report.issued.state) == ("OK", "COOKED")
    assert report.issued.differs == ("the suite's thresholds have changed since",)


@pytest.mark.slow
def test_days_measured_later_are_said_beside_the_record(watching_sqlite: Any, wrong: Any) -> None:
    """A day before it that is measured afterwards changes its baseline, and the reason says so."""
    for day in (*range(1, 6), 7):
        watching_sqlite.on(day, wrong(0, cases=1) if day == 7 else lambda prompt, before: "right")
    for day in (6, 0):
        watching_sqlite.on(day, wrong(0, 1))
    report = Verdicts(watching_sqlite.engine, watching_sqlite.suite.digest).day(0, date(2026, 11, 8))
    assert report.issued is not None
    assert report.issued.state != report.verdict.state.value
    assert report.issued.differs == (
        "the baseline of use-0, use-1 has other days, or days that were marked again",
    )
