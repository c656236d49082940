"""Changes of verdicts, and the numbers of runs."""

from __future__ import annotations

from datetime import date, timedelta
from pathlib import Path

import pytest
from sqlalchemy import update
from watched_database import FIRST, MODELS, add_day, watched_work

from assay.core.model import Model
from assay.core.verdict import ModelState
from assay.results.runs import RunStatus
from assay.runs.site.feeds import is_simulated, verdict_changes
from assay.runs.site.source import SiteSource
from assay.runs.work import Work
from assay.store.engine import writing
from assay.store.overview import Spending
from assay.store.runs import count_by_status
from assay.store.schema import runs
from assay.store.suites import find_digest, read_suite

OK, COOKED = ModelState.OK, ModelState.COOKED


def changes(work: Work, most: int = 100) -> list[tuple[date, int, ModelState | None, ModelState]]:
    """Return the changes of the small suite."""
    watched = SiteSource(work).watched("small")
    return [
        (change.day, change.row, change.before, change.after) for change in verdict_changes([watched], most)
    ]


def day(number: int) -> date:
    """Return the date of a watched day."""
    return FIRST + timedelta(days=number)


def test_falls_and_recoveries_are_changes(tmp_path: Path) -> None:
    """The newest first. The first OK after calibrating is none."""
    work = watched_work(tmp_path, days=9, fell_on={1: 7})
    suite = read_suite(work.engine, find_digest(work.engine, "small"))
    assert changes(work) == [(day(7), 2, OK, COOKED)]
    add_day(work.engine, suite, MODELS, 9, {1: 10, 0: 0})
    assert changes(work) == [(day(9), 1, OK, COOKED), (day(9), 2, COOKED, OK), (day(7), 2, OK, COOKED)]
    assert changes(work, 1) == [(day(9), 1, OK, COOKED)]


def test_a_day_without_verdict_is_passed_over(tmp_path: Path) -> None:
    """After a gap the state is compared with the last verdict before it."""
    work = watched_work(tmp_path, days=7, fell_on={1: 99})
    suite = read_suite(work.engine, find_digest(work.engine, "small"))
    add_day(work.engine, suite, MODELS, 9, {})
    assert changes(work) == []
    add_day(work.engine, suite, MODELS, 10, {1: 0})
    assert changes(work) == [(day(10), 2, OK, COOKED)]


def test_a_first_verdict_that_is_bad_is_a_change(tmp_path: Path) -> None:
    """Nothing was before it."""
    assert changes(watched_work(tmp_path, days=6, fell_on={1: 5})) == [(day(5), 2, None, COOKED)]


def test_a_change_names_the_use_cases_that_fell(tmp_path: Path) -> None:
    """By their titles, with the day's own states."""
    watched = SiteSource(watched_work(tmp_path, days=7)).watched("small")
    (change,) = verdict_changes([watched], 9)
    assert (change.cooked, change.suspicious) == (("Use case 0", "Use case 1"), ())
    assert change.simulated


@pytest.mark.parametrize(
    ("providers", "expected"),
    [(("simulated", "real"), [True, False]), (("simulated", "simulated"), [True, True])],
)
def test_models_of_the_simulated_provider_are_simulated(
    tmp_path: Path, providers: tuple[str, ...], expected: list[bool]
) -> None:
    """Others are not, unless the runs were simulated and no model is named so."""
    models = [Model(provider, f"m{number}") for number, provider in enumerate(providers)]
    work = watched_work(tmp_path, days=2, models=models)
    watched = SiteSource(work).watched("small")
    by_name = dict(
        zip(watched.verdicts.names(), (is_simulated(watched, place) for place in range(2)), strict=True)
    )
    assert [by_name[model.name] for model in models] == expected


@pytest.mark.parametrize(("flag", "expected"), [(0, False), (1, True)])
def test_runs_say_that_stand_ins_answered(tmp_path: Path, flag: int, expected: bool) -> None:
    """A run that is marked as simulated makes all of its suite's models simulated."""
    work = watched_work(tmp_path, days=2, models=[Model("real", "a"), Model("real", "b")])
    with writing(work.engine) as connection:
        connection.execute(update(runs).values(simulated=flag))
    watched = SiteSource(work).watched("small")
    assert [is_simulated(watched, place) for place in range(2)] == [expected] * 2


def test_runs_are_counted_by_status(tmp_path: Path) -> None:
    """A running one whose process is gone is dead; simulated runs stand apart."""
    work = watched_work(tmp_path, days=4)
    with writing(work.engine) as connection:
        connection.execute(update(runs).where(runs.c.id == 1).values(status="running", finished_at=None))
        connection.execute(update(runs).where(runs.c.id == 2).values(status="stopped", simulated=0))
    assert count_by_status(work.engine) == {
        (RunStatus.DEAD, True): 1,
        (RunStatus.STOPPED, False): 1,
        (RunStatus.FINISHED, True): 2,
    }


def test_spending_is_that_of_this_month(tmp_path: Path) -> None:
    """Simulated and real runs apart, with the calls of unknown cost; runs of earlier months do not count."""
    work = watched_work(tmp_path, days=4)
    at = work.now().timestamp()
    with writing(work.engine) as connection:
        connection.execute(update(runs).where(runs.c.id == 3).values(created_at=at))
        connection.execute(update(runs).where(runs.c.id == 4).values(created_at=at, simulated=0))
        connection.exec_driver_sql("UPDATE calls SET cost = NULL WHERE run = 4 AND position = 0")
    measures = SiteSource(work).run_measures()
    assert measures.month == work.today().replace(day=1)
    assert set(measures.spending) == {False, True}
    assert measures.spending[True] == Spending(pytest.approx(0.02), 0)
    assert measures.spending[False] == Spending(pytest.approx(0.019), 1)
    assert set(measures.finished) == {False, True}
