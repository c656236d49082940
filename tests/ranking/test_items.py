"""Item statistics and rank fragility."""

from __future__ import annotations

from itertools import combinations

import numpy as np
import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays
from score_tables import NAN, table

from assay.core.errors import InvalidInput
from assay.ranking.fragility import rivals_of_first
from assay.ranking.items import item_statistics


def test_items_that_separate_nobody_are_marked() -> None:
    """One item with a single score, one at the ceiling of the two best, one that separates."""
    easy, ceiling, useful = item_statistics(
        table([[1.0, 1.0, 1.0], [1.0, 0.96, 0.0], [1.0, 0.0, 0.0]]), leaders=2
    )
    assert (easy.constant, easy.ceiling, easy.discrimination) == (True, True, None)
    assert (ceiling.constant, ceiling.ceiling) == (False, True)
    assert (useful.ceiling, useful.remarks) == (False, "")
    assert (useful.n, useful.mean, useful.spread) == (3, pytest.approx(1 / 3), 1.0)


def test_one_leader_is_refused() -> None:
    """A single model cannot be separated."""
    with pytest.raises(InvalidInput, match="1 leaders"):
        item_statistics(table([[1.0, 0.0], [0.0, 1.0]]), leaders=1)


def test_fragility_by_hand() -> None:
    """Leads 1, 0.5, 0, -0.4: without the first the sum is 0.1, without the second too it is -0.4."""
    first, (rival,) = rivals_of_first(table([[1.0, 0.5, 0.5, 0.0], [0.0, 0.0, 0.5, 0.4]]))
    assert (first, rival.removals, rival.items, rival.n) == ("a", 2, ("0", "1"), 4)
    assert rival.lead == pytest.approx(27.5)


def test_a_rival_that_is_better_nowhere_cannot_pass() -> None:
    """No choice of items puts it above."""
    _, (rival,) = rivals_of_first(table([[1.0, 1.0], [1.0, 0.5]]))
    assert (rival.removals, rival.items, rival.share) == (None, (), None)


def test_models_without_common_items_cannot_be_compared() -> None:
    """They come last, without a number."""
    _, rivals = rivals_of_first(table([[1.0, 0.9, NAN], [NAN, NAN, 0.5], [0.1, 1.0, NAN]]))
    assert [(rival.model, rival.n, rival.removals) for rival in rivals] == [("c", 2, 1), ("b", 0, None)]


@settings(max_examples=60, deadline=None)
@given(arrays(np.float64, (2, 8), elements=st.sampled_from([0.0, 0.25, 0.5, 0.75, 1.0])))
def test_fragility_equals_brute_force(scores: np.ndarray) -> None:
    """No smaller set of items puts the second model above the first; the reported set does."""
    assume(scores[0].mean() > scores[1].mean())
    _, (rival,) = rivals_of_first(table(scores.tolist()))
    lead = scores[0] - scores[1]
    fewest = next(
        (
            size
            for size in range(len(lead))
            if any(np.delete(lead, list(left)).mean() < 0 for left in combinations(range(len(lead)), size))
        ),
        None,
    )
    assert rival.removals == fewest
