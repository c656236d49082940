"""A first fit: each model's expected success rate as a curve over the prompts' difficulty."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import numpy.typing as npt
from scipy.optimize import minimize
from scipy.special import betaln, digamma, expit

from assay.frontier.shrink.coded import CodedCounts, log_sum

FloatArray = npt.NDArray[np.float64]
LEVELS = 33
REACH = 4.0
STEPS = 60
SURE = 1e-6
SLOPES = 2.0
"""Weight of the squared differences of the logarithms of slopes: their prior has a spread of 0.5."""
MOST_END = 0.2
ENDS_START = -3.0
SPREADS = (-4.0, 6.0)
"""The logarithm of a beta distribution's precision stays within these."""


@dataclass(frozen=True, slots=True)
class _Parts:
    """One vector of parameters, read as what they are."""

    level: FloatArray
    log_slope: FloatArray
    log_weight: FloatArray
    spread: FloatArray
    ends: FloatArray

    @property
    def floor(self) -> float:
        """The success rate that nobody falls below on the hardest prompts."""
        return float(MOST_END * expit(self.ends[0]))

    @property
    def slip(self) -> float:
        """The failure rate that nobody falls below on the easiest prompts."""
        return float(MOST_END * expit(self.ends[1]))

    def mean(self, share: FloatArray) -> FloatArray:
        """Return success rates at shares of the way between floor and ceiling."""
        return np.asarray(np.clip(self.floor + (1.0 - self.floor - self.slip) * share, SURE, 1.0 - SURE))


@dataclass(frozen=True, slots=True)
class Curves:
    """Success over K levels of ease, from the hardest prompts to the easiest.

    `logit` (L, K) is the logit of each model's expected success rate on prompts of a level, `precision` (K,)
    the beta distribution's a + b around it, `weights` (K,) the share of prompts at each level, `membership`
    (N, K) each prompt's probabilities of the levels given its answers.
    """

    logit: FloatArray
    precision: FloatArray
    weights: FloatArray
    membership: FloatArray


def fit_curves(counts: CodedCounts) -> Curves:
    """Fit a beta-binomial model with logistic curves by marginal maximum likelihood.

    A prompt has one of `LEVELS` levels of ease u with free weights; given it, the models' success rates are
    independent, each beta distributed with mean expit(a_l + b_l u) and a precision that is log-quadratic in
    u: what a prompt's ease and a model's strength do not explain. The level of a prompt is summed out. A weak
    penalty holds slopes together and weights above 0.
    Source: the two-parameter logistic model (A. Birnbaum, 1968) with its distribution of ease estimated
    (R. Bock and M. Aitkin, Psychometrika 46, 1981).
    """
    ease = np.linspace(-REACH, REACH, LEVELS)
    models = counts.models
    right = np.array([(counts.right[counts.code[:, one]]).sum() for one in range(models)])
    asked = np.array([(counts.given[counts.code[:, one]]).sum() for one in range(models)])
    share = (right + 0.5) / (asked + 1.0)
    start = np.concatenate(
        [
            np.log(share / (1.0 - share)),
            np.zeros(models),
            -(ease**2) / 8.0,
            np.zeros(3),
            np.full(2, ENDS_START),
        ]
    )
    objective = _Objective(counts, ease)
    found = minimize(
        objective.value, start, jac=True, method="L-BFGS-B", options={"maxiter": STEPS, "maxcor": 20}
    )
    return objective.curves(np.asarray(found.x))


class _Objective:
    """The negative penalised marginal log likelihood with its gradient."""

    def __init__(self, counts: CodedCounts, ease: FloatArray) -> None:
        self.counts, self.ease = counts, ease
        self.powers = np.stack([np.ones_like(ease), ease, ease**2])

    def parts(self, vector: FloatArray) -> _Parts:
        models, levels = self.counts.models, len(self.ease)
        cuts = np.cumsum([models, models, levels, len(self.powers)])
        level, slope, weight, spread, ends = np.split(vector, cuts)
        return _Parts(level, slope, weight - log_sum(weight), spread, ends)

    def shape(self, parts: _Parts) -> tuple[FloatArray, FloatArray, FloatArray]:
        """Return shares of the way between floor and ceiling (L, K), means (L, K) and precisions (K,)."""
        share = expit(parts.level[:, None] + np.exp(parts.log_slope)[:, None] * self.ease)
        return share, parts.mean(share), np.exp(np.clip(parts.spread @ self.powers, *SPREADS))

    def curves(self, vector: FloatArray) -> Curves:
        parts = self.parts(vector)
        _, mean, precision = self.shape(parts)
        logs = self.counts.over_models(_Cells(self.counts, mean, precision).log) + parts.log_weight
        membership = np.exp(logs - log_sum(logs)[:, None])
        return Curves(np.log(mean / (1.0 - mean)), precision, np.exp(parts.log_weight), membership)

    def value(self, vector: FloatArray) -> tuple[float, FloatArray]:
        parts = self.parts(vector)
        share, mean, precision = self.shape(parts)
        cells = _Cells(self.counts, mean, precision)
        logs = self.counts.over_models(cells.log) + parts.log_weight
        total = log_sum(logs)
        membership = np.exp(logs - total[:, None])
        held = self.counts.over_prompts(membership)
        by_mean, by_log_precision = ((held * table).sum(axis=2) for table in cells.slopes())
        by_logit = by_mean * (1.0 - parts.floor - parts.slip) * share * (1.0 - share)
        by_end = np.array([(by_mean * (1.0 - share)).sum(), -(by_mean * share).sum()])
        end = expit(parts.ends)
        free = np.abs(np.clip(parts.spread @ self.powers, *SPREADS) - parts.spread @ self.powers) == 0.0
        slope = np.exp(parts.log_slope)
        apart = parts.log_slope - parts.log_slope.mean()
        weights = np.exp(parts.log_weight)
        gradient = np.concatenate(
            [
                by_logit.sum(axis=1),
                (by_logit * self.ease).sum(axis=1) * slope - 2.0 * SLOPES * apart,
                membership.sum(axis=0) - len(total) * weights + 1.0 / len(weights) - weights,
                self.powers @ np.where(free, by_log_precision.sum(axis=0), 0.0),
                by_end * MOST_END * end * (1.0 - end) - 0.1 * (parts.ends - ENDS_START),
            ]
        )
        value = total.sum() + parts.log_weight.mean() - SLOPES * float((apart**2).sum())
        value -= 0.05 * float(((parts.ends - ENDS_START) ** 2).sum())
        return -float(value), -gradient


class _Cells:
    """Beta-binomial log likelihoods (L, K, C), up to the binomial coefficient, and how they change."""

    def __init__(self, counts: CodedCounts, mean: FloatArray, precision: FloatArray) -> None:
        right, given = counts.right.astype(np.float64), counts.given.astype(np.float64)
        self.mean, self.precision = mean, precision
        self.success, self.failure = (mean * precision)[:, :, None], ((1.0 - mean) * precision)[:, :, None]
        self.after = (self.success + right, self.failure + given - right, precision[:, None] + given)
        self.log = betaln(self.after[0], self.after[1]) - betaln(self.success, self.failure)

    def slopes(self) -> tuple[FloatArray, FloatArray]:
        """Return the derivatives by mean and by log precision, each (L, K, C)."""
        both = digamma(self.after[2]) - digamma(self.precision[:, None])
        success = digamma(self.after[0]) - digamma(self.success) - both
        failure = digamma(self.after[1]) - digamma(self.failure) - both
        by_mean = (success - failure) * self.precision[:, None]
        mean = self.mean[:, :, None]
        return by_mean, (success * mean + failure * (1.0 - mean)) * self.precision[:, None]
