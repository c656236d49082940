"""Tests of checked counts."""

from __future__ import annotations

import numpy as np
import numpy.typing as npt
import pytest

from assay.core.errors import InvalidInput
from assay.frontier.counts import checked_counts


@pytest.mark.parametrize(
    ("right", "number", "told"),
    [
        ([[2, 0]], [[1, 1]], "prompt 0, model 0: 2 of 1 are right"),
        ([[-1]], [[1]], "-1 of 1 are right"),
        ([[0.5]], [[1]], "whole numbers"),
        ([[np.nan]], [[1]], "whole numbers"),
        ([1], [1], "give \\(prompts, models\\)"),
    ],
)
def test_impossible_counts_are_refused(right: npt.ArrayLike, number: npt.ArrayLike, told: str) -> None:
    """With the place, what is wrong and what to give."""
    with pytest.raises(InvalidInput, match=told):
        checked_counts(right, number)
