"""Pairs of models tested on the judges that may mark both."""

import numpy as np
import pytest
from boards import measured

from assay.ranking.board import Board, board
from assay.ranking.measured import Measured


def _board(given: Measured, replicates: int = 400) -> Board:
    return board(given, np.random.default_rng(1), replicates=replicates)


def _own(models: int, judges: int, pairs: list[tuple[int, int]]) -> np.ndarray:
    own = np.zeros((models, judges), dtype=bool)
    for model, judge in pairs:
        own[model, judge] = True
    return own


def test_a_model_gains_nothing_from_skipping_its_own_harsh_judge() -> None:
    """j1 marks two below j0. a is j1's own model and has b's marks from j0: the two do not differ."""
    rng = np.random.default_rng(3)
    first = rng.integers(3, 6, (3, 40)).astype(float)
    first[0] = first[1]
    marks = np.stack([first, first - 2.0], axis=-1)
    found = _board(measured(marks, own=_own(3, 2, [(0, 1)])))
    pair = found.comparisons.between("a", "b")
    assert (pair.difference, pair.p) == (pytest.approx(0.0), 1.0)
    scores = {each.model: each for each in found.standings}
    assert scores["a"].score.composite == pytest.approx(scores["b"].score.composite + 0.25, abs=0.01)
    assert scores["a"].adjusted.composite == pytest.approx(scores["b"].adjusted.composite)


def test_two_own_judges_leave_the_third() -> None:
    """a and b own j0 and j1: they are compared on j2, where b is one mark better on every prompt."""
    marks = np.zeros((3, 30, 3))
    marks[...] = [3.0, 4.0, 2.0]
    marks[0, :, 1], marks[1, :, 0] = 5.0, 1.0
    marks[1, :, 2] = 3.0
    found = _board(measured(marks, own=_own(3, 3, [(0, 0), (1, 1)])))
    assert found.comparisons.between("b", "a").difference == pytest.approx(0.25)
    assert found.comparisons.between("b", "c").difference == pytest.approx((-2.0 + 1.0) / 2 / 4)


def test_without_a_common_judge_two_models_are_not_compared() -> None:
    """Each of two judges may not mark one of two models."""
    marks = np.full((2, 20, 2), 4.0)
    found = _board(measured(marks, np.full((2, 20, 1), 0.5), own=_own(2, 2, [(0, 0), (1, 1)])))
    assert found.comparisons.between("a", "b").difference is None
    assert [each.adjusted.composite for each in found.standings] == [None, None]


def test_a_missing_mark_is_estimated_for_the_pair() -> None:
    """b lacks j1's mark on one prompt: the pair keeps j1, and the difference is that of the whole table."""
    quality = np.array([[4.0, 3.0, 5.0, 4.0, 2.0, 3.0], [3.0, 3.0, 4.0, 2.0, 2.0, 3.0]])
    marks = np.stack([quality, quality - 0.5], axis=-1)
    marks = np.clip(marks, 1, 5)
    whole = _board(measured(marks)).comparisons.between("a", "b").difference
    marks[1, 2, 1] = np.nan
    assert _board(measured(marks)).comparisons.between("a", "b").difference == pytest.approx(whole)


@pytest.mark.parametrize("judge", [0, 1, 2])
def test_a_constant_on_one_judge_changes_no_pair(judge: int) -> None:
    """A judge that is half a mark milder to everybody changes no difference and no p."""
    rng = np.random.default_rng(5)
    marks = rng.integers(2, 5, (4, 30, 3)).astype(float)
    marks[rng.random(marks.shape) < 0.05] = np.nan
    moved = marks.copy()
    moved[..., judge] += 0.5
    own = _own(4, 3, [(0, 0), (2, 1)])
    before, after = (_board(measured(each, own=own)) for each in (marks, moved))
    np.testing.assert_allclose(before.comparisons.difference, after.comparisons.difference, atol=1e-12)
    np.testing.assert_allclose(before.comparisons.p, after.comparisons.p, atol=1e-9)
    adjusted = [
        [each.adjusted.composite for each in sorted(found.standings, key=lambda each: each.model)]
        for found in (before, after)
    ]
    assert np.ptp(np.subtract(*adjusted)) == pytest.approx(0.0, abs=1e-12)


def _equals(rng: np.random.Generator, missing: float, clipped: bool) -> Measured:
    """Return eight equal models, of which three own a judge; judges are at +0.4, 0.1, 0 and -0.6."""
    quality = 3.4 + rng.normal(0, 0.5, (1, 60)) + rng.normal(0, 0.7, (8, 60))
    marks = quality[..., None] + np.array([0.4, 0.1, 0.0, -0.6]) + rng.normal(0, 0.3, (8, 60, 4))
    marks = np.clip(np.rint(marks + 0.6) if clipped else marks, 1, 5)
    marks[rng.random(marks.shape) < missing] = np.nan
    geval = np.clip((quality - 1.0) / 4.0 + rng.normal(0, 0.05, quality.shape), 0, 1)
    own = _own(8, 4, [(0, 0), (1, 3), (2, 1)])
    return measured(np.where(own[:, None], np.nan, marks), geval[..., None], own=own)


@pytest.mark.slow
@pytest.mark.parametrize("clipped", [False, True], ids=["any mark", "whole marks"])
@pytest.mark.parametrize("missing", [0.0, 0.1])
def test_equal_models_differ_on_few_boards(missing: float, clipped: bool) -> None:
    """On at most 5 % of 300 boards (and two standard errors) is any pair of equal models significant."""
    rng = np.random.default_rng(31)
    wrong = 0
    for _ in range(300):
        found = board(_equals(rng, missing, clipped), rng, replicates=400)
        wrong += bool(found.comparisons.significant(0.05).any())
    assert wrong / 300 <= 0.05 + 2 * 0.0126
