"""Draws of cell means from real-valued generations: parts of prompt and model, a remainder, noise."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

FloatArray = npt.NDArray[np.float64]
BURN_IN = 100
LEAST_REST = 0.05
"""Of the spread beyond prompt and model, at least this share is first taken for no luck."""
PRIOR = 2.0
"""Each model's variances lean on those of all models with the weight of so many degrees of freedom."""


@dataclass(frozen=True, slots=True)
class NormalDraws:
    """Draws of the cells' means (S, N, L), and of each model's variance between generations (S, L)."""

    mean: FloatArray
    noise: FloatArray


def draw_means(values: FloatArray, draws: int, rng: np.random.Generator) -> NormalDraws:
    """Return draws of cell means given `values` (N, L, G), NaN where nothing was observed.

    y_nlg = m_nl + e, m_nl = a_n + b_l + d_nl; a_n, d_nl and e are normal with mean 0 and variances of their
    own: the prompts', each model's, each model's. A Gibbs sampler with conjugate, weakly informative priors.
    At least one cell needs two generations, or the noise cannot be told from what remains.
    Source: H. Scheffé, The Analysis of Variance (1959), chapter 7; A. Gelman et al., Bayesian Data Analysis
    (3rd edition, 2013), section 11.6.
    """
    there = ~np.isnan(values)
    number = there.sum(axis=2).astype(np.float64)
    filled = np.where(there, values, 0.0)
    cell = filled.sum(axis=2) / np.maximum(number, 1.0)
    within = (np.where(there, values - cell[:, :, None], 0.0) ** 2).sum(axis=(0, 2))
    spare = np.maximum(number - 1.0, 0.0).sum(axis=0)
    noise_guess = float(within.sum() / max(spare.sum(), 1.0))
    seen = number > 0
    level = np.where(seen, cell, 0.0).sum(axis=0) / np.maximum(seen.sum(axis=0), 1)
    ease = np.where(seen, cell - level, 0.0).sum(axis=1) / np.maximum(seen.sum(axis=1), 1)
    rest = np.where(seen, cell - level - ease[:, None], 0.0)
    whole = float((rest**2).sum() / max(seen.sum(), 1))
    luck = noise_guess * float((1.0 / number[seen]).mean()) if seen.any() else 0.0
    rest_guess = max(whole - luck, LEAST_REST * whole, 1e-12)
    noise_guess = max(noise_guess, 1e-12)
    prompts, models = number.shape
    noise, remain = np.full(models, noise_guess), np.full(models, rest_guess)
    between = max(float(ease.var()), 1e-12)
    out = NormalDraws(np.empty((draws, prompts, models)), np.empty((draws, models)))
    for turn in range(BURN_IN + draws):
        precision = number / noise + 1.0 / remain
        centre = (number * cell / noise + (ease[:, None] + level) / remain) / precision
        mean = centre + rng.standard_normal(centre.shape) / np.sqrt(precision)
        held = (1.0 / remain).sum() + 1.0 / between
        ease = ((mean - level) / remain).sum(axis=1) / held + rng.standard_normal(prompts) / np.sqrt(held)
        level = (mean - ease[:, None]).mean(axis=0) + rng.standard_normal(models) * np.sqrt(remain / prompts)
        remain = _variance(((mean - ease[:, None] - level) ** 2).sum(axis=0), prompts, rest_guess, rng)
        strayed = within + (number * (mean - cell) ** 2).sum(axis=0)
        noise = _variance(strayed, number.sum(axis=0), noise_guess, rng)
        between = float(_variance(np.array([(ease**2).sum()]), prompts, between, rng)[0])
        if turn >= BURN_IN:
            out.mean[turn - BURN_IN], out.noise[turn - BURN_IN] = mean, noise
    return out


def _variance(
    squares: FloatArray, number: npt.ArrayLike, guess: float, rng: np.random.Generator
) -> FloatArray:
    """Draw variances from scaled inverse chi-squared distributions."""
    freedom = np.asarray(number, dtype=np.float64) + PRIOR
    return np.asarray(np.maximum((squares + PRIOR * guess) / rng.chisquare(freedom, len(squares)), 1e-12))
