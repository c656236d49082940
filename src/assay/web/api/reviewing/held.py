"""What the reviewing routes of one process share: the sealing key, and who has which question before him."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Final

from starlette.requests import Request

from assay.core.errors import AssayError, Denied
from assay.core.sealed import AnswerKey, Sealer, key_about, read_key
from assay.store.bank.questions import StoredQuestion

HELD_SECONDS: Final = 900.0


class NoKey(AssayError):
    """The process cannot open the bank's keys: nothing can be reviewed here."""

    status = 503
    exit_status = 3


@dataclass(slots=True)
class Reviewing:
    """`sealer` opens the bank's keys, None where this process has none. `second` asks for two reviewers.

    Who has which question before him is known to one process only: it spares reviewers double work, and
    where two decide on one question all the same, the bank refuses the later.
    """

    sealer: Sealer | None
    second: bool = False
    _held: dict[str, tuple[int, float]] = field(default_factory=dict)

    def hold(self, reviewer: str, row: int, now: float) -> None:
        """Note which question a reviewer has before him; the one before is free again."""
        self._held[reviewer] = row, now + HELD_SECONDS

    def let_go(self, reviewer: str) -> None:
        """Note that a reviewer has no question before him."""
        self._held.pop(reviewer, None)

    def with_others(self, reviewer: str, now: float) -> set[int]:
        """Return the rows of the questions that other reviewers have before them."""
        held = list(self._held.items())
        return {row for who, (row, until) in held if who != reviewer and until > now}

    def opener(self) -> Sealer:
        """Return what opens keys. Raises NoKey."""
        if self.sealer is None:
            raise NoKey(
                "this service has no key to the bank, so nothing can be reviewed: whoever runs it starts "
                "it with ASSAY_BANK_KEY_FILE set; exams go on without"
            )
        return self.sealer

    def key_of(self, stored: StoredQuestion) -> AnswerKey:
        """Return the key to a question. Raises NoKey where there is none that opens it."""
        sealer = self.opener()
        try:
            return read_key(sealer.open(stored.sealed, key_about(stored.question.uuid, stored.version)))
        except Denied as denied:
            raise NoKey(f"a question cannot be reviewed here: {denied}") from None


def reviewing_of(request: Request) -> Reviewing:
    """Return what the reviewing routes share."""
    found: Reviewing = request.app.state.reviewing
    return found
