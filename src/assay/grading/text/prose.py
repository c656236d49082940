"""An answer as prose: fenced code apart, typographic marks as ASCII, emphasis dropped.

A fence tagged with a programming language is code. A fence without a tag, or tagged as text or Markdown,
holds text: models put letters and drafts into such fences.
"""

from __future__ import annotations

import re
from dataclasses import dataclass

from assay.grading.text.answer import cut, visible
from assay.grading.text.pattern import LONGEST

TEXT_TAGS = frozenset(
    {"", "text", "txt", "plain", "plaintext", "markdown", "md", "email", "mail", "quote", "letter", "none"}
)
FENCE = re.compile(
    r"^[ \t>]{0,12}(?P<mark>`{3,}+|~{3,}+)[ \t]*(?P<tag>[^\n`]*)\n(?P<body>.*?)(?:^[ \t>]{0,12}"
    r"(?P=mark)[`~]*[ \t]*$|\Z)",
    re.MULTILINE | re.DOTALL,
)
_PLAIN = {
    **dict.fromkeys(map(ord, "\u2018\u2019\u201a\u201b\u2032"), "'"),
    **dict.fromkeys(map(ord, "\u201c\u201d\u201e\u201f\u00ab\u00bb\u2033"), '"'),
    **dict.fromkeys(map(ord, "\u2010\u2011\u2012\u2013\u2212"), "-"),
    **dict.fromkeys(map(ord, "\u2014\u2015"), " - "),
    **dict.fromkeys(map(ord, "\u00a0\u2007\u2009\u200a\u202f"), " "),
    **dict.fromkeys(map(ord, "\u200b\u200d\u2060\ufeff\u00ad\ufe0f"), ""),
    0x2026: "...",
}
_PUT_TOGETHER = re.compile(r"(?<=\w)([\"'])[ \t]{0,4}(?:\+[ \t]{0,4})?\1(?=\w)")
_UNDERSCORED = re.compile(r"(?<!\w)__?(?=[^\W_])([^_\n]{1,200})(?<=[^\s_])__?(?!\w)")


@dataclass(frozen=True, slots=True)
class Prose:
    """The text of an answer and the same in small letters, position by position."""

    text: str
    low: str

    def place(self, start: int, end: int) -> dict[str, object]:
        """Return the line (from 1, code lines counted) and the words at a span, as evidence."""
        return {"line": self.text.count("\n", 0, start) + 1, "words": cut(self.text[start:end].strip(), 160)}


def prose(answer: str, *, code: bool = False) -> Prose:
    """Return the prose of an answer, or with `code` the same reading of all that it holds.

    Reasoning left before `</think>` is no part of it. At most `pattern.LONGEST` characters are read.
    """
    text = visible(answer)[:LONGEST]
    if not code:
        text = without_code(text)
    return marked_down(text)


def marked_down(text: str) -> Prose:
    """Return a text without emphasis and backticks, with ASCII quotes, dashes and spaces."""
    if not text.isascii():
        text = text.translate(_PLAIN)
    text = text.replace("*", "").replace("`", "")
    if "_" in text:
        text = _UNDERSCORED.sub(r"\1", text)
    low = text.lower()
    return Prose(text if len(low) == len(text) else low, low)


def joined(text: str) -> str:
    """Return the text with string literals that code puts together ("on_" + "extra") written as one."""
    return _PUT_TOGETHER.sub("", text) if "'" in text or '"' in text else text


def without_code(text: str) -> str:
    """Return the text with empty lines in the place of fenced code; fences around text are taken off."""
    return FENCE.sub(_blanked, text) if "```" in text or "~~~" in text else text


def fence_tag(found: re.Match[str]) -> str:
    """Return the language that a fence names, in small letters; "" for none."""
    words = found["tag"].strip().lower().split()
    return words[0] if words else ""


def _blanked(found: re.Match[str]) -> str:
    if fence_tag(found) in TEXT_TAGS:
        return f"\n{found['body']}"
    return "\n" * found[0].count("\n")
