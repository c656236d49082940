"""Checked counts of right answers by prompt and model."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import numpy.typing as npt
import scipy

from assay.core.errors import InvalidInput, Problem

FloatArray = npt.NDArray[np.float64]
IntArray = npt.NDArray[np.int64]


def checked_counts(correct: npt.ArrayLike, answers: npt.ArrayLike) -> tuple[IntArray, IntArray]:
    """Return the counts as integers of shape (N, L).

    Raises InvalidInput for unequal shapes and impossible counts.
    """
    right, number = np.asarray(correct), np.asarray(answers)
    if right.ndim != 2 or right.shape != number.shape:
        text = f"correct has shape {right.shape!r}, answers {number.shape!r}: give (prompts, models) for both"
        raise InvalidInput(Problem(text))
    whole_right, whole_number = _whole(right), _whole(number)
    wrong = (whole_right < 0) | (whole_right > whole_number)
    if wrong.any():
        row, column = np.argwhere(wrong)[0]
        text = f"{right[row, column]} of {number[row, column]} are right: give 0 to the number of answers"
        raise InvalidInput(Problem(text, f"prompt {row}, model {column}"))
    return whole_right, whole_number


def _whole(counts: npt.NDArray[np.generic]) -> IntArray:
    if np.issubdtype(counts.dtype, np.integer):
        return counts.astype(np.int64, copy=False)
    as_numbers = counts.astype(np.float64)
    if not np.all(np.isfinite(as_numbers) & (as_numbers == np.floor(as_numbers))):
        raise InvalidInput(Problem("a count is not a whole number: give whole numbers of answers"))
    return as_numbers.astype(np.int64)


def checked_sizes(sizes: Sequence[int] | None, most: int) -> IntArray:
    """Return checked numbers of generations; for None all from 1 to `most`.

    Raises InvalidInput for a number outside 1 to `most`.
    """
    checked = np.arange(1, most + 1) if sizes is None else np.asarray(sizes, dtype=np.int64)
    if np.any((checked < 1) | (checked > most)):
        raise InvalidInput(Problem(f"{checked.tolist()!r} generations: give numbers from 1 to {most}"))
    return checked


def log_factorials(most: int) -> FloatArray:
    """Return the logarithms of 0!, 1!, ... `most`!."""
    return np.asarray(scipy.special.gammaln(np.arange(1, most + 2, dtype=np.float64)), dtype=np.float64)
