"""Folds for cross-validation over prompts: prompts that are alike stay together, categories are spread."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from assay.core.errors import InvalidInput, Problem

IntArray = npt.NDArray[np.int64]
INNER = 3
"""Folds within a training set, where settings and routers are chosen."""


@dataclass(frozen=True, slots=True)
class Split:
    """One fold of one repeat: rows to learn from, rows to value on, and the folds (n,) within the former."""

    repeat: int
    train: IntArray
    test: IntArray
    inner: IntArray


def split(
    groups: IntArray, categories: IntArray | None, *, folds: int, repeats: int, rng: np.random.Generator
) -> tuple[Split, ...]:
    """Return the folds of every repeat, the same for all routers.

    Groups stay whole; each category's groups are dealt out evenly. InvalidInput where there are fewer groups
    than folds, or too few to fold a training set again.
    """
    count = len(np.unique(groups))
    if folds < 2 or repeats < 1:
        told = f"{folds!r} folds and {repeats!r} repeats: give 2 or more, and 1 or more"
        raise InvalidInput(Problem(told))
    if count < max(folds, 2 * INNER):
        needed = max(folds, 2 * INNER)
        told = f"{count} distinct prompts of {len(groups)}: {folds} folds need {needed} or more"
        if count < len(groups):
            told += "; prompts that read alike count once (without the texts they do not: --column text=)"
        raise InvalidInput(Problem(told))
    found = []
    for repeat in range(repeats):
        of = deal(groups, categories, folds, rng)
        for fold in range(folds):
            train = np.flatnonzero(of != fold)
            inner = deal(groups[train], None if categories is None else categories[train], INNER, rng)
            found.append(Split(repeat, train, np.flatnonzero(of == fold), inner))
    return tuple(found)


def deal(groups: IntArray, categories: IntArray | None, folds: int, rng: np.random.Generator) -> IntArray:
    """Return a fold (N,) for each prompt. A group's category is that of its first prompt."""
    names, first, place = np.unique(groups, return_index=True, return_inverse=True)
    order = rng.permutation(len(names))
    if categories is not None:
        order = order[np.argsort(categories[first][order], kind="stable")]
    of = np.empty(len(names), dtype=np.int64)
    of[order] = (np.arange(len(names)) + int(rng.integers(folds))) % folds
    return of[place.reshape(-1)]
