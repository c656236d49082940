"""Cross-validation folds of prompts: similar prompts stay together, and categories are spread evenly."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt
import scipy

from assay.core.errors import InvalidInput, Problem

IntArray = npt.NDArray[np.int64]
INNER = 3
"""The number of folds within a training set, by which settings and routers are chosen."""


@dataclass(frozen=True, slots=True)
class FoldSplit:
    """One fold of one repeat: training rows, test rows, and the folds (n,) within the training rows."""

    repeat: int
    train: IntArray
    test: IntArray
    inner: IntArray


def split(
    groups: IntArray, categories: IntArray | None, *, folds: int, repeats: int, rng: np.random.Generator
) -> tuple[FoldSplit, ...]:
    """Return the folds of every repeat, which are the same for all routers.

    Groups stay together; the groups of each category are spread evenly over the folds. InvalidInput if there
    are fewer groups than folds, or too few for folds within a training set.
    """
    count = len(np.unique(groups))
    if folds < 2 or repeats < 1:
        text = f"invalid {folds!r} folds and {repeats!r} repeats: give at least 2 folds and 1 repeat"
        raise InvalidInput(Problem(text))
    if count < max(folds, 2 * INNER):
        needed = max(folds, 2 * INNER)
        text = f"{count} distinct prompts of {len(groups)}: {folds} folds need {needed} or more"
        if count < len(groups):
            text += "; similar prompts count once (`--column text=` ignores the texts)"
        raise InvalidInput(Problem(text))
    splits = []
    for repeat in range(repeats):
        of = deal(groups, categories, folds, rng)
        for fold in range(folds):
            train = np.flatnonzero(of != fold)
            inner = deal(groups[train], None if categories is None else categories[train], INNER, rng)
            splits.append(FoldSplit(repeat, train, np.flatnonzero(of == fold), inner))
    return tuple(splits)


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
"""Texts are similar if Jaccard's index of their runs of three words is at least this."""
RUN = 3
COMMON = 0.1
LEAST_COMMON = 20
"""Runs that occur in more than a tenth of the texts, and in more than so many, are ignored."""


def group_similar(texts: Sequence[str] | None, number: int) -> IntArray:
    """Return a group (N,) for each prompt; similar texts, directly or through others, have the same group.

    Texts are similar if they have the same words in the same order, whatever their letter case, spaces and
    punctuation, or if they share 80 % of their runs of three words. All digits count as equal, because a
    template with other numbers is the same question for a router. A blank text is similar to no other.
    """
    if texts is None:
        return np.arange(number)
    plain = [normalised(text) for text in texts]
    same: dict[str, int] = {}
    first = np.array([same.setdefault(text, place) if text else place for place, text in enumerate(plain)])
    pairs = _pairs([plain[place] for place in np.unique(first)], np.unique(first))
    rows = np.concatenate([np.arange(number), pairs[0]])
    columns = np.concatenate([first, pairs[1]])
    graph = scipy.sparse.coo_array((np.ones(len(rows)), (rows, columns)), shape=(number, number))
    return np.asarray(scipy.sparse.csgraph.connected_components(graph, directed=False)[1], dtype=np.int64)


def normalised(text: str) -> str:
    """Return a text in lower case with single spaces, without punctuation, with all digits as 0."""
    folded = unicodedata.normalize("NFKC", text).casefold()
    return " ".join(re.sub(r"\d+", "0", re.sub(r"[^\w]+|_+", " ", folded)).split())


def _pairs(texts: Sequence[str], names: IntArray) -> tuple[IntArray, IntArray]:
    """Return pairs of names whose texts share enough runs of words."""
    numbers: dict[str, int] = {}
    runs_of_text = [{numbers.setdefault(run, len(numbers)) for run in _runs(text)} for text in texts]
    lengths = [len(runs) for runs in runs_of_text]
    if not sum(lengths):
        return np.zeros(0, dtype=np.int64), np.zeros(0, dtype=np.int64)
    columns = np.concatenate([np.fromiter(runs, dtype=np.int64, count=len(runs)) for runs in runs_of_text])
    rows = np.repeat(np.arange(len(texts)), lengths)
    often = np.bincount(columns, minlength=len(numbers))
    rare = often <= max(LEAST_COMMON, COMMON * len(texts))
    size = np.bincount(rows[rare[columns]], minlength=len(texts))
    shared_by_two = (rare & (often > 1))[columns]
    table = scipy.sparse.csr_array(
        (np.ones(int(shared_by_two.sum()), dtype=np.int64), (rows[shared_by_two], columns[shared_by_two])),
        shape=(len(texts), len(numbers)),
    )
    shared = (table @ table.T).tocoo()
    first, second = shared.coords
    union = size[first] + size[second] - shared.data
    close = (first < second) & (shared.data >= LIKENESS * union)
    return names[first[close]], names[second[close]]


def _runs(text: str) -> list[str]:
    words = text.split()
    if len(words) < RUN:
        return []
    return [" ".join(words[place : place + RUN]) for place in range(len(words) - RUN + 1)]
