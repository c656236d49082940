"""A statistical model that does not reproduce the recorded data has a note."""

from __future__ import annotations

import numpy as np

from assay.frontier.methods.modelled import misfit
from assay.frontier.oracle import oracle
from assay.frontier.posterior import Posterior
from assay.frontier.tensor import Tensor, from_counts


def recorded(rates: np.ndarray, generations: int = 5) -> Tensor:
    """Return a tensor of simulated answers with these success rates (N, L)."""
    right = np.random.default_rng(3).binomial(generations, rates)
    prompts, models = right.shape
    return from_counts(
        tuple(f"p{n}" for n in range(prompts)),
        tuple(f"m{m}" for m in range(models)),
        right,
        np.full_like(right, generations),
    )


def draws(rates: np.ndarray, tensor: Tensor) -> Posterior:
    """Return 100 draws near these rates."""
    rng = np.random.default_rng(4)
    quality = np.clip(rates + rng.normal(0.0, 0.02, (100, *rates.shape)), 0.0, 1.0)
    return Posterior("made up", quality, None, tensor.observed)


def test_the_true_rates_fit() -> None:
    """Draws near the true rates have no note."""
    rates = np.random.default_rng(1).beta(1, 1, (80, 6))
    tensor = recorded(rates)
    assert misfit(draws(rates, tensor), tensor, np.random.default_rng(0)) == ()


def test_one_able_model_on_each_prompt_is_a_misfit() -> None:
    """One of six models is right in 9 of 10 on each prompt, but draws often have no able model."""
    rng = np.random.default_rng(2)
    rates = np.full((80, 6), 0.3)
    rates[np.arange(80), rng.integers(6, size=80)] = 0.9
    tensor = recorded(rates)
    apart = rng.permuted(np.broadcast_to(rates, (100, 80, 6)), axis=2)
    mixed = np.where(rng.random((100, 80, 1)) < 0.4, 0.3, apart)
    (note,) = misfit(Posterior("apart", mixed, None, tensor.observed), tensor, np.random.default_rng(0))
    assert "too low" in note
    estimate = oracle(
        tensor, "mixture", posterior=Posterior("apart", mixed, None, tensor.observed), resamples=0
    )
    assert any("does not fit" in note for note in estimate.notes)
