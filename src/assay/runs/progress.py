"""Where a run stands, counted as it goes; a display reads it whenever it likes."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, field

from assay.core.ask import CallStatus, ErrorKind, ModelReply
from assay.core.grade import Grade
from assay.core.money import Spend

LONGEST = 240


@dataclass(slots=True)
class Progress:
    """Counts of one run. `done` are finished samples, `durable` those committed, `total` those planned.

    `details` holds, for each kind of error, what the provider said the first time.
    """

    total: int
    done: int = 0
    durable: int = 0
    invalid: int = 0
    errors: Counter[str] = field(default_factory=Counter)
    details: dict[str, str] = field(default_factory=dict)
    retries: Counter[str] = field(default_factory=Counter)
    known_cost: float = 0.0
    unknown_costs: int = 0
    ungraded: Counter[str] = field(default_factory=Counter)

    def count(self, reply: ModelReply) -> None:
        """Count one finished sample."""
        self.done += 1
        if reply.cost is not None:
            self.known_cost += reply.cost
        elif reply.status is not CallStatus.ERROR:
            self.unknown_costs += 1
        if reply.status is CallStatus.INVALID:
            self.invalid += 1
        elif reply.status is CallStatus.ERROR:
            self.errors[str(reply.error)] += 1
            if reply.detail:
                self.details.setdefault(str(reply.error), reply.detail)

    def left_ungraded(self, grades: Sequence[Grade]) -> None:
        """Count an answer without a score under the first reason that its grades give."""
        self.ungraded[next((grade.reason for grade in grades if grade.reason), "no grader counts")] += 1

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
        return errors + tuple(
            f"ungraded ({count}): {' '.join(reason.split())[:LONGEST]}"
            for reason, count in self.ungraded.most_common(3)
        )

    @property
    def spend(self) -> Spend:
        """What the finished samples cost."""
        return Spend(self.known_cost, self.done, self.unknown_costs)
