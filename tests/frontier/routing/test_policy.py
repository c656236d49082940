"""Choices by a trade-off of quality and cost, and by a cascade from cheap to expensive models."""

from __future__ import annotations

import numpy as np

from assay.frontier.routing.policy import Choice, cascade, cautious, choose, reached
from assay.frontier.sweep.decisions import Scale

COST = np.array([1.0, 4.0, 10.0])
PREDICTED = np.array([[0.9, 0.95, 1.0], [0.5, 0.8, 0.7], [0.1, 0.2, 0.3], [0.6, 0.6, 0.6]])
ALL = np.ones(PREDICTED.shape, dtype=bool)


def test_the_cascade_stops_at_the_cheapest_model_predicted_to_be_good_enough() -> None:
    """By hand at 0.6: cheap, middle, none reaches it (so the best), and a tie that goes to the cheap."""
    taken = cascade(PREDICTED, COST, ALL, 0.6)
    assert taken.tolist() == [0, 1, 2, 0]
    spent = np.array([[1.0, 4.0, 10.0], [2.0, 8.0, 20.0], [1.0, 5.0, 9.0], [3.0, 3.0, 3.0]])
    assert reached(spent, taken).tolist() == [1.0, 8.0, 9.0, 3.0]


def test_a_threshold_of_0_asks_the_cheapest_and_of_1_the_one_predicted_best() -> None:
    """The ends of the cascade's curve."""
    assert cascade(PREDICTED, COST, ALL, 0.0).tolist() == [0, 0, 0, 0]
    assert cascade(PREDICTED, COST, ALL, 1.0).tolist() == [2, 1, 2, 0]


def test_a_model_that_was_not_observed_is_not_chosen() -> None:
    """The next best is chosen; a model without a prediction only if it is the only one."""
    there = ALL.copy()
    there[0, 2] = there[3, 0] = there[3, 1] = False
    assert choose(PREDICTED, COST, there).tolist() == [1, 1, 2, 2]
    guess = PREDICTED.copy()
    guess[:, 2] = np.nan
    assert choose(guess, COST, there).tolist() == [1, 1, 1, 2]


def test_alpha_0_is_the_cheapest_and_alpha_1_the_best_with_cost_in_between() -> None:
    """phi = alpha Q* - (1 - alpha) C*: at one half the second model gains 0.3 quality for 1/3 of the cost."""
    choice = Choice(Scale((0.0, 1.0), (1.0, 10.0)), np.array([0.0, 0.5, 0.6, 1.0]))
    taken = choice.choices(PREDICTED[1:2], COST, ALL[1:2])
    assert taken[:, 0].tolist() == [0, 0, 1, 1]


def test_a_simpler_candidate_is_given_up_only_for_more_than_luck_in_training() -> None:
    """By hand on four prompts: differences 1, 0, 0, 0 are one standard error (0.25); 1, 1, 1, 0 are three."""
    simple, lucky, better = [0.0] * 4, [1.0, 0.0, 0.0, 0.0], [1.0, 1.0, 1.0, 0.0]
    assert cautious(np.array([simple, lucky])) == 0
    assert cautious(np.array([simple, better])) == 1
    assert cautious(np.array([simple, lucky]), errors=0.0) == 1
    settings = np.stack([np.array([simple, lucky]), np.array([simple, better])], axis=2)
    assert cautious(settings).tolist() == [0, 1]
