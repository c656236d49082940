"""Folds for cross-validation over prompts: prompts that are alike stay together, categories are spread."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt
from scipy.sparse import coo_array, csr_array
from scipy.sparse.csgraph import connected_components

from assay.core.errors import InvalidInput, Problem

IntArray = npt.NDArray[np.int64]
INNER = 3
"""Folds within a training set, where settings and routers are chosen."""


@dataclass(frozen=True, slots=True)
class FoldSplit:
    """One fold of one repeat: rows to learn from, rows to value on, and the folds (n,) within the former."""

    repeat: int
    train: IntArray
    test: IntArray
    inner: IntArray


def split(
    groups: IntArray, categories: IntArray | None, *, folds: int, repeats: int, rng: np.random.Generator
) -> tuple[FoldSplit, ...]:
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
            found.append(FoldSplit(repeat, train, np.flatnonzero(of == fold), inner))
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


LIKENESS = 0.8
"""Texts are alike that share so much of the runs of three words which either has (Jaccard's index)."""
RUN = 3
COMMON = 0.1
LEAST_COMMON = 20
"""A run that stands in more than a tenth of the texts, and in more than so many, tells none apart."""


def alike(texts: Sequence[str] | None, number: int) -> IntArray:
    """Return a group (N,) for each prompt: the same for texts that are alike, directly or over others.

    Alike are texts of the same words in the same order, whatever their letter case, spaces and marks, and
    texts that share 80 % of their runs of three words. All digits count as equal: a template filled with
    other numbers is the same question to a router. A blank text is like no other.
    """
    if texts is None:
        return np.arange(number)
    plain = [normalised(text) for text in texts]
    same: dict[str, int] = {}
    first = np.array([same.setdefault(text, place) if text else place for place, text in enumerate(plain)])
    pairs = _pairs([plain[place] for place in np.unique(first)], np.unique(first))
    rows = np.concatenate([np.arange(number), pairs[0]])
    columns = np.concatenate([first, pairs[1]])
    graph = coo_array((np.ones(len(rows)), (rows, columns)), shape=(number, number))
    return np.asarray(connected_components(graph, directed=False)[1], dtype=np.int64)


def normalised(text: str) -> str:
    """Return a text in lower case with single spaces, without marks, its digits all 0."""
    folded = unicodedata.normalize("NFKC", text).casefold()
    return " ".join(re.sub(r"\d+", "0", re.sub(r"[^\w]+|_+", " ", folded)).split())


def _pairs(texts: Sequence[str], names: IntArray) -> tuple[IntArray, IntArray]:
    """Return pairs of names whose texts share enough runs of words."""
    numbers: dict[str, int] = {}
    held = [{numbers.setdefault(run, len(numbers)) for run in _runs(text)} for text in texts]
    lengths = [len(each) for each in held]
    if not sum(lengths):
        return np.zeros(0, dtype=np.int64), np.zeros(0, dtype=np.int64)
    columns = np.concatenate([np.fromiter(each, dtype=np.int64, count=len(each)) for each in held])
    rows = np.repeat(np.arange(len(texts)), lengths)
    often = np.bincount(columns, minlength=len(numbers))
    kept = (often > 1) & (often <= max(LEAST_COMMON, COMMON * len(texts)))
    telling = often <= max(LEAST_COMMON, COMMON * len(texts))
    size = np.bincount(rows[telling[columns]], minlength=len(texts))
    shown = kept[columns]
    table = csr_array(
        (np.ones(int(shown.sum()), dtype=np.int64), (rows[shown], columns[shown])),
        shape=(len(texts), len(numbers)),
    )
    shared = (table @ table.T).tocoo()
    one, other = shared.coords
    union = size[one] + size[other] - shared.data
    close = (one < other) & (shared.data >= LIKENESS * union)
    return names[one[close]], names[other[close]]


def _runs(text: str) -> list[str]:
    words = text.split()
    if len(words) < RUN:
        return []
    return [" ".join(words[place : place + RUN]) for place in range(len(words) - RUN + 1)]
