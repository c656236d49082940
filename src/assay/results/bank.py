"""The bank: what it holds, a question with its history, and what would be drawn."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Annotated, Final, Literal

from assay.core.question import Question, QuestionKind, QuestionState, SourceKind
from assay.results.figure import Figure, Flat, Hidden, Listed, Timestamp
from assay.results.table import Table


@dataclass(frozen=True, slots=True)
class StateCounts:
    """How many questions stand in each state; retired ones in none but `retired`."""

    raw: Annotated[int, Figure("raw")]
    reviewed: Annotated[int, Figure("reviewed")]
    screened: Annotated[
        int, Figure("screened", meaning="passed the mechanical screening; nobody has read them")
    ]
    accepted: Annotated[int, Figure("accepted")]
    rejected: Annotated[int, Figure("rejected")]
    retired: Annotated[int, Figure("retired")]


@dataclass(frozen=True, slots=True)
class SourceShare:
    """A kind of source: its questions before and after expanding, with its share of each."""

    source: Annotated[SourceKind, Figure("source")]
    original: Annotated[int, Figure("original", meaning="imported questions")]
    original_share: Annotated[
        float, Figure("%", unit="per cent", of="all sources", digits=1, least=0, most=100)
    ]
    rewritten: Annotated[int, Figure("rewritten", meaning="questions after expanding")]
    rewritten_share: Annotated[
        float, Figure("%", unit="per cent", of="all sources", digits=1, least=0, most=100)
    ]


@dataclass(frozen=True, slots=True)
class Growth:
    """How far expanding made a part of the bank grow (seed 003, table 6)."""

    original: Annotated[int, Figure("original", meaning="imported questions")]
    rewritten: Annotated[
        int,
        Figure(
            "rewritten",
            meaning="questions after expanding: an original that has variants is replaced by them",
        ),
    ]

    @property
    def increase(self) -> Annotated[int, Figure("increase", meaning="rewritten less original")]:
        """How many more there are."""
        return self.rewritten - self.original

    @property
    def percentage(
        self,
    ) -> Annotated[
        float | None,
        Figure(
            "increase %", meaning="the increase in per cent of the original count; none of nothing", digits=2
        ),
    ]:
        """The increase in per cent of the original count; None of nothing."""
        return 100 * self.increase / self.original if self.original else None


@dataclass(frozen=True, slots=True)
class DisciplineGrowth:
    """The growth of one discipline, by its English name."""

    discipline: Annotated[str, Figure("subject")]
    growth: Annotated[Growth, Flat()]


@dataclass(frozen=True, slots=True)
class BankStats:
    """What the bank holds, as in seed 003, tables 5 and 6."""

    sources: tuple[SourceShare, ...]
    disciplines: tuple[DisciplineGrowth, ...]
    total: Growth
    kinds: Annotated[dict[QuestionKind, int], Figure("kinds", of="held"), Listed("kind", "questions")]
    states: StateCounts
    held: Annotated[int, Figure("held", meaning="originals and variants, neither rejected nor retired")]
    synthetic: Annotated[
        int, Figure("synthetic", meaning="from sources that were labelled synthetic", of="held")
    ]
    near_duplicates: Annotated[int, Figure("near-duplicates", meaning="pairs that nobody has resolved")]


@dataclass(frozen=True, slots=True)
class ServedQuestion:
    """A question without its key, in the order in which an exam would serve it."""

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
    made_by: Annotated[str | None, Figure("made by", meaning="what made it; none of an original")]
    retired: Annotated[bool, Figure("retired")]


@dataclass(frozen=True, slots=True)
class Review:
    """A reviewer's decision on a version of a question."""

    reviewer: Annotated[str, Figure("reviewer")]
    version: Annotated[int, Figure("version", least=1)]
    decision: Annotated[Literal["accept", "reject"], Figure("decision")]
    reason: Annotated[str, Figure("reason")]
    at: Annotated[Timestamp, Figure("time")]
    seconds: Annotated[float | None, Figure("seconds", meaning="how long reading took, where it was timed")]


@dataclass(frozen=True, slots=True)
class Edit:
    """That a version of a question was replaced: by whom, why and when."""

    version: Annotated[int, Figure("version", least=1)]
    edited_by: Annotated[str, Figure("edited by")]
    reason: Annotated[str, Figure("reason")]
    at: Annotated[Timestamp, Figure("time")]


@dataclass(frozen=True, slots=True)
class QuestionVariant:
    """A question that was made from another: its row, uuid and version, and what made it."""

    id: Annotated[int, Hidden()]
    uuid: Annotated[str, Figure("uuid")]
    version: Annotated[int, Hidden()]
    made_by: Annotated[str | None, Figure("made by")]
    state: Annotated[QuestionState, Figure("state")]
    retired: Annotated[bool, Figure("retired")]


@dataclass(frozen=True, slots=True)
class ShownKey:
    """The answer to a question, for its owner. Nothing of it is ever printed by `repr`."""

    answers: Annotated[tuple[str, ...], Figure("key")] = field(repr=False)
    explanation: Annotated[str, Figure("explanation")] = field(repr=False)


@dataclass(frozen=True, slots=True)
class QuestionHistory:
    """A question with its source, reviews, edits and variants; `key` is None unless it was asked for."""

    question: Annotated[BankQuestion, Flat()]
    source: Annotated[str, Figure("source")]
    place: Annotated[str, Figure("place", meaning="where it stands in the source")]
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
