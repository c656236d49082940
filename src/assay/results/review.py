"""Reviews of the bank: reviewers, the screening's findings, near-duplicates, and imported decisions."""

from __future__ import annotations

from dataclasses import dataclass, field
from enum import StrEnum
from typing import Annotated, Final

from assay.core.question import QuestionState
from assay.results.figure import Figure, Flat, Hidden, Listed, Timestamp
from assay.results.table import Column, Table


@dataclass(frozen=True, slots=True)
class Reviewer:
    """A reviewer. `disciplines` are codes of primary disciplines; none means all."""

    id: Annotated[int, Hidden()]
    name: Annotated[str, Figure("reviewer")]
    disciplines: Annotated[
        tuple[str, ...], Figure("disciplines", meaning="none means all", missing="all"), Listed("code")
    ]
    daily_cap: Annotated[int, Figure("cap", meaning="largest number of questions a day (UTC)", least=1)]
    hourly_rate: Annotated[
        float | None,
        Figure("hourly rate", unit="USD", meaning="none if nothing is paid or the rate is unknown", least=0),
    ]
    created_at: Annotated[Timestamp, Figure("added")]
    left_at: Annotated[Timestamp | None, Figure("left")]

    def reads(self, discipline: str) -> bool:
        """Whether this reviewer reads questions of a discipline."""
        return not self.disciplines or discipline in self.disciplines


@dataclass(frozen=True, slots=True)
class ReviewWork:
    """The work of a reviewer: decisions by kind, and reading time."""

    accepted: Annotated[int, Figure("accepted")] = 0
    rejected: Annotated[int, Figure("rejected")] = 0
    seconds: Annotated[float, Hidden()] = 0.0
    untimed: Annotated[int, Figure("untimed", meaning="decisions that are not included in the hours")] = 0
    today: Annotated[int, Figure("today", meaning="questions read today (UTC)")] = 0

    @property
    def hours(self) -> Annotated[float, Figure("hours", unit="h", digits=1)]:
        """The hours of timed reading."""
        return self.seconds / 3600


@dataclass(frozen=True, slots=True)
class ReviewerWork:
    """A reviewer with the work done so far."""

    reviewer: Annotated[Reviewer, Flat()]
    work: Annotated[ReviewWork, Flat()]

    @property
    def cost(
        self,
    ) -> Annotated[
        float | None,
        Figure(
            "cost", unit="USD", meaning="cost of the hours; none without an hourly rate", missing="unknown"
        ),
    ]:
        """The cost of the timed reading in US dollars; None without an hourly rate."""
        rate = self.reviewer.hourly_rate
        return None if rate is None else rate * self.work.hours


def _hours(row: ReviewerWork) -> str:
    return f"{row.work.hours:,.1f}" + (f" (+{row.work.untimed:,} untimed)" if row.work.untimed else "")


REVIEWERS: Final = Table(
    ReviewerWork,
    (
        Column(
            "reviewer", lambda row: row.reviewer.name + ("" if row.reviewer.left_at is None else " (left)")
        ),
        "disciplines",
        "daily_cap",
        "today",
        "accepted",
        "rejected",
        Column("hours", _hours, right=True),
        "cost",
    ),
    name="reviewers",
)


class Resolution(StrEnum):
    """The decision on a pair of near-duplicates: both were kept, or one was retired."""

    BOTH = "both"
    ONE = "one"


@dataclass(frozen=True, slots=True)
class FlaggedPair:
    """Two questions that read nearly alike, by their uuids; `resolution` is None before a decision."""

    question: Annotated[str, Figure("question")]
    stem: Annotated[str, Figure("stem")]
    other: Annotated[str, Figure("other")]
    other_stem: Annotated[str, Figure("other's stem")]
    similarity: Annotated[float, Figure("alike", digits=2, least=0, most=1)]
    found_at: Annotated[Timestamp, Figure("found")]
    resolution: Annotated[
        Resolution | None, Figure("decided", meaning="whether both were kept or one was retired")
    ]


NEAR_DUPLICATES: Final = Table(FlaggedPair, name="pairs")


@dataclass(frozen=True, slots=True)
class Disputed:
    """A question on which reviewers disagree and which waits for a third reviewer."""

    uuid: Annotated[str, Figure("question")]
    discipline: Annotated[str, Figure("discipline")]
    accepts: Annotated[int, Figure("accepts", meaning="reviewers who accept it")]
    rejects: Annotated[int, Figure("rejects", meaning="reviewers who reject it")]


class Severity(StrEnum):
    """The severity of a finding: it blocks a question, or warns against accepting the question unread."""

    BLOCKS = "blocks"
    WARNS = "warns"


@dataclass(slots=True)
class FindingSummary:
    """A kind of finding of the screening, with the uuids of the first few questions that have it."""

    kind: Annotated[str, Figure("finding")]
    severity: Annotated[Severity, Figure("severity")]
    text: Annotated[str, Figure("what it is")]
    questions: Annotated[int, Figure("questions")] = 0
    examples: Annotated[list[str], Figure("examples"), Listed("uuid")] = field(default_factory=list)


FINDINGS: Final = Table(
    FindingSummary,
    ("kind", "questions", "severity", "text", Column("for example", lambda row: row.examples[0])),
)


@dataclass(frozen=True, slots=True)
class RedundancyCheck:
    """The result of the search for near-duplicates."""

    compared: Annotated[int, Figure("compared", meaning="questions that were compared")]
    pairs: Annotated[int, Figure("pairs", meaning="pairs of near-duplicates, one for each pair of families")]
    new: Annotated[int, Figure("new", meaning="pairs that were not found before", of="pairs")]
    faults: Annotated[
        tuple[str, ...], Figure("faults", meaning="questions whose uuid or digest is wrong"), Listed("text")
    ]


@dataclass(frozen=True, slots=True)
class Screening:
    """The result of the mechanical screening of raw questions. A question can have several findings."""

    questions: Annotated[
        int, Figure("questions", meaning="raw questions, and those that wait for a second reviewer")
    ]
    clean: Annotated[int, Figure("clean", meaning="questions without a finding", of="questions")]
    blocked: Annotated[int, Figure("blocked", meaning="questions with a finding that blocks", of="questions")]
    findings: tuple[FindingSummary, ...]
    near_duplicates: RedundancyCheck
    waiting: Annotated[
        int, Figure("waiting", meaning="questions that one reviewer has read and that wait for a second")
    ]
    disputed: tuple[Disputed, ...]
    screened: Annotated[
        int | None,
        Figure(
            "screened",
            meaning="questions that exams may now draw without a review; none without --accept-clean",
        ),
    ]


@dataclass(frozen=True, slots=True)
class RefusedDecision:
    """A row of a table of decisions that was refused, with the reason."""

    place: Annotated[str, Figure("place", meaning="such as: line 3")]
    text: Annotated[str, Figure("reason")]


@dataclass(frozen=True, slots=True)
class DecisionsTaken:
    """The outcome of a reviewer's table of decisions: rows = taken + refused."""

    file: Annotated[str, Figure("file")]
    reviewer: Annotated[str, Figure("reviewer")]
    rows: Annotated[int, Figure("rows")]
    taken: Annotated[int, Figure("taken", of="rows")]
    refused: Annotated[int, Figure("refused", of="rows")]
    states: Annotated[
        dict[QuestionState, int],
        Figure("states", meaning="questions by the state they have now"),
        Listed("state", "questions"),
    ]
    problems: tuple[RefusedDecision, ...]


REFUSED: Final = Table(RefusedDecision)
SCHEMAS: Final[dict[str, tuple[type | Table, str]]] = {
    "bank-decisions": (
        DecisionsTaken,
        "assay bank screen --decisions --json: the outcome of a reviewer's table; rows = taken + refused",
    ),
    "bank-duplicates": (NEAR_DUPLICATES, "assay bank duplicates list --json"),
    "bank-reviewers": (REVIEWERS, "assay bank reviewer list --json"),
    "bank-screen": (Screening, "assay bank screen --json: the mechanical screening of raw questions"),
}
