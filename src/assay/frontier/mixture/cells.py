"""Coded counts of right answers, and the probability of each count given its cell's line, by kind of spread.

Each distinct pair of counts has a code, so that equal cells are computed once. A cell's success rate is
spread around the line of its prompt and model; the kinds of spread are tabulated on a grid.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache
from typing import Any

import numpy as np
import numpy.typing as npt
import scipy

FloatArray = npt.NDArray[np.float64]
IntArray = npt.NDArray[np.int64]


@dataclass(frozen=True, slots=True)
class CodedCounts:
    """N prompts by L models whose cells have one of C codes.

    A code is a number of `right` ones among a number of `answers`, both of shape (C,); `code` (N, L)
    is the code of each cell. A cell without answers has the code 0 of 0, with likelihood 1.
    """

    right: IntArray
    answers: IntArray
    code: IntArray
    design: Any
    """Sparse (N, L*C), 1 if a prompt's cell of a model has a code: a product with it is a sum over models."""

    @property
    def prompts(self) -> int:
        """The number of prompts, N."""
        return int(self.code.shape[0])

    @property
    def models(self) -> int:
        """The number of models, L."""
        return int(self.code.shape[1])

    @property
    def codes(self) -> int:
        """The number of codes, C."""
        return len(self.right)

    def take(self, prompts: IntArray) -> CodedCounts:
        """Return the counts of some prompts, with the same codes."""
        return CodedCounts(self.right, self.answers, self.code[prompts], self.design[prompts])

    def likelihood(self, rates: FloatArray) -> FloatArray:
        """Return the binomial likelihood of each code at each success rate (P,): shape (P, C)."""
        return np.asarray(
            scipy.stats.binom.pmf(self.right[None, :], self.answers[None, :], rates[:, None]),
            dtype=np.float64,
        )


def code_counts(correct: IntArray, answers: IntArray) -> CodedCounts:
    """Return coded counts of shape (N, L)."""
    prompts, models = answers.shape
    width = int(answers.max(initial=0)) + 1
    values, code = np.unique(answers * width + correct, return_inverse=True)
    code = code.reshape(prompts, models)
    columns = np.arange(models)[None, :] * len(values) + code
    ones = np.ones(prompts * models)
    design = scipy.sparse.csr_matrix(
        (ones, (np.repeat(np.arange(prompts), models), columns.ravel())),
        shape=(prompts, models * len(values)),
    )
    return CodedCounts(values % width, values // width, code.astype(np.int64), design)


def log_sum(logs: FloatArray) -> FloatArray:
    """Return the logarithm of the sum of exponentials along the last axis, faster than SciPy's."""
    most = logs.max(axis=-1)
    return np.asarray(most + np.log(np.exp(logs - most[..., None]).sum(axis=-1)))


REACH = 9.0
STEP = 0.125
GRID = np.arange(-REACH, REACH + STEP / 2.0, STEP)
"""Logits of lines and of rates at which everything is tabulated."""
RATES = 1.0 / (1.0 + np.exp(-GRID))
SPREADS = (0.1, 0.2, 0.35, 0.6, 1.0, 1.5, 2.2, 3.2, 5.0)
"""Standard deviations of normal spreads, on the logit scale."""
CONCENTRATIONS = (150.0, 60.0, 25.0, 10.0, 4.0, 2.0, 1.0, 0.4)
"""a + b of the beta spreads, whose mean is the line."""
SHIFTS = (-6.0, -3.0, -1.6, 1.6, 3.0, 6.0)
"""Distances from the line at which a few cells may lie, on the logit scale."""
SHIFT_SPREAD = 0.5
MAIN_KINDS = 1 + len(SPREADS) + len(CONCENTRATIONS)
"""The number of main kinds: a point mass, the normal spreads, the beta spreads."""
KINDS = MAIN_KINDS + len(SHIFTS)
TINY = 1e-300


def _normal(centre: FloatArray, spread: float) -> FloatArray:
    edges = np.concatenate([[-np.inf], GRID[1:] - STEP / 2.0, [np.inf]])
    return np.diff(scipy.special.ndtr((edges - centre[:, None]) / spread), axis=1)


def _beta(concentration: float) -> FloatArray:
    edges = scipy.special.expit(np.concatenate([[-np.inf], GRID[1:] - STEP / 2.0, [np.inf]]))
    first = np.maximum(RATES * concentration, 1e-8)[:, None]
    second = np.maximum((1.0 - RATES) * concentration, 1e-8)[:, None]
    return np.diff(scipy.special.betainc(first, second, edges), axis=1)


@cache
def kernels() -> FloatArray:
    """Return each kind's distribution of the rate (grid) given the line (grid): (kinds, lines, rates)."""
    return np.stack(
        [
            np.eye(len(GRID)),
            *(_normal(GRID, spread) for spread in SPREADS),
            *(_beta(concentration) for concentration in CONCENTRATIONS),
            *(_normal(GRID + shift, SHIFT_SPREAD) for shift in SHIFTS),
        ]
    )


@dataclass(frozen=True, slots=True)
class CellTable:
    """Probabilities of each code given the line, by kind, for one cap that multiplies the rate.

    `tables` has shape (kinds, grid, C), `likelihood` (grid of rates, C).
    """

    cap: float
    tables: FloatArray
    likelihood: FloatArray

    def joint(self, shares: FloatArray) -> FloatArray:
        """Return the joint density of rate and code given the line: (lines, C, rates), all on the grid."""
        kernel = np.tensordot(shares, kernels(), 1)
        return np.asarray(kernel[:, None, :] * self.likelihood.T[None])


class CellTables:
    """The tables of a set of codes, computed once for each cap."""

    def __init__(self, counts: CodedCounts) -> None:
        self.counts = counts
        self.tables: dict[float, CellTable] = {}

    def at(self, cap: float) -> CellTable:
        """Return the tables under a cap."""
        if cap not in self.tables:
            likelihood = self.counts.likelihood(cap * RATES)
            self.tables[cap] = CellTable(cap, np.tensordot(kernels(), likelihood, 1), likelihood)
        return self.tables[cap]
