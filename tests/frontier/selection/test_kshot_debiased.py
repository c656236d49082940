"""Tests of the debiased k-shot quantities."""

from __future__ import annotations

import numpy as np
import pytest

from assay.core.errors import InvalidInput
from assay.frontier.posterior import Posterior
from assay.frontier.selection.kshot_debiased import debiased_shots


def known(rates: list[list[float]], cost: list[list[float]] | None = None) -> Posterior:
    """Return a posterior without uncertainty: two equal draws."""
    quality = np.array([rates, rates])
    price = None if cost is None else np.array([cost, cost])
    return Posterior("known", quality, price, np.ones(quality.shape[1:], dtype=np.bool_))


def test_known_rates_give_equations_22_and_23() -> None:
    """1/2 and 1/4, two shots: 3/4 by the best, 1 - (3/8)^2 by both; costs are for 2 and 4 generations."""
    found = debiased_shots(known([[0.5, 0.25]], [[1.0, 2.0]]), [2])[0]
    assert found.per_prompt_best.value == pytest.approx(0.75)
    assert found.all_models.value == pytest.approx(1 - (3 / 8) ** 2)
    paid = (found.per_prompt_best, found.all_models, found.fixed_best)
    assert [each.cost is not None and each.cost.tolist() for each in paid] == [[2.0], [6.0], [2.0]]


def test_any_order_of_shots_is_answered_in_that_order() -> None:
    """A k beyond the one before is a power, not a step."""
    found = debiased_shots(known([[0.5], [0.1]]), [5, 1, 2])
    expected = [1 - (0.5**k + 0.9**k) / 2 for k in (5, 1, 2)]
    assert [each.fixed_best.value for each in found] == pytest.approx(expected)


def test_the_maximum_is_taken_within_the_draw() -> None:
    """Two draws that disagree on the better model: each draw's own best counts, and its spread shows."""
    quality = np.array([[[0.8, 0.2]], [[0.4, 0.6]]])
    found = debiased_shots(Posterior("two", quality, None, np.ones((1, 2), dtype=np.bool_)), [1])[0]
    assert found.per_prompt_best.by_draw.tolist() == pytest.approx([0.8, 0.6])
    assert found.per_prompt_best.value == pytest.approx(0.7)
    assert found.of_models == pytest.approx(quality[:, 0])
    assert found.fixed_best.value == pytest.approx(0.6)


def test_a_cell_that_was_never_observed_is_not_picked() -> None:
    """The better model may not be chosen on the first prompt; the second prompt has no model at all."""
    posterior = Posterior(
        "holes", np.full((1, 2, 2), [0.1, 0.9]), None, np.array([[True, False], [False, False]])
    )
    found = debiased_shots(posterior, [1])[0]
    assert found.per_prompt_best.value == pytest.approx(0.1)
    assert found.all_models.value == pytest.approx(0.1)
    assert np.isnan(found.all_models.per_prompt[1])


def test_draws_that_are_no_rates_are_refused() -> None:
    """Continuous quality has no success rate."""
    with pytest.raises(InvalidInput, match="0/1 quality"):
        debiased_shots(known([[1.5]]), [1])


def test_no_shot_is_refused() -> None:
    """k starts at 1."""
    with pytest.raises(InvalidInput, match="from 1"):
        debiased_shots(known([[0.5]]), [0])


def test_of_equally_good_models_the_cheapest_is_asked() -> None:
    """The first model is equally good and more expensive, so it is not asked."""
    found = debiased_shots(known([[0.5, 0.5]], [[3.0, 1.0]]), [2])[0]
    assert found.per_prompt_best.cost is not None
    assert found.per_prompt_best.cost.tolist() == [2.0]
