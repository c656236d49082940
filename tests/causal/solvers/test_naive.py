"""Naive readings, worked by hand on small models and graphs."""

from __future__ import annotations

from fractions import Fraction

import pytest
from causal_queries import adjusted, adjusted_difference, counterfactual, crude, effect, mean, p

from assay.causal import queries as q
from assay.causal.proof.derived.route import Derived
from assay.causal.proof.proof import answer
from assay.causal.scm import Dag, Scm, binary, dag
from assay.causal.solvers.naive import Reading, adjusting, marginal

F = Fraction
CONFOUNDED = Scm(
    (
        binary("Z", "", F(1, 2)),
        binary("X", "Z", {0: F(1, 5), 1: F(4, 5)}),
        binary("Y", "Z X", {(0, 0): F(1, 10), (0, 1): F(3, 10), (1, 0): F(5, 10), (1, 1): F(7, 10)}),
    )
)
"""Effect 1/5 in each stratum; crude .62 - .18 = 11/25: P(Z=1 | X=1) = 4/5, P(Z=1 | X=0) = 1/5."""
MEDIATED = Scm(
    (
        binary("X", "", F(1, 2)),
        binary("M", "X", {0: F(1, 4), 1: F(3, 4)}),
        binary("Y", "X M", {(0, 0): F(1, 10), (0, 1): F(5, 10), (1, 0): F(3, 10), (1, 1): F(7, 10)}),
    )
)
"""Effect 1/5 with M held (P(M=1) is 1/2 over all); in whole .6 - .2 = 2/5."""


def read(reading: Reading, query: q.Query, world: Scm | Dag) -> q.Answered:
    return answer(Derived(world), reading(query, world))


def test_marginal_takes_the_crude_difference_for_the_effect() -> None:
    """Of P(Y | do X) one who takes association for causation makes P(Y | X)."""
    assert read(marginal, effect("X", "Y"), CONFOUNDED) == F(11, 25)
    assert read(marginal, mean("Y", do={"X": 1}), CONFOUNDED) == F(31, 50)


def test_marginal_drops_what_was_adjusted_for() -> None:
    """A standardised difference is to him the difference in the units used."""
    assert read(marginal, adjusted_difference("X", "Y", ["Z"]), CONFOUNDED) == F(11, 25)
    assert read(marginal, adjusted_difference("X", "Y", [], within={"Z": 1}), CONFOUNDED) == F(1, 5)


def test_marginal_takes_another_group_for_what_would_have_been() -> None:
    """Had the treated not been treated, they would have been like the untreated, he thinks."""
    unmade = counterfactual({"Y": 1}, {"X": 0}, given={"X": 1})

    assert read(marginal, unmade, CONFOUNDED) == F(9, 50)
    assert Derived(CONFOUNDED).number(unmade) == F(21, 50)  # .1 x 1/5 + .5 x 4/5


def test_adjusting_is_right_where_a_confounder_was_measured() -> None:
    """With a common cause, and nothing else, on file, adjusting for all there is gives the effect."""
    assert read(adjusting, effect("X", "Y"), CONFOUNDED) == F(1, 5)
    assert read(adjusting, mean("Y", do={"X": 1}), CONFOUNDED) == F(1, 2)


def test_adjusting_holds_a_mediator() -> None:
    """What lies on the way is on file as well, so it is adjusted for, and a half of the effect is lost."""
    assert read(adjusting, effect("X", "Y"), MEDIATED) == F(1, 5)
    assert Derived(MEDIATED).number(effect("X", "Y")) == F(2, 5)


def test_adjusting_cannot_adjust_for_what_is_hidden() -> None:
    """Without its record the common cause stays out, and the crude difference is all he has."""
    hidden = Scm((binary("Z", "", F(1, 2), hidden=True), *CONFOUNDED.variables[1:]))

    assert adjusting(p({"Y": 1}, do={"X": 1}), hidden) == adjusted({"Y": 1}, {"X": 1}, ())
    assert read(adjusting, effect("X", "Y"), hidden) == read(marginal, effect("X", "Y"), hidden)


def test_adjusting_adds_what_was_left_out_of_a_standardisation() -> None:
    """Standardising over nothing is not enough for him: what was measured comes in."""
    assert read(adjusting, crude("X", "Y"), CONFOUNDED) == F(11, 25)
    assert read(adjusting, adjusted_difference("X", "Y", []), CONFOUNDED) == F(1, 5)


COLLIDER = dag("A>C B>C C>D")


@pytest.mark.parametrize(
    ("given", "truth", "by_association", "by_adjusting"),
    [((), True, True, False), (("C",), False, True, True), (("D",), False, True, False)],
)
def test_neither_knows_colliders(
    given: tuple[str, ...], truth: bool, by_association: bool, by_adjusting: bool
) -> None:
    """A and B meet in C. One never holds anything; to the other any path is open until it is cut."""
    fact = q.Separated("A", "B", given)

    assert Derived(COLLIDER).holds(fact) is truth
    assert read(marginal, fact, COLLIDER) is by_association
    assert read(adjusting, fact, COLLIDER) is by_adjusting


def test_held_anywhere_on_a_path_a_variable_blocks_it() -> None:
    """Next to the start or farther on: the chain is cut, to one who adjusts as in truth."""
    chain = dag("A>B B>C C>D")

    assert [read(adjusting, q.Separated("A", "D", (held,)), chain) for held in "BC"] == [True, True]
    assert read(adjusting, q.Separated("A", "D"), chain) is False


SQUARE = dag("Z>X Z>Y X>Y X>C Y>C")
"""A common cause Z and a common effect C of X and Y."""


@pytest.mark.parametrize(
    ("over", "by_association", "by_adjusting"),
    [((), True, False), (("Z",), False, False), (("Z", "C"), False, True)],
)
def test_sets_for_adjustment(over: tuple[str, ...], by_association: bool, by_adjusting: bool) -> None:
    """One wants the empty set, the other all that was measured; neither wants {Z}, which is right."""
    fact = q.ValidAdjustment(("X",), "Y", over)

    assert Derived(SQUARE).holds(fact) is (over == ("Z",))
    assert read(marginal, fact, SQUARE) is by_association
    assert read(adjusting, fact, SQUARE) is by_adjusting
    assert read(marginal, q.MinimalAdjustment(("X",), "Y", over), SQUARE) is by_association
    assert read(adjusting, q.MinimalAdjustment(("X",), "Y", over), SQUARE) is by_adjusting


def test_an_instrument_is_what_goes_with_the_treatment() -> None:
    """That it has a way of its own to the outcome escapes both."""
    world = dag("I>X I>Y X>Y")
    fact = q.ValidInstrument("I", "X", "Y")

    assert not Derived(world).holds(fact)
    assert read(marginal, fact, world) is read(adjusting, fact, world) is True


def test_causes_are_what_goes_together() -> None:
    """A common cause makes one take two effects for cause and effect; the other holds it, and is right."""
    world = dag("Z>A Z>B")

    assert not Derived(world).holds(q.Causes("A", "B"))
    assert read(marginal, q.Causes("A", "B"), world) is True
    assert read(adjusting, q.Causes("A", "B"), world) is False


@pytest.mark.parametrize("reading", [marginal, adjusting])
def test_compound_queries_are_reread_in_their_parts(reading: Reading) -> None:
    """Comparisons, negations, roundings and sums mean what their parts mean to a reader."""
    less = q.Compare(q.Rounded(effect("X", "Y"), 1), "<", q.term(F(3, 10)))
    held = read(reading, less, CONFOUNDED)

    assert held is (reading is adjusting)
    assert read(reading, q.Not(less), CONFOUNDED) is not held
