"""The bank: its contents, a question with its history, and a draw by hand."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Annotated, Final, Literal

from assay.core.question import Question, QuestionKind, QuestionState, SourceKind
from assay.results.figure import Figure, Flat, Hidden, Listed, Timestamp
from assay.results.table import Table


@dataclass(frozen=True, slots=True)
class StateCounts:
    """The number of questions in each state; a retired question counts in `retired` only."""

    raw: Annotated[int, Figure("raw")]
    reviewed: Annotated[int, Figure("reviewed")]
    screened: Annotated[
        int, Figure("screened", meaning="passed the mechanical screening; not read by a reviewer")
    ]
    accepted: Annotated[int, Figure("accepted")]
    rejected: Annotated[int, Figure("rejected")]
    retired: Annotated[int, Figure("retired")]


@dataclass(frozen=True, slots=True)
class SourceShare:
    """A kind of source: its questions before and after expansion, with its share of both."""

    source: Annotated[SourceKind, Figure("source")]
    original: Annotated[int, Figure("original", meaning="imported questions")]
    original_share: Annotated[
        float, Figure("%", unit="per cent", of="all sources", digits=1, least=0, most=100)
    ]
    rewritten: Annotated[int, Figure("rewritten", meaning="questions after expansion")]
    rewritten_share: Annotated[
        float, Figure("%", unit="per cent", of="all sources", digits=1, least=0, most=100)
    ]


@dataclass(frozen=True, slots=True)
class Growth:
    """The growth of a part of the bank by expansion (seed 003, table 6)."""

    original: Annotated[int, Figure("original", meaning="imported questions")]
    rewritten: Annotated[
        int,
        Figure(
            "rewritten",
            meaning="questions after expansion: an original that has variants is replaced by them",
        ),
    ]

    @property
    def increase(self) -> Annotated[int, Figure("increase", meaning="rewritten minus original")]:
        """The number of additional questions."""
        return self.rewritten - self.original

    @property
    def percentage(
        self,
    ) -> Annotated[
        float | None,
        Figure(
            "increase %",
            meaning="the increase in per cent of the original count; none without originals",
            digits=2,
        ),
    ]:
        """The increase in per cent of the original count; None without originals."""
        return 100 * self.increase / self.original if self.original else None


@dataclass(frozen=True, slots=True)
class DisciplineGrowth:
    """The growth of one discipline, by its English name."""

    discipline: Annotated[str, Figure("subject")]
    growth: Annotated[Growth, Flat()]


@dataclass(frozen=True, slots=True)
class BankStats:
    """The contents of the bank in numbers, as in seed 003, tables 5 and 6."""

    sources: tuple[SourceShare, ...]
    disciplines: tuple[DisciplineGrowth, ...]
    total: Growth
    kinds: Annotated[dict[QuestionKind, int], Figure("kinds", of="held"), Listed("kind", "questions")]
    states: StateCounts
    held: Annotated[int, Figure("held", meaning="originals and variants, neither rejected nor retired")]
    synthetic: Annotated[
        int, Figure("synthetic", meaning="from sources that were labelled synthetic", of="held")
    ]
    near_duplicates: Annotated[int, Figure("near-duplicates", meaning="pairs that are not resolved yet")]


@dataclass(frozen=True, slots=True)
class ServedQuestion:
    """A question without its key, at its position in an exam."""

    position: Annotated[int, Figure("position", least=0)]
    version: Annotated[int, Figure("version", least=1)]
    question: Annotated[
        Question,
        Flat(
            only=("uuid", "kind", "discipline", "secondary", "language", "passage", "stem", "options"),
        ),
    ]


@dataclass(frozen=True, slots=True)
class BankDraw:
    """Questions that were drawn by hand. The same seed and revision of the bank give the same draw."""

    seed: Annotated[int, Figure("seed", least=0)]
    revision: Annotated[int, Figure("revision", meaning="the bank's revision that was drawn from")]
    allocation: Annotated[dict[str, int], Figure("allocation"), Listed("discipline", "questions")]
    questions: tuple[ServedQuestion, ...]


@dataclass(frozen=True, slots=True)
class BankQuestion:
    """A question of the bank without its key."""

    question: Annotated[Question, Flat()]
    version: Annotated[int, Figure("version", least=1)]
    state: Annotated[QuestionState, Figure("state")]
    made_by: Annotated[
        str | None, Figure("made by", meaning="the rule or model that made it; none for an original")
    ]
    retired: Annotated[bool, Figure("retired")]


@dataclass(frozen=True, slots=True)
class Review:
    """A reviewer's decision on a version of a question."""

    reviewer: Annotated[str, Figure("reviewer")]
    version: Annotated[int, Figure("version", least=1)]
    decision: Annotated[
        Literal["accept", "reject", "unaccept", "unreject"],
        Figure("decision", meaning="unaccept and unreject undo the reviewer's decision before"),
    ]
    reason: Annotated[str, Figure("reason")]
    at: Annotated[Timestamp, Figure("time")]
    seconds: Annotated[float | None, Figure("seconds", meaning="reading time; none if it was not timed")]


@dataclass(frozen=True, slots=True)
class Edit:
    """The replacement of a version of a question: its editor, reason and time."""

    version: Annotated[int, Figure("version", least=1)]
    edited_by: Annotated[str, Figure("edited by")]
    reason: Annotated[str, Figure("reason")]
    at: Annotated[Timestamp, Figure("time")]


@dataclass(frozen=True, slots=True)
class QuestionVariant:
    """A question that was made from another, with the rule or model that made it."""

    id: Annotated[int, Hidden()]
    uuid: Annotated[str, Figure("uuid")]
    version: Annotated[int, Hidden()]
    made_by: Annotated[str | None, Figure("made by")]
    state: Annotated[QuestionState, Figure("state")]
    retired: Annotated[bool, Figure("retired")]


@dataclass(frozen=True, slots=True)
class ShownKey:
    """The answer to a question, for its owner. `repr` prints no part of it."""

    answers: Annotated[tuple[str, ...], Figure("key")] = field(repr=False)
    explanation: Annotated[str, Figure("explanation")] = field(repr=False)


@dataclass(frozen=True, slots=True)
class QuestionHistory:
    """A question with its source, reviews, edits and variants; `key` is None unless it was asked for."""

    question: Annotated[BankQuestion, Flat()]
    source: Annotated[str, Figure("source")]
    place: Annotated[str, Figure("place", meaning="its place in the source")]
    since: Annotated[
        int | None, Figure("since", meaning="the bank's revision in which it was accepted; none before")
    ]
    retired_in: Annotated[int | None, Figure("retired in", meaning="the bank's revision of its retirement")]
    retired_why: Annotated[str | None, Figure("retired because")]
    reviews: tuple[Review, ...]
    edits: tuple[Edit, ...]
    variants: tuple[QuestionVariant, ...]
    key: ShownKey | None = field(default=None, repr=False)


SOURCES: Final = Table(SourceShare)
GROWTHS: Final = Table(DisciplineGrowth)
SCHEMAS: Final[dict[str, tuple[type | Table, str]]] = {
    "bank-draw": (BankDraw, "assay bank draw --json"),
    "bank-show": (QuestionHistory, "assay bank show --json: one question; its key only with --with-key"),
    "bank-stats": (BankStats, "assay bank stats --json: seed 003's tables 5 and 6 for this bank"),
}
