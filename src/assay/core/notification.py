"""A change of a verdict that somebody is told of, and what became of telling them."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import date
from enum import StrEnum

from assay.core.verdict import ModelState, UseCaseState


@dataclass(frozen=True, slots=True)
class UseCaseNote:
    """Why a use case is in its state: score and baseline are 0-100, `drop` is a fraction of the mean.

    None stands for a number that does not exist that day.
    """

    name: str
    state: UseCaseState
    score: float | None = None
    mean: float | None = None
    z: float | None = None
    drop: float | None = None


@dataclass(frozen=True, slots=True)
class Notification:
    """A model's state on a day differs from its state before; None before means: never judged."""

    model: str
    suite: str
    suite_version: str
    day: date
    before: ModelState | None
    after: ModelState
    use_cases: tuple[UseCaseNote, ...] = ()
    notes: tuple[str, ...] = ()
    simulated: bool = False

    @property
    def event(self) -> str:
        """The name of this change, equal when the same change is met again: it is told once."""
        return f"verdict/{self.suite}/{self.suite_version}/{self.model}/{self.day.isoformat()}/{self.after}"


class DeliveryStatus(StrEnum):
    """Where a delivery stands. A `pending` one was written down and not yet finished."""

    PENDING = "pending"
    SENT = "sent"
    FAILED = "failed"


@dataclass(frozen=True, slots=True)
class Delivery:
    """One notification for one webhook, as the delivery log keeps it. Times are UTC seconds since 1970.

    `body` is what is sent. `error` says in plain words why it failed; it never holds an address, a secret or
    what the receiver answered.
    """

    event: str
    hook: str
    body: str
    status: DeliveryStatus
    attempts: int
    created_at: float
    http_status: int | None = None
    error: str | None = None
    finished_at: float | None = None
