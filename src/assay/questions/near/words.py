"""What a question says, as a list of words: without case, widths, punctuation, preambles and small words."""

from __future__ import annotations

import json
import re
from collections.abc import Sequence
from importlib import resources
from operator import add

from assay.questions.digest import folded

_LISTS = json.loads(
    resources.files("assay.questions.near").joinpath("vocabulary.json").read_text(encoding="utf-8")
)
SMALL: frozenset[str] = frozenset(_LISTS["small"])
"""English words that may come, go or change without another question being asked."""

INSTRUCTIONS: frozenset[str] = SMALL.union(_LISTS["instructions"])
"""What a preamble is made of: a first clause with nothing else in it is not part of the question."""

GUARDED: frozenset[str] = frozenset(_LISTS["guarded"]).union(_LISTS["spelled_from_two"])
"""English words that make another question when they come, go or change."""

GUARDED_HAN: frozenset[str] = frozenset(_LISTS["guarded_han"])
"""Chinese characters of the same effect, wherever they come, go or change."""

OPPOSITES_HAN: frozenset[str] = frozenset(_LISTS["opposites_han"])
"""Those of the same effect when they come or go alone, or are exchanged for one another."""

HAN = "\u3400-\u9fff\uf900-\ufaff"
_SAME: dict[str, str] = _LISTS["same_han"]
_SPELLED = {str(value): word for value, word in enumerate(_LISTS["spelled_from_two"], start=2)}
_MEANT = (dict.fromkeys(SMALL, "") | _SPELLED).get
"""Returns nothing for a small word, the word for a small number, and else what it is given."""

_TOKEN = re.compile(
    rf"[{HAN}]|[^\W\d_{HAN}]+|\d+(?:\.\d+)?|[+*^=<>≤≥≠√×÷±%]|[-−](?=\s?\d|\s?[a-z]\b)",
)
_RUN = re.compile(_TOKEN.pattern.replace(f"[{HAN}]|", f"[{HAN}]+|", 1))
_THOUSANDS = re.compile(r"(?<=\d), ?(?=\d{3}(?!\d))")
_NUMBERING = re.compile(r"(?:(?:question|q|第)\s*\d+\s*题?\s*[.、:)]|\d+\s*[.、:)](?!\d))\s*")
_LETTER = re.compile(r"[(\[]?[a-h][)\].、:]\s*")
_NOT = re.compile(r"n['’]t\b|\bcannot\b")
_SPLIT = re.compile(rf"(?<=[{HAN}])\s+(?=[{HAN}])")
_CLAUSE = re.compile(r"[^.:!?,\d]{3,60}(?:\s\d+)?[.:,]\s+(?=\S)")
_PREAMBLE = re.compile(
    r"(?:(?:请?(?:认真|仔细)?(?:回答|作答|选择|阅读)(?:下列|以下)?(?:问题|题目|各题|正确答案)?"
    r"|请问|试问|问题|题目|[单多]选题|判断题|填空题|简答题|选择题|请|试)\s*[::,,。]?\s*)+"
)
_SYNONYM = re.compile("|".join(sorted(_SAME, key=len, reverse=True)))


def words(text: str) -> list[str]:
    """Return what a stem says in order: words, single Chinese characters, numbers and operators.

    Left out are case, widths, white space, punctuation, a number before the question, a preamble such as
    "Please answer:", and small words; synonymous small words of Chinese become one, and so do 2 and two.
    """
    return _told(_stem(text))


def option_words(text: str) -> list[str]:
    """Return what an option says, without the letter before it."""
    return _told(_option(text))


def stem_pieces(text: str) -> list[str]:
    """Return `pieces(words(text))`, faster."""
    return _pieces(_stem(text))


def option_pieces(text: str) -> list[str]:
    """Return `pieces(option_words(text))`, faster."""
    return _pieces(_option(text))


def _stem(text: str) -> str:
    text = _unnumbered(folded(text))
    found = _CLAUSE.match(text) if text[:1].isalpha() else None
    if found and INSTRUCTIONS.issuperset(found[0].strip(" .:,0123456789").split()):
        text = _unnumbered(text[found.end() :])
    if not text.isascii():
        text = _SPLIT.sub("", text)
        found = _PREAMBLE.match(text)
        if found and found.end() < len(text):
            text = _unnumbered(text[found.end() :])
    return _same(text)


def _option(text: str) -> str:
    text = folded(text)
    found = _LETTER.match(text)
    return _same(text[found.end() :] if found and found.end() < len(text) else text)


def _unnumbered(text: str) -> str:
    found = _NUMBERING.match(text)
    return text[found.end() :] if found and found.end() < len(text) else text


def _same(text: str) -> str:
    """Return a text with one way of writing for each of several that mean the same."""
    if not text.isascii():
        text = _SYNONYM.sub(lambda hit: _SAME[hit[0]], text)
    if "," in text:
        text = _THOUSANDS.sub("", text)
    if "'" in text or "’" in text or "cannot" in text:
        text = _NOT.sub(" not ", text)
    return text


def _told(text: str) -> list[str]:
    return [told for word in _TOKEN.findall(text) if (told := _MEANT(word, word))]


def numbers(told: Sequence[str]) -> tuple[str, ...]:
    """Return the numbers among words or pieces in order, but for 2 to 20, which may be spelled out."""
    return tuple([word for word in told if "0" <= word < ":"])


def is_han(word: str) -> bool:
    """Whether a word is a single Chinese character."""
    return "\u3400" <= word < "\ufb00"


def holds_han(told: Sequence[str]) -> bool:
    """Whether any of these words or pieces is Chinese."""
    return not "".join(told).isascii() and any(map(is_han, told))


def single(word: str) -> str:
    """Return an English word without the s of a plural, and any other as it is."""
    return word[:-1] if len(word) > 3 and word[-1] == "s" else word


def pieces(told: Sequence[str]) -> list[str]:
    """Return what texts are compared by: words and numbers, and pairs of neighbouring Chinese characters."""
    found = []
    before = ""
    for word in told:
        if is_han(word):
            if before:
                found.append(before + word)
            before = word
        else:
            found.append(single(word))
            before = ""
    return found


def _pieces(text: str) -> list[str]:
    found = []
    before = ""
    for run in _RUN.findall(text):
        if "\u3400" <= run < "\ufb00":
            if before:
                found.append(before + run[0])
            found += map(add, run, run[1:])
            before = run[-1]
        elif word := _MEANT(run, run):
            found.append(word[:-1] if word[-1] == "s" and len(word) > 3 else word)
            before = ""
    return found
