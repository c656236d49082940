"""The questions on mediation: proved, repeatable, and figured as by hand."""

from __future__ import annotations

import random
from fractions import Fraction

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from tests.support.causal_cells import check_cell, check_kinds, drafts, plant, shared_runs, states

from assay.causal.concepts.mediation import analyst, base, trap
from assay.causal.concepts.mediation.concept import CONCEPT
from assay.causal.concepts.mediation.numeric import STEMS, answered
from assay.causal.draft import Unproved, proved
from assay.causal.draws import until
from assay.causal.item import Variant
from assay.causal.options.crossed import PAIRS
from assay.causal.proof.proof import Proof
from assay.causal.queries import crude
from assay.causal.scm import Scm, binary
from assay.causal.search.beside import Place


@pytest.mark.parametrize("variant", Variant)
def test_every_draw_is_proved_and_repeatable(variant: Variant) -> None:
    """Forty draws of each cell are proved by both routes, and the same seed draws them again."""
    check_cell(CONCEPT, variant)


@pytest.mark.parametrize("variant", Variant)
def test_distractors_are_of_several_kinds(variant: Variant) -> None:
    """Each cell uses at least three kinds of mistakes and three wordings."""
    check_kinds(CONCEPT, variant)


@pytest.mark.parametrize("variant", [Variant.BASE, Variant.TRAP, Variant.ANALYST])
def test_all_four_combinations_come_to_be_true(variant: Variant) -> None:
    """Over forty draws each of the four combinations is the right one."""
    assert len(states(CONCEPT, variant)) == 4


@pytest.mark.parametrize("variant", Variant)
def test_a_false_key_is_refused(variant: Variant) -> None:
    """A wrong answer passed off as the right one does not get through the proof."""
    with pytest.raises(Unproved):
        proved(plant(drafts(CONCEPT, variant, 1)[0]))


def test_wordings_share_no_long_run() -> None:
    """No two wordings of the concept have twelve words in a row in common."""
    worded = (*base.WORDINGS, *trap.WORDINGS, *analyst.WORDINGS)
    assert shared_runs([*(words.stem for words in worded), *STEMS]) == set()


@pytest.mark.parametrize(
    ("asked", "rank", "shown"),
    [
        ("direct", 1, "+20 percentage points"),
        ("indirect", 0, "+15 percentage points"),
        ("total direct", 2, "+30 percentage points"),
        ("total indirect", 1, "+25 percentage points"),
        ("held high", 2, "+35 percentage points"),
    ],
)
def test_figures_are_those_worked_by_hand(asked: str, rank: int, shown: str) -> None:
    """Y = 0.1 + 0.1w + 0.15x + 0.3m + 0.2xm, with M = 0.25 on average without the step and 0.75 with it.

    Natural direct: 0.15 + 0.2 * 0.25 = 0.2; total direct: 0.15 + 0.2 * 0.75 = 0.3. Natural indirect:
    0.3 * 0.5 = 0.15; total indirect: 0.5 * 0.5 = 0.25. Held high: 0.15 + 0.2.
    """
    rng = random.Random(1)
    found = until(lambda: answered(_model(), asked, Place(rank), rng), tries=20)
    assert [a.text for a in found if a.kind is None] == [shown]


@given(seed=st.integers(0, 10_000), state=st.sampled_from(PAIRS))
@settings(max_examples=15, deadline=None)
def test_a_direct_effect_is_hidden_to_the_last_digit(seed: int, state: tuple[bool, bool]) -> None:
    """Equals in the mediator differ by nothing exactly when there is a direct effect."""
    rng = random.Random(seed)
    model, _ = until(lambda: trap.drawn(rng, state))
    assert (Proof(model).number(crude("X", "Y", given={"M": 1})) == 0) == state[1]


def _model() -> Scm:
    share = Fraction(1, 20)
    moved = {(w, x): share * (3 + 10 * x + 4 * w) for w in (0, 1) for x in (0, 1)}
    outcome = {
        (w, x, m): share * (2 + 2 * w + 3 * x + 6 * m + 4 * x * m)
        for w in (0, 1)
        for x in (0, 1)
        for m in (0, 1)
    }
    return Scm((binary("W"), binary("X"), binary("M", "W X", moved), binary("Y", "W X M", outcome)))
