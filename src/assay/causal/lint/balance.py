"""Whether keys are spread over the letters, and whether they come in runs."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

FloatArray = npt.NDArray[np.float64]
IntArray = npt.NDArray[np.int64]
DRAWS = 9_999


@dataclass(frozen=True, slots=True)
class Balance:
    """How often each letter is the key, how often it would be by chance, and the chi-square of the two.

    `p` is the chance of so large a chi-square when every key is drawn evenly from its options.
    """

    counts: tuple[int, ...]
    expected: tuple[float, ...]
    statistic: float
    p: float


@dataclass(frozen=True, slots=True)
class Run:
    """The longest run of one key in the order of the questions, from 0, and the chance of one so long."""

    length: int
    start: int
    p: float


def balance(keys: IntArray, sizes: IntArray, rng: np.random.Generator) -> Balance:
    """Test the spread of the keys over the letters by 9,999 draws of even keys.

    p = (1 + draws with so large a chi-square)/(1 + draws): right for any number of questions, also when
    their numbers of options (`sizes`) differ.
    """
    width = int(sizes.max(initial=0))
    kinds, counts = np.unique(sizes, return_counts=True)
    expected = np.zeros(width)
    drawn = np.zeros((DRAWS, width))
    for kind, count in zip(kinds.tolist(), counts.tolist(), strict=True):
        expected[:kind] += count / kind
        drawn[:, :kind] += rng.multinomial(count, np.full(kind, 1.0 / kind), size=DRAWS)
    seen = np.bincount(keys, minlength=width).astype(np.float64)
    statistic = float(((seen - expected) ** 2 / expected).sum())
    by_luck = ((drawn - expected) ** 2 / expected).sum(axis=1)
    p = (1 + int((by_luck >= statistic - 1e-9).sum())) / (1 + DRAWS)
    return Balance(tuple(int(n) for n in seen), tuple(float(n) for n in expected), statistic, p)


def longest_run(keys: IntArray, sizes: IntArray) -> Run:
    """Return the longest run of the same key, with the exact chance of a run at least so long."""
    length, start, here = 0, 0, 0
    for place in range(len(keys)):
        if place and keys[place] != keys[place - 1]:
            here = place
        if place - here + 1 > length:
            length, start = place - here + 1, here
    return Run(length, start, chance_of_run(length, sizes))


def chance_of_run(length: int, sizes: IntArray) -> float:
    """Return the chance that `length` keys in a row are the same, each drawn evenly from its options.

    Exact: a chain over the letter that stands last and how often it has come in a row.
    """
    if length <= 1:
        return 1.0 if length <= len(sizes) else 0.0
    width = int(sizes.max(initial=1))
    state = np.zeros((width, length))
    reached = 0.0
    for place, size in enumerate(sizes.tolist()):
        even = np.where(np.arange(width) < size, 1.0 / size, 0.0)
        if place == 0:
            state[:, 0] = even
            continue
        per_letter = state.sum(axis=1)
        grown = state * even[:, np.newaxis]
        state = np.zeros_like(state)
        state[:, 0] = even * (per_letter.sum() - per_letter)
        state[:, 1:] = grown[:, :-1]
        reached += float(state[:, -1].sum())
        state[:, -1] = 0.0
    return min(1.0, reached)
