"""Constraints on capital and small letters."""

from __future__ import annotations

import re
from collections.abc import Callable

from assay.grading.constraint_kinds.kind import (
    Demands,
    Finding,
    Kind,
    Parameters,
    allow,
    compared,
    count,
    relation,
)
from assay.grading.constraint_kinds.language import detect

# What parts words for counting capitals: spaces, marks, and apostrophes, so that "I'm" holds the word "I".
PARTS = re.compile(r"[\s,;:?!()\[\]{}<>\"“”«»'’‘`&@#$%…]+|--+")


def capital_words(answer: str) -> list[str]:
    """Return the words whose letters are all capitals ("I" and "U.S." are; "CO2" is; "12" is not)."""
    return [word for word in PARTS.split(answer) if word.isupper()]


def _capital_words(answer: str, parameters: Parameters) -> Finding:
    number = len(capital_words(answer))
    how, wanted = parameters["capital_relation"], parameters["capital_frequency"]
    return compared(number, how, wanted, "words in capitals")


def _capital(answer: str, parameters: Parameters) -> Finding:
    return _one_case(answer, answer.isupper(), str.islower, "capital letters only, in English")


def _lowercase(answer: str, parameters: Parameters) -> Finding:
    return _one_case(answer, answer.islower(), str.isupper, "small letters only, in English")


def _one_case(answer: str, holds: bool, offends: Callable[[str], bool], wanted: str) -> Finding:
    language = detect(answer)
    others = sum(1 for character in answer if offends(character))
    counted = {"letters of the other case": others, "language": language}
    return Finding(holds and language in ("en", None), counted, wanted)


KINDS = (
    Kind(
        "change_case:capital_word_frequency",
        (relation("capital_relation"), count("capital_frequency")),
        _capital_words,
        lambda given: Demands(
            ranges=(allow("words in capitals", given["capital_relation"], given["capital_frequency"]),)
        ),
    ),
    Kind("change_case:english_capital", (), _capital, lambda given: Demands(case="upper", language="en")),
    Kind("change_case:english_lowercase", (), _lowercase, lambda given: Demands(case="lower", language="en")),
)
