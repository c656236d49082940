"""Inflected forms of English words, by rules and a table of irregular verbs."""

from __future__ import annotations

import re
from functools import cache

from assay.grading.text.lexicon import single_words, table

_VOWELS = "aeiou"
_ONE_VOWEL = re.compile(r"[^aeiou]*[aeiou][^aeiouwxy]\Z")
_LAST_DOUBLES = re.compile(r"[a-z]*[^aeiou][aeiou][bdgklmnprt]\Z")
_ADVERB = re.compile(r"[a-z]{5,}\Z")
_REGULAR = re.compile(r"[a-z]*[aeiouy][a-z]*\Z")


@cache
def _irregular() -> dict[str, list[str]]:
    return {word: others.split() for others, word in table("inflection", "irregular")}


@cache
def forms(word: str) -> frozenset[str]:
    """Return the forms of a word in lower case, including the word itself.

    Plural, third person, past, participle, and the adverb in -ly of words of five letters and more. Words of
    one or two letters, or with characters other than a to z, have only irregular forms.
    """
    word = word.lower()
    result = {word, *_irregular().get(word, ())}
    if (
        len(word) < 3
        or not _REGULAR.match(word)
        or word in single_words("inflection", "invariant")
        or word.endswith("ly")
    ):
        return frozenset(result)
    ends_in_consonant_y = word.endswith("y") and word[-2] not in _VOWELS
    if ends_in_consonant_y:
        result |= {f"{word[:-1]}ies", f"{word[:-1]}ied", f"{word}ing"}
    elif word.endswith(("s", "x", "z", "ch", "sh", "o")):
        result |= {f"{word}es", f"{word}ed", f"{word}ing", f"{word}s" if word.endswith("o") else word}
    elif word.endswith("e"):
        stem = word[:-1]
        result |= {f"{word}s", f"{word}d" if len(word) > 3 or word[-2] not in "e" else word, f"{stem}ing"}
        if word.endswith(("ee", "oe", "ye")):
            result.add(f"{word}ing")
    else:
        result.add(f"{word}s")
        if not _ONE_VOWEL.match(word):
            result |= {f"{word}ed", f"{word}ing"}
        if _LAST_DOUBLES.match(word):
            result |= {f"{word}{word[-1]}ed", f"{word}{word[-1]}ing"}
        elif _ONE_VOWEL.match(word):
            result |= {f"{word}ed", f"{word}ing"}
    result |= _adverbs(word)
    return frozenset((result - single_words("inflection", "other words")) | {word})


def _adverbs(word: str) -> set[str]:
    if not _ADVERB.match(word) or word.endswith("ly"):
        return set()
    if word.endswith("le"):
        return {f"{word[:-1]}y"}
    if word.endswith("ic"):
        return {f"{word}ally"}
    if word.endswith("y"):
        return {f"{word[:-1]}ily"}
    return {f"{word}ly"}


def pattern(words: tuple[str, ...], *, inflected: bool) -> re.Pattern[str]:
    """Return a pattern of these words and phrases in lower case; group 1 is the word or phrase.

    Spaces and hyphens in a phrase are interchangeable; a possessive counts as the word, but "can't" not as
    "can".
    """
    every = sorted(
        {source for word in words for source in _sources(word, inflected)},
        key=lambda form: (-len(form), form),
    )
    return re.compile(rf"(?<![\w'])({'|'.join(every)})(?!\w|'t\b)" if every else r"(?!)")


def _sources(phrase: str, inflected: bool) -> set[str]:
    parts = re.split(r"(\s+|-)", phrase.strip().lower().replace("\u2019", "'"))
    pieces = []
    for part in parts:
        if part == "-":
            pieces.append(r"[\s-]?")
        elif part.isspace():
            pieces.append(r"[\s-]+")
        elif inflected:
            all_forms = sorted(forms(part), key=lambda form: (-len(form), form))
            pieces.append(_factored(part, all_forms) if len(all_forms) > 1 else re.escape(part))
        else:
            pieces.append(re.escape(part))
    return {"".join(pieces)} if parts else set()


def _factored(word: str, all_forms: list[str]) -> str:
    """Return the forms as a pattern that begins with their common prefix, so that a scan fails early."""
    shared = 0
    while all(len(form) > shared and form[shared] == word[shared : shared + 1] for form in all_forms):
        shared += 1
    tails = "|".join(re.escape(form[shared:]) for form in all_forms)
    return f"{re.escape(word[:shared])}(?:{tails})"
