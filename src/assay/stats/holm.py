"""Holm's correction of several p values."""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

FloatArray = npt.NDArray[np.float64]


def holm(p: npt.ArrayLike) -> FloatArray:
    """Return the adjusted p values, in the order given, of a one-dimensional family of tests.

    Rejecting where the adjusted p is at most a keeps the chance of any false rejection at a or below,
    whatever the dependence between the tests. Source: S. Holm, Scandinavian Journal of Statistics 6
    (1979) 65-70.
    """
    given = np.asarray(p, dtype=np.float64)
    order = np.argsort(given, kind="stable")
    scaled = given[order] * np.arange(len(given), 0, -1)
    adjusted = np.empty_like(given)
    adjusted[order] = np.minimum(1.0, np.maximum.accumulate(scaled))
    return adjusted
