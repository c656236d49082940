"""Regression to the mean: the five cells, and the means that the numeric one asks for."""

from __future__ import annotations

from fractions import Fraction

import pytest
from tests.support.causal_cells import check_cell, check_kinds, drafts, plant, shared_runs, states
from tests.support.causal_templates import template_texts

from assay.causal.concepts.regression_to_the_mean.concept import CONCEPT
from assay.causal.concepts.regression_to_the_mean.numeric import readings, terms
from assay.causal.draft import Unproved, proved
from assay.causal.item import Variant
from assay.causal.proof.proof import Proof
from assay.causal.queries import mean


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
    """Shares 0.2, 0.5, 0.3; those who read 40 are 0.2*0.6 + 0.5*0.2 + 0.3*0.1 = 0.25 of all.

    Their true levels: 0.12, 0.10 and 0.03 of 0.25, so 48%, 40% and 12%. Mean 0.48*40 + 0.40*60 + 0.12*80
    = 52.8, a rise of 12.8 by itself. Gains 10, -5, 20: 4.8 - 2 + 2.4 = 5.2 among them, so 18.0 in all, and
    2 - 2.5 + 6 = 5.5 among everybody.
    """
    shares = [Fraction(2, 10), Fraction(5, 10), Fraction(3, 10)]
    percents = {0: (60, 30, 10), 1: (20, 60, 20), 2: (10, 30, 60)}
    reads = {t: [Fraction(share, 100) for share in row] for t, row in percents.items()}
    proof = Proof(readings(shares, reads, [10, -5, 20]))
    found = {name: float(proof.number(term)) for name, term in terms(0).items()}
    assert found == {"alone": 12.8, "treated": 18.0, "selected": 5.2, "all": 5.5}
    assert float(proof.number(mean("T", {"M": 0}))) == 52.8
