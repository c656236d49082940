"""Words of a text, for comparing texts: plain tokens, the words that carry content, the normal form."""

from __future__ import annotations

import re
import unicodedata

from assay.causal.lint.numbers import alone

_TOKEN = re.compile(r"[^\W_]+(?:[.,/'’-][^\W_]+)*", re.UNICODE)
_SPACE = re.compile(r"\s+")
_QUOTES = " \"'`*“”‘’"

_STOP = """
a an the and or but so of in on at to from by for with within into onto over under as is are was were be
been being has have had do does did this that these those it its their there here which who whom whose
what when where while than then also because since both each either such same he she they we you i his her
our your them him us one ones will would shall should
"""
STOP = frozenset(_STOP.split())
"""Words that say nothing of their own; hedges, negations and absolute words are not among them."""


def words(text: str) -> tuple[str, ...]:
    """Return the words of a text in order, in lower case but for single capitals (names of variables)."""
    return tuple(
        token if len(token) == 1 and token.isupper() and token != "I" else token.lower()
        for token in _TOKEN.findall(text.replace("−", "-"))
    )


def content(tokens: tuple[str, ...]) -> frozenset[str]:
    """Return the distinct words that carry content."""
    return frozenset(tokens) - STOP


def normal(text: str) -> str:
    """Return a text without what makes no difference: case, spaces, outer punctuation, spelling of a number.

    `0.50`, `50 %` and `1/2` are the same.
    """
    folded = (
        _SPACE.sub(" ", unicodedata.normalize("NFKC", text))
        .casefold()
        .strip(_QUOTES)
        .rstrip(_QUOTES + ".,;:!?")
    )
    number = alone(folded)
    return folded if number is None else str(number.value)


def jaccard(one: frozenset[str], other: frozenset[str]) -> float:
    """Return the share of the words of two sets that both have; 0 for two empty sets."""
    union = len(one | other)
    return len(one & other) / union if union else 0.0
