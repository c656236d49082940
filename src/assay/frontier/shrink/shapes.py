"""The groups' distributions of success rates as tilted beta distributions, with their likelihood."""

from __future__ import annotations

import numpy as np
import numpy.typing as npt
from scipy.sparse import csr_matrix

from assay.frontier.shrink.coded import CodedCounts, log_sum
from assay.frontier.shrink.groups import Groups

FloatArray = npt.NDArray[np.float64]
WAVES = 5
"""Cosines over the arcsine scale, beside an atom at either end."""
POWERS = 3
"""Tilts change with the group's expected success as a polynomial of so many terms."""
HOLD = 0.5
"""Half the prior precision of a tilt: normal with variance 1."""
LEVEL_HOLD = 0.01
TINY = 1e-300


class Shapes:
    """Distributions (B, P) of the groups' success rates and weights (K,) of the levels, by one vector.

    log shape = log guess + sum over j, d of tilt_jd Q_j(rate) h_d(group), normalised; Q are cosines of rising
    frequency over the arcsine scale and indicators of the rates 0 and 1, h powers of the group's expected
    success, standardised. The vector holds the tilts and the levels' log weights.
    """

    def __init__(self, counts: CodedCounts, groups: Groups, likelihood: FloatArray) -> None:
        self.counts, self.groups, self.likelihood = counts, groups, likelihood
        place = np.linspace(0.0, 1.0, len(groups.rates))
        waves = [np.cos(np.pi * wave * place) for wave in range(1, WAVES + 1)]
        self.basis = np.stack([*waves, place == 0.0, place == 1.0]).astype(np.float64)
        scale = float(groups.centre.std()) or 1.0
        standard = (groups.centre - groups.centre.mean()) / scale
        self.powers = np.stack([standard**power / (1.0 + power) for power in range(POWERS)])
        self.tilts = len(self.basis) * POWERS
        pairs = groups.of.size
        ones, flat = np.ones(pairs), groups.of.ravel()
        self.gather = csr_matrix((ones, (flat, np.arange(pairs))), shape=(len(groups.centre), pairs))

    def start(self, weights: FloatArray) -> FloatArray:
        """Return the vector of no tilt."""
        return np.concatenate([np.zeros(self.tilts), np.log(weights + 1e-6)])

    def shapes(self, vector: FloatArray) -> FloatArray:
        """Return the groups' distributions over the grid of rates (B, P)."""
        tilt = vector[: self.tilts].reshape(len(self.basis), POWERS)
        logs = np.log(self.groups.guess) + (tilt @ self.powers).T @ self.basis
        return np.asarray(np.exp(logs - log_sum(logs)[:, None]))

    def by_level(self, shapes: FloatArray) -> FloatArray:
        """Return each prompt's log likelihood at each level (N, K)."""
        return self.counts.over_models(np.log(shapes @ self.likelihood + TINY)[self.groups.of])

    def expected(self, shapes: FloatArray, membership: FloatArray) -> tuple[FloatArray, FloatArray]:
        """Return the expected numbers of cells by group and rate (B, P), and by group (B,)."""
        cells = self.gather @ self.counts.over_prompts(membership).reshape(self.groups.of.size, -1)
        inverse = cells / (shapes @ self.likelihood + TINY)
        return shapes * (inverse @ self.likelihood.T), cells.sum(axis=1)

    def value(self, vector: FloatArray) -> tuple[float, FloatArray]:
        """Return the negative log posterior and its gradient."""
        tilt, weight = vector[: self.tilts], vector[self.tilts :]
        shapes, log_weight = self.shapes(vector), weight - log_sum(weight)
        logs = self.by_level(shapes) + log_weight
        total = log_sum(logs)
        membership = np.exp(logs - total[:, None])
        expected, cells = self.expected(shapes, membership)
        share, centred = np.exp(log_weight), weight - weight.mean()
        value = total.sum() - HOLD * (tilt**2).sum() + log_weight.mean() - LEVEL_HOLD * (centred**2).sum()
        by_tilt = (self.basis @ (expected - cells[:, None] * shapes).T @ self.powers.T).ravel()
        by_weight = membership.sum(axis=0) - (len(total) + 1.0) * share + 1.0 / len(share)
        held = np.concatenate([2.0 * HOLD * tilt, 2.0 * LEVEL_HOLD * centred])
        return -float(value), held - np.concatenate([by_tilt, by_weight])
