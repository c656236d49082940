"""Simulated solvers choose by what they believe, and guess where they believe nothing more of one answer."""

from __future__ import annotations

import random
from fractions import Fraction

from causal_queries import effect

from assay.causal.draft import Answer, Draft, Kind, wrong
from assay.causal.proof.proof import Claim
from assay.causal.queries import Causes, Separated, Term
from assay.causal.scm import Scm, binary, dag
from assay.causal.solvers.solver import Solver, chances, pick

F = Fraction
MEASURED = Scm(
    (
        binary("X", "", F(1, 2)),
        binary("Y", "X", {0: F(1, 5), 1: F(3, 5)}),
        binary("R", "Y", {0: F(1, 4), 1: F(3, 4)}),
    )
)
"""The effect on Y is 2/5, on its record R half of it, .55 - .35 = 1/5."""


def draft(term: Term, *figures: Fraction) -> Draft:
    """Return a question about a term; the first figure is the key."""
    texts = [str(figure) for figure in figures]
    first = Answer(texts[0], (Claim(term, figures[0]),), "It is.")
    rest = (
        wrong(Kind.REFLEX, text, Claim(term, figure), why="It is not.")
        for text, figure in zip(texts[1:], figures[1:], strict=True)
    )
    return Draft(MEASURED, "How much?", (first, *rest), "t", "s", "state")


FIGURES = (F(2, 5), F(1, 5), F(3, 10), F(1, 2))


def test_the_guesser_guesses_and_the_correct_solver_knows() -> None:
    """One has a quarter of each answer, the other is certain of the key."""
    asked = draft(effect("X", "Y"), *FIGURES)

    assert chances(asked, Solver.GUESSER) == (0.25,) * 4
    assert chances(asked, Solver.CORRECT) == (1, 0, 0, 0)


def test_naive_solvers_know_the_truth_where_it_is_on_file() -> None:
    """Association is causation here, so the marginal solver is right; the other adjusts for the record."""
    asked = draft(effect("X", "Y"), *FIGURES)

    assert chances(asked, Solver.MARGINAL) == (1, 0, 0, 0)
    assert chances(asked, Solver.ADJUSTING) != (1, 0, 0, 0)


def test_the_largest_share_of_believed_claims_wins() -> None:
    """Half of the key's claims is believed, all of another answer's, half of one more's."""
    world = dag("A>C B>C")
    collider, cause = Separated("A", "B", ("C",)), Causes("A", "C")
    answers = (
        Answer("r", (Claim(collider, False), Claim(cause, True)), "Held, a collider opens."),
        wrong(Kind.REFLEX, "x", Claim(collider, True), Claim(cause, True), why="It opens."),
        wrong(Kind.PARTIAL, "y", Claim(collider, False), Claim(cause, False), why="A causes C."),
        wrong(Kind.REVERSED, "z", Claim(collider, True), Claim(cause, False), why="A causes C."),
    )

    asked = Draft(world, "?", answers, "t", "s", "state")

    assert chances(asked, Solver.MARGINAL) == (0, 1, 0, 0)
    assert chances(asked, Solver.CORRECT) == (1, 0, 0, 0)


def test_answers_are_drawn_by_their_chances() -> None:
    """What has no chance is not picked, and an even chance is even: 500 of 1,000 within 64 (4 sd)."""
    rng = random.Random(4)
    picks = [pick((0, 0.5, 0, 0.5), rng) for _ in range(1_000)]

    assert set(picks) == {1, 3}
    assert abs(picks.count(1) - 500) < 64
