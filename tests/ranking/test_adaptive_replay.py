"""Replays on a table: prompts needed, what the full run says, and false separations."""

from __future__ import annotations

import numpy as np
import pytest
from score_tables import NAN, table

from assay.core.errors import InvalidInput
from assay.ranking.adaptive import AdaptiveRule
from assay.ranking.adaptive_replay import replay_orders
from assay.results.adaptive_run import Separation
from assay.results.rank import RankSource

ABOUT = RankSource("scores.csv", False, 3, 60, ())
FIRST, ALL = AdaptiveRule(), AdaptiveRule(Separation.ALL)


def scores() -> list[list[float]]:
    """Three models: two good ones that differ on one prompt, and one that is mostly wrong."""
    good = [1.0, 0.0] * 27 + [1.0] * 6
    return [good, [0.0, *good[1:]], [0.0] * 55 + [1.0] * 5]


def test_the_first_place_on_a_table() -> None:
    """The bad model is left out early; the two good ones stay open, in the full run too."""
    result = replay_orders(table(scores()), ABOUT, FIRST, 20, 0)
    rows = {row.worse: row for row in result.separations}
    assert list(rows) == ["b", "c", "a"]
    assert (rows["c"].significant, rows["c"].separated) == (True, 1.0)
    assert (rows["b"].significant, rows["b"].separated, rows["b"].prompts) == (False, 0.0, None)
    assert (result.significant, result.reached) == (1, 1.0)
    assert (result.reversed, result.unconfirmed, result.stopped) == (0.0, 0.0, 0.0)
    needed = rows["c"].prompts
    assert needed is not None and 10 <= needed <= 50
    assert 2 / 3 < result.scores < 1.0


def test_all_pairs_on_a_table() -> None:
    """Two of three pairs are significant and separated; the third keeps its two models asked."""
    result = replay_orders(table(scores()), ABOUT, ALL, 20, 0)
    named = {(row.better, row.worse): row for row in result.separations}
    assert list(named) == [("a", "b"), ("a", "c"), ("b", "c")]
    assert [row.separated for row in named.values()] == [0.0, 1.0, 1.0]
    assert result.significant == 2


def test_the_seed_decides_the_orders() -> None:
    """The same seed gives the same result, another one other numbers of scores."""
    one, same, other = (replay_orders(table(scores()), ABOUT, FIRST, 9, seed) for seed in (1, 1, 2))
    assert one == same
    assert one.scores != other.scores


def test_scores_that_are_missing_are_left_out_of_their_pairs() -> None:
    """A model without half of its scores is still compared on the others, and nothing is NaN."""
    rows = scores()
    rows[2] = [NAN] * 30 + rows[2][30:]
    result = replay_orders(table(rows), ABOUT, FIRST, 5, 0)
    assert np.isfinite(result.scores)
    assert 0.0 < result.scores <= 1.0


def test_constant_scores_separate_nobody() -> None:
    """Every score equal: nothing is significant, nothing is reached, all scores are used."""
    result = replay_orders(table([[1.0] * 30] * 3), ABOUT, ALL, 3, 0)
    assert (result.significant, result.reached, result.unconfirmed_separations) == (0, None, None)
    assert (result.scores, result.stopped) == (1.0, 0.0)


def test_no_orders_are_refused() -> None:
    """One message."""
    with pytest.raises(InvalidInput, match="0 orders: give at least 1"):
        replay_orders(table(scores()), ABOUT, FIRST, 0, 0)
