"""Fill-in-the-blank replay: a model that restores a hidden piece of a question verbatim has seen it before.

Seed 003, finding 6: three attempts at each question, which is recalled if at least two are correct. The seed
does not specify the hidden piece and when it counts as correct; docs/methodology/contamination.md does.
"""

from __future__ import annotations

import math
import re
import unicodedata
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache
from importlib.resources import files
from typing import Final

from assay.core.ask import Message
from assay.core.question import Language, Question
from assay.questions.prompting import lettered

ATTEMPTS: Final = 3
NEEDED: Final = 2
GAP: Final = "[GAP]"
HIDDEN: Final[dict[Language, int]] = {"en": 6, "zh": 10}
"""The number of hidden tokens: words, or Chinese characters."""
SEEN: Final = 10
"""The least number of visible tokens."""
_TOKEN: Final = re.compile(r"[一-鿿㐀-䶿]|[^\W_一-鿿㐀-䶿]+")
_LETTER: Final = re.compile(r"^[A-Z]\. ")


@dataclass(frozen=True, slots=True)
class Cloze:
    """A text with one hidden piece, from character `start` to `end`."""

    text: str
    start: int
    end: int
    language: Language

    @property
    def hidden(self) -> str:
        """The hidden piece."""
        return self.text[self.start : self.end]

    @property
    def shown(self) -> str:
        """The text with a gap in place of the piece."""
        return f"{self.text[: self.start]}{GAP}{self.text[self.end :]}"


def clozes(questions: Sequence[Question]) -> list[Cloze | None]:
    """Return a cloze of each question, None if its text is too short.

    The piece is within one line (of the passage, the stem, or an option). Its words are the rarest among
    these questions and occur nowhere else in the text, so it cannot be inferred from knowledge of the subject
    or from the rest of the text. The same questions give the same pieces.
    """
    texts = [whole_text(question) for question in questions]
    known = Counter(word for text in texts for word in {word for word, _, _ in _tokens(text)})
    return [
        _cloze(text, question.language, known, len(texts))
        for text, question in zip(texts, questions, strict=True)
    ]


def whole_text(question: Question) -> str:
    """Return the text of a question: material, stem and lettered options on separate lines."""
    parts = (question.passage or "", question.stem, lettered(question.options))
    return "\n".join(part.strip() for part in parts if part.strip())


def replay_messages(cloze: Cloze) -> tuple[Message, ...]:
    """Return the prompt for a cloze, with the length of the piece in words or Chinese characters."""
    asked = _asked(cloze.language).replace("{count}", str(len(_words(cloze.hidden))))
    return (Message("user", f"{asked}\n\n{cloze.shown}"),)


def restored(reply: str, cloze: Cloze) -> bool:
    """Whether a reply gives the hidden piece verbatim, except for case, widths, spaces and punctuation.

    The piece may be quoted with adjacent words of the text; any other word makes the reply wrong, so a list
    of guesses does not count. The whole reply counts, or its first or last line.
    """
    lines = [line for line in reply.splitlines() if line.strip()]
    hidden = _words(cloze.hidden)
    before, after = _words(cloze.text[: cloze.start]), _words(cloze.text[cloze.end :])
    return any(_fits(_words(part), hidden, before, after) for part in (reply, *lines[:1], *lines[-1:]))


@cache
def replay_version() -> str:
    """Return the version of the wording, from its data files."""
    return ", ".join(f"{language} {_file(language)[0]}" for language in HIDDEN)


def _cloze(text: str, language: Language, known: Counter[str], of: int) -> Cloze | None:
    count, tokens = HIDDEN[language], _tokens(text)
    if len(tokens) < count + SEEN or GAP in text:
        return None
    here = Counter(word for word, _, _ in tokens)
    weights = [math.log((1 + of) / known[word]) if here[word] == 1 else 0.0 for word, _, _ in tokens]
    lines = _lines(text)
    best, place = 0.0, None
    for first in range(len(tokens) - count + 1):
        start, end = tokens[first][1], tokens[first + count - 1][2]
        if lines[start] == lines[end - 1] and (weight := sum(weights[first : first + count])) > best + 1e-9:
            best, place = weight, (start, end)
    return None if place is None else Cloze(text, *place, language)


def _lines(text: str) -> list[int]:
    """Return the line number of each character; characters of an option's letter have a negative one."""
    numbers: list[int] = []
    for number, line in enumerate(text.splitlines(keepends=True)):
        letter = _LETTER.match(line)
        free = 0 if letter is None else letter.end()
        numbers += [-1 - number] * free + [number] * (len(line) - free)
    return numbers


def _fits(given: list[str], hidden: list[str], before: list[str], after: list[str]) -> bool:
    for place in range(len(given) - len(hidden) + 1):
        head, tail = given[:place], given[place + len(hidden) :]
        if given[place : place + len(hidden)] != hidden:
            continue
        if before[len(before) - len(head) :] == head and after[: len(tail)] == tail:
            return True
    return False


def _words(text: str) -> list[str]:
    return [word for word, _, _ in _tokens(unicodedata.normalize("NFKC", text))]


def _tokens(text: str) -> list[tuple[str, int, int]]:
    """Return the words of a text, folded, with their start and end positions."""
    return [
        (unicodedata.normalize("NFKC", found[0]).casefold(), found.start(), found.end())
        for found in _TOKEN.finditer(text)
    ]


def _asked(language: Language) -> str:
    return _file(language)[1]


@cache
def _file(language: Language) -> tuple[str, str]:
    text = (files("assay.questions") / "prompts" / "replay" / f"{language}.md").read_text("utf-8")
    head, _, asked = text.partition("%% asked\n")
    return head.partition(":")[2].strip(), asked.strip()
