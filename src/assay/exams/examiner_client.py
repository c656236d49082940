"""A candidate's requests to an exam session and what comes back, as values."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Final
from urllib.parse import quote

from assay.core.ask import Message
from assay.core.errors import AssayError, Upstream
from assay.exams.examiner_line import ExaminerLine, Said

HELD: Final = "Session Invalid"
HOLD: Final = 75.0
LOOK: Final = 5.0
"""A session stays held for 60 s after the last request of a client that is gone; looked at every 5 s."""


@dataclass(frozen=True, slots=True)
class Standing:
    """How a session stands: its state, its quota, and how many questions are over and done with."""

    state: str
    quota: int
    completed: int

    @property
    def open(self) -> bool:
        """Whether there is something left to answer, and leave to do it."""
        return self.state == "open" and self.completed < self.quota


@dataclass(frozen=True, slots=True)
class Posed:
    """The question that is to be answered now. Longer answers than `most_characters` are not taken."""

    position: int
    of: int
    messages: tuple[Message, ...]
    most_characters: int


@dataclass(frozen=True, slots=True)
class Receipt:
    """What the examiner gave for an answer. `status` is answered, late or timed-out."""

    position: int
    receipt: str
    status: str


class ExaminerClient:
    """Sits at one exam session; every request may be repeated without harm.

    Raises Upstream when the examiner does not serve, Denied when it refuses this candidate, Conflict when it
    has something else, InvalidInput for what it cannot take. No message holds a secret, a token, a question
    or an answer.
    """

    def __init__(self, line: ExaminerLine, session: str, *, hold: float = HOLD) -> None:
        self._line = line
        self._path = f"/sessions/{quote(session, safe='')}"
        self._hold = hold

    async def standing(self) -> Standing:
        """Return how the session stands."""
        body = await self._call("GET", self._path)
        return Standing(_text(body, "state"), _whole(body, "quota"), _whole(body, "completed"))

    async def question(self) -> Posed:
        """Return the question that waits for its answer, or the next one; Conflict when all are done."""
        body = await self._call("POST", f"{self._path}/question")
        try:
            told = tuple(Message(turn["role"], str(turn["content"])) for turn in body["messages"])
        except (KeyError, TypeError):
            raise _malformed("messages") from None
        return Posed(
            _whole(body, "position"), _whole(body, "of"), told, _whole(body, "max_answer_characters")
        )

    async def answer(self, position: int, body: Mapping[str, Any]) -> Receipt:
        """Hand in an answer and return its receipt; handed in again, the same one comes back."""
        given = await self._call("PUT", f"{self._path}/answers/{position}", body)
        return Receipt(_whole(given, "position"), _text(given, "receipt"), _text(given, "status"))

    async def finish(self) -> None:
        """Close the session."""
        await self._call("POST", f"{self._path}/finish")

    async def _call(self, method: str, path: str, body: Mapping[str, Any] | None = None) -> Mapping[str, Any]:
        """Return what a request came to, after waiting for another client's hold to end."""
        waited = 0.0
        while True:
            said = await self._line.say(method, path, body)
            if said.good:
                return said.document
            error = self._line.refused(said)
            if waited >= self._hold or not await self._held(method, said):
                raise error
            self._line.waiting.say(
                "the session is in use: another client, or an earlier token, has it until a minute after its "
                f"last request; looking again in {LOOK:.0f} s (waited {waited:.0f} of {self._hold:.0f} s)"
            )
            await self._line.waiting.pause(LOOK)
            waited += LOOK

    async def _held(self, method: str, said: Said) -> bool:
        """Whether a refusal only means that another client has the session for the moment.

        The refusal does not tell; but a session that this candidate may look at, and that is open, is not
        refused for another reason.
        """
        if said.status != 403 or said.document.get("title") != HELD:
            return False
        if method == "GET":
            return said.after is not None
        try:
            seen = await self._line.say("GET", self._path)
        except AssayError:
            return False
        return seen.good and seen.document.get("state") == "open"


def _malformed(name: str) -> Upstream:
    return Upstream(f"what the examiner sent has no proper {name!r}: is it an examiner, of this version?")


def _text(body: Mapping[str, Any], name: str) -> str:
    value = body.get(name)
    if not isinstance(value, str):
        raise _malformed(name)
    return value


def _whole(body: Mapping[str, Any], name: str) -> int:
    value = body.get(name)
    if not isinstance(value, int) or isinstance(value, bool):
        raise _malformed(name)
    return value
