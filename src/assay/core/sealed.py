"""Answer keys and their sealing. No candidate may ever see a key."""

from __future__ import annotations

import json
from dataclasses import dataclass, field
from typing import Protocol

ROOM = 32
_WRITER = json.JSONEncoder(ensure_ascii=False)
"""Built once: `json.dumps` would build one for every text."""


@dataclass(frozen=True, slots=True)
class AnswerKey:
    """The correct answer to a question and why it is correct.

    `answers` holds the letters of a choice (`("A", "C")`), `("True",)` or `("False",)` of a statement, one
    text for each blank, or one text. `repr` prints none of it.
    """

    answers: tuple[str, ...] = field(repr=False)
    explanation: str = field(default="", repr=False)

    def written(self) -> str:
        """Return the key as one text for sealing, which `read_key` parses.

        A sealed text is as long as its content, so answers are padded to a multiple of `ROOM` bytes: "True"
        is then as long as "False", and one letter as long as up to six.
        """
        answers = _WRITER.encode(self.answers)
        room = -len(answers.encode("utf-8", "surrogatepass")) % ROOM
        return f"[{answers}{' ' * room}, {_WRITER.encode(self.explanation)}]"


def read_key(text: str) -> AnswerKey:
    """Parse a text from `AnswerKey.written`. Raises ValueError for any other text."""
    answers, explanation = json.loads(text)
    return AnswerKey(tuple(answers), explanation)


class Sealer(Protocol):
    """An encrypter of short texts. A text can only be opened with the `about` it was sealed with.

    `name` identifies the key without revealing it. `open` raises Denied for another key or altered bytes.
    """

    @property
    def name(self) -> str: ...

    def seal(self, text: str, about: str) -> bytes: ...

    def open(self, sealed: bytes, about: str) -> str: ...


def key_about(uuid: str, version: int) -> str:
    """Return the `about` of the sealed key of one version of a question."""
    return f"key of question {uuid} version {version}"


def open_key(sealer: Sealer, sealed: bytes, uuid: str, version: int) -> AnswerKey:
    """Return the key of a version of a question. Raises Denied if the sealer cannot open it."""
    return read_key(sealer.open(sealed, key_about(uuid, version)))


def mark_about(session: str, position: int, judge: str) -> str:
    """Return the context for which a judge's words on an answer are sealed."""
    return f"mark of session {session} position {position} by {judge}"


def expert_mark_about(session: str, position: int, reviewer: int) -> str:
    """Return the context for which an expert's reason for a mark is sealed."""
    return mark_about(session, position, f"reviewer {reviewer}")


def reject_about(source: int, place: str) -> str:
    """Return the context for which a rejected text of an import is sealed."""
    return f"reject of source {source} at {place}"


def signing_key_about(kid: str) -> str:
    """Return the context for which the secret of a signing key is sealed."""
    return f"signing key {kid}"
