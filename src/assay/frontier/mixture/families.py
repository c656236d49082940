"""Families of models: models with the same success rates on every prompt, as far as visible, count as one."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import numpy.typing as npt
import scipy

FloatArray = npt.NDArray[np.float64]
IntArray = npt.NDArray[np.int64]
APART = 3.5
"""Models are not joined if their squared difference exceeds luck by more standard errors than this."""

MOST_SHIFT = 0.6
"""The largest difference of two models of one family on the logistic scale, the same on every prompt."""
SPREADS = np.array([0.03, 0.06, 0.12, 0.25, 0.5])
"""Possible spreads of the models of one family, on the logistic scale."""


@dataclass(frozen=True, slots=True)
class Families:
    """Families of models and their pooled counts.

    `of` (L,) is each model's family, `correct` and `answers` (N, F) are the families' counts. `constant` (N,)
    makes likelihoods of pooled counts comparable with those of single models: the log probability of the
    split of a family's right answers among its models.
    """

    of: IntArray
    correct: IntArray
    answers: IntArray
    constant: FloatArray


def families(correct: IntArray, answers: IntArray) -> Families:
    """Group models whose rates agree on every prompt.

    Under equal rates p the squared difference of two shares has expectation p (1 - p) (1/a + 1/b), and
    c (a + b - c) / ((a + b) (a + b - 1)), with c the pooled number right, is unbiased for p (1 - p). The mean
    excess over prompts, in standard errors, is the distance; the nearest two groups are joined, their counts
    pooled, until all distances are too large.
    """
    member = np.arange(correct.shape[1])
    right, number = correct.copy(), answers.copy()
    distance = _distances(right, number)
    while len(distance) > 1:
        first, second = sorted(divmod(int(distance.argmin()), len(distance)))
        if distance[first, second] > APART:
            break
        right[:, first] += right[:, second]
        number[:, first] += number[:, second]
        right, number = np.delete(right, second, 1), np.delete(number, second, 1)
        distance = np.delete(np.delete(distance, second, 0), second, 1)
        for other in range(len(distance)):
            if other != first:
                new_distance = _distance(right, number, first, other)
                distance[first, other] = distance[other, first] = new_distance
        member = np.where(member == second, first, member)
        member = np.where(member > second, member - 1, member)
    return _pooled(correct, answers, np.asarray(member, dtype=np.int64))


def _distances(correct: IntArray, answers: IntArray) -> FloatArray:
    models = correct.shape[1]
    distances = np.full((models, models), np.inf)
    for first in range(models):
        for second in range(first):
            distance = _distance(correct, answers, first, second)
            distances[first, second] = distances[second, first] = distance
    return distances


def _distance(correct: IntArray, answers: IntArray, first: int, second: int) -> float:
    """Return by how many standard errors two models differ by prompt more than by luck, after a shift."""
    both = (answers[:, first] > 0) & (answers[:, second] > 0)
    if both.sum() < 2:
        return np.inf
    a, b = answers[both, first], answers[both, second]
    pooled = correct[both, first] + correct[both, second]
    variance = pooled * (a + b - pooled) / ((a + b) * (a + b - 1.0))
    difference = correct[both, first] / a - correct[both, second] / b
    shift = difference.sum() / max(float(variance.sum()), 1e-9)
    if abs(shift) > MOST_SHIFT:
        return np.inf
    excess = (difference - shift * variance) ** 2 - variance * (1.0 / a + 1.0 / b)
    return float(excess.sum() / (np.sqrt(len(difference)) * excess.std() + 1e-9))


def _pooled(correct: IntArray, answers: IntArray, of: IntArray) -> Families:
    member = np.eye(int(of.max()) + 1, dtype=np.int64)[of]
    right, number = correct @ member, answers @ member

    def ways(n: IntArray, k: IntArray) -> FloatArray:
        return np.asarray(
            scipy.special.gammaln(n + 1.0)
            - scipy.special.gammaln(k + 1.0)
            - scipy.special.gammaln(n - k + 1.0)
        )

    constant = ways(answers, correct).sum(axis=1) - ways(number, right).sum(axis=1)
    return Families(of, right, number, constant)


@dataclass(frozen=True, slots=True)
class Shifts:
    """Constant departures of models (L,) from their families on the logistic scale.

    They are estimated from the totals: `error` holds the variances of `estimate`. `weight` is the weight of
    each spread, first of 0 and then of `SPREADS`. `gain` is the increase of the log likelihood, averaged over
    spreads. `shared` (L,) marks the models that share a family with others.
    """

    estimate: FloatArray
    error: FloatArray
    weight: FloatArray
    gain: float
    shared: npt.NDArray[np.bool_]

    def draw(self, number: int, rng: np.random.Generator) -> FloatArray:
        """Return draws (S, L)."""
        spreads = np.concatenate([[0.0], SPREADS])
        variance = rng.choice(spreads, number, p=self.weight)[:, None] ** 2
        part = variance / (variance + self.error)
        noise = rng.standard_normal((number, len(self.estimate)))
        return np.asarray(
            np.where(self.shared, part * self.estimate + np.sqrt(part * self.error) * noise, 0.0)
        )


def member_shifts(correct: IntArray, answers: IntArray, of: IntArray, rates: FloatArray) -> Shifts:
    """Return each model's departure from its family, whose rates are `rates` (N, F).

    Departures are normal with mean 0 and one spread for all models: 0 with prior probability one half, else
    one of `SPREADS`.
    """
    rate = rates[:, of]
    information = (answers * rate * (1.0 - rate)).sum(axis=0) + 1e-9
    estimate, error = (correct - answers * rate).sum(axis=0) / information, 1.0 / information
    size = np.bincount(of)[of]
    shared = size > 1
    error = error * (1.0 - 1.0 / np.maximum(size, 2)) + 1e-12
    total_variance = np.concatenate([[0.0], SPREADS])[:, None] ** 2 + error[shared]
    log_likelihood = -0.5 * (np.log(total_variance) + estimate[shared] ** 2 / total_variance).sum(axis=1)
    prior = np.concatenate([[0.5], np.full(len(SPREADS), 0.5 / len(SPREADS))])
    weight = prior * np.exp(log_likelihood - log_likelihood.max())
    gain = float(np.log(weight.sum()) + log_likelihood.max() - log_likelihood[0]) if shared.any() else 0.0
    return Shifts(estimate, error, weight / weight.sum(), gain, shared)
