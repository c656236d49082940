"""Interference: the five cells, and the effects that the numeric one asks for."""

from __future__ import annotations

from fractions import Fraction

import pytest
from tests.support.causal_cells import check_cell, check_kinds, drafts, plant, shared_runs, states
from tests.support.causal_templates import template_texts

from assay.causal.concepts.interference.concept import CONCEPT
from assay.causal.concepts.interference.numeric import PATTERNS, experiment, terms
from assay.causal.draft import Unproved, proved
from assay.causal.item import Variant
from assay.causal.proof.proof import Proof
from assay.causal.queries import crude


@pytest.mark.parametrize("variant", list(Variant))
def test_every_draw_is_proved_and_well_formed(variant: Variant) -> None:
    """Forty draws of each cell have one proved key, four answers, and kinds for the wrong ones."""
    check_cell(CONCEPT, variant)
    check_kinds(CONCEPT, variant)


def test_every_state_occurs() -> None:
    """Each cell's four truths all turn up."""
    assert all(len(states(CONCEPT, variant)) == 4 for variant in Variant)


@pytest.mark.parametrize("variant", list(Variant))
def test_a_planted_key_is_refused(variant: Variant) -> None:
    """A wrong answer passed off as the right one is not proved."""
    with pytest.raises(Unproved):
        proved(plant(drafts(CONCEPT, variant, 1)[0]))


def test_no_two_wordings_share_a_long_run() -> None:
    """No run of twelve words stands in two templates."""
    assert shared_runs(template_texts(CONCEPT)) == set()


@pytest.mark.parametrize("split", [False, True])
def test_a_table_worked_by_hand(split: bool) -> None:
    """A quarter of the pairs is old; shares in percent for (none, other, own, both).

    Old 40, 60, 50, 80; new 20, 24, 60, 40. Own: (10 + 3 * 40) / 4 = 32.5. Spillover: (20 + 3 * 4) / 4 = 8.
    Total: (40 + 3 * 20) / 4 = 25. Mixed: own minus spillover = 24.5. The plain contrast is another number,
    and the other's outcome, where it is told, changes nothing.
    """
    percents = {1: (40, 60, 50, 80), 0: (20, 24, 60, 40)}
    rates = {(w, *ab): Fraction(percents[w][at], 100) for w in (0, 1) for at, ab in enumerate(PATTERNS)}
    uptake = {(0, 0): Fraction(1, 5), (0, 1): Fraction(4, 5), (1, 0): Fraction(1, 2), (1, 1): Fraction(1, 5)}
    other = dict.fromkeys(rates, Fraction(1, 2)) if split else None
    proof = Proof(experiment(Fraction(1, 4), uptake, rates, other))
    found = {name: proof.number(term) * 100 for name, term in terms().items()}
    assert found == {"own": Fraction(65, 2), "spill": 8, "total": 25, "mixed": Fraction(49, 2)}
    assert proof.number(crude("A", "Y")) * 100 != found["own"]
