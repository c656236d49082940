"""Slips of the pen: misspelt words, recognised by how often words occur in the bank."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TypeVar

from assay.questions.near.words import GUARDED, GUARDED_HAN, OPPOSITES_HAN, SMALL, is_han, single

Counter = Callable[[str], int]
"""Returns the number of the bank's originals with a piece (a word, or two Chinese characters)."""

RARE = 2
"""The most originals that have a misspelt piece; a piece in more originals is known."""
TIMES = 500
"""A known word can be a slip for a word in this many times as many originals (may for many)."""
SURE_HAN = 30
"""The least number of characters of a Chinese text in which one unknown character is a slip."""
FEW_EDITS = 2
_CLASSES = ("ate", "ite", "ide", "ane", "ene", "yne", "ine", "one", "ose", "ase")
"""Endings that distinguish substances: neither nitrate nor nitrite need be a slip."""


def misspelt(one: str, other: str, count: Counter) -> bool:
    """Whether two words are the same: equal, plural, or one misspelt. Two words known to the bank differ.

    A slip is one edit, or two in a word of at least 6 letters. If neither word is known, it swaps or doubles
    letters, or is one edit in at least 5 letters that keeps the first letter.
    """
    longer, shorter = max(len(one), len(other)), min(len(one), len(other))
    if one == other:
        return True
    if longer < 4 or longer - shorter > FEW_EDITS or not (one.isalpha() and other.isalpha()):
        return False
    if single(one) == single(other):
        return True
    rarer, commoner = sorted((count(single(one)), count(single(other))))
    if (rarer > RARE and rarer * TIMES > commoner) or (one in GUARDED and other in GUARDED):
        return False
    made = edits(one, other)
    if commoner > RARE:
        return made == 1 or (made == FEW_EDITS and longer >= 6 and rarer < RARE)
    if sorted(one) == sorted(other) or set(one) == set(other):
        return made == 1
    substances = one[-3:] in _CLASSES and other[-3:] in _CLASSES
    return made == 1 and longer >= 5 and one[0] == other[0] and not substances


def misspelt_small_word(word: str, count: Counter) -> bool:
    """Whether a word unknown to the bank is a misspelt small word ("teh")."""
    if is_han(word) or not word.isalpha() or len(word) < 3 or count(single(word)) > RARE:
        return False
    most = FEW_EDITS if len(word) >= 8 else 1
    return any(abs(len(small) - len(word)) <= most and edits(small, word) <= most for small in _LONGER_SMALL)


_LONGER_SMALL = tuple(sorted(word for word in SMALL if len(word) > 2))


def stuttered(tokens: Sequence[str], at: int) -> bool:
    """Whether the word at a place repeats its neighbour."""
    word = tokens[at]
    beside = (*tokens[max(at - 1, 0) : at], *tokens[at + 1 : at + 2])
    return word in beside and word[0].isalpha() and word not in GUARDED and (len(word) > 1 or is_han(word))


def misspelt_han(a: Sequence[str], i: int, b: Sequence[str], j: int, count: Counter) -> bool:
    """Whether one character is a slip for another: it forms pairs that hardly occur in the bank.

    The pairs of the right character must be known, or the texts long.
    """
    if _changes_question(a[i]) and _changes_question(b[j]):
        return False
    one = [count(pair) for pair in _pairs(a, i)], a[i]
    other = [count(pair) for pair in _pairs(b, j)], b[j]
    if not one[0] or not other[0]:
        return False
    (wrong, character), (right, _) = sorted(
        (one, other), key=lambda counted: (max(counted[0]), min(counted[0]))
    )
    if max(wrong) > RARE:
        (wrong, character), (right, _) = sorted((one, other), key=lambda counted: min(counted[0]))
        likely = min(wrong) <= RARE < min(right) and max(wrong) <= min(right)
    else:
        likely = max(right) > RARE or min(len(a), len(b)) >= SURE_HAN
    return likely and character not in GUARDED_HAN


def omitted_han(tokens: Sequence[str], at: int, count: Counter) -> bool:
    """Whether leaving this character out is a slip: its neighbours are hardly ever adjacent in the bank."""
    if not 0 < at < len(tokens) - 1 or not all(map(is_han, tokens[at - 1 : at + 2])):
        return False
    before, word, after = tokens[at - 1 : at + 2]
    return count(before + after) <= RARE < min(count(before + word), count(word + after))


def _changes_question(word: str) -> bool:
    return word in GUARDED_HAN or word in OPPOSITES_HAN


def _pairs(tokens: Sequence[str], i: int) -> list[str]:
    pairs = []
    if i and is_han(tokens[i - 1]):
        pairs.append(tokens[i - 1] + tokens[i])
    if i + 1 < len(tokens) and is_han(tokens[i + 1]):
        pairs.append(tokens[i] + tokens[i + 1])
    return pairs


def edits(one: str, other: str) -> int:
    """Return the number of insertions, deletions, changes and swaps between words; 3 for more than 2."""
    _, x, y = differing(one, other)
    if max(len(x), len(y)) > 10:
        return FEW_EDITS + 1
    rows = [list(range(len(y) + 1))]
    for i, left in enumerate(x, 1):
        row = [i]
        for j, right in enumerate(y, 1):
            best = min(rows[-1][j] + 1, row[-1] + 1, rows[-1][j - 1] + (left != right))
            if i > 1 and j > 1 and left == y[j - 2] and x[i - 2] == right:
                best = min(best, rows[-2][j - 2] + 1)
            row.append(best)
        rows.append(row)
    return min(rows[-1][-1], FEW_EDITS + 1)


Words = TypeVar("Words", str, Sequence[str])


def differing(a: Words, b: Words) -> tuple[int, Words, Words]:
    """Return the length of the equal start of two sequences, and each without its equal start and end."""
    head = _common(a, b)
    tail = _common(a[head:][::-1], b[head:][::-1])
    return head, a[head : len(a) - tail], b[head : len(b) - tail]


def _common(a: Sequence[str], b: Sequence[str]) -> int:
    n = 0
    for x, y in zip(a, b, strict=False):
        if x != y:
            break
        n += 1
    return n
