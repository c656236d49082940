"""The fast facts agree with the search that proves, on any graph."""

from __future__ import annotations

import random

from causal_worlds import graph
from hypothesis import given
from hypothesis import strategies as st

from assay.causal.proof.derived.route import Derived
from assay.causal.queries import Separated, ValidAdjustment
from assay.causal.stories.sketch import Sketch


@given(st.integers(0, 10**9))
def test_agrees_with_the_first_route(seed: int) -> None:
    """Separation and adjustment come out as the first route has them."""
    rng = random.Random(seed)
    names = "ABCDEF"
    world = graph(rng, names, 0.4)
    x, y, *rest = rng.sample(names, 6)
    over = tuple(rng.sample(rest, rng.randrange(4)))
    sketch, route = Sketch(world), Derived(world)
    assert (sketch.separated(x, y, over), sketch.valid(x, y, over)) == (
        route.holds(Separated(x, y, over)),
        route.holds(ValidAdjustment((x,), y, over)),
    )
