"""Stems that say nearly the same, and stems that show the same template."""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import combinations, pairwise

from assay.causal.item import Item
from assay.causal.lint.words import STOP, jaccard

ALIKE = 0.35
"""Two stems whose pairs of words are alike to this share say nearly the same; see the page on the lint."""
LEAST_RUN = 12
"""So many words in a row, names and numbers taken out, show a template."""
_TOKEN = re.compile(r"[^\W_]+(?:[.,/'’-][^\W_]+)*")


@dataclass(frozen=True, slots=True)
class Alike:
    """Two stems that say nearly the same; `likeness` is 1 for the same words in the same order."""

    first: str
    second: str
    likeness: float


@dataclass(frozen=True, slots=True)
class Repeat:
    """A run of words that stands in two stems."""

    first: str
    second: str
    run: str

    @property
    def length(self) -> int:
        """How many words the run has."""
        return len(self.run.split())


def near_duplicates(items: Sequence[Item], *, least: float = ALIKE) -> tuple[Alike, ...]:
    """Return the pairs of stems whose shingles have a Jaccard similarity of `least` or more, likest first.

    Shingles are pairs of neighbouring content words; numbers and names are taken out first. Meant for
    the questions of one form.
    """
    shingles = [(item.id, _pairs(tokens)) for item, tokens in zip(items, _bare(items), strict=True)]
    found = (
        Alike(first, second, jaccard(one, other))
        for (first, one), (second, other) in combinations(shingles, 2)
    )
    return tuple(sorted((pair for pair in found if pair.likeness >= least), key=lambda pair: -pair.likeness))


def template_repeats(items: Sequence[Item], *, least: int = LEAST_RUN) -> tuple[Repeat, ...]:
    """Return the pairs of stems that share a run of at least `least` words, longest first.

    Names and numbers are taken out first. Each pair is told once, by its longest run.
    """
    texts = _bare(items)
    places: defaultdict[tuple[str, ...], list[tuple[int, int]]] = defaultdict(list)
    for row, tokens in enumerate(texts):
        for start in range(len(tokens) - least + 1):
            places[tokens[start : start + least]].append((row, start))
    longest: dict[tuple[int, int], tuple[str, ...]] = {}
    for met in places.values():
        for (row, start), (other, begin) in combinations(met, 2):
            if row == other:
                continue
            run = _common(texts[row][start:], texts[other][begin:])
            if len(run) > len(longest.get((row, other), ())):
                longest[row, other] = run
    found = (Repeat(items[row].id, items[other].id, " ".join(run)) for (row, other), run in longest.items())
    return tuple(sorted(found, key=lambda repeat: -repeat.length))


def _common(one: tuple[str, ...], other: tuple[str, ...]) -> tuple[str, ...]:
    length = next((at for at, (a, b) in enumerate(zip(one, other, strict=False)) if a != b), None)
    return one[: min(len(one), len(other)) if length is None else length]


def _pairs(tokens: tuple[str, ...]) -> frozenset[str]:
    content = [token for token in tokens if token not in STOP]
    return frozenset(f"{one} {other}" for one, other in pairwise(content))


def _bare(items: Sequence[Item]) -> list[tuple[str, ...]]:
    """Return each stem's words in lower case without numbers and names.

    A name is a capitalised word that no stem here writes in lower case, or a single capital but A and I.
    """
    tokens = [_TOKEN.findall(item.stem) for item in items]
    known = {token for each in tokens for token in each if token[0].islower()}
    return [tuple(_kept(each, known)) for each in tokens]


def _kept(tokens: Sequence[str], known: set[str]) -> Iterator[str]:
    for token in tokens:
        low = token.lower()
        if any(letter.isdigit() for letter in token):
            continue
        named = len(token) == 1 or (low not in known and low not in STOP)
        if token[0].isupper() and token not in ("A", "I") and named:
            continue
        yield low
