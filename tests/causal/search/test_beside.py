"""The three figures shown beside a key."""

from __future__ import annotations

import itertools
import random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from assay.causal.search.beside import KeyPlace, beside, drawn_places

FIGURES = st.lists(st.integers(-50, 50).map(lambda whole: whole / 100), min_size=3, max_size=7)


def shown(key: float, others: list[float], place: KeyPlace, rng: random.Random) -> list[float]:
    """Return the figures shown beside a key, none for want of any."""
    found = beside(key, others, [1.0] * len(others), place, least=0.01, rng=rng)
    return [others[at] for at in found or ()]


@given(others=FIGURES, seed=st.integers(0, 999))
def test_the_key_stands_at_its_place(others: list[float], seed: int) -> None:
    """Whatever is drawn, the key is larger than `rank` of the three, farther out than `size`, and apart."""
    rng = random.Random(seed)
    place = drawn_places(rng, signed=True)[0]
    three = shown(0.105, others, place, rng)
    ordered = sorted([0.105, *three])
    assert not three or sum(other < 0.105 for other in three) == place.rank
    assert not three or sum(abs(other) < 0.105 for other in three) == place.size
    assert all(high - low >= 0.01 for low, high in itertools.pairwise(ordered))


@pytest.mark.parametrize(("central", "found"), [(True, [0.0, 1.5, 9.0]), (False, [])])
def test_a_key_may_be_asked_to_lie_in_the_middle_or_not(central: bool, found: list[float]) -> None:
    """Of 0, 1.5, 2, 9 the mean is 3.1: with rank 2 the key 2 is nearer to it than 1.5, so it is central."""
    assert shown(2.0, [0.0, 1.5, 9.0], KeyPlace(2, central, 2), random.Random(1)) == found


@pytest.mark.parametrize("pair", [-0.3, 0.7])
def test_no_figure_is_the_opposite_or_complement_of_another(pair: float) -> None:
    """Beside 0.3, neither -0.3 nor 0.7 is shown, unless only the key's rank counts."""
    others = [pair, 0.45, 0.5]
    rank = sum(each < 0.3 for each in others)
    assert all(not shown(0.3, others, KeyPlace(rank, c, 0), random.Random(1)) for c in (True, False))
    assert shown(0.3, others, KeyPlace(rank), random.Random(1)) == others


def test_figures_are_shown_as_often_as_they_weigh() -> None:
    """Beside 0, of 1, 2, 3 and 4 always three fit; one of a tenth of the weight is rarer by far."""
    rng = random.Random(7)
    found = [beside(0.0, [1, 2, 3, 4], [1, 1, 1, 0.1], KeyPlace(0), least=0.5, rng=rng) for _ in range(400)]
    share = sum(3 in (each or ()) for each in found) / 400
    assert share == pytest.approx(0.3 / 1.3, abs=0.09)
