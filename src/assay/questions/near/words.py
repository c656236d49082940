"""What a question says, as a list of words: without case, widths, punctuation, preambles and small words."""

from __future__ import annotations

import json
import re
from collections.abc import Sequence
from importlib import resources

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
_TOKEN = re.compile(
    rf"[{HAN}]|[^\W\d_{HAN}]+|\d+(?:\.\d+)?|[+*^=<>≤≥≠√×÷±%]|[-−](?=\s?\d|\s?[a-z]\b)",
)
_THOUSANDS = re.compile(r"(?<=\d),(?=\d{3}(?!\d))")
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
    text = _unnumbered(folded(text))
    found = _CLAUSE.match(text)
    if found and text[0].isalpha() and INSTRUCTIONS.issuperset(found[0].strip(" .:,0123456789").split()):
        text = _unnumbered(text[found.end() :])
    if not text.isascii():
        text = _SPLIT.sub("", text)
        found = _PREAMBLE.match(text)
        if found and found.end() < len(text):
            text = _unnumbered(text[found.end() :])
    return _told(text)


def option_words(text: str) -> list[str]:
    """Return what an option says, without the letter before it."""
    text = folded(text)
    found = _LETTER.match(text)
    return _told(text[found.end() :] if found and found.end() < len(text) else text)


def _unnumbered(text: str) -> str:
    found = _NUMBERING.match(text)
    return text[found.end() :] if found and found.end() < len(text) else text


def _told(text: str) -> list[str]:
    if not text.isascii():
        text = _SYNONYM.sub(lambda hit: _SAME[hit[0]], text)
    if "," in text:
        text = _THOUSANDS.sub("", text)
    if "'" in text or "’" in text or "cannot" in text:
        text = _NOT.sub(" not ", text)
    return [_SPELLED.get(word, word) for word in _TOKEN.findall(text) if word not in SMALL]


def numbers(told: Sequence[str]) -> tuple[str, ...]:
    """Return the numbers among the words in order, but for 2 to 20, which may be spelled out."""
    return tuple([word for word in told if word[0].isdigit()])


def is_han(word: str) -> bool:
    """Whether a word is a single Chinese character."""
    return "\u3400" <= word[0] <= "\ufaff"


def single(word: str) -> str:
    """Return an English word without the s of a plural, and any other as it is."""
    return word[:-1] if len(word) > 3 and word[-1] == "s" else word


def pieces(told: Sequence[str]) -> list[str]:
    """Return what texts are compared by: words and numbers, and pairs of neighbouring Chinese characters."""
    found = []
    before = ""
    for word in told:
        if "\u3400" <= word <= "\ufaff":
            if before:
                found.append(before + word)
            before = word
        else:
            found.append(single(word))
            before = ""
    return found
