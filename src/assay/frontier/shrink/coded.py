"""Counts of right answers, coded so that equal cells are computed once."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt
from scipy.sparse import csr_matrix
from scipy.stats import binom

FloatArray = npt.NDArray[np.float64]
IntArray = npt.NDArray[np.int64]


@dataclass(frozen=True, slots=True)
class CodedCounts:
    """N prompts by L models whose cells hold one of C codes: a number right among a number given.

    `right` and `given` have shape (C,); `code` (N, L) is each cell's place in them. A cell that was never
    asked has a code too, 0 of 0, whose likelihood is 1.
    """

    right: IntArray
    given: IntArray
    code: IntArray
    design: Any
    """Sparse (N, L*C), 1 where a prompt's cell of a model has a code: sums over models are its products."""

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

    def over_models(self, table: FloatArray) -> FloatArray:
        """Return, for each prompt, the sum over models of `table` (L, K, C) at the cells' codes: (N, K)."""
        flat = np.ascontiguousarray(table.transpose(0, 2, 1)).reshape(self.models * self.codes, -1)
        return np.asarray(self.design @ flat)

    def over_prompts(self, weights: FloatArray) -> FloatArray:
        """Return the weights (N, K) added up over the prompts that have each code: (L, K, C)."""
        summed = np.asarray(self.design.T @ weights)
        return summed.reshape(self.models, self.codes, -1).transpose(0, 2, 1)

    def likelihood(self, rates: FloatArray) -> FloatArray:
        """Return the binomial likelihood of each code at each success rate (P,): shape (P, C)."""
        return np.asarray(
            binom.pmf(self.right[None, :], self.given[None, :], rates[:, None]), dtype=np.float64
        )


def coded(correct: IntArray, given: IntArray) -> CodedCounts:
    """Return counts of shape (N, L) coded."""
    prompts, models = given.shape
    width = int(given.max(initial=0)) + 1
    values, code = np.unique(given * width + correct, return_inverse=True)
    code = code.reshape(prompts, models)
    columns = np.arange(models)[None, :] * len(values) + code
    ones = np.ones(prompts * models)
    design = csr_matrix(
        (ones, (np.repeat(np.arange(prompts), models), columns.ravel())),
        shape=(prompts, models * len(values)),
    )
    return CodedCounts(values % width, values // width, code.astype(np.int64), design)


def log_sum(logs: FloatArray) -> FloatArray:
    """Return the logarithm of the sum of exponentials along the last axis, faster than SciPy does."""
    most = logs.max(axis=-1)
    return np.asarray(most + np.log(np.exp(logs - most[..., None]).sum(axis=-1)))
