"""The key to a question, which nobody who sits an exam may see, and what seals it."""

from __future__ import annotations

import json
from dataclasses import dataclass, field
from typing import Protocol

ROOM = 32
_WRITER = json.JSONEncoder(ensure_ascii=False)
"""Made once: `json.dumps` makes one for every text."""


@dataclass(frozen=True, slots=True)
class AnswerKey:
    """The correct answer to a question and why it is correct.

    `answers` holds the letters of a choice (`("A", "C")`), `("True",)` or `("False",)` of a statement, one
    text for each blank, or one text. Nothing of it is ever printed by `repr`.
    """

    answers: tuple[str, ...] = field(repr=False)
    explanation: str = field(default="", repr=False)

    def written(self) -> str:
        """Return the key as one text for sealing; `read_key` reads it.

        A sealed text is as long as what it seals, so answers take up a multiple of `ROOM` bytes: "True" is
        as long as "False", and one letter as long as up to six.
        """
        answers = _WRITER.encode(self.answers)
        room = -len(answers.encode("utf-8", "surrogatepass")) % ROOM
        return f"[{answers}{' ' * room}, {_WRITER.encode(self.explanation)}]"


def read_key(text: str) -> AnswerKey:
    """Return the key that `AnswerKey.written` wrote. Raises ValueError for any other text."""
    answers, explanation = json.loads(text)
    return AnswerKey(tuple(answers), explanation)


class Sealer(Protocol):
    """Encrypts and decrypts short texts. `about` names what a text belongs to: it opens nowhere else.

    `name` tells which key it is without telling the key. `open` raises Denied for another key or altered
    bytes.
    """

    @property
    def name(self) -> str: ...

    def seal(self, text: str, about: str) -> bytes: ...

    def open(self, sealed: bytes, about: str) -> str: ...


def key_about(uuid: str, version: int) -> str:
    """Return what the key of a version of a question is sealed for."""
    return f"key of question {uuid} version {version}"


def mark_about(session: str, position: int, judge: str) -> str:
    """Return what a judge's words on an answer are sealed for."""
    return f"mark of session {session} position {position} by {judge}"
