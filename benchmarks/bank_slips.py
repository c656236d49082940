"""Typing errors in English and Chinese questions: letters swapped, left out, doubled or replaced."""

from __future__ import annotations

import random
import re
from typing import NamedTuple

from bank_filling import WORDS, Filled

WORD = re.compile(r"(?<![\\A-Za-z])[A-Za-z][a-z]{3,}(?![A-Za-z])")
HAN = re.compile(r"[\u4e00-\u9fff]")


class Text(NamedTuple):
    """The text to edit; `made_of` is set for a synthetic question."""

    stem: str
    options: tuple[str, ...]
    han: bool
    made_of: Filled | None = None

    @property
    def language(self) -> str:
        """The code of its language."""
        return "zh" if self.han else "en"


def slip(text: Text, rng: random.Random) -> Text | None:
    """Return the question with one typing error, in a word of four letters or more, or in a character."""
    if text.han:
        return _slip_of_han(text, rng)
    found = list(WORD.finditer(text.stem))
    if not found:
        return None
    word = rng.choice(found)
    letters = list(word[0])
    at = rng.randrange(len(letters) - 1)
    match rng.randrange(4):
        case 0:
            letters[at], letters[at + 1] = letters[at + 1], letters[at]
        case 1:
            del letters[at]
        case 2:
            letters.insert(at, letters[at])
        case _:
            letters[at] = rng.choice("abcdefghijklmnopqrstuvwxyz")
    return text._replace(stem=text.stem[: word.start()] + "".join(letters) + text.stem[word.end() :])


def _slip_of_han(text: Text, rng: random.Random) -> Text | None:
    found = [hit.start() for hit in HAN.finditer(text.stem) if hit[0] not in WORDS["never_slipped_han"]]
    if len(found) < 4:
        return None
    at = rng.choice(found)
    wrong = rng.choice((_common_han(rng), "", text.stem[at] * 2))
    return text._replace(stem=text.stem[:at] + wrong + text.stem[at + 1 :])


def _common_han(rng: random.Random) -> str:
    """Return one of the 3,755 most common characters, which GB 2312 lists first."""
    return bytes((rng.randrange(0xB0, 0xD7), rng.randrange(0xA1, 0xFF))).decode("gb2312")


def two_slips(text: Text, rng: random.Random) -> Text | None:
    """Return the question with two typing errors."""
    once = slip(text, rng)
    return once and slip(once, rng)
