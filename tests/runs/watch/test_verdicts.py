"""Reading verdicts from the store, with the sequential test beside them."""

from __future__ import annotations

from dataclasses import replace
from datetime import date, timedelta
from typing import Any

import numpy as np
import pytest
from small_suite import make_suite
from sqlalchemy import Engine

from assay.core.errors import InvalidInput, NotFound
from assay.core.model import Model
from assay.core.verdict import ModelState
from assay.results.watch import DayReport
from assay.runs.watch.verdicts import Verdicts, base_scores, related
from assay.watch import sequential

FIRST = date(2026, 11, 1)


def sometimes(day: int) -> Any:
    """Return a script that slips on one case, another one each day: days that tie with one another."""

    def answer(prompt: str, before: int) -> Any:
        return "no" if prompt == f"Question {day % 5} of use case 0?" else "right"

    return answer


@pytest.fixture
def verdicts(watching_sqlite: Any, wrong: Any) -> Verdicts:
    """Eight right days, then a fall of the whole suite for six."""
    for day in range(14):
        watching_sqlite.on(day, wrong(0, 1) if day >= 8 else lambda prompt, before: "right")
    return Verdicts(watching_sqlite.engine, watching_sqlite.suite.digest)


def test_the_seed_s_verdict_and_the_sequential_test_stand_side_by_side(verdicts: Verdicts) -> None:
    """The fall is COOKED by the rule; the test beside it gains money only after the fall began."""
    before, after = (verdicts.day(0, FIRST + timedelta(days=day)) for day in (7, 13))
    assert (before.verdict.state, after.verdict.state) == (ModelState.OK, ModelState.COOKED)
    assert after.sequential.false_alarms == sequential.FALSE_ALARMS
    assert after.sequential.level > before.sequential.level
    assert not before.sequential.alarm


def test_the_history_is_every_day_from_the_first_sample_on(verdicts: Verdicts) -> None:
    """Fourteen days, in order, each the same as when it is asked for alone."""
    reports = list(verdicts.history(0))
    assert [report.verdict.day for report in reports] == [FIRST + timedelta(days=day) for day in range(14)]
    assert reports == [verdicts.day(0, report.verdict.day) for report in reports]
    assert verdicts.last_day == FIRST + timedelta(days=13)


def test_a_day_outside_the_history_is_told_with_its_bounds(verdicts: Verdicts) -> None:
    """Neither the day before the first nor the day after the last is made up."""
    for day in (FIRST - timedelta(days=1), FIRST + timedelta(days=14)):
        with pytest.raises(InvalidInput, match="2026-11-01 to 2026-11-14"):
            verdicts.day(0, day)


def test_a_model_that_was_never_measured_is_told_with_the_known_ones(verdicts: Verdicts) -> None:
    """The message lists what there is."""
    assert verdicts.of(None) == verdicts.of("test/a") == (0,)
    with pytest.raises(NotFound, match="test/a"):
        verdicts.of("test/b")


@pytest.mark.slow
def test_read_again_nothing_has_changed(watching_sqlite: Any) -> None:
    """Days that tie are placed by numbers fixed for the model and the date: every reading is the same."""
    for day in range(16):
        watching_sqlite.on(day, sometimes(day))
    engine, digest = watching_sqlite.engine, watching_sqlite.suite.digest
    once, again = (list(Verdicts(engine, digest).history(0)) for _ in range(2))
    assert once == again
    levels = {report.sequential.level for report in once[8:]}
    assert len(levels) > 1


@pytest.mark.slow
def test_later_days_change_no_earlier_report(watching_sqlite: Any) -> None:
    """A report on a day is the same on that day and a week later."""
    engine, digest = watching_sqlite.engine, watching_sqlite.suite.digest
    then: list[DayReport] = []
    for day in range(15):
        watching_sqlite.on(day, sometimes(day))
        if day >= 10:
            then.append(Verdicts(engine, digest).day(0, FIRST + timedelta(days=day)))
    now = Verdicts(engine, digest)
    assert [now.day(0, report.verdict.day) for report in then] == then


def test_an_older_day_that_is_watched_late_moves_no_tie(watching_sqlite: Any) -> None:
    """The numbers that break ties belong to dates, not to places in the history."""
    from assay.runs.watch.verdicts import _ties
    from assay.watch.history import WatchedModel

    subjects = (WatchedModel("test/a"), WatchedModel("test/b"))
    long = _ties(subjects, date(2025, 12, 20), 400)
    short = _ties(subjects, date(2026, 1, 5), 10)
    assert np.array_equal(long[:, 16:26], short)
    assert not np.array_equal(long[0], long[1])
    assert len(np.unique(long)) == long.size
    assert ((long > 0) & (long <= 1)).all()


def test_the_sequential_test_reads_base_samples_only(watching_sqlite: Any) -> None:
    """A day that was topped up counts by its first sample a case, as every other day does."""
    watching_sqlite.until(6)
    watching_sqlite.on(
        6, lambda prompt, before: "no" if prompt == "Question 0 of use case 0?" and not before else "right"
    )
    verdicts = Verdicts(watching_sqlite.engine, watching_sqlite.suite.digest)
    scores = base_scores(verdicts.stored, verdicts.judgement)
    assert scores.shape == (1, 10, 7)
    assert scores[0, :, 6].tolist() == [0.0] + [1.0] * 9
    assert verdicts.day(0, FIRST + timedelta(days=6)).verdict.counts.n == 20


def test_a_gap_has_no_base_score(watching_sqlite: Any) -> None:
    """A day on which everything failed is no observation of the test."""
    watching_sqlite.on(0)
    watching_sqlite.on(1, lambda prompt, before: 400)
    verdicts = Verdicts(watching_sqlite.engine, watching_sqlite.suite.digest)
    scores = base_scores(verdicts.stored, verdicts.judgement)
    assert np.isnan(scores[0, :, 1]).all()
    assert not np.isnan(scores[0, :, 0]).any()


@pytest.mark.slow
def test_thresholds_are_those_last_stored(sqlite: Engine, watch: Any, wrong: Any) -> None:
    """Thresholds are no part of the digest: a suite that is stored with others is judged by them."""
    suite = make_suite()
    watching = watch(sqlite, suite=suite)
    watching.until(6)
    watching.on(6, wrong(0, cases=1))
    strict = Verdicts(sqlite, suite.digest).day(0, FIRST + timedelta(days=6))
    lax = replace(suite.thresholds.deterministic, suspicious_z=-99.0, suspicious_drop=0.9, cooked_z=-99.0)
    lax = replace(lax, cooked_drop=0.9, collapse_drop=0.95)
    watching.suite = replace(suite, thresholds=replace(suite.thresholds, deterministic=lax))
    watching.on(7)
    relaxed = Verdicts(sqlite, suite.digest).day(0, FIRST + timedelta(days=6))
    assert (strict.verdict.state, relaxed.verdict.state) == (ModelState.SUSPICIOUS, ModelState.OK)


def test_two_days_months_apart_are_snapshots(watching_sqlite: Any) -> None:
    """No baseline can come of them: the days between are left out, and `compare` is named with both runs."""
    runs = [watching_sqlite.on(day)[0].outcome.run for day in (0, 92)]
    found = Verdicts(watching_sqlite.engine, watching_sqlite.suite.digest)
    snapshots = found.snapshots(0)
    assert snapshots is not None
    assert snapshots.days == ((FIRST, runs[0]), (FIRST + timedelta(days=92), runs[1]))
    assert snapshots.compare == f"assay compare {runs[0]} {runs[1]} --model test/a"
    assert [report.verdict.day for report in found.history(0)] == [day for day, _ in snapshots.days]


def test_the_first_days_of_a_watch_are_no_snapshots(watching_sqlite: Any) -> None:
    """Two days close to each other are a beginning."""
    watching_sqlite.on(0)
    watching_sqlite.on(3)
    assert Verdicts(watching_sqlite.engine, watching_sqlite.suite.digest).snapshots(0) is None


def test_without_another_model_the_fleet_adjusted_test_is_withheld(verdicts: Verdicts) -> None:
    """One watched model has no controls: the reason says so, and no alarm is raised."""
    state = verdicts.day(0, verdicts.last_day).fleet
    assert (state.controls, state.alarm, state.difference) == (0, False, None)
    assert state.explanation == "withheld, no other model was scored on this day"


@pytest.mark.slow
def test_another_model_is_a_control_on_the_same_cases(sqlite: Engine, watch: Any) -> None:
    """Ten right days of two models, then the first slips on one case of ten: 10 points apart."""
    watching = watch(sqlite, models=("a", "b"))
    watching.until(10)
    watching.models = watching.models[:1]
    watching.on(10, lambda prompt, before: "no" if prompt == "Question 0 of use case 0?" else "right")
    watching.models = [Model("test", "b")]
    watching.on(10)
    found = Verdicts(watching.engine, watching.suite.digest)
    state = found.day(found.of("test/a")[0], found.last_day).fleet
    assert (state.controls, state.days, state.reason) == (1, 11, None)
    assert state.difference == pytest.approx(-10.0)


def test_one_model_behind_two_providers_is_no_control_of_itself() -> None:
    """The last part of the name decides: a fall of that model would hit both."""
    found = related(("openrouter/openai/gpt-5", "openai/gpt-5", "local/llama3"))
    assert found.tolist() == [[True, True, False], [True, True, False], [False, False, True]]


def test_the_rate_is_withheld_where_its_condition_cannot_be_checked(verdicts: Verdicts) -> None:
    """Eight calm days are seven pairs: too few, and the sentence says so."""
    promise = verdicts.day(0, verdicts.last_day).sequential.promise
    assert promise.expected is None
    assert "while days are independent; it is not known yet whether they are" in promise.explanation
