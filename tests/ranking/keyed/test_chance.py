"""Above chance or not: an exact test, and the interval beside it."""

from __future__ import annotations

import numpy as np
import pytest
from keyed_answers import answers, questions, with_status
from scipy import stats

from assay.ranking.keyed.board import keyed_board
from assay.ranking.keyed.chance import Chance
from assay.ranking.measured import Status


def of(made: object) -> Chance | None:
    """Return the test of the only model."""
    return keyed_board(made, np.random.default_rng(1), replicates=20).standings[0].chance  # type: ignore[arg-type]


def rights(number: int, of_all: int = 100) -> np.ndarray:
    """Return so many right answers, spread over the bundles."""
    return (np.arange(of_all) < number).reshape(1, 1, of_all)


def test_it_is_the_binomial_test() -> None:
    """33 of 100 with four options: p is the tail of the binomial distribution."""
    found = of(answers(rights(33)))
    assert found is not None
    assert found.p == pytest.approx(stats.binom.sf(32, 100, 0.25))
    assert (found.expected, found.tested, found.right) == (0.25, 100, 33)


@pytest.mark.parametrize(("right", "above"), [(25, False), (33, False), (45, True)])
def test_above_takes_the_interval_too(right: int, above: bool) -> None:
    """33 of 100 has p 0.045, but its interval reaches below 25 %."""
    found = of(answers(np.random.default_rng(2).permutation(rights(right).ravel()).reshape(1, 1, -1)))
    assert found is not None
    assert found.above is above


def test_repeating_a_guess_is_no_proof() -> None:
    """Ten epochs of the same guesses test what one does."""
    once, ten = of(answers(rights(28))), of(answers(np.repeat(rights(28), 10, axis=0)))
    assert once is not None
    assert ten is not None
    assert ten.p == once.p


def test_the_first_visible_answer_counts() -> None:
    """A question whose first epoch errored is tested with its second; one without any is not."""
    made = answers(np.stack([np.zeros((1, 20)), np.ones((1, 20))]))
    status = made.status.copy()
    status[0, 0, :2], status[:, 0, 19] = Status.ERROR, Status.INVALID
    found = of(with_status(made, status))
    assert found is not None
    assert (found.tested, found.right) == (19, 2)


def test_options_may_differ() -> None:
    """Half of the questions with two options: a guesser reaches 37.5 %."""
    mixed = (*questions(2, options=4)[:5], *questions(2, options=2)[5:])
    found = of(answers(rights(5, 10), questions=mixed))
    assert found is not None
    assert found.expected == pytest.approx(0.375)


def test_nothing_visible_is_not_tested() -> None:
    """No answer, no test."""
    assert of(with_status(answers(rights(20, 20)), np.full(20, int(Status.INVALID)))) is None
