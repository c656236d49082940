"""The three figures shown beside a key."""

from __future__ import annotations

import itertools
import random

from hypothesis import given
from hypothesis import strategies as st

from assay.causal.search.beside import beside

FIGURES = st.lists(st.integers(-50, 50).map(lambda whole: whole / 100), min_size=3, max_size=7)


@given(others=FIGURES, rank=st.integers(0, 3), central=st.booleans(), seed=st.integers(0, 99))
def test_the_key_stands_at_its_rank(others: list[float], rank: int, central: bool, seed: int) -> None:
    """Whatever is drawn, the key is larger than `rank` of the three and all lie apart."""
    drawn = beside(0.105, others, rank, central, least=0.01, rng=random.Random(seed))
    four = sorted([0.105, *(others[place] for place in drawn)]) if drawn else []
    assert not four or four.index(0.105) == rank
    assert all(high - low >= 0.01 for low, high in itertools.pairwise(four))


def test_a_key_may_be_asked_to_lie_away_from_the_middle() -> None:
    """Of 0, 1, 2, 9 the mean is 3: with rank 2 the key 2 is nearer to it than 1, so it is central."""
    drawn = [
        beside(2.0, [0.0, 1.0, 9.0], 2, central, least=0.5, rng=random.Random(1)) for central in (True, False)
    ]
    assert drawn == [(0, 1, 2), None]
