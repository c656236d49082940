"""Rank ranges from which differences are significant."""

import numpy as np
from boards import measured

from assay.ranking.board import board
from assay.ranking.pairs import Comparisons
from assay.ranking.rank_range import RankRange, rank_ranges


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
