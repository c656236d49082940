"""Random-effects model for real-valued quality and for log costs, with effects of prompt, model and cell."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from assay.frontier.tensor import Tensor, cell_means

FloatArray = npt.NDArray[np.float64]
BURN_IN = 100
LEAST_CELL_SHARE = 0.05
"""The initial estimate attributes at least this share of the spread beyond prompt and model to the cells."""
PRIOR = 2.0
"""Weight of all models' variances in each model's, in degrees of freedom."""


@dataclass(frozen=True, slots=True)
class NormalDraws:
    """Draws of the cells' means (S, N, L), and of each model's variance between generations (S, L)."""

    mean: FloatArray
    noise: FloatArray


def draw_means(values: FloatArray, draws: int, rng: np.random.Generator) -> NormalDraws:
    """Return draws of cell means given `values` (N, L, G), NaN where not observed.

    y_nlg = m_nl + e and m_nl = a_n + b_l + d_nl. a_n, d_nl and e are normal with mean 0. All prompts share
    the variance of a_n; each model has its own variances of d_nl and e. The draws are from a Gibbs sampler
    with conjugate, weakly informative priors. At least one cell needs two generations to separate the noise
    e from d_nl.
    Source: H. Scheffé, The Analysis of Variance (1959), chapter 7; A. Gelman et al., Bayesian Data Analysis
    (3rd edition, 2013), section 11.6.
    """
    observed = ~np.isnan(values)
    number = observed.sum(axis=2).astype(np.float64)
    filled = np.where(observed, values, 0.0)
    cell = filled.sum(axis=2) / np.maximum(number, 1.0)
    within = (np.where(observed, values - cell[:, :, None], 0.0) ** 2).sum(axis=(0, 2))
    freedom = np.maximum(number - 1.0, 0.0).sum(axis=0)
    noise_guess = float(within.sum() / max(freedom.sum(), 1.0))
    filled_cells = number > 0
    level = np.where(filled_cells, cell, 0.0).sum(axis=0) / np.maximum(filled_cells.sum(axis=0), 1)
    ease = np.where(filled_cells, cell - level, 0.0).sum(axis=1) / np.maximum(filled_cells.sum(axis=1), 1)
    deviation = np.where(filled_cells, cell - level - ease[:, None], 0.0)
    total = float((deviation**2).sum() / max(filled_cells.sum(), 1))
    from_noise = noise_guess * float((1.0 / number[filled_cells]).mean()) if filled_cells.any() else 0.0
    cell_guess = max(total - from_noise, LEAST_CELL_SHARE * total, 1e-12)
    noise_guess = max(noise_guess, 1e-12)
    prompts, models = number.shape
    noise_variance, cell_variance = np.full(models, noise_guess), np.full(models, cell_guess)
    prompt_variance = max(float(ease.var()), 1e-12)
    result = NormalDraws(np.empty((draws, prompts, models)), np.empty((draws, models)))
    for iteration in range(BURN_IN + draws):
        precision = number / noise_variance + 1.0 / cell_variance
        centre = (number * cell / noise_variance + (ease[:, None] + level) / cell_variance) / precision
        mean = centre + rng.standard_normal(centre.shape) / np.sqrt(precision)
        prompt_precision = (1.0 / cell_variance).sum() + 1.0 / prompt_variance
        ease = ((mean - level) / cell_variance).sum(axis=1) / prompt_precision + rng.standard_normal(
            prompts
        ) / np.sqrt(prompt_precision)
        level = (mean - ease[:, None]).mean(axis=0) + rng.standard_normal(models) * np.sqrt(
            cell_variance / prompts
        )
        cell_variance = _variance(((mean - ease[:, None] - level) ** 2).sum(axis=0), prompts, cell_guess, rng)
        squares = within + (number * (mean - cell) ** 2).sum(axis=0)
        noise_variance = _variance(squares, number.sum(axis=0), noise_guess, rng)
        prompt_variance = float(_variance(np.array([(ease**2).sum()]), prompts, prompt_variance, rng)[0])
        if iteration >= BURN_IN:
            result.mean[iteration - BURN_IN], result.noise[iteration - BURN_IN] = mean, noise_variance
    return result


def _variance(
    squares: FloatArray, number: npt.ArrayLike, guess: float, rng: np.random.Generator
) -> FloatArray:
    """Draw variances from scaled inverse chi-squared distributions."""
    freedom = np.asarray(number, dtype=np.float64) + PRIOR
    return np.asarray(np.maximum((squares + PRIOR * guess) / rng.chisquare(freedom, len(squares)), 1e-12))


OBSERVED = "cost: each cell's observed mean is taken as certain (the spread within cells was not recorded)"
LOG_NORMAL = (
    "cost: log-normal with effects of prompt and model, shrunk by empirical Bayes and scaled so that every "
    "model's total over its cells is the observed total"
)
MOST_LOG = 100.0
ZEROS = "{:,} of {:,} costs are 0: each cell keeps its share of zeros, the other costs are log-normal"


def draw_costs(
    tensor: Tensor, draws: int, rng: np.random.Generator
) -> tuple[FloatArray | None, tuple[str, ...]]:
    """Return draws (S, N, L) of expected costs in the tensor's unit, None without costs, and notes on them.

    The logarithm of a cost follows the model of `draw_means`; a cell's expected cost is exp(m + noise/2), as
    for a log-normal distribution, scaled for each model. If costs are known only as one mean for each cell,
    or from one generation for each cell, they are taken as certain, and cells without a cost have NaN.
    Otherwise a cell without a cost has draws from its prompt and its model; a model without any cost has NaN.
    """
    if tensor.cost is None:
        return None, ()
    costs = tensor.cost
    known = ~np.isnan(costs)
    positive = np.where(known & (costs > 0.0), costs, np.nan)
    if tensor.cost_by_cell or int(known.sum(axis=2).max(initial=0)) < 2 or np.isnan(positive).all():
        observed = cell_means(costs)
        return np.broadcast_to(observed, (draws, *observed.shape)), (OBSERVED,)
    drawn = draw_means(np.log(positive), draws, rng)
    expected = np.exp(np.minimum(drawn.mean + drawn.noise[:, None, :] / 2.0, MOST_LOG))
    number = known.sum(axis=2)
    share = np.where(number > 0, (~np.isnan(positive)).sum(axis=2) / np.maximum(number, 1), 1.0)
    expected = np.where((number > 0).any(axis=0), expected * share, np.nan)
    cells = number > 0
    recorded = np.where(cells, np.nan_to_num(cell_means(costs)), 0.0).sum(axis=0)
    modelled = np.where(cells, expected, 0.0).sum(axis=1)
    scale = np.where(modelled.mean(axis=0) > 0.0, recorded / np.maximum(modelled.mean(axis=0), 1e-300), 1.0)
    zeros = int((known & (costs == 0.0)).sum())
    notes = (LOG_NORMAL,) if not zeros else (LOG_NORMAL, ZEROS.format(zeros, int(known.sum())))
    return expected * scale, notes
