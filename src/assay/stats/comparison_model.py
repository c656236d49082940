"""Bradley-Terry's and Davidson's models of single comparisons, with covariates and clustered errors."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import scipy

from assay.stats.paired_comparisons import (
    CLOSE,
    MOST_STEPS,
    BoolArray,
    FloatArray,
    IntArray,
    PairCounts,
    fit_bradley_terry,
)

INSEPARABLE = 1e-9
"""A covariate with a smaller share of its variation not explained by the models has no effect of its own."""
ENDLESS = 25.0
"""An effect beyond this (odds of e^25 to 1) has no finite estimate."""


@dataclass(frozen=True, slots=True)
class ComparedRows:
    """N comparisons of M models by number.

    `points` (N,): 1 if the first won, 0 if the second, 0.5 for a tie; other values between are shares of a
    win. `covariates` (N, K) change their sign if the two models change places. `clusters` (N,) numbers the
    comparisons that depend on each other, such as those of one item.
    """

    first: IntArray
    second: IntArray
    points: FloatArray
    covariates: FloatArray
    clusters: IntArray
    models: int

    def count(self) -> PairCounts:
        """Return the comparisons as counts."""
        return PairCounts.of(self.first, self.second, self.points, self.models)


@dataclass(frozen=True, slots=True)
class ComparisonFit:
    """The fitted strengths (M,) with mean 0, effects (K,) in log odds, and Davidson's log tie parameter.

    `covariance` belongs to strengths, effects and the tie parameter in this order (the last only with one);
    None with fewer than two clusters. `finite` is false if an effect grows without end.
    """

    strengths: FloatArray
    effects: FloatArray
    log_tie: float | None
    covariance: FloatArray | None
    clusters: int
    finite: bool

    def errors(self) -> FloatArray:
        """Return the standard errors of the differences between strengths, (M, M); NaN without clusters."""
        models = len(self.strengths)
        if self.covariance is None:
            return np.full((models, models), np.nan)
        own = self.covariance[:models, :models]
        variance = np.diag(own)[:, None] + np.diag(own)[None, :] - 2.0 * own
        errors: FloatArray = np.sqrt(np.maximum(variance, 0.0))
        return errors


def inseparable(rows: ComparedRows) -> int | None:
    """Return the number of a covariate that the models or other covariates determine; None if there is none.

    Its effect cannot be told from strengths: a model that is always shown first, for instance, or lengths
    that are all equal.
    """
    if not rows.covariates.shape[1]:
        return None
    information = _information(rows, np.full(len(rows.points), 0.25), None)
    models = rows.models
    own = information[models:, models:]
    scale = np.sqrt(np.diag(own))
    if (scale == 0.0).any():
        return int(np.argmin(scale))
    mixed = information[:models, models:]
    left = own - mixed.T @ np.linalg.solve(information[:models, :models], mixed)
    values, vectors = np.linalg.eigh(left / np.outer(scale, scale))
    return int(np.argmax(np.abs(vectors[:, 0]))) if values[0] < INSEPARABLE else None


def davidson_exists(wins: FloatArray, ties: FloatArray) -> bool:
    """Return whether Davidson's model has finite estimates for models of one strongly connected part.

    It has if there are ties, and a cycle of results that has more wins than ties: otherwise strengths on a
    line whose neighbours tie explain everything better the more likely ties become. The cycle is searched as
    Bellman and Ford search a negative one, with -1 for a win and +1 for a tie.
    """
    if not ties.any():
        return False
    weight = np.where(wins > 0.0, -1.0, np.where(ties > 0.0, 1.0, np.inf))
    distance = np.zeros(len(weight))
    for _ in range(len(weight) + 1):
        shorter = np.minimum(distance, (distance[:, None] + weight).min(axis=0))
        if (shorter == distance).all():
            return False
        distance = shorter
    return True


def fit_comparisons(rows: ComparedRows, *, davidson: bool = False) -> ComparisonFit:
    """Fit strengths and effects by maximum likelihood, with a covariance that is robust within clusters.

    The log odds that the first beats the second are strength - strength + covariates @ effects. Ties are half
    a win of each; with `davidson` they have a probability of their own, nu sqrt(pi_i pi_j) beside the wins'
    pi_i and pi_j (all points must then be 0, 0.5 or 1, and `davidson_exists`). All models must be in one
    strongly connected part. The covariance is H^-1 (sum of the clusters' outer scores) H^-1, times
    C/(C - 1) (N - 1)/(N - parameters). Sources: R. Davidson, Journal of the American Statistical Association
    65 (1970) 317-328; A. Cameron and D. Miller, Journal of Human Resources 50 (2015) 317-372 for clusters.
    """
    effects = rows.covariates.shape[1]
    size = rows.models + effects + davidson
    values = np.zeros(size)
    values[: rows.models] = fit_bradley_terry(rows.count().halved)
    finite = False
    for _ in range(MOST_STEPS):
        terms = _Terms.at(rows, values, davidson=davidson)
        step = np.asarray(np.linalg.solve(terms.information, terms.score), dtype=np.float64)
        reach = _reach(rows, step, davidson=davidson)
        values += step * (np.log1p(reach) / reach if reach > 0.0 else 1.0)
        if reach <= CLOSE:
            finite = True
            break
        if np.abs(values[rows.models :]).max(initial=0.0) > ENDLESS:
            break
    clusters = len(np.unique(rows.clusters))
    covariance = None
    if finite and clusters > 1:
        covariance = _sandwich(rows, _Terms.at(rows, values, davidson=davidson), clusters)
    return ComparisonFit(
        values[: rows.models],
        values[rows.models : rows.models + effects],
        float(values[-1]) if davidson else None,
        covariance,
        clusters,
        finite,
    )


@dataclass(frozen=True, slots=True)
class _Terms:
    """The likelihood's derivatives: of each row by its log odds and log tie parameter, and of all rows."""

    residual: FloatArray
    tie_residual: FloatArray | None
    score: FloatArray
    information: FloatArray

    @classmethod
    def at(cls, rows: ComparedRows, values: FloatArray, *, davidson: bool) -> _Terms:
        """Return the derivatives at these values of the parameters."""
        odds = _log_odds(rows, values)
        if not davidson:
            chance = scipy.special.expit(odds)
            residual = rows.points - chance
            return cls(
                residual,
                None,
                _score(rows, residual, None),
                _information(rows, chance * (1.0 - chance), None),
            )
        shares = np.stack([0.5 * odds, -0.5 * odds, np.full(len(odds), values[-1])])
        shares = np.exp(shares - shares.max(axis=0))
        win, loss, tie = shares / shares.sum(axis=0)
        ahead = win - loss
        residual = rows.points - 0.5 - 0.5 * ahead
        tied = (rows.points == 0.5) - tie
        weight = 0.25 * (win + loss - ahead**2)
        information = _information(rows, weight, (-0.5 * ahead * tie, tie * (1.0 - tie)))
        return cls(residual, tied, _score(rows, residual, tied), information)


def _log_odds(rows: ComparedRows, values: FloatArray) -> FloatArray:
    effects = values[rows.models : rows.models + rows.covariates.shape[1]]
    odds: FloatArray = values[rows.first] - values[rows.second] + rows.covariates @ effects
    return odds


def _reach(rows: ComparedRows, step: FloatArray, *, davidson: bool) -> float:
    """Return the largest change of any row's log odds, which limits the step (see `fit_bradley_terry`)."""
    change = float(np.abs(_log_odds(rows, step)).max())
    return max(change, abs(float(step[-1])) + change / 2.0) if davidson else change


def _by_model(rows: ComparedRows, values: FloatArray) -> FloatArray:
    """Return the sums (M,) of values (N,) over the rows of each first model, less those of each second."""
    plus = np.bincount(rows.first, weights=values, minlength=rows.models)
    minus = np.bincount(rows.second, weights=values, minlength=rows.models)
    total: FloatArray = np.asarray(plus - minus, dtype=np.float64)
    return total


def _score(rows: ComparedRows, residual: FloatArray, tied: FloatArray | None) -> FloatArray:
    parts = [_by_model(rows, residual), rows.covariates.T @ residual]
    if tied is not None:
        parts.append(np.array([tied.sum()]))
    return np.concatenate(parts)


def _information(
    rows: ComparedRows, weight: FloatArray, tie: tuple[FloatArray, FloatArray] | None
) -> FloatArray:
    """Return the information of all parameters, made invertible along equal strengths.

    `tie` are the rows' information of the log tie parameter: with the log odds, and with itself.
    """
    models, effects = rows.models, rows.covariates.shape[1]
    size = models + effects + (tie is not None)
    information = np.zeros((size, size))
    cells = np.bincount(rows.first * models + rows.second, weights=weight, minlength=models * models)
    pairs = np.asarray(cells).reshape(models, models)
    pairs = pairs + pairs.T
    information[:models, :models] = np.diag(pairs.sum(axis=1)) - pairs + 1.0 / models
    weighted = rows.covariates * weight[:, None]
    columns = [_by_model(rows, weighted[:, place]) for place in range(effects)]
    information[models : models + effects, models : models + effects] = rows.covariates.T @ weighted
    if tie is not None:
        mixed, own = tie
        columns.append(_by_model(rows, mixed))
        information[-1, models:-1] = information[models:-1, -1] = rows.covariates.T @ mixed
        information[-1, -1] = own.sum()
    for place, column in enumerate(columns, start=models):
        information[place, :models] = information[:models, place] = column
    return information


def _sandwich(rows: ComparedRows, terms: _Terms, clusters: int) -> FloatArray:
    _, cluster = np.unique(rows.clusters, return_inverse=True)
    size = (clusters, rows.models)
    own = scipy.sparse.csr_array((terms.residual, (cluster, rows.first)), shape=size)
    other = scipy.sparse.csr_array((terms.residual, (cluster, rows.second)), shape=size)
    more = [rows.covariates * terms.residual[:, None]]
    if terms.tie_residual is not None:
        more.append(terms.tie_residual[:, None])
    columns = np.concatenate(more, axis=1)
    summed = np.zeros((clusters, columns.shape[1]))
    np.add.at(summed, cluster, columns)
    scores = scipy.sparse.hstack([own - other, scipy.sparse.csr_array(summed)]).tocsr()
    meat = (scores.T @ scores).toarray()
    inverse = np.linalg.inv(terms.information)
    n, free = len(rows.points), len(meat) - 1
    factor = clusters / (clusters - 1.0) * (n - 1.0) / max(n - free, 1)
    covariance: FloatArray = factor * inverse @ meat @ inverse
    return covariance


def only(rows: ComparedRows, kept: BoolArray) -> ComparedRows:
    """Return the comparisons among the models `kept` (M,), which are numbered anew in their order."""
    chosen = kept[rows.first] & kept[rows.second]
    number = np.cumsum(kept) - 1
    return ComparedRows(
        number[rows.first[chosen]],
        number[rows.second[chosen]],
        rows.points[chosen],
        rows.covariates[chosen],
        rows.clusters[chosen],
        int(kept.sum()),
    )
