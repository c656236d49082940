"""The three figures shown beside a key."""

from __future__ import annotations

import itertools
import random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from assay.causal.search.beside import KeyPlace, beside, drawn_place

FIGURES = st.lists(st.integers(-50, 50).map(lambda whole: whole / 100), min_size=3, max_size=7)


@given(others=FIGURES, seed=st.integers(0, 999))
def test_the_key_stands_at_its_place(others: list[float], seed: int) -> None:
    """Whatever is drawn, the key is larger than `rank` of the three, farther out than `size`, and apart."""
    rng = random.Random(seed)
    place = drawn_place(rng, sized=True)
    three = [others[at] for at in beside(0.105, others, place, least=0.01, rng=rng) or ()]
    ordered = sorted([0.105, *three])
    assert not three or sum(other < 0.105 for other in three) == place.rank
    assert not three or sum(abs(other) < 0.105 for other in three) == place.size
    assert all(high - low >= 0.01 for low, high in itertools.pairwise(ordered))


@pytest.mark.parametrize(("central", "found"), [(True, (0, 1, 2)), (False, None), (None, (0, 1, 2))])
def test_a_key_may_be_asked_to_lie_in_the_middle_or_not(
    central: bool | None, found: tuple[int, ...] | None
) -> None:
    """Of 0, 1, 2, 9 the mean is 3: with rank 2 the key 2 is nearer to it than 1, so it is central."""
    place = KeyPlace(2, central)
    assert beside(2.0, [0.0, 1.0, 9.0], place, least=0.5, rng=random.Random(1)) == found
