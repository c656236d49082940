"""Measurement error: the five cells, and the correction that the numeric one asks for."""

from __future__ import annotations

from fractions import Fraction

import pytest
from tests.support.causal_cells import check_cell, check_kinds, drafts, plant, shared_runs, states
from tests.support.causal_templates import template_texts

from assay.causal.concepts.measurement_error.concept import CONCEPT
from assay.causal.concepts.measurement_error.numeric import corrected, recorded_difference, study
from assay.causal.draft import Unproved, proved
from assay.causal.item import Variant
from assay.causal.proof.proof import Proof
from assay.causal.queries import effect


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


def test_a_correction_worked_by_hand() -> None:
    """Two fifths in the stratum; tools (0.9, 0.8) for the treated and (0.7, 0.9) for the untreated.

    True rates 0.5 and 0.3 there, 0.4 and 0.6 elsewhere: 0.4 * 0.2 + 0.6 * (-0.2) = -0.04. Recorded:
    0.5 * 0.9 + 0.5 * 0.2 = 0.55, 0.3 * 0.7 + 0.7 * 0.1 = 0.28, 0.4 * 0.9 + 0.6 * 0.2 = 0.48 and
    0.6 * 0.7 + 0.4 * 0.1 = 0.46: 0.4 * 0.27 + 0.6 * 0.02 = 0.12, of the wrong sign.
    """
    tenth = Fraction(1, 10)
    true = {(1, 1): 5 * tenth, (1, 0): 3 * tenth, (0, 1): 4 * tenth, (0, 0): 6 * tenth}
    tools = ((9 * tenth, 8 * tenth), (7 * tenth, 9 * tenth))
    proof = Proof(study(4 * tenth, (3 * tenth, 7 * tenth), true, tools))
    assert proof.number(corrected(tools)) == proof.number(effect("X", "Y")) == Fraction(-4, 100)
    assert proof.number(recorded_difference()) == Fraction(12, 100)
