"""Prompts that read alike: what one of them teaches is known of the others, so folds keep them together."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Sequence

import numpy as np
import numpy.typing as npt
from scipy.sparse import coo_array, csr_array
from scipy.sparse.csgraph import connected_components

IntArray = npt.NDArray[np.int64]
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
