"""One model of all marks of an exam: questions in subjects, sittings and noise; S, R and differences from it.

On 0-1, the mark of model i in sitting k on question q of subject h is

    y = mu_ih + (question q, the same for all who have it) + (sitting k of model i) + noise,

and S_i = 100 sum_h W_h mu_ih. The estimate of S_i is the mean over its sittings of the stratified means.

Questions and noise (including the judge's) are estimated from the residuals, summed by question: a question
that two models or two sittings share contributes to their covariance. Beyond that, sittings of one model vary
with standard deviation tau g_i, where g_i = S_i (1 - S_i) on 0-1. tau^2 is estimated from all models together
by iterated MINQUE, which equals REML where it converges above 0.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import combinations

import numpy as np
import numpy.typing as npt
import scipy

from assay.ranking.board.pairs import Comparisons, PairTests, corrected
from assay.ranking.exam.scores import (
    LEAST_VARIANCE_SHARE,
    MOST_STARS,
    SCORE_SCALE,
    EstimatedVariance,
)
from assay.results.exam_sitting import CountedQuestion
from assay.stats.intervals import Interval

FloatArray = npt.NDArray[np.float64]
IntArray = npt.NDArray[np.int64]
CountedSitting = tuple[Sequence[CountedQuestion], Mapping[str, int]]
"""The counted questions of a sitting, and the number of questions that its draw took from each subject."""
ROUNDS = 5
NO_LIMIT = 1e6
"""Degrees of freedom from which a variance is treated as known."""


@dataclass(frozen=True, slots=True)
class SittingMarks:
    """All marks as arrays of one length, with one row for each question of each sitting.

    `model` and `subject` are numbers from 0, and so is `sitting`, over all models; `mark` is on 0-1. `shares`
    (sittings, subjects) are the subjects' weights in S.
    """

    model: IntArray
    sitting: IntArray
    question: IntArray
    subject: IntArray
    mark: FloatArray
    shares: FloatArray


def marks_of(models: Sequence[Sequence[CountedSitting]]) -> SittingMarks:
    """Return the marks of models, given the sittings of each."""
    sittings = [(model, *sitting) for model, own in enumerate(models) for sitting in own]
    subjects = dict.fromkeys(code for *_, drawn in sittings for code in drawn)
    codes = {code: number for number, code in enumerate(subjects)}
    shares = np.zeros((len(sittings), len(codes)))
    rows = []
    for number, (of_model, counted, drawn) in enumerate(sittings):
        for code, count in drawn.items():
            shares[number, codes[code]] = count
        rows += [
            (of_model, number, one.question, codes[one.subject], one.stars / MOST_STARS) for one in counted
        ]
    table = np.array(rows, dtype=np.float64).reshape(len(rows), 5)
    model, sitting, question, subject = table[:, :4].T.astype(np.int64)
    return SittingMarks(model, sitting, question, subject, table[:, 4], shares)


@dataclass(frozen=True, slots=True)
class Hierarchy:
    """The fitted model of the marks of M models in H subjects. Means and variances are on 0-1.

    `means` is (M,). `questions` (H, M, M) is the part of the means' covariance that comes from questions and
    noise, by subject, with `freedom` (H, M) degrees of freedom. `sittings` (M,) is g^2/K; times tau^2 it is
    the part of a mean's variance that comes from sittings. `between` is the unbiased estimate of tau^2, which
    can be negative; `between_variance` is its variance, None if no model has two sittings. `answers` (M,) is
    the number of marks.
    """

    means: FloatArray
    questions: FloatArray
    freedom: FloatArray
    sittings: FloatArray
    between: float
    between_variance: float | None
    answers: IntArray

    def variance(self, weights: FloatArray) -> EstimatedVariance:
        """Return the variance of a weighted sum of means, weights (M,), with its degrees of freedom.

        If tau^2 is 0 or less, only the questions contribute; otherwise the degrees of freedom are
        Satterthwaite's for the sum. In a contrast the variance of half an answer is added to each mean, so
        that a mean of 0 or 100 has a variance too (D. Bonett and R. Price, Statistics in Medicine 31 (2012)
        479-490, add answers in the same way).
        """
        used = np.flatnonzero(weights)
        if not len(used):
            return EstimatedVariance(0.0, NO_LIMIT)
        chosen = weights[used]
        parts = np.einsum("i,hij,j->h", chosen, self.questions[:, used][:, :, used], chosen)
        within = float(parts.sum())
        denominator = float((parts**2 / self.freedom[:, used].min(axis=1)).sum())
        spare = float(self.freedom[:, used].min(axis=1).sum())
        freedom = min(NO_LIMIT, within**2 / denominator) if denominator > 0.0 else max(1.0, spare)
        if len(used) > 1:
            within += float((chosen**2 / (2.0 * self.answers[used]) ** 2).sum())
        weight = float((chosen**2 * self.sittings[used]).sum())
        if self.between_variance is None or self.between <= 0.0 or weight == 0.0:
            return EstimatedVariance(within, freedom)
        whole = within + self.between * weight
        return EstimatedVariance(whole, min(NO_LIMIT, 2.0 * whole**2 / (weight**2 * self.between_variance)))

    @property
    def sitting_sd(self) -> float | None:
        """The standard deviation between sittings beyond the questions, for a model at S = 50, in points."""
        if self.between_variance is None:
            return None
        return SCORE_SCALE * 0.25 * math.sqrt(max(0.0, self.between))

    def unit(self, model: int) -> FloatArray:
        """Return the weights that select one model's mean."""
        weights = np.zeros(len(self.means))
        weights[model] = 1.0
        return weights

    def score(self, model: int, level: float = 0.95) -> Interval:
        """Return the interval of a model's S on 0-100.

        This is Jeffreys' interval for the number of answers with 0 or 3 stars that would have this variance;
        it stays within 0-100 and keeps its coverage near 100. If marks do not vary, each answer counts once.
        """
        mean, n = float(self.means[model]), float(self.answers[model])
        most = mean * (1.0 - mean)
        estimated = self.variance(self.unit(model))
        if most <= 0.0 or estimated.variance <= 0.0:
            return _beta(mean, n, level)
        least = LEAST_VARIANCE_SHARE * most / n
        return _beta(mean, most / max(estimated.variance, least) * estimated.effective_share(level), level)

    def difference(self, first: int, second: int) -> tuple[float, EstimatedVariance]:
        """Return S of one model minus S of another, on 0-100, with its variance."""
        weights = SCORE_SCALE * (self.unit(first) - self.unit(second))
        return float(weights @ self.means), self.variance(weights)

    def ratio(self, model: int, reference: int, level: float = 0.95) -> tuple[float, Interval] | None:
        """Return R with its interval; None if one of the two means is 0.

        The interval comes from the delta method on the logarithm. It includes the reference's error, and the
        covariance of the two models if they share questions.
        """
        mine, theirs = float(self.means[model]), float(self.means[reference])
        if mine <= 0.0 or theirs <= 0.0:
            return None
        contrast = self.unit(model) / mine - self.unit(reference) / theirs
        half = self.variance(contrast).half_width(level)
        value = SCORE_SCALE * mine / theirs
        return value, Interval(value * float(np.exp(-half)), value * float(np.exp(half)), level)


def _beta(mean: float, n: float, level: float) -> Interval:
    tail = (1.0 - level) / 2.0
    right, wrong = mean * n, (1.0 - mean) * n
    low = float(scipy.special.betaincinv(right + 0.5, wrong + 0.5, tail)) if mean > 0.0 else 0.0
    high = float(scipy.special.betaincinv(right + 0.5, wrong + 0.5, 1.0 - tail)) if mean < 1.0 else 1.0
    return Interval(SCORE_SCALE * low, SCORE_SCALE * high, level)


def fit(marks: SittingMarks) -> Hierarchy:
    """Estimate the models' means, their covariance and the variance between sittings."""
    size = int(marks.sitting.max()) + 1
    models = np.zeros(size, dtype=np.int64)
    models[marks.sitting] = marks.model
    means, residuals, spare = _residuals(marks, size)
    count = int(models.max()) + 1
    average = np.zeros((count, size))
    average[models, np.arange(size)] = 1.0
    average /= average.sum(axis=1, keepdims=True)
    within, questions, freedom = _question_parts(marks, residuals, spare, average, size)
    overall = average @ means
    scale = overall * (1.0 - overall)
    between, between_variance = _between(means, within, models, scale)
    repeated = (average**2).sum(axis=1)
    return Hierarchy(
        overall,
        questions,
        freedom,
        scale**2 * repeated,
        between,
        between_variance,
        np.bincount(marks.model, minlength=count),
    )


def _residuals(marks: SittingMarks, size: int) -> tuple[FloatArray, FloatArray, FloatArray]:
    """Return the sittings' means, each row's contribution to its sitting's error, and its degrees of freedom.

    A row's contribution is its weight times its distance from the mean of its subject in its sitting, with
    its square scaled by n/(n - 1). If a sitting has one question of a subject, the distance is taken from the
    model's mean over all its questions of that subject, or else from the sitting's mean.
    """
    subjects = marks.shares.shape[1]
    cell = marks.sitting * subjects + marks.subject
    n = np.bincount(cell, minlength=size * subjects).astype(np.float64)
    total = np.bincount(cell, marks.mark, minlength=size * subjects)
    present = (n > 0).reshape(size, subjects)
    shares = np.where(present, marks.shares, 0.0)
    shares /= shares.sum(axis=1, keepdims=True)
    averages = total / np.maximum(n, 1.0)
    means = (shares * averages.reshape(size, subjects)).sum(axis=1)
    weight = shares.ravel()[cell] / n[cell]
    of_model = marks.model * subjects + marks.subject
    model_n = np.bincount(of_model).astype(np.float64)
    model_average = np.bincount(of_model, marks.mark) / np.maximum(model_n, 1.0)
    single, lone = n[cell] < 2, model_n[of_model] < 2
    centre = np.where(single, np.where(lone, means[marks.sitting], model_average[of_model]), averages[cell])
    among = np.where(single, np.where(lone, 2.0, model_n[of_model]), n[cell])
    factor = np.where(single & lone, 1.0, np.sqrt(among / (among - 1.0)))
    return means, weight * (marks.mark - centre) * factor, (among - 1.0) / among


def _question_parts(
    marks: SittingMarks, residuals: FloatArray, spare: FloatArray, average: FloatArray, size: int
) -> tuple[FloatArray, FloatArray, FloatArray]:
    """Return the covariance of the sittings' means from questions, and of the models' means by subject."""
    _, column = np.unique(marks.question, return_inverse=True)
    table = scipy.sparse.csr_matrix((residuals, (marks.sitting, column)), shape=(size, int(column.max()) + 1))
    within = np.asarray((table @ table.T).todense(), dtype=np.float64)
    mean_table = scipy.sparse.csr_matrix(average) @ table
    of_question = np.zeros(table.shape[1], dtype=np.int64)
    of_question[column] = marks.subject
    parts, freedom = [], []
    for subject in range(marks.shares.shape[1]):
        own = mean_table[:, of_question == subject]
        parts.append(np.asarray((own @ own.T).todense(), dtype=np.float64))
        rows = marks.subject == subject
        freedom.append(np.bincount(marks.model[rows], spare[rows], minlength=len(average)))
    return within, np.stack(parts), np.maximum(1.0, np.stack(freedom))


def _between(
    means: FloatArray, within: FloatArray, models: IntArray, scale: FloatArray
) -> tuple[float, float | None]:
    """Return tau^2 and the variance of its estimate; None for the latter if no model has two sittings.

    Each round is MINQUE with the last round's value as the prior, and unbiased for any prior. Source: C. Rao,
    Journal of Multivariate Analysis 1 (1971) 445-456; S. Searle, G. Casella and C. McCulloch, Variance
    Components (1992), section 11.3.
    """
    repeated = np.bincount(models)[models] > 1
    weight = scale[models] ** 2
    if not repeated.any() or not weight[repeated].any():
        return 0.0, None
    means, weight, models = means[repeated], weight[repeated], models[repeated]
    within = _regularise(within[np.ix_(repeated, repeated)])
    design = (models[:, None] == np.unique(models)[None, :]).astype(np.float64)
    start, estimate, information = 0.0, 0.0, 0.0
    for _ in range(ROUNDS):
        inverse = np.linalg.inv(within + np.diag(start * weight))
        projected = inverse @ design
        inverse -= projected @ np.linalg.solve(design.T @ projected, projected.T)
        scaled = inverse * weight
        information = float((scaled * scaled.T).sum())
        pulled = inverse @ means
        estimate = start + (float(pulled @ (weight * pulled)) - float(np.trace(scaled))) / information
        start = max(0.0, estimate)
    return estimate, 2.0 / information


def _regularise(within: FloatArray) -> FloatArray:
    """Return an invertible covariance matrix.

    It is shrunk towards its diagonal, the more so the more sittings share questions, and the diagonal has a
    floor in case a sitting's marks do not vary.
    """
    own = np.diag(within).copy()
    own = np.maximum(own, 1e-3 * max(float(own.max()), 1e-12))
    shared = int((np.abs(within) > 1e-15).sum(axis=1).max())
    kept = 1.0 - min(0.9, 0.01 * (shared - 1))
    return np.asarray(within * kept * (1.0 - np.eye(len(own))) + np.diag(own))


def compare_models(names: tuple[str, ...], fitted: Hierarchy, *, level: float = 0.95) -> Comparisons:
    """Return the differences in S of all pairs of models, with interval, p, and Holm's p over all pairs."""
    models = len(names)
    tests = PairTests.none(models)
    for row, column in combinations(range(models), 2):
        difference, estimated = fitted.difference(row, column)
        half, p = estimated.half_width(level), estimated.p(difference)
        for first, second, value in ((row, column, difference), (column, row, -difference)):
            tests.difference[first, second] = value
            tests.low[first, second], tests.high[first, second] = value - half, value + half
            tests.p[first, second], tests.comparable[first, second] = p, True
    return corrected(names, tests)
