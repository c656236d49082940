"""Synthetic questions that fill a bank: ten disciplines, English and Chinese, no two asking the same.

Terms, invented names, places, years and numbers are put into templates. Any two questions differ in at least
one of these, so all pairs are *labelled distinct*.
"""

from __future__ import annotations

import json
import random
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import NamedTuple

from assay.core.question import Language, QuestionKind

WORDS = json.loads(Path(__file__).with_name("bank_words.json").read_text(encoding="utf-8"))
"""What is put together: terms by discipline and language, templates, names, places, and planted edits."""

TERMS: dict[str, dict[str, list[str]]] = WORDS["terms"]
TEMPLATES: dict[str, list[str]] = WORDS["templates"]
ASKED: dict[str, list[str]] = WORDS["asked"]
CHOICES = (6,)
"""The templates that ask for a choice among options."""


class Words(NamedTuple):
    """The words that were put into a template."""

    template: int
    a: str
    b: str
    asked: str
    name: str
    place: str
    year: int
    n: int
    m: int


@dataclass(frozen=True, slots=True)
class Filled:
    """One synthetic question with its key and the `words` that it was made from."""

    discipline: str
    language: Language
    kind: QuestionKind
    stem: str
    options: tuple[str, ...]
    answers: tuple[str, ...]
    words: Words


def names() -> list[str]:
    """Return 2,000 invented surnames."""
    parts = WORDS["surnames"]
    return [
        first + middle + last
        for first in parts["starts"]
        for middle in parts["middles"]
        for last in parts["ends"]
    ]


def filling(n: int, rng: random.Random) -> Iterator[Filled]:
    """Yield `n` synthetic questions, every second one in Chinese, the ten disciplines in turn."""
    seen: set[str] = set()
    surnames, disciplines = names(), list(TERMS)
    while len(seen) < n:
        position = len(seen)
        language: Language = "zh" if position % 2 else "en"
        made = _made(disciplines[position // 2 % len(disciplines)], language, surnames, rng)
        if made.stem not in seen:
            seen.add(made.stem)
            yield made


def _made(discipline: str, language: Language, surnames: list[str], rng: random.Random) -> Filled:
    terms = TERMS[discipline][language]
    a, b = rng.sample(terms, 2)
    template = rng.randrange(len(TEMPLATES[language]))
    if language == "zh":
        name = "".join(map(rng.choice, WORDS["han_names"]))
        place = rng.choice(WORDS["han_places"])
    else:
        name, place = rng.sample(surnames, 2)
    numbers = rng.randrange(1500, 2000), rng.randrange(10, 400), rng.randrange(400, 900)
    words = Words(template, a, b, rng.choice(ASKED[language]), name, place, *numbers)
    return told(discipline, language, words, rng)


def told(discipline: str, language: Language, words: Words, rng: random.Random) -> Filled:
    """Return the question made from `words`."""
    stem = TEMPLATES[language][words.template].format(**words._asdict())
    options: tuple[str, ...] = ()
    answers: tuple[str, ...] = (f"{words.asked}: {words.a}",)
    kind = QuestionKind.SHORT_ANSWER
    if words.template in CHOICES:
        kind, answers = QuestionKind.MULTIPLE_CHOICE, (rng.choice("ABCD"),)
        options = tuple(rng.sample(TERMS[discipline][language], 4))
    elif words.template == len(TEMPLATES[language]) - 1:
        kind, answers = QuestionKind.TRUE_OR_FALSE, (rng.choice(("True", "False")),)
    elif "{n}" in TEMPLATES[language][words.template]:
        answers = (str(words.n + words.m),)
    return Filled(discipline, language, kind, stem, options, answers, words)
