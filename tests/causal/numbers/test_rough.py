"""The fast values agree with the exact ones."""

from __future__ import annotations

import random
from fractions import Fraction

import pytest
from causal_queries import adjusted_difference, crude, effect, mean, p
from hypothesis import given
from hypothesis import strategies as st

from assay.causal.numbers.rough import Rough
from assay.causal.proof.derived.route import Derived
from assay.causal.queries import Term
from assay.causal.scm import Scm, binary


def _tenths(rng: random.Random) -> Fraction:
    return Fraction(rng.randint(1, 9), 10)


@given(st.integers(0, 10**9))
def test_agrees_with_the_first_route(seed: int) -> None:
    """Probabilities, effects, means and standardised differences differ by rounding alone."""
    rng = random.Random(seed)
    scm = Scm(
        (
            binary("Z", "", _tenths(rng)),
            binary("X", "Z", {z: _tenths(rng) for z in (0, 1)}),
            binary("Y", "X Z", {(x, z): _tenths(rng) for x in (0, 1) for z in (0, 1)}),
        )
    )
    terms: list[Term] = [
        effect("X", "Y"),
        crude("X", "Y"),
        adjusted_difference("X", "Y", ("Z",)),
        adjusted_difference("X", "Y", ("Z",), weights={"X": 1}),
        adjusted_difference("X", "Y", ("Z",), weights={"Z": 1}),
        adjusted_difference("X", "Y", (), within={"Z": 0}),
        mean("Y", {"Z": 1}) / p({"Z": 1, "X": 0}),
        p({"X": 0}, {"X": 1}),
    ]
    exact, rough = Derived(scm), Rough.of(scm)
    assert [rough.number(term).item() for term in terms] == pytest.approx(
        [float(exact.number(t)) for t in terms]
    )
