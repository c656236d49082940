"""The state of reviewing in one process: the bank's key, and the question that each reviewer reads."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Final

from assay.core.errors import AssayError, Denied, ExitStatus
from assay.core.sealed import AnswerKey, Sealer, open_key
from assay.store.bank.questions import StoredQuestion

HELD_SECONDS: Final = 900.0


class NoKey(AssayError):
    """The process cannot open the bank's keys, so nothing can be reviewed here."""

    status = 503
    exit_status = ExitStatus.UPSTREAM


@dataclass(slots=True)
class Reviewing:
    """`sealer` opens the bank's keys; None if the process has no key.

    Which question a reviewer reads is known to this process only. It saves reviewers from double work; if two
    decide on one question anyway, the bank refuses the later decision.
    """

    sealer: Sealer | None
    _held: dict[str, tuple[int, float]] = field(default_factory=dict)

    def hold(self, reviewer: str, question: int, now: float) -> None:
        """Reserve a question (by id) for a reviewer; an earlier reservation ends."""
        self._held[reviewer] = question, now + HELD_SECONDS

    def release(self, reviewer: str) -> None:
        """End a reviewer's reservation."""
        self._held.pop(reviewer, None)

    def held_by_others(self, reviewer: str, now: float) -> set[int]:
        """Return the ids of the questions reserved for other reviewers."""
        held = list(self._held.items())
        return {question for other, (question, until) in held if other != reviewer and until > now}

    def check_sealer(self) -> Sealer:
        """Return the sealer. Raises NoKey."""
        if self.sealer is None:
            raise NoKey(
                "this service has no key of the bank, so nothing can be reviewed: start it with "
                "ASSAY_BANK_KEY_FILE set"
            )
        return self.sealer

    def key_of(self, stored: StoredQuestion) -> AnswerKey:
        """Return a question's key. Raises NoKey if it cannot be opened."""
        try:
            return open_key(self.check_sealer(), stored.sealed, stored.question.uuid, stored.version)
        except Denied as denied:
            raise NoKey(f"a question cannot be reviewed here: {denied}") from None
