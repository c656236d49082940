"""The Rasch model with random items: abilities of models, difficulties of items, scores on the whole bank.

The chance that model m answers item i rightly is expit(theta_m - b_i). Abilities theta are fixed,
difficulties b_i are drawn from a normal distribution with mean 0 and standard deviation s, so that few models
on many items suffice. Scores between 0 and 1 count as fractions of a right answer.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import numpy.typing as npt
from scipy.special import expit, log_expit, logsumexp

FloatArray = npt.NDArray[np.float64]
GRID: FloatArray = np.linspace(-9.0, 9.0, 121)
"""The difficulties over which an item's own is summed out."""
ROUNDS, NEWTON_STEPS, CLOSE = 500, 2, 1e-7
LEAST_SPREAD = 0.05
MOST_ABILITY = 9.0
"""Abilities are bounded: a model that gets everything right has no finite one."""


@dataclass(frozen=True, slots=True)
class RaschFit:
    """A fitted Rasch model of M models and N items.

    `abilities` (M,) and `difficulties` (N,) are in logits, the latter posterior means with standard
    deviations `difficulty_sd` (N,). `spread` is the standard deviation of difficulties over the bank.
    `covariance` (M + 1, M + 1) is that of the abilities and the logarithm of the spread over draws of items.
    """

    abilities: FloatArray
    difficulties: FloatArray
    difficulty_sd: FloatArray
    spread: float
    covariance: FloatArray

    def bank_scores(self) -> tuple[FloatArray, FloatArray]:
        """Return each model's expected score (0-1) over all items of the bank, and its standard error, (M,).

        Unlike means over different items these are comparable between models.
        """
        value, slope = _expected(self.abilities, self.spread)
        step = 1e-4
        up, _ = _expected(self.abilities, self.spread * float(np.exp(step)))
        gradient = np.zeros((len(value), len(self.covariance)))
        np.fill_diagonal(gradient[:, :-1], slope)
        gradient[:, -1] = (up - value) / step
        variance = np.einsum("mi,ij,mj->m", gradient, self.covariance, gradient)
        return value, np.sqrt(np.maximum(variance, 0.0))


@dataclass(frozen=True, slots=True)
class ItemFit:
    """How well items fit the Rasch model, (N,): mean squares, 1 expected, NaN for items without answers.

    `infit` weighs answers by their information, `outfit` does not: surprising answers of very good or very
    bad models move it most. Both are divided by the `dispersion` of all answers, which is 1 for right and
    wrong answers that fit, and smaller for fractional scores. Source: B. Wright and G. Masters, Rating Scale
    Analysis (1982), chapter 5.
    """

    infit: FloatArray
    outfit: FloatArray
    dispersion: float


def fit_rasch(scores: npt.ArrayLike) -> RaschFit:
    """Fit the Rasch model to scores (M, N) on 0-1, NaN for none, by marginal maximum likelihood.

    The standard errors are those of the sandwich estimator over items, so they hold for fractional scores and
    where the model fits only roughly. Every model needs a score. Source: G. Rasch, Probabilistic Models for
    Some Intelligence and Attainment Tests (1960); R. D. Bock and M. Aitkin, Psychometrika 46 (1981) 443-459,
    with items in the role of persons.
    """
    given = np.asarray(scores, dtype=np.float64)
    scored = ~np.isnan(given)
    right = np.where(scored, given, 0.0)
    share = (right.sum(axis=1) + 0.5) / (scored.sum(axis=1) + 1.0)
    abilities, spread = np.log(share / (1.0 - share)), 1.0
    weights = np.empty((given.shape[1], len(GRID)))
    for _ in range(ROUNDS):
        before = np.append(abilities, spread)
        weights = _posterior(abilities, spread, right, scored)
        abilities = _maximise(abilities, right @ weights, scored.astype(np.float64) @ weights)
        spread = max(LEAST_SPREAD, float(np.sqrt((weights @ GRID**2).mean())))
        if np.abs(np.append(abilities, spread) - before).max() < CLOSE:
            break
    weights = _posterior(abilities, spread, right, scored)
    difficulties = weights @ GRID
    variance = weights @ GRID**2 - difficulties**2
    covariance = _sandwich(abilities, spread, right, scored, weights)
    return RaschFit(abilities, difficulties, np.sqrt(np.maximum(variance, 0.0)), spread, covariance)


def item_fit(fitted: RaschFit, scores: npt.ArrayLike) -> ItemFit:
    """Return the mean-square fit of each item at the fitted abilities and difficulties."""
    given = np.asarray(scores, dtype=np.float64)
    scored = ~np.isnan(given)
    chance = expit(fitted.abilities[:, None] - fitted.difficulties[None, :])
    information = chance * (1.0 - chance)
    squares = np.where(scored, (given - chance) ** 2, 0.0)
    expected = np.where(scored, information, 0.0)
    dispersion = max(float(squares.sum() / expected.sum()), 1e-12)
    answers = scored.sum(axis=0)
    nothing = np.full(given.shape[1], np.nan)
    infit = np.divide(squares.sum(axis=0), expected.sum(axis=0), out=nothing.copy(), where=answers > 0)
    outfit = np.divide((squares / information).sum(axis=0), answers, out=nothing, where=answers > 0)
    return ItemFit(infit / dispersion, outfit / dispersion, dispersion)


def item_rest_correlation(scores: npt.ArrayLike) -> FloatArray:
    """Return each item's correlation with the models' mean on the other items, (N,); NaN where constant.

    Only models with a score on the item count. It is the classical index of discrimination.
    """
    given = np.asarray(scores, dtype=np.float64)
    scored = ~np.isnan(given)
    filled = np.where(scored, given, 0.0)
    others = filled.sum(axis=1, keepdims=True) - filled
    counts = scored.sum(axis=1, keepdims=True) - scored
    rest = np.divide(others, counts, out=np.full(given.shape, np.nan), where=counts > 0)
    valid = scored & ~np.isnan(rest)
    n = valid.sum(axis=0)
    own, other = (_centred(values, valid, n) for values in (given, rest))
    bottom = np.sqrt((own**2).sum(axis=0) * (other**2).sum(axis=0))
    top = (own * other).sum(axis=0)
    correlation = np.divide(
        top, bottom, out=np.full(given.shape[1], np.nan), where=(bottom > 1e-12) & (n > 2)
    )
    return np.asarray(correlation, dtype=np.float64)


def _centred(values: FloatArray, valid: npt.NDArray[np.bool_], n: npt.NDArray[np.int64]) -> FloatArray:
    present = np.where(valid, values, 0.0)
    return np.where(valid, present - present.sum(axis=0) / np.maximum(n, 1), 0.0)


def _posterior(
    abilities: FloatArray, spread: float, right: FloatArray, scored: npt.NDArray[np.bool_]
) -> FloatArray:
    """Return the probability of each difficulty of the grid for each item, (N, K)."""
    advantage = abilities[:, None] - GRID[None, :]
    wrong = scored - right
    log_weight = right.T @ log_expit(advantage) + wrong.T @ log_expit(-advantage)
    log_weight -= 0.5 * (GRID / spread) ** 2
    return np.asarray(np.exp(log_weight - logsumexp(log_weight, axis=1, keepdims=True)), dtype=np.float64)


def _maximise(abilities: FloatArray, right: FloatArray, answers: FloatArray) -> FloatArray:
    """Return the abilities after Newton's steps; `right` and `answers` (M, K) are expected counts."""
    for _ in range(NEWTON_STEPS):
        chance = expit(abilities[:, None] - GRID[None, :])
        slope = (right - answers * chance).sum(axis=1)
        curvature = (answers * chance * (1.0 - chance)).sum(axis=1)
        step = np.clip(slope / np.maximum(curvature, 1e-9), -1.0, 1.0)
        abilities = np.clip(abilities + step, -MOST_ABILITY, MOST_ABILITY)
    return abilities


def _sandwich(
    abilities: FloatArray,
    spread: float,
    right: FloatArray,
    scored: npt.NDArray[np.bool_],
    weights: FloatArray,
) -> FloatArray:
    """Return the covariance of abilities and log spread: inverse information, score products, inverse.

    The information is the mean of the complete data's less the covariance of its score given the answers.
    Source: T. Louis, Journal of the Royal Statistical Society B 44 (1982) 226-233.
    """
    models, items = right.shape
    chance = expit(abilities[:, None] - GRID[None, :])
    spread_score = (GRID / spread) ** 2 - 1.0
    information = np.zeros((models + 1, models + 1))
    products = np.zeros_like(information)
    for item in range(items):
        own, mask = weights[item], scored[:, item]
        residual = np.where(mask[:, None], right[:, item, None] - chance, 0.0)
        complete = np.vstack([residual, spread_score])
        score = complete @ own
        curvature = np.where(mask, (chance * (1.0 - chance)) @ own, 0.0)
        missing = (complete * own) @ complete.T - np.outer(score, score)
        information += np.diag(np.append(curvature, 2.0 * float((GRID / spread) ** 2 @ own))) - missing
        products += np.outer(score, score)
    inverse = np.linalg.pinv(information, hermitian=True)
    return np.asarray(inverse @ products @ inverse, dtype=np.float64)


def _expected(abilities: FloatArray, spread: float) -> tuple[FloatArray, FloatArray]:
    """Return each ability's expected score over the bank's difficulties, and its slope in the ability."""
    density = np.exp(-0.5 * (GRID / spread) ** 2)
    density /= density.sum()
    chance = expit(abilities[:, None] - GRID[None, :])
    return chance @ density, (chance * (1.0 - chance)) @ density
