"""Item response models with random items: abilities of models, difficulties of items, scores on the bank.

The chance that model m answers item i rightly is expit(a_i (theta_m - b_i)). In the Rasch model all
discriminations a_i are 1; in the two-parameter model (2PL) they differ. Abilities theta are fixed;
difficulties b_i and the logarithms of discriminations are drawn independently from normal distributions with
mean 0, so that few models on many items suffice. Scores between 0 and 1 count as fractions of a right answer.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import numpy.typing as npt
import scipy

FloatArray = npt.NDArray[np.float64]
RASCH: FloatArray = np.linspace(-9.0, 9.0, 121)[None, :]
"""The difficulties over which an item's own is summed out, (1, K)."""
TWO_PARAMETER: FloatArray = np.stack(
    [axis.ravel() for axis in np.meshgrid(np.linspace(-8.0, 8.0, 81), np.linspace(-1.5, 1.5, 11))]
)
"""The same with difficulties and logarithms of discriminations, (2, K)."""
ROUNDS, NEWTON_STEPS = 500, 2
START: FloatArray = np.array([1.0, 0.5])
"""The first guess of the spreads of difficulties and of log discriminations."""
LEAST_SPREAD = 0.05
FLAT = 1e-6
"""A direction with less than this part of the largest information has none: there the likelihood is flat."""
MOST_ABILITY = 9.0
"""Abilities are bounded: a model that gets everything right has no finite one."""


@dataclass(frozen=True, slots=True)
class ItemResponseFit:
    """A fitted Rasch or two-parameter model of M models and N items.

    `abilities` (M,) and `difficulties` (N,) are in logits, the latter posterior means with standard
    deviations `difficulty_sd` (N,). `discriminations` (N,) are posterior geometric means, 1 in the Rasch
    model. `spreads` (H,) are the standard deviations over the bank of difficulties and, in the two-parameter
    model, of log discriminations, which vary over the points of `grid` (H, K). `covariance` (M + H, M + H)
    is that of the abilities and the logarithms of the spreads over draws of items.
    """

    abilities: FloatArray
    difficulties: FloatArray
    difficulty_sd: FloatArray
    discriminations: FloatArray
    spreads: FloatArray
    covariance: FloatArray
    grid: FloatArray

    def bank_scores(self) -> tuple[FloatArray, FloatArray]:
        """Return each model's expected score (0-1) over all items of the bank, and its standard error, (M,).

        Unlike means over different items these are comparable between models.
        """
        value, slope = _expected(self.abilities, self.spreads, self.grid)
        gradient = np.zeros((len(value), len(self.covariance)))
        np.fill_diagonal(gradient[:, : len(value)], slope)
        step = 1e-4
        for place, further in enumerate(np.eye(len(self.spreads)) * step):
            up, _ = _expected(self.abilities, self.spreads * np.exp(further), self.grid)
            gradient[:, len(value) + place] = (up - value) / step
        variance = np.einsum("mi,ij,mj->m", gradient, self.covariance, gradient)
        return value, np.sqrt(np.maximum(variance, 0.0))


@dataclass(frozen=True, slots=True)
class ItemFit:
    """How well items fit a model, (N,): mean squares, 1 expected, NaN for items without answers.

    `infit` weighs answers by their information, `outfit` does not: surprising answers of very good or very
    bad models move it most. Both are divided by the `dispersion` of all answers, which is 1 for right and
    wrong answers that fit, and smaller for fractional scores. Source: B. Wright and G. Masters, Rating Scale
    Analysis (1982), chapter 5.
    """

    infit: FloatArray
    outfit: FloatArray
    dispersion: float


def fit_rasch(scores: npt.ArrayLike) -> ItemResponseFit:
    """Fit the Rasch model to scores (M, N) on 0-1, NaN for none, by marginal maximum likelihood.

    The standard errors are those of the sandwich estimator over items, so they hold for fractional scores and
    where the model fits only roughly. Every model needs a score. Source: G. Rasch, Probabilistic Models for
    Some Intelligence and Attainment Tests (1960); R. D. Bock and M. Aitkin, Psychometrika 46 (1981) 443-459,
    with items in the role of persons.
    """
    return _fit(scores, RASCH, 1e-7)


def fit_two_parameter(scores: npt.ArrayLike) -> ItemResponseFit:
    """Fit the two-parameter model to scores (M, N) on 0-1 as `fit_rasch` does.

    The spread of discriminations converges slowly: bank scores are within 0.0003 of their limits.
    Source: A. Birnbaum in F. Lord and M. Novick, Statistical Theories of Mental Test Scores (1968), chapters
    17-20; discriminations are log-normal as in R. Mislevy, Psychometrika 51 (1986) 177-195.
    """
    return _fit(scores, TWO_PARAMETER, 1e-4)


def _fit(scores: npt.ArrayLike, grid: FloatArray, close: float) -> ItemResponseFit:
    """Fit a model until no ability or logarithm of a spread moves by more than `close`."""
    given = np.asarray(scores, dtype=np.float64)
    scored = ~np.isnan(given)
    right = np.where(scored, given, 0.0)
    abilities, spreads = _most_likely(right, scored, grid, close)
    weights, _ = _posterior(abilities, spreads, grid, right, scored)
    means = weights @ grid.T
    variance = weights @ grid[0] ** 2 - means[:, 0] ** 2
    return ItemResponseFit(
        abilities,
        means[:, 0],
        np.sqrt(np.maximum(variance, 0.0)),
        np.exp(means[:, 1]) if len(grid) > 1 else np.ones(len(means)),
        spreads,
        _sandwich(abilities, spreads, grid, right, scored, weights),
        grid,
    )


def _most_likely(
    right: FloatArray, scored: npt.NDArray[np.bool_], grid: FloatArray, close: float
) -> tuple[FloatArray, FloatArray]:
    """Return the abilities and spreads that maximise the likelihood.

    After every two steps of expectation-maximisation there is a leap along their path, which is undone if it
    lowers the likelihood. Source: R. Varadhan and C. Roland, Scandinavian Journal of Statistics 35 (2008)
    335-353, scheme S3.
    """
    models, answers = len(right), scored.astype(np.float64)
    share = (right.sum(axis=1) + 0.5) / (answers.sum(axis=1) + 1.0)
    place = np.append(np.log(share / (1.0 - share)), np.log(START[: len(grid)]))
    least = np.append(np.full(models, -MOST_ABILITY), np.full(len(grid), np.log(LEAST_SPREAD)))

    def expect(place: FloatArray) -> tuple[FloatArray, float]:
        return _posterior(place[:models], np.exp(place[models:]), grid, right, scored)

    def maximise(place: FloatArray, weights: FloatArray) -> FloatArray:
        abilities = _maximise(place[:models], grid, right @ weights, answers @ weights)
        log_spreads = 0.5 * np.log((weights @ grid.T**2).mean(axis=0))
        return np.asarray(np.maximum(np.append(abilities, log_spreads), least))

    weights, _ = expect(place)
    for _ in range(ROUNDS):
        first = maximise(place, weights)
        weights, likelihood = expect(first)
        second = maximise(first, weights)
        if np.abs(second - first).max() < close:
            break
        step, bend = first - place, second - 2.0 * first + place
        length = max(1.0, float(np.linalg.norm(step) / (np.linalg.norm(bend) + 1e-12)))
        place = np.clip(place + 2.0 * length * step + length**2 * bend, least, MOST_ABILITY)
        weights, reached = expect(place)
        if reached < likelihood:
            place = second
            weights, _ = expect(place)
    return second[:models], np.exp(second[models:])


def item_fit(fitted: ItemResponseFit, scores: npt.ArrayLike) -> ItemFit:
    """Return the mean-square fit of each item at the fitted abilities, difficulties and discriminations."""
    given = np.asarray(scores, dtype=np.float64)
    scored = ~np.isnan(given)
    chance = scipy.special.expit(fitted.discriminations * (fitted.abilities[:, None] - fitted.difficulties))
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


def _slopes(grid: FloatArray) -> FloatArray:
    """Return the discrimination at each point of the grid, (K,)."""
    return np.asarray(np.exp(grid[1]) if len(grid) > 1 else np.ones(grid.shape[1]), dtype=np.float64)


def _advantage(abilities: FloatArray, grid: FloatArray) -> FloatArray:
    """Return the log odds of a right answer, (M, K)."""
    return np.asarray(_slopes(grid) * (abilities[:, None] - grid[0]), dtype=np.float64)


def _log_density(spreads: FloatArray, grid: FloatArray) -> FloatArray:
    """Return the logarithm of the items' density at each point of the grid but for a constant, (K,)."""
    return np.asarray(-0.5 * ((grid / spreads[:, None]) ** 2).sum(axis=0), dtype=np.float64)


def _posterior(
    abilities: FloatArray,
    spreads: FloatArray,
    grid: FloatArray,
    right: FloatArray,
    scored: npt.NDArray[np.bool_],
) -> tuple[FloatArray, float]:
    """Return the probability of each point of the grid for each item (N, K), and the log likelihood.

    The likelihood lacks a constant.
    """
    log_right = scipy.special.log_expit(_advantage(abilities, grid))
    log_weight = right.T @ log_right + (scored - right).T @ (log_right - _advantage(abilities, grid))
    log_weight += _log_density(spreads, grid)
    most = log_weight.max(axis=1, keepdims=True)
    weights = np.exp(log_weight - most)
    total = weights.sum(axis=1, keepdims=True)
    likelihood = float((most + np.log(total)).sum()) - len(weights) * float(np.log(spreads).sum())
    return weights / total, likelihood


def _maximise(abilities: FloatArray, grid: FloatArray, right: FloatArray, answers: FloatArray) -> FloatArray:
    """Return the abilities after Newton's steps; `right` and `answers` (M, K) are expected counts."""
    slopes = _slopes(grid)
    for _ in range(NEWTON_STEPS):
        chance = scipy.special.expit(_advantage(abilities, grid))
        gradient = (right - answers * chance) @ slopes
        curvature = (answers * chance * (1.0 - chance)) @ slopes**2
        step = np.clip(gradient / np.maximum(curvature, 1e-9), -1.0, 1.0)
        abilities = np.clip(abilities + step, -MOST_ABILITY, MOST_ABILITY)
    return abilities


def _sandwich(
    abilities: FloatArray,
    spreads: FloatArray,
    grid: FloatArray,
    right: FloatArray,
    scored: npt.NDArray[np.bool_],
    weights: FloatArray,
) -> FloatArray:
    """Return the covariance of abilities and log spreads: inverse information, score products, inverse.

    The information is the mean of the complete data's less the covariance of its score given the answers.
    Source: T. Louis, Journal of the Royal Statistical Society B 44 (1982) 226-233.
    """
    size = len(abilities) + len(spreads)
    slopes, chance = _slopes(grid), scipy.special.expit(_advantage(abilities, grid))
    squares = (grid / spreads[:, None]) ** 2
    information, products = np.zeros((size, size)), np.zeros((size, size))
    for own, mask, correct in zip(weights, scored.T, right.T, strict=True):
        residual = np.where(mask[:, None], slopes * (correct[:, None] - chance), 0.0)
        complete = np.vstack([residual, squares - 1.0])
        score = complete @ own
        curvature = np.where(mask, (chance * (1.0 - chance)) @ (own * slopes**2), 0.0)
        missing = (complete * own) @ complete.T - np.outer(score, score)
        information += np.diag(np.append(curvature, 2.0 * squares @ own)) - missing
        products += np.outer(score, score)
    inverse = np.linalg.pinv(information, rcond=FLAT, hermitian=True)
    return np.asarray(inverse @ products @ inverse, dtype=np.float64)


def _expected(abilities: FloatArray, spreads: FloatArray, grid: FloatArray) -> tuple[FloatArray, FloatArray]:
    """Return each ability's expected score over the items of the bank, and its slope in the ability."""
    density = np.exp(_log_density(spreads, grid))
    density /= density.sum()
    chance = scipy.special.expit(_advantage(abilities, grid))
    return chance @ density, (chance * (1.0 - chance)) @ (density * _slopes(grid))
