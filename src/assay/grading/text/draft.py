"""Extracting the requested text from what a model writes around it ("Here is the email:", "(148 words)")."""

from __future__ import annotations

import re
from collections.abc import Iterator
from itertools import pairwise

from assay.grading.text.answer import visible
from assay.grading.text.lexicon import Lexicon
from assay.grading.text.prose import FENCE, TEXT_TAGS, fence_tag, without_code

_DRAFTS = Lexicon("drafts")

_RULE = re.compile(r"^[ \t]*(?:-{3,}|\*{3,}|_{3,})[ \t]*$", re.MULTILINE)
_QUOTED = re.compile(r"(?:^[ \t]*>[^\n]*(?:\n|\Z))+", re.MULTILINE)
_ENDNOTE = re.compile(
    r"\s*[*_]*[(\[][^()\[\]\n]{0,30}\bwords?\b[^()\[\]\n]{0,20}[)\]][*_]*\s*\Z", re.IGNORECASE
)

_VERSION = re.compile(
    r"^[ \t>]{0,9}(?:\d{1,2}[.)][ \t]+|[-+*][ \t]+)?"
    r"(?=\#|\*|_|[^\n]{1,70}:[ \t]*$)(?:\#{1,6}[ \t]+)?(?:[*_]{1,3})?"
    r"(?P<name>[^\W_][^*_\n.!?]{0,70}?)[ \t]*(?::[*_]{0,3}|[*_]{1,3}:|[*_]{0,3}[ \t]*$)[ \t]*",
    re.MULTILINE,
)


def readings(answer: str) -> Iterator[tuple[str, str]]:
    """Yield the parts of an answer that may be the requested text, each with a name.

    The whole answer first; then without the lines around it, also without headings; then its quotations,
    fenced blocks and the text between rules. A part that equals an earlier one is left out.
    """
    seen: set[str] = set()
    for name, text in _parts(answer):
        bare = text.strip()
        if bare and bare not in seen:
            seen.add(bare)
            yield name, bare


def versions(answer: str) -> list[str]:
    """Return the versions that an answer gives under labels ("Option 1", "Before", "**Shortened:**").

    Versions labelled as the original or a rejected attempt are left out, and so are remarks. If one is called
    final or shortened, only the last such version is returned. Empty if there are no labelled versions.
    """
    whole = without_code(visible(answer))
    labels = list(_VERSION.finditer(whole))
    if not labels:
        return []
    announced = _DRAFTS.several.search(whole, 0, labels[0].start())
    ends = [label.start() for label in labels[1:]] + [len(whole)]
    named = [
        (label["name"].lower(), _without_last_remark(whole[label.end() : end]))
        for label, end in zip(labels, ends, strict=True)
    ]
    candidates = [
        (name, text)
        for name, text in named
        if text and not (_DRAFTS.source.search(name) or _DRAFTS.remark.search(name))
    ]
    final = [text for name, text in candidates if _DRAFTS.final.search(name)]
    if final or not (announced or any(_DRAFTS.several.search(name) for name, _ in named)):
        return final[-1:]
    return [text for _, text in candidates]


def _without_last_remark(text: str) -> str:
    """Return a version without a closing paragraph about its length or addressed to the reader."""
    first, gap, last = _RULE.sub("", text).strip().rpartition("\n\n")
    return first.strip() if gap and _DRAFTS.closing.search(last) else f"{first}{gap}{last}".strip()


def _parts(answer: str) -> Iterator[tuple[str, str]]:
    shown = visible(answer)
    whole = without_code(shown)
    yield "the whole answer", whole
    inner = unframed(whole)
    yield "without the surrounding text", inner
    yield "without headings", _DRAFTS.heading.sub("", inner)
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
        yield "between rules, without headings", _DRAFTS.heading.sub("", longest)


def unframed(text: str) -> str:
    """Return a text without an introductory first line and without remarks at its end."""
    opening = _DRAFTS.opening.match(text)
    if opening and opening[0].rstrip(" *_\n").endswith((":", "!", ".", ")")) and len(opening[0]) < 200:
        rest = text[opening.end() :]
        text = rest if rest.strip() else text
    labelled = _DRAFTS.label.match(text)
    if labelled and text[labelled.end() :].strip():
        text = text[labelled.end() :]
    at = text.find("\n")
    while at >= 0:
        blank = text.startswith("\n", at + 1)
        if not blank and _DRAFTS.tail.match(text, at + 1) and text[:at].strip():
            text = text[:at]
            break
        at = text.find("\n", at + 1)
    text = _RULE.sub("", text)
    note = _ENDNOTE.search(text[-120:])
    return text[: len(text) - 120 + note.start()] if note and len(text) > 120 else text
