"""Constraints on words and letters that must or must not occur."""

from __future__ import annotations

import re

from assay.grading.constraint_kinds.kind import (
    Demands,
    Finding,
    Kind,
    Parameters,
    Range,
    allow,
    compared,
    count,
    letter,
    relation,
    text,
    texts,
)


def _occurrences(word: str, answer: str) -> int:
    return len(re.findall(re.escape(word), answer, re.IGNORECASE))


def whole(word: str) -> re.Pattern[str]:
    """Return the pattern that finds a word where no letter or digit touches it; case is ignored."""
    return re.compile(rf"(?<!\w){re.escape(word)}(?!\w)", re.IGNORECASE)


def _existence(answer: str, parameters: Parameters) -> Finding:
    counts = {word: _occurrences(word, answer) for word in parameters["keywords"]}
    return Finding(all(counts.values()), counts, "each keyword at least once")


def _frequency(answer: str, parameters: Parameters) -> Finding:
    word = parameters["keyword"].strip()
    return compared(_occurrences(word, answer), parameters["relation"], parameters["frequency"], repr(word))


def _forbidden(answer: str, parameters: Parameters) -> Finding:
    counts = {word: len(whole(word).findall(answer)) for word in parameters["forbidden_words"]}
    return Finding(not any(counts.values()), counts, "none of these words")


def _letter_frequency(answer: str, parameters: Parameters) -> Finding:
    mark = parameters["letter"].lower()
    number = answer.lower().count(mark)
    return compared(number, parameters["let_relation"], parameters["let_frequency"], repr(mark))


def _no_letter(answer: str, parameters: Parameters) -> Finding:
    mark = parameters["letter"].casefold()
    words = [word for word in answer.split() if mark in word.casefold()]
    counted = {"count": answer.casefold().count(mark), "words": words[:5]}
    return Finding(not words, counted, f"no {mark!r}")


def _order(answer: str, parameters: Parameters) -> Finding:
    places = [
        found.start() if (found := whole(word).search(answer)) else None for word in parameters["keywords"]
    ]
    known = [place for place in places if place is not None]
    followed = len(known) == len(places) and known == sorted(known)
    counted = dict(zip(parameters["keywords"], places, strict=True))
    return Finding(followed, counted, "first occurrences in this order: " + ", ".join(parameters["keywords"]))


def _frequency_demands(given: Parameters) -> Demands:
    allowed = allow(
        f"occurrences of {given['keyword'].strip().casefold()!r}", given["relation"], given["frequency"]
    )
    return Demands((allowed,), phrases=(given["keyword"].strip(),) if allowed.least else ())


def _letter_demands(given: Parameters) -> Demands:
    mark = given["letter"].casefold()
    return Demands((allow(f"occurrences of {mark!r}", given["let_relation"], given["let_frequency"]),))


def _one_letter_absent(given: Parameters) -> Demands:
    mark = given["letter"].casefold()
    return Demands((Range(f"occurrences of {mark!r}", 0, 0),), letters=mark)


def _distinct(given: Parameters) -> tuple[str, ...]:
    words = [word.casefold() for word in given["keywords"]]
    return () if len(set(words)) == len(words) else (f"keywords repeats a word: {given['keywords']!r}",)


KINDS = (
    Kind(
        "keywords:existence",
        (texts("keywords"),),
        _existence,
        lambda given: Demands(phrases=tuple(given["keywords"])),
    ),
    Kind(
        "keywords:frequency",
        (text("keyword"), relation(), count("frequency")),
        _frequency,
        _frequency_demands,
    ),
    Kind(
        "keywords:forbidden_words",
        (texts("forbidden_words"),),
        _forbidden,
        lambda given: Demands(words=tuple(given["forbidden_words"])),
    ),
    Kind(
        "keywords:letter_frequency",
        (letter(), relation("let_relation"), count("let_frequency")),
        _letter_frequency,
        _letter_demands,
    ),
    Kind("assay:no_letter", (letter(),), _no_letter, _one_letter_absent),
    Kind(
        "assay:keyword_order",
        (texts("keywords"),),
        _order,
        lambda given: Demands(phrases=tuple(given["keywords"])),
        _distinct,
    ),
)
