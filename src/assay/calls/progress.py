"""Where a run stands, counted as it goes; a display reads it whenever it likes."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, field

from assay.core.ask import CallStatus, ErrorKind, ModelReply
from assay.core.grade import Grade
from assay.core.money import Spend

LONGEST = 240
MOST_COMPLAINTS = 6
MOST_REASONS = 500
OTHER = "other reasons"


@dataclass(slots=True)
class Progress:
    """Counts of one run. `done` are finished samples, `durable` those committed, `total` those planned.

    `phase` names what is counted where that is no sample, such as the exemplars of a calibration.
    `details` holds, for each kind of error, what the provider said the first time. `calls` and costs are
    those of all attempts that were or may have been charged, at subjects and judges. `unread` counts the
    judges' marks that are missing, by reason. `notices` are sentences to be shown once, in order. `waiting`
    says why the database takes nothing at the moment.
    """

    total: int
    done: int = 0
    durable: int = 0
    invalid: int = 0
    errors: Counter[str] = field(default_factory=Counter)
    details: dict[str, str] = field(default_factory=dict)
    retries: Counter[str] = field(default_factory=Counter)
    calls: int = 0
    known_cost: float = 0.0
    unknown_costs: int = 0
    ungraded: Counter[str] = field(default_factory=Counter)
    unread: Counter[str] = field(default_factory=Counter)
    notices: list[str] = field(default_factory=list)
    phase: str = ""
    waiting: str | None = None

    def begin(self, phase: str, total: int, done: int = 0) -> None:
        """Count something else from now on, of which `done` are done; calls and costs go on."""
        self.phase, self.total = phase, total
        self.done = self.durable = done

    def wait(self, reason: str | None) -> None:
        """Note why the run waits for the database; None: it waits no more."""
        self.waiting = reason

    def count(self, reply: ModelReply) -> None:
        """Count one finished sample."""
        self.done += 1
        if reply.status is CallStatus.INVALID:
            self.invalid += 1
        elif reply.status is CallStatus.ERROR:
            self.errors[str(reply.error)] += 1
            if reply.detail:
                self.details.setdefault(str(reply.error), reply.detail)

    def called(self, reply: ModelReply) -> None:
        """Count what an attempt cost, at a subject or a judge; one that was refused cost nothing."""
        if reply.cost is not None:
            self.known_cost += reply.cost
        elif reply.chargeable:
            self.unknown_costs += 1
        else:
            return
        self.calls += 1

    def left_ungraded(self, grades: Sequence[Grade]) -> None:
        """Count an answer without a score under the first reason that its grades give."""
        reason = next((grade.reason for grade in grades if grade.reason), "no grader counts")
        add_reason(self.ungraded, reason)

    def retried(self, kind: ErrorKind) -> None:
        """Count an attempt that will be made again."""
        self.retries[str(kind)] += 1

    def committed(self, samples: int) -> None:
        """Count samples that are durable now."""
        self.durable += samples

    @property
    def complaints(self) -> tuple[str, ...]:
        """Say what cost how many samples: errors in the provider's words, and why answers are ungraded."""
        errors = tuple(
            f"{kind} ({count}): {' '.join(self.details[kind].split())[:LONGEST]}"
            if kind in self.details
            else f"{kind} ({count})"
            for kind, count in self.errors.most_common()
        )
        ungraded = tuple(f"ungraded ({count}): {reason}" for reason, count in self.ungraded.most_common(3))
        return errors + ungraded + missing_marks(self.unread)

    @property
    def spend(self) -> Spend:
        """What was spent, on subjects and on judges."""
        return Spend(self.known_cost, self.calls, self.unknown_costs)


def add_reason(reasons: Counter[str], reason: str, times: int = 1) -> None:
    """Count a reason, cut to one line; what comes after `MOST_REASONS` different ones is counted as one."""
    told = " ".join(reason[: 4 * LONGEST].split())[:LONGEST]
    reasons[told if told in reasons or len(reasons) < MOST_REASONS else OTHER] += times


def missing_marks(unread: Counter[str]) -> tuple[str, ...]:
    """Say which judges' marks are missing and why, the most frequent reasons first."""
    told = tuple(
        f"marks missing ({count}): {reason}" for reason, count in unread.most_common(MOST_COMPLAINTS)
    )
    rest = unread.total() - sum(count for _, count in unread.most_common(MOST_COMPLAINTS))
    return told if not rest else (*told, f"marks missing ({rest}): for reasons that came less often")
