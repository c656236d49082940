"""The text that was asked for, without what a model says around it ("Here is the email:", "(148 words)")."""

from __future__ import annotations

import re
from collections.abc import Iterator
from itertools import pairwise

from assay.grading.text.answer import visible
from assay.grading.text.prose import FENCE, TEXT_TAGS, fence_tag, without_code

_OPENING = re.compile(
    r"\A(?:[*_#>\s]*(?:sure|certainly|of\s+course|absolutely|got\s+it|okay|ok|here(?:'s|\s+is|\s+are"
    r"|\u2019s)|below\s+is|this\s+is|the\s+following|"
    r"(?:edited|revised|shortened|condensed|rewritten|trimmed|tightened|final|draft|result|answer|summary"
    r"|updated|reduced|new)\b)[^\n]*\n+)",
    re.IGNORECASE,
)
_LABEL = re.compile(
    r"\A[\s*_#]{0,40}(?:edited|revised|shortened|condensed|rewritten|trimmed|tightened|final|draft|result"
    r"|answer|summary|updated|concise)"
    r"(?:\s+\w+){0,3}?\s*(?:\([^()\n]*\))?\s*[*_]*:[*_]*\s*",
    re.IGNORECASE,
)
_TAIL = re.compile(
    r"[ \t]{0,20}[*_#>(\[~-]{0,12}[ \t]{0,20}(?:word\s*count|total\s+words?|count"
    r"|approx\w*\.?\s+\d+\s+words|(?:\u2248|~)?\s*\d+\s+words|exactly\s+\d+\s+words|"
    r"(?:key\s+|summary\s+of\s+|what\s+i\s+|main\s+)?(?:changes|edits|cuts|changed|cut|notes?|explanation"
    r"|rationale)\b[^\n]{0,60}(?::|\n|\Z)|let\s+me\s+know|would\s+you\s+like|"
    r"feel\s+free|i\s+(?:kept|cut|removed|trimmed|preserved|reduced|shortened|condensed|tightened)"
    r"|this\s+(?:version|edit|draft|comes|is\s+\d+|(?:reduces|keeps|cuts)\s+(?:it|all|out"
    r"|the\s+(?:text|paragraph|draft|length|word|original|core|meaning|key|essential|message|main))\b)|"
    r"(?:from|reduced|original)\b[^\n]{0,40}\d+\s+words)",
    re.IGNORECASE,
)
_RULE = re.compile(r"^[ \t]*(?:-{3,}|\*{3,}|_{3,})[ \t]*$", re.MULTILINE)
_QUOTED = re.compile(r"(?:^[ \t]*>[^\n]*(?:\n|\Z))+", re.MULTILINE)
_HEADING = re.compile(
    r"^[ \t]*(?:#{1,6}[ \t][^\n]*|\*\*[^*\n]{1,80}\*\*:?|[*_]*subject(?:\s+line)?[*_]*:[^\n]*)(?:\n|\Z)",
    re.MULTILINE | re.IGNORECASE,
)
_ENDNOTE = re.compile(
    r"\s*[*_]*[(\[][^()\[\]\n]{0,30}\bwords?\b[^()\[\]\n]{0,20}[)\]][*_]*\s*\Z", re.IGNORECASE
)


def readings(answer: str) -> Iterator[tuple[str, str]]:
    """Yield ways to read which part of an answer is the text that was asked for, with their names.

    The whole answer first; then without the lines around it, also without headings; then what it
    quotes, fences or sets between rules. A reading that equals an earlier one is left out.
    """
    seen: set[str] = set()
    for name, text in _every(answer):
        bare = text.strip()
        if bare and bare not in seen:
            seen.add(bare)
            yield name, bare


def _every(answer: str) -> Iterator[tuple[str, str]]:
    shown = visible(answer)
    whole = without_code(shown)
    yield "the whole answer", whole
    inner = unframed(whole)
    yield "without what stands around it", inner
    yield "without headings", _HEADING.sub("", inner)
    for fence in FENCE.finditer(shown) if "```" in shown else ():
        if fence_tag(fence) in TEXT_TAGS:
            yield "in a fence", fence["body"]
    for quote in _QUOTED.finditer(whole):
        yield "quoted", re.sub(r"^[ \t]*>[ \t]?", "", quote[0], flags=re.MULTILINE)
    rules = [rule.span() for rule in _RULE.finditer(whole)]
    if rules:
        edges = [(0, 0), *rules, (len(whole), len(whole))]
        parts = [whole[one[1] : other[0]] for one, other in pairwise(edges)]
        longest = max(parts, key=len)
        yield "between rules", longest
        yield "between rules, without headings", _HEADING.sub("", longest)


def unframed(text: str) -> str:
    """Return a text without its announcing first line and the remarks at its end."""
    opening = _OPENING.match(text)
    if opening and opening[0].rstrip(" *_\n").endswith((":", "!", ".", ")")) and len(opening[0]) < 200:
        rest = text[opening.end() :]
        text = rest if rest.strip() else text
    labelled = _LABEL.match(text)
    if labelled and text[labelled.end() :].strip():
        text = text[labelled.end() :]
    at = text.find("\n")
    while at >= 0:
        blank = text.startswith("\n", at + 1)
        if not blank and _TAIL.match(text, at + 1) and text[:at].strip():
            text = text[:at]
            break
        at = text.find("\n", at + 1)
    text = _RULE.sub("", text)
    note = _ENDNOTE.search(text[-120:])
    return text[: len(text) - 120 + note.start()] if note and len(text) > 120 else text
