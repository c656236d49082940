"""Instruments and noncompliance: the five cells, and the contrasts that the numeric one asks for."""

from __future__ import annotations

from fractions import Fraction

import pytest
from tests.support.causal_cells import check_cell, check_kinds, drafts, plant, shared_runs, states
from tests.support.causal_templates import template_texts

from assay.causal.concepts.instruments.concept import CONCEPT
from assay.causal.concepts.instruments.numeric import ALWAYS, MOVED, NEVER, terms, trial
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


def test_a_table_worked_by_hand() -> None:
    """Shares 3/10 never, 5/10 moved, 2/10 always, and rates 0.2; 0.3 without, 0.7 with; 0.9.

    Offer arm, takers: (0.5*0.7 + 0.2*0.9)/0.7; other arm, takers: 0.9. All with the offer:
    0.3*0.2 + 0.5*0.7 + 0.2*0.9 = 0.59; all without: 0.3*0.2 + 0.5*0.3 + 0.2*0.9 = 0.39. The difference
    of 0.20 over the gap in uptake of 0.5 is 0.4 = 0.7 - 0.3.
    """
    tenth = Fraction(1, 10)
    rates = {
        (NEVER, 0): 2 * tenth,
        (NEVER, 1): tenth,
        (MOVED, 0): 3 * tenth,
        (MOVED, 1): 7 * tenth,
        (ALWAYS, 0): tenth,
        (ALWAYS, 1): 9 * tenth,
    }
    proof = Proof(trial((3 * tenth, 5 * tenth, 2 * tenth), rates))
    found = {name: proof.number(term) for name, term in terms().items()}
    assert found == {"effect": 4 * tenth, "ahead": 2 * tenth, "behind": tenth, "spread": 7 * tenth}
    assert proof.number(crude("Z", "Y") / crude("Z", "X")) == 4 * tenth
