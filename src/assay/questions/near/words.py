"""The words of a question, without case, widths, punctuation, preambles and small words."""

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
"""English words that can be added, removed or changed without changing a question."""

INSTRUCTIONS: frozenset[str] = SMALL.union(_LISTS["instructions"])
"""The words of preambles. A first clause with no other words is not part of the question."""

GUARDED: frozenset[str] = frozenset(_LISTS["guarded"]).union(_LISTS["spelled_from_two"])
"""English words that change a question if they are added, removed or changed."""

GUARDED_HAN: frozenset[str] = frozenset(_LISTS["guarded_han"])
"""Chinese characters that change a question if they are added, removed or changed."""

OPPOSITES_HAN: frozenset[str] = frozenset(_LISTS["opposites_han"])
"""Chinese characters that change a question if they alone are added or removed, or exchanged."""

HAN = "\u3400-\u9fff\uf900-\ufaff"
_SAME: dict[str, str] = _LISTS["same_han"]
_SPELLED = {str(value): word for value, word in enumerate(_LISTS["spelled_from_two"], start=2)}
_MEANT = (dict.fromkeys(SMALL, "") | _SPELLED).get
"""Returns an empty text for a small word, the word for a small number, and any other word itself."""

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
    """Return the words of a stem in order: words, single Chinese characters, numbers and operators.

    Case, widths, white space, punctuation, a number before the question, a preamble such as "Please answer:"
    and small words are left out. Synonymous small words of Chinese become one word, and so do 2 and two.
    """
    return _split_words(_stem(text))


def option_words(text: str) -> list[str]:
    """Return the words of an option, without its letter."""
    return _split_words(_option(text))


def stem_pieces(text: str) -> list[str]:
    """Return `pieces(words(text))`, faster."""
    return _pieces(_stem(text))


def option_pieces(text: str) -> list[str]:
    """Return `pieces(option_words(text))`, faster."""
    return _pieces(_option(text))


def _stem(text: str) -> str:
    text = _unnumbered(folded(text))
    match = _CLAUSE.match(text) if text[:1].isalpha() else None
    if match and INSTRUCTIONS.issuperset(match[0].strip(" .:,0123456789").split()):
        text = _unnumbered(text[match.end() :])
    if not text.isascii():
        text = _SPLIT.sub("", text)
        match = _PREAMBLE.match(text)
        if match and match.end() < len(text):
            text = _unnumbered(text[match.end() :])
    return _same(text)


def _option(text: str) -> str:
    text = folded(text)
    match = _LETTER.match(text)
    return _same(text[match.end() :] if match and match.end() < len(text) else text)


def _unnumbered(text: str) -> str:
    match = _NUMBERING.match(text)
    return text[match.end() :] if match and match.end() < len(text) else text


def _same(text: str) -> str:
    """Return a text with one spelling of words that have several."""
    if not text.isascii():
        text = _SYNONYM.sub(lambda hit: _SAME[hit[0]], text)
    if "," in text:
        text = _THOUSANDS.sub("", text)
    if "'" in text or "’" in text or "cannot" in text:
        text = _NOT.sub(" not ", text)
    return text


def _split_words(text: str) -> list[str]:
    return [meant for word in _TOKEN.findall(text) if (meant := _MEANT(word, word))]


def numbers(tokens: Sequence[str]) -> tuple[str, ...]:
    """Return the numbers among words or pieces in order, except 2 to 20, which are words."""
    return tuple([word for word in tokens if "0" <= word < ":"])


def is_han(word: str) -> bool:
    """Whether a word is a single Chinese character."""
    return "\u3400" <= word < "\ufb00"


def holds_han(tokens: Sequence[str]) -> bool:
    """Whether any of these words or pieces is Chinese."""
    return not "".join(tokens).isascii() and any(map(is_han, tokens))


def single(word: str) -> str:
    """Return an English word without the s of a plural."""
    return word[:-1] if len(word) > 3 and word[-1] == "s" else word


def pieces(tokens: Sequence[str]) -> list[str]:
    """Return the pieces by which texts are compared: words, numbers, pairs of adjacent Chinese characters."""
    result = []
    before = ""
    for word in tokens:
        if is_han(word):
            if before:
                result.append(before + word)
            before = word
        else:
            result.append(single(word))
            before = ""
    return result


def _pieces(text: str) -> list[str]:
    result = []
    before = ""
    for run in _RUN.findall(text):
        if "\u3400" <= run < "\ufb00":
            if before:
                result.append(before + run[0])
            result += map(add, run, run[1:])
            before = run[-1]
        elif word := _MEANT(run, run):
            result.append(word[:-1] if word[-1] == "s" and len(word) > 3 else word)
            before = ""
    return result
