"""Published causes of wrong answers: `assay study errors`."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from enum import StrEnum
from typing import Annotated, Final, Literal

from assay.core.errors import AssayError
from assay.results.figure import Figure, Flat, Hidden
from assay.results.rank import between
from assay.results.ranking import ENDS
from assay.results.runs import Spend
from assay.results.table import Column, Table
from assay.stats.intervals import Interval


class ErrorCategory(StrEnum):
    """The main cause of an error (seed 003, section 3.1), in the order of the numbers that a judge writes."""

    NONE = "none of these"
    KNOWLEDGE = "disciplinary knowledge"
    MISUNDERSTANDING = "misunderstanding"
    REASONING = "logical reasoning"
    FACTS = "factual inaccuracy"
    FORMAT = "format compliance"


@dataclass(frozen=True, slots=True)
class ErrorShare:
    """The share of one category among the sorted answers of one group."""

    by: Annotated[Literal["all", "model", "discipline"], Figure("by")]
    name: Annotated[str, Figure("name", meaning="the model or discipline; `all` for all answers")]
    category: Annotated[ErrorCategory, Figure("category")]
    count: Annotated[int, Figure("count", of="n")]
    n: Annotated[int, Figure("n", meaning="sorted answers")]
    share: Annotated[float, Figure("share", share=True, digits=1)]
    interval: Annotated[Interval, Flat("share", ENDS)]
    corrected: Annotated[
        float | None,
        Figure("corrected", meaning="share by hand labels, with the judge's choices", share=True, digits=1),
    ] = None
    corrected_interval: Annotated[Interval | None, Flat("corrected", ENDS)] = None


@dataclass(frozen=True, slots=True)
class LabelConfusion:
    """The number of answers with one hand label and one choice of the judge."""

    hand: Annotated[ErrorCategory, Figure("hand")]
    judge: Annotated[ErrorCategory, Figure("judge")]
    count: Annotated[int, Figure("count")]


@dataclass(frozen=True, slots=True)
class LabelAgreement:
    """The judge's agreement with hand labels on `n` answers."""

    n: Annotated[int, Figure("n", meaning="sorted answers with a hand label")]
    agreement: Annotated[float | None, Figure("agreement", of="n", share=True)]
    kappa: Annotated[float | None, Figure("kappa", meaning="Cohen's kappa", digits=3)]
    kappa_interval: Annotated[Interval | None, Flat("kappa", ENDS)]
    confusion: tuple[LabelConfusion, ...]

    @property
    def sentence(self) -> str:
        """The agreement in one sentence."""
        share = f"{self.agreement or 0.0:.0%} of {self.n} hand labels"
        if self.kappa is None:
            return f"The judge agrees with {share}; kappa needs labels of two categories."
        ends = self.kappa_interval
        text = "" if ends is None else f" ({between(ends.low, ends.high)})"
        return f"The judge agrees with {share}: kappa {self.kappa:.2f}{text}."


@dataclass(frozen=True, slots=True)
class ErrorStudy:
    """The causes of wrong answers by a judge, with the check against hand labels. It holds no answer."""

    run: Annotated[int, Figure("run", least=1)]
    status: Annotated[Literal["finished", "stopped"], Figure("status")]
    reason: Annotated[str | None, Figure("reason", meaning="why it stopped")]
    error: Annotated[AssayError | None, Hidden()]
    source: Annotated[str, Figure("source", meaning="run or file with the wrong answers")]
    judge: Annotated[str, Figure("judge")]
    seed: Annotated[int, Figure("seed", meaning="seed of the choice of answers")]
    answers: Annotated[int, Figure("answers", meaning="wrong answers that were chosen")]
    sorted: Annotated[int, Figure("sorted", meaning="answers with a category", of="answers")]
    unreadable: Annotated[int, Figure("unreadable", meaning="answers without a readable reply of the judge")]
    missing: Annotated[int, Figure("missing", meaning="answers that the judge was not asked about yet")]
    shares: tuple[ErrorShare, ...]
    agreement: LabelAgreement | None
    notes: Annotated[tuple[str, ...], Figure("notes", meaning="what was left out, one line each")]
    spend: Annotated[Spend, Flat()]
    simulated: Annotated[bool, Figure("simulated", meaning="whether the judge or a model is simulated")]

    def of(self, by: str) -> tuple[ErrorShare, ...]:
        """Return the shares of one kind of group."""
        return tuple(row for row in self.shares if row.by == by)


def shares_table(rows: Sequence[ErrorShare]) -> Table:
    """Return the columns of shares, with those corrected by hand labels if there are any."""
    return SHARES if any(row.corrected is not None for row in rows) else PLAIN_SHARES


def _corrected(row: ErrorShare) -> str:
    ends = row.corrected_interval
    if row.corrected is None or ends is None:
        return "-"
    return f"{row.corrected:.1%} ({ends.low:.1%} to {ends.high:.1%})"


_PLAIN: Final = (
    *("name", "category", "count", "n", "share"),
    Column("95 %", lambda row: f"{row.interval.low:.1%} to {row.interval.high:.1%}"),
)
SHARES: Final = Table(
    ErrorShare,
    (
        *_PLAIN,
        Column(
            "corrected", _corrected, legend="share by hand labels, with the judge's choices on all answers"
        ),
    ),
    name="shares",
)
PLAIN_SHARES: Final = Table(ErrorShare, _PLAIN, name="shares")
CONFUSIONS: Final = Table(LabelConfusion, name="confusion")

SCHEMAS: Final[dict[str, tuple[type | Table, str]]] = {
    "study-errors": (ErrorStudy, "assay study errors --json: causes of wrong answers by a judge"),
}
