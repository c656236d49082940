"""Tests of checked counts."""

from __future__ import annotations

import numpy as np
import numpy.typing as npt
import pytest

from assay.core.errors import InvalidInput
from assay.frontier.counts import checked_counts


@pytest.mark.parametrize(
    ("right", "number", "message"),
    [
        ([[2, 0]], [[1, 1]], "prompt 0, model 0: 2 of 1 are right"),
        ([[-1]], [[1]], "-1 of 1 are right"),
        ([[0.5]], [[1]], "not a whole number"),
        ([[np.nan]], [[1]], "not a whole number"),
        ([1], [1], "give \\(prompts, models\\)"),
    ],
)
def test_impossible_counts_are_refused(right: npt.ArrayLike, number: npt.ArrayLike, message: str) -> None:
    """The message has the cell, the value and the advice."""
    with pytest.raises(InvalidInput, match=message):
        checked_counts(right, number)
