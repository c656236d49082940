"""Declared normalisations of texts before they are compared: case, spaces, markup, punctuation, accents."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from assay.grading.text.plain_math import plain

_SPACES = re.compile(r"\s+")
_ARTICLES = re.compile(r"\b(?:a|an|the)\b", re.IGNORECASE)
_QUOTES = dict.fromkeys(map(ord, "“”„‟«»"), '"') | dict.fromkeys(map(ord, "‘’‚‛`´"), "'")
_DASHES = dict.fromkeys(map(ord, "‐‑‒–—−"), "-")
_LIKENESS = _QUOTES | _DASHES | {0x2026: "...", 0x00A0: " ", 0x202F: " "}
_WRAPPING = "*_`'\" \t\r\n"


@dataclass(frozen=True, slots=True)
class TextNormalisation:
    """The differences between two texts that are ignored. Unicode is always composed (NFC).

    `ignore_markup` drops bold and code marks, LaTeX, quotation marks around the text and a final full stop,
    and replaces typographic quotes and dashes; `ignore_space` reduces white space to single spaces.
    """

    ignore_case: bool = True
    ignore_space: bool = True
    ignore_markup: bool = True
    ignore_punctuation: bool = False
    ignore_accents: bool = False
    ignore_articles: bool = False

    def normal(self, text: str) -> str:
        """Return the normalised text."""
        if not text.isascii():
            text = unicodedata.normalize("NFC", text)
            if self.ignore_markup:
                text = text.translate(_LIKENESS)
        if self.ignore_markup:
            text = _without_markup(text)
        if self.ignore_accents and not text.isascii():
            marks = unicodedata.normalize("NFD", text)
            text = "".join(sign for sign in marks if not unicodedata.combining(sign))
        if self.ignore_case:
            text = text.casefold()
        if self.ignore_articles:
            text = _ARTICLES.sub(" ", text)
        if self.ignore_punctuation:
            text = "".join(sign for sign in text if not unicodedata.category(sign).startswith("P"))
        return _SPACES.sub(" ", text).strip() if self.ignore_space or self.ignore_articles else text

    @property
    def ignored(self) -> list[str]:
        """The names of the ignored differences, for the evidence."""
        return [name.removeprefix("ignore_") for name in SWITCHES if getattr(self, name)]


SWITCHES = tuple(TextNormalisation.__dataclass_fields__)


def _without_markup(text: str) -> str:
    if "\\" in text or "$" in text or "{" in text:
        text = plain(text)
    stripped = text.strip(_WRAPPING)
    if stripped.endswith(".") and not stripped.endswith(".."):
        stripped = stripped[:-1].rstrip(_WRAPPING)
    return stripped.replace("**", "")


def declared_normalisation(parameters: Mapping[str, Any]) -> TextNormalisation:
    """Return the normalisation that these parameters declare."""
    return TextNormalisation(**{name: parameters[name] for name in SWITCHES if name in parameters})


def normalisation_problems(parameters: Mapping[str, Any]) -> list[str]:
    """Return the problems of the normalisation's parameters."""
    return [
        f"{name} must be true or false, not {parameters[name]!r}"
        for name in SWITCHES
        if not isinstance(parameters.get(name, True), bool)
    ]
