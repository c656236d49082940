"""Notifications of changed verdicts, and the status of their delivery."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import date

from assay.core.documented import DocumentedStrEnum, HelpText
from assay.core.verdict import ModelState, UseCaseState


@dataclass(frozen=True, slots=True)
class UseCaseNote:
    """The figures behind a use case's state: score and mean are 0-100, `drop` is a fraction of the mean.

    A figure is None if it does not exist that day.
    """

    name: str
    state: UseCaseState
    score: float | None = None
    mean: float | None = None
    z: float | None = None
    drop: float | None = None


@dataclass(frozen=True, slots=True)
class Notification:
    """A change of a model's state; `before` is None if the model was never judged before."""

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
        """The identifier of this change; a change is sent once for each identifier."""
        return f"verdict/{self.suite}/{self.suite_version}/{self.model}/{self.day.isoformat()}/{self.after}"


class DeliveryStatus(DocumentedStrEnum):
    """The status of a delivery. A `pending` one is stored but not finished."""

    PENDING = (
        "pending",
        HelpText("""
            The notification was written to the database, and its delivery is not finished.

            Deliveries are recorded before they are sent, so that a crash in between loses none of them.

            The next run of the watch sends pending notifications, and so does `assay notify retry`. If one
            stays pending, no run has finished since.
        """),
    )
    SENT = (
        "sent",
        HelpText("""
            The webhook accepted the notification with a success status.

            It says that the receiver got it, not that anybody read it. Each change of a verdict is sent
            once to each hook.

            Nothing. The delivery log keeps the time and the number of attempts: `assay notify list`.
        """),
    )
    FAILED = (
        "failed",
        HelpText("""
            The webhook did not accept the notification, after repeated attempts or with an answer that made
            repeating useless.

            People who rely on the alert did not get it. The verdict itself is not affected.

            Read the error beside it: a wrong address, a refused secret, or a receiver that was down.
            Correct `notify` in the workspace; `assay doctor` checks it. Then send it again with `assay notify
            retry`.
        """),
    )
