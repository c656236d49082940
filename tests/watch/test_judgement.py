"""The one entry: whole histories, the order of models, and what later days may change."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays

from assay.core.case import Grading
from assay.core.errors import InvalidInput
from assay.core.suite import Thresholds
from assay.core.verdict import ModelState
from assay.core.verdict import UseCaseState as State
from assay.watch.history import DayRun, History, JudgeCheck, Rows, of_scores
from assay.watch.judgement import Judgement, judge

GRADINGS = [Grading.DETERMINISTIC, Grading.HYBRID, Grading.JUDGE]
cubes = arrays(
    np.float64,
    st.tuples(st.integers(2, 4), st.just(3), st.integers(6, 30)),
    elements=st.sampled_from([np.nan, 20.0, 55.0, 70.0, 78.0, 80.0, 80.0, 82.0, 100.0]),
)


def falling(score: float = 40.0) -> Judgement:
    """Ten days at 90, then a fall of all three use cases."""
    cube = np.full((1, 3, 14), 90.0)
    cube[:, :, 10:] = score
    return judge(of_scores(cube, GRADINGS), Thresholds())


def test_a_model_that_collapses_is_cooked() -> None:
    """A model whose use cases all collapse is COOKED that day, and was OK before."""
    judged = falling()
    assert [judged.state(0, day) for day in (3, 9, 10)] == [
        ModelState.CALIBRATING,
        ModelState.OK,
        ModelState.COOKED,
    ]


def test_the_golden_baseline_shows_slow_drift() -> None:
    """A drift of a tenth of a point a day stays OK by the rolling baseline and falls by the golden one.

    Base samples are enough for that: a slow drift never asks for a re-run.
    """
    history = of_scores(np.full((1, 1, 200), 90.0) - 0.1 * np.arange(200), [Grading.DETERMINISTIC])
    judged = judge(replace(history, use_cases=(replace(history.use_cases[0], full=3),)), Thresholds())
    assert set(judged.readings.state[0, 0, 5:].tolist()) == {State.OK}
    assert judged.golden_readings.state[0, 0, -1] == State.COOKED


@settings(max_examples=40, deadline=None)
@given(cubes)
def test_the_order_of_models_changes_nothing(cube: np.ndarray) -> None:
    """Every model reads the same wherever it stands."""
    order = np.random.default_rng(cube.shape[2]).permutation(len(cube))
    before = judge(of_scores(cube, GRADINGS), Thresholds())
    after = judge(of_scores(cube[order], GRADINGS), Thresholds())
    np.testing.assert_array_equal(after.states, before.states[order])
    np.testing.assert_array_equal(after.recovery.down, before.recovery.down[order])


@settings(max_examples=40, deadline=None)
@given(cubes)
def test_the_order_of_rows_changes_nothing(cube: np.ndarray) -> None:
    """Rows may come in any order."""
    history = of_scores(cube, GRADINGS)
    order = np.random.default_rng(1).permutation(len(history.rows.run))
    names = [name for name in Rows.__slots__ if name != "conditions"]
    shuffled = Rows(**{name: getattr(history.rows, name)[order] for name in names})
    before, after = judge(history, Thresholds()), judge(replace(history, rows=shuffled), Thresholds())
    np.testing.assert_array_equal(after.states, before.states)


@settings(max_examples=40, deadline=None)
@given(cubes)
def test_today_reads_as_it_will_in_the_history(cube: np.ndarray) -> None:
    """The verdict of the last day is the same when later days are known: watch and history agree."""
    part, whole = (judge(of_scores(days, GRADINGS), Thresholds()) for days in (cube[..., :-3], cube))
    np.testing.assert_array_equal(whole.states[:, :-3], part.states)
    np.testing.assert_array_equal(whole.recovery.down[..., :-3], part.recovery.down)
    np.testing.assert_array_equal(whole.golden_readings.state[..., :-3], part.golden_readings.state)


def test_answers_from_elsewhere_blame_nobody() -> None:
    """Days on which all answers came from elsewhere are gaps, however low those answers score."""
    history = of_scores(np.array([[[90.0] * 8 + [10.0, 10.0]]]), [Grading.DETERMINISTIC])
    elsewhere = (history.rows.total == 10.0).astype(np.int64)
    own = history.rows.total * (1 - elsewhere)
    rows = replace(history.rows, elsewhere=elsewhere, ok=1 - elsewhere, total=own)
    judged = judge(replace(history, rows=rows), Thresholds())
    assert judged.states[0].tolist() == [State.CALIBRATING] * 5 + [State.OK] * 3 + [State.GAP] * 2


def test_one_answer_from_elsewhere_does_not_blind_the_watch() -> None:
    """A fall to a tenth is COOKED although one answer of every day came from another provider."""
    cube = np.full((1, 3, 10), 90.0)
    cube[:, :, 7:] = 9.0
    history = of_scores(cube, GRADINGS)
    one = (history.rows.case == 0).astype(np.int64)
    judged = judge(replace(history, rows=replace(history.rows, elsewhere=one)), Thresholds())
    assert judged.states[0, 7:].tolist() == [State.COOKED] * 3
    assert not judged.readings.held.any()


def test_a_state_that_is_carried_over_is_marked() -> None:
    """While the judge has moved, judged use cases show the state from before as held, others do not."""
    cube = np.full((1, 3, 9), 90.0)
    cube[:, :, 7] = 20.0
    history = of_scores(cube, GRADINGS)
    runs = tuple(
        DayRun(run.id, run.day, "judge", (JudgeCheck(0.5 if run.day == 7 else 0.1),) * 3)
        for run in history.runs
    )
    held = judge(replace(history, runs=runs), Thresholds()).readings.held
    assert np.argwhere(held).tolist() == [[0, 1, 7], [0, 2, 7]]


def test_judge_drift_bars_judged_use_cases_only() -> None:
    """With a moved judge a checked use case may fall, judged and hybrid ones keep their state."""
    cube = np.full((1, 3, 8), 90.0)
    cube[:, :, 7] = 20.0
    history = of_scores(cube, GRADINGS)
    runs = tuple(
        DayRun(run.id, run.day, "judge", (JudgeCheck(0.5 if run.day == 7 else 0.1),) * 3)
        for run in history.runs
    )
    judged = judge(replace(history, runs=runs), Thresholds())
    assert judged.readings.state[0, :, 7].tolist() == [State.COOKED, State.OK, State.OK]


def test_misfits_are_refused(history: Callable[..., History]) -> None:
    """Rows that do not fit are refused before anything is judged."""
    with pytest.raises(InvalidInput):
        judge(history([{"case": 5}], runs=[DayRun(1, 0)]), Thresholds())


@pytest.mark.parametrize("models", [0, 2])
def test_nothing_measured(models: int) -> None:
    """A history without a sample is all gaps."""
    judged = judge(of_scores(np.full((models, 3, 4), np.nan), GRADINGS), Thresholds())
    assert judged.states.tolist() == [[State.GAP] * 4] * models
