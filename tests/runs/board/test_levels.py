"""Calibration of levels from stored runs, and one clear message for each kind of bad input."""

from __future__ import annotations

from typing import Any

import pytest
from judged import Court, JudgedRun
from keyed_suite import keyed_suite
from ladder_suite import CONCEPTS, ladder_suite, wrong_on
from sqlalchemy import Engine, update

from assay.core.errors import InvalidInput
from assay.runs.board.levels import calibrate_runs
from assay.store.schema import runs


def measured(engine: Engine, *subjects: str, suite: Any = None, **options: Any) -> int:
    """Run the ladder suite: `good` is wrong on no case, others on the numbers of five concepts."""
    wrong = wrong_on(*(f"{concept}-numeric" for concept in CONCEPTS[:5]))

    def answer(body: dict[str, Any]) -> str:
        return (wrong_on() if body["model"] == "good" else wrong)(body)

    made = JudgedRun(engine, Court({}, answer), subjects=subjects, suite=suite or ladder_suite())
    made.execute(**options)
    return made.run.id


def test_levels_of_two_runs(sqlite: Engine) -> None:
    """Open numbers of level 2 are right or wrong; twins do not count on level 1."""
    first, second = measured(sqlite, "good"), measured(sqlite, "other")
    found = calibrate_runs(sqlite, [first, second], replicates=100)
    assert (found.runs, found.simulated, found.notes) == ((first, second), False, ())
    assert [(level.level, level.questions) for level in found.levels] == [(1, 6), (2, 6), (3, 6), (4, 6)]
    assert [[model.right for model in level.models] for level in found.levels[:2]] == [[6, 6], [6, 1]]
    assert found.proposed is None


def test_a_run_without_levels(sqlite: Engine) -> None:
    """The suite is named."""
    for suite in (ladder_suite(levels=False, version="2"), keyed_suite()):
        number = measured_with_keys(sqlite, suite)
        with pytest.raises(
            InvalidInput, match=rf"run {number} has no levels: no case of suite '{suite.name}'"
        ):
            calibrate_runs(sqlite, [number])


def measured_with_keys(engine: Engine, suite: Any) -> int:
    """Run a suite with answers that need not be right."""
    made = JudgedRun(engine, Court({}, lambda body: "ANSWER: A"), subjects=("a", "b"), suite=suite)
    made.execute()
    return made.run.id


def test_an_unfinished_run(sqlite: Engine) -> None:
    """It stopped at its budget."""
    number = measured(sqlite, "good", "other", max_cost=0.005)
    with pytest.raises(InvalidInput, match=rf"run {number} is stopped, .*`assay resume {number}`"):
        calibrate_runs(sqlite, [number])


def test_one_model_only(sqlite: Engine) -> None:
    """The same run twice is still one model."""
    number = measured(sqlite, "good")
    with pytest.raises(InvalidInput, match="of one model only: give runs of two or more models"):
        calibrate_runs(sqlite, [number, number])


def test_runs_of_two_suites(sqlite: Engine) -> None:
    """Both are named."""
    one, other = measured(sqlite, "good"), measured(sqlite, "good", suite=ladder_suite(version="2"))
    with pytest.raises(InvalidInput, match=rf"run {other} is of suite 'ladder' 2, run {one} of 'ladder' 1"):
        calibrate_runs(sqlite, [one, other])


def test_simulated_runs_are_refused_unless_allowed(sqlite: Engine) -> None:
    """When allowed, the result says so."""
    number = measured(sqlite, "good", "other")
    with sqlite.begin() as connection:
        connection.execute(update(runs).values(simulated=True))
    with pytest.raises(InvalidInput, match=rf"the models of run {number} are simulated.*--allow-simulated"):
        calibrate_runs(sqlite, [number])
    assert calibrate_runs(sqlite, [number], allow_simulated=True, replicates=100).simulated
