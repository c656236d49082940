"""Cells that are alike in expected success, whose success rates share one distribution."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import numpy.typing as npt
from scipy.special import expit
from scipy.stats import beta

from assay.frontier.shrink.coded import CodedCounts
from assay.frontier.shrink.curves import Curves

FloatArray = npt.NDArray[np.float64]
IntArray = npt.NDArray[np.int64]
LEAST_RATES = 41
CELLS_IN_A_GROUP = 150
GROUPS = (3, 14)


@dataclass(frozen=True, slots=True)
class Groups:
    """B groups of (model, level) pairs, and a grid of P success rates, even in the arcsine of their root.

    `of` (L, K) is the group of a model at a level; `centre` (B,) the group's expected success as a logit;
    `guess` (B, P) the distribution over `rates` (P,) that the curves suggest.
    """

    of: IntArray
    centre: FloatArray
    guess: FloatArray
    rates: FloatArray


def grouped(counts: CodedCounts, curves: Curves) -> Groups:
    """Put (model, level) pairs in groups of about equally many cells, by their expected success."""
    most = int(counts.given.max(initial=1))
    angles = np.linspace(0.0, np.pi / 2.0, max(LEAST_RATES, int(8.0 * np.sqrt(most))))
    number = int(np.clip(counts.prompts * counts.models / CELLS_IN_A_GROUP, *GROUPS))
    cells = np.broadcast_to(curves.membership.sum(axis=0), curves.logit.shape)
    order = np.argsort(curves.logit, axis=None)
    ranked = curves.logit.ravel()[order]
    filled = np.cumsum(cells.ravel()[order])
    cuts = np.searchsorted(filled / filled[-1], np.arange(1, number) / number)
    edges = np.unique(ranked[np.minimum(cuts, len(ranked) - 1)])
    of = np.searchsorted(edges, curves.logit, side="right").astype(np.int64)
    between = np.concatenate([[0.0], (angles[1:] + angles[:-1]) / 2.0, [np.pi / 2.0]])
    precision = np.broadcast_to(curves.precision, curves.logit.shape)
    guess, centre = np.empty((len(edges) + 1, len(angles))), np.empty(len(edges) + 1)
    for one in range(len(guess)):
        weight = cells[of == one] + 1e-9
        mean = float(np.clip(np.average(expit(curves.logit[of == one]), weights=weight), 1e-6, 1.0 - 1e-6))
        spread = float(np.average(precision[of == one], weights=weight))
        guess[one] = np.diff(beta.cdf(np.sin(between) ** 2, mean * spread, (1.0 - mean) * spread)) + 1e-9
        centre[one] = np.log(mean / (1.0 - mean))
    return Groups(of, centre, guess / guess.sum(axis=1, keepdims=True), np.sin(angles) ** 2)
