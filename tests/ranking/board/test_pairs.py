"""Paired tests between models: by hand, against the t test, and where two cannot be compared."""

import numpy as np
import pytest
from boards import measured
from scipy import stats

from assay.ranking.board.judged import board
from assay.ranking.board.measured import Status
from assay.ranking.board.pairs import Comparisons, rank_ranges
from assay.results.ranking import RankRange


def test_a_handful_of_equal_differences_is_no_certainty() -> None:
    """Three prompts, always one mark apart: no spread, yet p is 1/4 and not 0."""
    found = board(measured([[[5.0]] * 3, [[4.0]] * 3]), np.random.default_rng(1)).comparisons
    assert found.between("a", "b").p == 0.25


def test_equal_answers_are_not_told_apart() -> None:
    """Two models with the same marks have difference 0 and p 1."""
    found = board(measured([[[5.0], [3.0]]] * 2), np.random.default_rng(1)).comparisons.between("a", "b")
    assert (found.difference, found.p) == (0.0, 1.0)


def test_another_basis_is_not_compared() -> None:
    """A model with judges only cannot be set against one with both halves."""
    geval = np.array([[[0.5]] * 30, [[np.nan]] * 30])
    marks = np.array([[[1.0]] * 30, [[5.0]] * 30])
    found = board(measured(marks, geval), np.random.default_rng(1)).comparisons.between("a", "b")
    assert (found.difference, found.p_holm) == (None, 1.0)


def _marks(rng: np.random.Generator) -> np.ndarray:
    """Return marks of two models on 60 prompts, hard ones hard for both; the first is better on some."""
    second = rng.integers(1, 5, (60, 1)).astype(float)
    return np.stack([second + (rng.random((60, 1)) < 0.2), second])


def test_the_interval_is_that_of_the_paired_t_test() -> None:
    """With 20,000 replicates the interval of a difference is the paired t interval to 3 % of its width."""
    marks = _marks(np.random.default_rng(4))
    found = board(measured(marks), np.random.default_rng(5), replicates=20_000).comparisons.between("a", "b")
    expected = stats.ttest_rel(*marks[:, :, 0]).confidence_interval()
    width = (expected.high - expected.low) / 4.0
    assert (found.low, found.high) == pytest.approx(
        (expected.low / 4.0, expected.high / 4.0), abs=0.03 * width + 0.005 / 4.0
    )


def test_p_is_corrected_for_skewness() -> None:
    """40 of 60 prompts one mark better and 4 four marks worse: p is of Hall's t, five times the plain one."""
    difference = np.repeat([1.0, -4.0, 0.0], [40, 4, 16])
    second = np.where(difference < 0, 5.0, 3.0)
    marks = np.stack([second + difference, second])[..., None]
    found = board(measured(marks), np.random.default_rng(5), replicates=20_000).comparisons.between("a", "b")
    plain = stats.ttest_1samp(difference, 0.0)
    tilt, t = stats.skew(difference) / 60**0.5, plain.statistic
    moved = t + tilt * t**2 / 3 + tilt**2 * t**3 / 27 + tilt / 6
    assert found.p == pytest.approx(2 * stats.t.sf(moved, 59), rel=0.1)
    assert found.p > 2 * plain.pvalue


def test_models_on_different_prompts_are_not_told_apart() -> None:
    """Without a shared prompt there is nothing paired: p is 1, however far apart the two are."""
    status = np.full((2, 40), Status.ERROR)
    status[0, :20] = status[1, 20:] = Status.OK
    marks = np.array([[[5.0]] * 40, [[1.0], [2.0]] * 20])
    assert (
        board(measured(marks, status=status), np.random.default_rng(1)).comparisons.between("a", "b").p == 1.0
    )


def test_a_pair_is_antisymmetric() -> None:
    """The other way round the difference and its interval change sign, and p stays."""
    rng = np.random.default_rng(5)
    found = board(measured(rng.integers(1, 6, (3, 30, 2))), rng, replicates=200).comparisons
    one, other = found.between("a", "c"), found.between("c", "a")
    assert one.low is not None
    assert other.high is not None
    assert (one.low, one.p, one.p_holm) == pytest.approx((-other.high, other.p, other.p_holm))


def test_holm_counts_each_pair_once() -> None:
    """Of three pairs the smallest p is tripled."""
    rng = np.random.default_rng(6)
    marks = rng.integers(1, 6, (3, 40, 1)).astype(float)
    marks[0] = np.maximum(marks[0], 4.0)
    found = board(measured(marks), rng, replicates=200).comparisons
    upper = np.triu_indices(3, 1)
    assert found.p_holm[upper].min() == pytest.approx(3.0 * found.p[upper].min())


def _comparisons(difference: list[list[float]], p: list[list[float]]) -> Comparisons:
    table = np.array(difference)
    return Comparisons(("a", "b", "c"), table, table, table, np.array(p), np.array(p))


def test_by_hand() -> None:
    """a beats c; b differs significantly from neither: a 1-2, b 1-3, c 2-3."""
    found = rank_ranges(
        np.array([0.9, 0.8, 0.7]),
        _comparisons(
            [[0, 0.1, 0.2], [-0.1, 0, 0.1], [-0.2, -0.1, 0]], [[1, 0.2, 0.01], [0.2, 1, 0.3], [0.01, 0.3, 1]]
        ),
    )
    assert found == (RankRange(1, 2), RankRange(1, 3), RankRange(2, 3))


def test_models_with_overlapping_ranges_may_differ_significantly() -> None:
    """By hand: a is better than c; their ranges 1-2 and 2-3 share rank 2, and the pair is significant."""
    compared = _comparisons(
        [[0, 0.1, 0.2], [-0.1, 0, 0.1], [-0.2, -0.1, 0]], [[1, 0.2, 0.01], [0.2, 1, 0.3], [0.01, 0.3, 1]]
    )
    first, _, last = rank_ranges(np.array([0.9, 0.8, 0.7]), compared)
    assert first is not None and last is not None
    assert last.low <= first.high
    assert compared.significant(0.05)[0, 2]


def test_a_model_without_composite_has_no_rank() -> None:
    """It is not counted among the models either."""
    marks = np.array([[[5.0]] * 3, [[4.0]] * 3, [[np.nan]] * 3])
    found = board(measured(marks), np.random.default_rng(1))
    assert [each.ranks for each in found.standings] == [RankRange(1, 2), RankRange(1, 2), None]
