"""The wording of questions as arrays, for learners that do no causal reasoning.

`read` turns a question into a `Reading`: hashed word sequences of the stem and of each option, the same on a
text in which noun phrases are replaced by role marks, and figures that say where the stem names what an
option names. `view`, `weighted` and `frequent` turn readings into matrices. Nothing here uses the key.
"""

from __future__ import annotations

import re
import zlib
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import cache

import numpy as np
import numpy.typing as npt
from scipy import sparse

from assay.causal.item import Item

Codes = npt.NDArray[np.uint64]
Hashes = npt.NDArray[np.uint32]
Figures = npt.NDArray[np.float32]
Phrase = tuple[str, ...]

BITS = 20
LONGEST, NEAR, MOST_SHARE = 4, 4, 2 / 3
_STOP = """
a about after all also although an and any are as at be because been before being both but by can could did
do does each either every for from had has have he her here hers him his how i if in into is it its just may
me might more most much must my neither no nor not of off on one only or other others our out over own same
shall she should so some such than that the their them then there these they this those through to too two
under up upon us very was we were what when where whether which while who whom whose why will with without
would yes you your
"""
_NEGATIONS = """
no not never none nor neither nothing nobody nowhere without cannot hardly unlike unable independent
independently unrelated irrelevant unaffected don't doesn't didn't isn't aren't wasn't weren't
"""
STOP, NEGATIONS = frozenset(_STOP.split()), frozenset(_NEGATIONS.split())
TOKEN = re.compile(r"[−+-]?\d+(?:[.,]\d+)*%?|[^\W\d_]+(?:['’\-–][^\W\d_]+)*")
SENTENCE = re.compile(r"(?<=[.?!;:])[\"'”’)]*\s+|\n+")
CLAUSE = re.compile(r"[;.,:]\s+")
NUMBER = re.compile(r"[−+-]?\d[\d,]*(?:\.\d+)?")
OWN_ROLES, OTHER, ASK = 4, 5, 6
ROLE_CODES = np.array([0, *(zlib.crc32(f"<ROLE{role}>".encode()) for role in range(1, 7))], dtype=np.uint64)
PHRASE_CODE, BREAK_CODE = (np.uint64(zlib.crc32(mark)) for mark in (b"<PHRASE>", b"<BREAK>"))
MIX, GOLDEN = np.uint64(0x9E3779B97F4A7C15), np.uint64(0xD6E8FEB86659FD93)
SHIFT = np.uint64(64 - BITS)


@dataclass(frozen=True, slots=True)
class Reading:
    """A question's wording. Hashes are below 2**20; an option's own arrays stand in the order of the options.

    `stem` and `options` are word 1-3-grams; only in `words`, the stem's words, does it count how often a hash
    occurs. In `masked` all phrases that the stem shares with an option or with the question are one mark.
    `roles` are what an option sees of the stem through its own marks: n-grams that contain a mark, and each
    word in a sentence with a mark. `marked` is `options` with marks. `figures` is options x 46: 23 figures of
    each option, and what they exceed the options' mean by.
    """

    stem: Hashes
    words: Hashes
    masked: Hashes
    options: tuple[Hashes, ...]
    marked: tuple[Hashes, ...]
    roles: tuple[Hashes, ...]
    figures: Figures


@dataclass(frozen=True, slots=True)
class Units:
    """A stem cut into words and phrases: codes, the phrase's number or -1, the sentence's, negations."""

    codes: Codes
    phrase: npt.NDArray[np.intp]
    sentence: npt.NDArray[np.intp]
    negation: npt.NDArray[np.bool_]


def read(item: Item) -> Reading:
    """Return the wording of a question with options as arrays."""
    sentences = [_words(part) for part in SENTENCE.split(item.stem)]
    asked = _words(question_of(item.stem))
    phrases = _phrases(item, sentences, asked)
    names = sorted({*phrases[0], *(phrase for own in phrases[1] for phrase in own)})
    units = _cut(sentences, names)
    roles = [_roles(names, own, phrases[1]) for own in phrases[1]]
    words = _codes(sentences)
    views: dict[tuple[int, ...], Hashes] = {role: _seen(units, role) for role in {*roles}}
    own_figures = np.array(
        [_figures(item, at, units, roles, names) for at in range(len(item.options))], dtype=np.float32
    )
    return Reading(
        stem=grams(words),
        words=_hashed(words),
        masked=grams(np.where(units.phrase >= 0, PHRASE_CODE, units.codes)),
        options=tuple(_option(text, {}) for text in item.options),
        marked=tuple(
            _option(
                text, {name: place for name, place in zip(names, role, strict=True) if place <= OWN_ROLES}
            )
            for text, role in zip(item.options, roles, strict=True)
        ),
        roles=tuple(views[role] for role in roles),
        figures=np.hstack([own_figures, own_figures - own_figures.mean(axis=0)]),
    )


def question_of(stem: str) -> str:
    """Return the last paragraph, or the last sentence of a stem that has only one."""
    paragraphs = [part for part in stem.split("\n") if part.strip()]
    if len(paragraphs) > 1:
        return paragraphs[-1]
    return next((part for part in reversed(SENTENCE.split(stem)) if part.strip()), "")


def grams(codes: Codes, marked: npt.NDArray[np.bool_] | None = None, longest: int = 3) -> Hashes:
    """Return the hashes of all sequences of 1 to `longest` codes; of those with a marked place, if given."""
    parts, rolled, within = [], codes, marked
    for length in range(1, longest + 1):
        if length > 1:
            rolled = rolled[:-1] * MIX + codes[length - 1 :]
            within = None if within is None or marked is None else within[:-1] | marked[length - 1 :]
        parts.append(rolled if within is None else rolled[within])
    return _hashed(np.concatenate(parts))


def _hashed(codes: Codes) -> Hashes:
    """Return 20-bit hashes of 64-bit codes (multiplicative hashing, after mixing the upper bits in)."""
    return (((codes ^ (codes >> np.uint64(31))) * GOLDEN) >> SHIFT).astype(np.uint32)


@cache
def _code(word: str) -> int:
    return zlib.crc32(word.encode())


def _words(text: str) -> list[str]:
    return [word.replace("’", "'") for word in TOKEN.findall(text.lower())]


def _codes(sentences: Iterable[Sequence[str]]) -> Codes:
    """Return the codes of the words of sentences, with a mark between two sentences."""
    parts = [code for words in sentences for code in (*map(_code, words), int(BREAK_CODE))]
    return np.array(parts, dtype=np.uint64)


@cache
def _singular(word: str) -> str:
    return word[:-1] if len(word) > 3 and word[-1] == "s" and word[-2] not in "siu" else word


def _phrases(
    item: Item, sentences: Sequence[Sequence[str]], asked: Sequence[str]
) -> tuple[list[Phrase], list[list[Phrase]]]:
    """Return the phrases that the stem shares with its question, and those it shares with each option."""
    whole = {gram for words in sentences for gram in _sequences(words)}
    told: set[Phrase] = set()
    rest = item.stem[: item.stem.rfind(question_of(item.stem))]
    for part in SENTENCE.split(rest):
        told.update(_sequences(_words(part)))
    return _shared(asked, told), [_shared(_words(option), whole) for option in item.options]


def _sequences(words: Sequence[str]) -> Iterable[Phrase]:
    """Yield all sequences of 1-4 words without stop words at their ends, in the singular."""
    plain = [_singular(word) for word in words]
    inner = [word not in STOP for word in words]
    for start, begins in enumerate(inner):
        if begins:
            for end in range(start + 1, min(start + LONGEST, len(plain)) + 1):
                if inner[end - 1]:
                    yield tuple(plain[start:end])


def _shared(words: Sequence[str], known: set[Phrase]) -> list[Phrase]:
    """Return the longest known sequences from left to right, each once."""
    plain = [_singular(word) for word in words]
    shared, at = [], 0
    while at < len(plain):
        for length in range(LONGEST, 0, -1):
            phrase = tuple(plain[at : at + length])
            if len(phrase) == length and phrase in known:
                shared.append(phrase)
                at += length - 1
                break
        at += 1
    return list(dict.fromkeys(shared))


def _cut(sentences: Sequence[Sequence[str]], names: Sequence[Phrase]) -> Units:
    """Cut a stem into words and the longest of these phrases."""
    numbers = {name: number for number, name in enumerate(names)}
    starts = {name[0] for name in names}
    cut: list[tuple[int, int, int, bool]] = []
    for number, words in enumerate(sentences):
        plain = [_singular(word) for word in words]
        at = 0
        while at < len(plain):
            length, phrase = 1, -1
            if plain[at] in starts:
                for tried in range(LONGEST, 0, -1):
                    if (known := numbers.get(tuple(plain[at : at + tried]), -1)) >= 0:
                        length, phrase = len(names[known]), known
                        break
            cut.append((_code(words[at]), phrase, number, words[at] in NEGATIONS))
            at += length
        cut.append((int(BREAK_CODE), -1, number, False))
    columns = list(zip(*cut, strict=True))
    return Units(
        np.array(columns[0], dtype=np.uint64),
        np.array(columns[1], dtype=np.intp),
        np.array(columns[2], dtype=np.intp),
        np.array(columns[3], dtype=np.bool_),
    )


def _roles(
    names: Sequence[Phrase], own: Sequence[Phrase], options: Sequence[Sequence[Phrase]]
) -> tuple[int, ...]:
    """Return each phrase's role for one option: 1-4 by its order there, else in another or the question."""
    elsewhere = {phrase for phrases in options for phrase in phrases}
    return tuple(
        min(own.index(name) + 1, OWN_ROLES) if name in own else OTHER if name in elsewhere else ASK
        for name in names
    )


def _seen(units: Units, roles: tuple[int, ...]) -> Hashes:
    """Return what an option sees of the stem: n-grams with a mark, and words in a sentence with marks.

    A word counts with each mark of its sentence, and with each pair of marks, whichever stands where.
    """
    place = np.array([*roles, 0], dtype=np.intp)[units.phrase]
    marked = place > 0
    parts = [grams(np.where(marked, ROLE_CODES[place], units.codes), marked)]
    words = np.where(marked, PHRASE_CODE, units.codes)
    rows = np.zeros((ASK + 1, int(units.sentence[-1]) + 1), dtype=np.bool_)
    rows[place, units.sentence] = True
    present = [role for role in range(1, ASK + 1) if rows[role].any()]
    for first in present:
        for second in present:
            if first > second or not (both := rows[first] & rows[second]).any():
                continue
            salt = ROLE_CODES[[first]] * MIX + ROLE_CODES[second] + np.uint64(1)
            parts.append(_hashed(words[both[units.sentence] & ~marked] * MIX + salt))
    return np.unique(np.concatenate(parts))


def _option(text: str, marks: Mapping[Phrase, int]) -> Hashes:
    """Return the hashes of an option's word 1-3-grams, and of its 1-2-grams with their clause's number."""
    clauses = [_marked(_words(clause), marks) for clause in CLAUSE.split(text)]
    parts = [grams(np.concatenate(clauses) if clauses else np.zeros(0, dtype=np.uint64))]
    for number, codes in enumerate(clauses):
        parts.append(grams(codes * MIX + np.uint64(7919 * (number + 1)), longest=2))
    return np.unique(np.concatenate(parts))


def _marked(words: Sequence[str], marks: Mapping[Phrase, int]) -> Codes:
    plain = [_singular(word) for word in words]
    codes, at = [], 0
    while at < len(plain):
        lengths = (n for n in range(LONGEST, 0, -1) if tuple(plain[at : at + n]) in marks)
        length = min(next(lengths, 0), len(plain) - at)
        codes.append(int(ROLE_CODES[marks[tuple(plain[at : at + length])]]) if length else _code(words[at]))
        at += max(length, 1)
    return np.array([*codes, int(BREAK_CODE)], dtype=np.uint64)


def _figures(
    item: Item, at: int, units: Units, roles: Sequence[tuple[int, ...]], names: Sequence[Phrase]
) -> list[float]:
    """Return the 23 figures of one option: its phrases in the stem, its words, its number."""
    place = np.array([*roles[at], 0], dtype=np.intp)[units.phrase]
    own = (place > 0) & (place <= OWN_ROLES)
    shared = [all(role[number] <= OWN_ROLES for role in roles) for number in range(len(names))]
    telling = own & ~np.array([*shared, True])[units.phrase]
    last = max(int(units.sentence[-1]) + 1, 1)
    count = np.array(
        [np.bincount(units.sentence[place == role], minlength=last) > 0 for role in range(1, ASK + 1)]
    )
    named = count[:OWN_ROLES].sum(axis=0)
    near = np.convolve(units.negation, np.ones(2 * NEAR + 1))[NEAR:-NEAR] > 0
    negated = np.bincount(units.sentence, weights=units.negation, minlength=last)
    clauses = [_words(clause) for clause in CLAUSE.split(item.options[at])]
    denials = [sum(word in NEGATIONS for word in words) for words in clauses]
    return [
        sum(role <= OWN_ROLES for role in roles[at]),
        *_where(own),
        *_where(telling),
        *_where(place == 1)[1:],
        *_where(place == 2)[1:],
        float((named >= 2).sum()),
        float(((named >= 1) & count[ASK - 1]).sum()),
        float((near & own).sum()),
        float(negated[named >= 1].sum()),
        float((count[OTHER - 1] & (named >= 1)).sum()),
        float(len(item.options[at])),
        float(sum(map(len, clauses))),
        float(denials[0]),
        float(sum(denials[1:])),
        *_number(item, at),
    ]


def _where(there: npt.NDArray[np.bool_]) -> list[float]:
    """Return how often something is named, and its first and last place as shares of the length (or -1)."""
    places = np.flatnonzero(there)
    if not len(places):
        return [0.0, -1.0, -1.0]
    return [float(len(places)), places[0] / len(there), places[-1] / len(there)]


def _numbers(text: str) -> list[float]:
    return [float(number.replace(",", "").replace("−", "-")) for number in NUMBER.findall(text)]


def _number(item: Item, at: int) -> list[float]:
    """Return the option's first number (or 0), its rank among the options and its rank in the stem."""
    firsts = [(_numbers(option) or [np.nan])[0] for option in item.options]
    stem = np.array(_numbers(item.stem) or [0.0])
    if np.isnan(firsts[at]):
        return [0.0, -1.0, -1.0]
    return [
        firsts[at],
        float(np.nansum(np.array(firsts) < firsts[at])),
        float((stem < abs(firsts[at])).mean()) + float(np.any(stem == abs(firsts[at]))),
    ]


@dataclass(frozen=True, slots=True)
class View:
    """What a learner sees: a stem's words or its masked text, an option's own view of it, and the options."""

    stems: sparse.csr_array
    roles: sparse.csr_array | None
    options: sparse.csr_array


def view(readings: Sequence[Reading], marked: bool) -> View:
    """Return the words as they stand, or the text with role marks instead of shared noun phrases."""
    if not marked:
        options = [own for reading in readings for own in reading.options]
        return View(table_of_hashes([reading.stem for reading in readings]), None, table_of_hashes(options))
    return View(
        table_of_hashes([reading.masked for reading in readings]),
        table_of_hashes([own for reading in readings for own in reading.roles]),
        table_of_hashes([own for reading in readings for own in reading.marked]),
    )


def table_of_hashes(hashes: Sequence[np.ndarray]) -> sparse.csr_array:
    """Return counts: a row for each array of hashes, a column for each of the 2**20 hashes."""
    ends = np.cumsum([0, *map(len, hashes)])
    made = sparse.csr_array(
        (np.ones(ends[-1], dtype=np.float32), np.concatenate(hashes).astype(np.int32), ends),
        shape=(len(hashes), 1 << BITS),
    )
    made.sum_duplicates()
    return made


def weighted(counts: sparse.csr_array, fitted: np.ndarray, most: int | None = None) -> sparse.csr_array:
    """Return unit rows weighted by inverse document frequency, over the columns that training can use.

    These occur in 2 training rows or more and in at most two thirds; of them the `most` frequent are kept.
    """
    seen = np.bincount(counts[fitted].indices, minlength=counts.shape[1])
    usable = np.flatnonzero((seen >= 2) & (seen <= len(fitted) * MOST_SHARE))
    if most is not None and len(usable) > most:
        usable = np.sort(usable[np.argsort(-seen[usable], kind="stable")[:most]])
    made = sparse.csr_array(counts[:, usable])
    made.data = np.log(len(fitted) / seen[usable])[made.indices].astype(np.float32)
    lengths = np.sqrt(made.multiply(made).sum(axis=1))
    made.data /= np.repeat(np.maximum(lengths, 1e-9), np.diff(made.indptr))
    return made


def frequent(counts: sparse.csr_array, fitted: np.ndarray, most: int) -> np.ndarray:
    """Return the counts of the columns found in most training rows, but not in more than two thirds."""
    seen = np.bincount(counts[fitted].indices, minlength=counts.shape[1])
    seen[seen > len(fitted) * MOST_SHARE] = 0
    return sparse.csr_array(counts[:, np.argsort(-seen, kind="stable")[:most]]).toarray()
