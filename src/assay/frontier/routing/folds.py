"""Folds for cross-validation over prompts: prompts that are alike stay together, categories are spread."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Sequence
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


def alike(texts: Sequence[str] | None, number: int) -> IntArray:
    """Return a group (N,) for each prompt: the same for texts that differ in letter case, spaces, marks or
    digits only. A blank text is like no other.

    Digits count as equal because a template filled with other numbers is the same question to a router.
    """
    if texts is None:
        return np.arange(number)
    groups: dict[str, int] = {}
    found = np.empty(number, dtype=np.int64)
    for place, text in enumerate(texts):
        plain = normalised(text)
        found[place] = groups.setdefault(plain or f"\n{place}", len(groups))
    return found


def normalised(text: str) -> str:
    """Return a text in lower case with single spaces, without marks, its digits all 0."""
    folded = unicodedata.normalize("NFKC", text).casefold()
    return " ".join(re.sub(r"\d+", "0", re.sub(r"[^\w]+|_+", " ", folded)).split())


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
        told = f"{count} distinct prompts: {folds} folds need at least {max(folds, 2 * INNER)}"
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
