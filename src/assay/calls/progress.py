"""The progress of a run: counts that a display may read at any time."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, field

from assay.core.ask import CallStatus, ErrorKind, ModelReply
from assay.core.grade import Grade
from assay.results.runs import Spend

LONGEST_REASON = 240
MOST_COMPLAINTS = 6
MOST_REASONS = 500
OTHER = "other reasons"


@dataclass(slots=True)
class Progress:
    """Counts of one run. `done` are finished samples, `durable` those committed, `total` those planned.

    `phase` names what is counted if not samples, such as the exemplars of a calibration. `details` holds the
    provider's first message for each kind of error. `calls` and costs are those of all attempts that were
    or may have been charged, to subjects and judges. `unread` counts the judges' marks that are missing, by
    reason. `notices` are sentences to be shown once, in order. `waiting` is the reason why the database
    accepts nothing at the moment.
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
        """Start a phase that counts something else, of which `done` are done; calls and costs go on."""
        self.phase, self.total = phase, total
        self.done = self.durable = done

    def wait(self, reason: str | None) -> None:
        """Note why the run waits for the database; None if it waits no longer."""
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
        """Count the cost of an attempt, to a subject or a judge; refused attempts are not counted."""
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
        """Count committed samples."""
        self.durable += samples

    @property
    def complaints(self) -> tuple[str, ...]:
        """Sentences about failed samples: errors with providers' messages, and reasons of ungraded ones."""
        errors = tuple(
            f"{kind} ({count}): {' '.join(self.details[kind].split())[:LONGEST_REASON]}"
            if kind in self.details
            else f"{kind} ({count})"
            for kind, count in self.errors.most_common()
        )
        ungraded = tuple(f"ungraded ({count}): {reason}" for reason, count in self.ungraded.most_common(3))
        return errors + ungraded + missing_marks(self.unread)

    @property
    def spend(self) -> Spend:
        """The money spent on subjects and judges."""
        return Spend(self.known_cost, self.calls, self.unknown_costs)


def add_reason(reasons: Counter[str], reason: str, times: int = 1) -> None:
    """Count a reason, cut to one line; after `MOST_REASONS` different ones, new reasons count as `OTHER`."""
    line = " ".join(reason[: 4 * LONGEST_REASON].split())[:LONGEST_REASON]
    reasons[line if line in reasons or len(reasons) < MOST_REASONS else OTHER] += times


def missing_marks(unread: Counter[str]) -> tuple[str, ...]:
    """Return sentences that count the missing marks of judges, the most frequent reasons first."""
    frequent = unread.most_common(MOST_COMPLAINTS)
    sentences = tuple(f"marks missing ({count}): {reason}" for reason, count in frequent)
    rest = unread.total() - sum(count for _, count in frequent)
    return sentences if not rest else (*sentences, f"marks missing ({rest}): for less frequent reasons")
