"""The prose of an answer: without fenced code and emphasis, with ASCII quotes and dashes.

A fence tagged with a programming language is code. A fence without a tag, or tagged as text or Markdown, is
text: models put letters and drafts into such fences.
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
    """The text of an answer, and the same text in lower case with the same positions."""

    text: str
    low: str

    def excerpt(self, start: int, end: int) -> dict[str, object]:
        """Return the line (from 1, counting code lines) and the words of a span, as evidence."""
        return {"line": self.text.count("\n", 0, start) + 1, "words": cut(self.text[start:end].strip(), 160)}


def prose(answer: str, *, code: bool = False) -> Prose:
    """Return the prose of an answer, with `code` including its code.

    Reasoning before `</think>` is left out. At most `pattern.LONGEST` characters are read.
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
    """Return the text with concatenated string literals ("on_" + "extra") written as one."""
    return _PUT_TOGETHER.sub("", text) if "'" in text or '"' in text else text


def without_code(text: str) -> str:
    """Return the text with empty lines instead of fenced code, and without the fences around text."""
    return FENCE.sub(_blanked, text) if "```" in text or "~~~" in text else text


def fence_tag(fence: re.Match[str]) -> str:
    """Return the language that a fence names, in lower case; "" for none."""
    words = fence["tag"].strip().lower().split()
    return words[0] if words else ""


def _blanked(fence: re.Match[str]) -> str:
    if fence_tag(fence) in TEXT_TAGS:
        return f"\n{fence['body']}"
    return "\n" * fence[0].count("\n")


_NUMBERED = re.compile(r"\n[ \t>]*(?:\d{1,3}|[a-zA-Z])[.)](?=[ \t])")
_ADDRESS = re.compile(r"\](?:\([^()\s]*(?:\([^()\s]*\))?[^()\s]*\)|\[[^\]\n]*\])")
_TAG = re.compile(r"</?[a-zA-Z][^<>\n]*>")


def words(answer: str) -> int:
    """Return the number of words of an answer's prose."""
    return words_of(without_code(visible(answer)))


def words_of(text: str) -> int:
    """Return the number of words of a text without fenced code, by the definition that all checks use.

    Words are separated by spaces or long dashes and contain a letter or digit: "don't", "state-of-the-art"
    and "3.5" are one word each, "fast—and" two. The numbers and bullets of list items, Markdown's marks,
    table rules, the address of a link with a text, and HTML tags are no words. Headings count.
    """
    if "](" in text or "][" in text:
        text = _ADDRESS.sub(" ", text)
    if "<" in text:
        text = _TAG.sub(" ", text)
    if "\u2014" in text:
        text = text.replace("\u2014", " ")
    tokens = [part for part in text.split() if part[0].isalnum() or any(map(str.isalnum, part))]
    return len(tokens) - sum(1 for _ in _NUMBERED.finditer(f"\n{text}"))
