"""Words of large texts as arrays of hashes, for comparing texts by their n-grams.

A word is a run of letters and digits, regardless of case and width (NFKC). A character of a script without
spaces between words (Chinese, Japanese) is a word of its own. White space and punctuation do not count.
"""

from __future__ import annotations

import unicodedata
from dataclasses import dataclass
from functools import cache
from typing import Final, NamedTuple

import numpy as np
import numpy.typing as npt

from assay.questions.near.candidates import mixed

Hashes = npt.NDArray[np.uint64]
Positions = npt.NDArray[np.int64]

SEPARATOR, LETTER, CHARACTER = 0, 1, 2
_ALONE: Final = (
    (0x3005, 0x3007),
    (0x3041, 0x30FF),
    (0x3400, 0x4DBF),
    (0x4E00, 0x9FFF),
    (0xF900, 0xFAFF),
    (0x20000, 0x323AF),
)
"""The ranges of code points that are words of their own: ideographs, hiragana and katakana."""
_CODES: Final = 0x110000
_BASE: Final = 0x9E3779B97F4A7C15
_NEWLINE: Final = 10


@dataclass(frozen=True, slots=True)
class TextTokens:
    """The words of a text: their hashes, their lines from 0, and whether they are single characters; (T,).

    `starts` and `ends` are their places in `text`, the normalised text.
    """

    hashes: Hashes
    lines: Positions
    characters: npt.NDArray[np.bool_]
    starts: Positions
    ends: Positions
    text: str

    def __len__(self) -> int:
        return len(self.hashes)


class _Alphabet(NamedTuple):
    """By code point: the kind of character, and a hash that ignores case."""

    kinds: npt.NDArray[np.uint8]
    hashes: Hashes


def text_tokens(text: str) -> TextTokens:
    """Return the words of a text. Memory is about 60 bytes a character, so give texts of a few MiB."""
    kinds_of, hash_of = _alphabet()
    if text.isascii():
        codes: npt.NDArray[np.integer] = np.frombuffer(text.encode("ascii"), np.uint8)
    else:
        text = unicodedata.normalize("NFKC", text)
        codes = np.frombuffer(text.encode("utf-32-le", "surrogatepass"), np.uint32)
    kinds = kinds_of[codes]
    inside = kinds == LETTER
    before = np.concatenate([[False], inside[:-1]])
    starts = np.flatnonzero((kinds == CHARACTER) | (inside & ~before))
    ends = np.flatnonzero((kinds == CHARACTER) | (inside & ~np.concatenate([inside[1:], [False]]))) + 1
    if not len(starts):
        return TextTokens(np.empty(0, np.uint64), starts, np.empty(0, np.bool_), starts, ends, text)
    powers, inverses = _powers(1 << (len(codes) - 1).bit_length())
    values = np.where(kinds == SEPARATOR, np.uint64(0), hash_of[codes]) * powers[: len(codes)]
    sums = np.add.reduceat(values, starts) * inverses[starts]
    lines = np.cumsum(codes == _NEWLINE)[starts]
    return TextTokens(mixed(sums), lines, kinds[starts] == CHARACTER, starts, ends, text)


def ngram_hashes(hashes: Hashes, n: int) -> Hashes:
    """Return the hashes of the `n` words from each place on, (T - n + 1,); empty for fewer than `n` words."""
    count = len(hashes) - n + 1
    if count <= 0:
        return np.empty(0, np.uint64)
    total = np.zeros(count, np.uint64)
    for place in range(n):
        total = total * np.uint64(_BASE) + hashes[place : place + count]
    return mixed(total)


@cache
def _alphabet() -> _Alphabet:
    kinds = np.array([chr(code).isalnum() for code in range(_CODES)], np.uint8)
    for first, last in _ALONE:
        part = kinds[first : last + 1]
        part[part == LETTER] = CHARACTER
    folded = np.arange(_CODES, dtype=np.uint64)
    for code in np.flatnonzero(kinds == LETTER).tolist():
        lower = chr(code).casefold()
        if len(lower) == 1:
            folded[code] = ord(lower)
    return _Alphabet(kinds, mixed(folded))


@cache
def _powers(n: int) -> tuple[Hashes, Hashes]:
    """Return the first `n` powers of the base and of its inverse, modulo 2^64."""
    both = []
    for base in (_BASE, pow(_BASE, -1, 1 << 64)):
        factors = np.full(n, base, np.uint64)
        factors[0] = 1
        both.append(np.multiply.accumulate(factors))
    return both[0], both[1]
