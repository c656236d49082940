"""Fast searches in graphs with two treatments in a row."""

from __future__ import annotations

import random

from hypothesis import given, settings
from hypothesis import strategies as st

from assay.causal.proof.derived.route import Derived
from assay.causal.queries import PathCount, Paths, ValidAdjustment
from assay.causal.scm import Dag
from assay.causal.search.joint import mediated, serves, ways


def _drawn(seed: int) -> Dag | None:
    return mediated(random.Random(seed), ("X", "M", "Y"), ("A", "B", "C"), 0.5)


@given(seed=st.integers(0, 10_000), over=st.sets(st.sampled_from("ABC")))
@settings(max_examples=80, deadline=None)
def test_the_fast_search_agrees_with_the_criterion(seed: int, over: set[str]) -> None:
    """What serves for the joint effect is what the adjustment criterion says."""
    drawn, sets = _drawn(seed), tuple(sorted(over))
    assert drawn is None or serves(drawn, "X", "M", "Y", sets) == Derived(drawn).holds(
        ValidAdjustment(("X", "M"), "Y", sets)
    )


@given(seed=st.integers(0, 10_000))
@settings(max_examples=40, deadline=None)
def test_directed_paths_are_counted(seed: int) -> None:
    """The number of directed paths is that found by following each."""
    drawn = _drawn(seed)
    assert drawn is None or ways(drawn, "X", "Y") == Derived(drawn).number(PathCount("X", "Y", Paths.CAUSAL))
