"""Published results of `assay judge choose`: agreement with a reference, and the recommendation."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Annotated, Final

from assay.results.agreement import AgreementFigure
from assay.results.figure import Figure, Flat, Listed
from assay.results.rank import RankSource, between
from assay.results.ranking import ENDS
from assay.results.table import Column, Table
from assay.stats.intervals import Interval


@dataclass(frozen=True, slots=True)
class ReferenceAgreement:
    """One judge's agreement with the reference, over all answers or those of a round or a model.

    Weighted kappas need more than two ordered categories, and kappas need categories; figures that do not
    apply, or that are undefined because all marks are the same, are None.
    """

    judge: Annotated[str, Figure("judge")]
    round: Annotated[str | None, Figure("round", meaning="none over all rounds")]
    model: Annotated[str | None, Figure("model", meaning="none over all models")]
    n: Annotated[int, Figure("n", meaning="answers that the judge and the reference marked")]
    agreement: Annotated[AgreementFigure | None, Figure("agreement", meaning="share with the same mark")]
    kappa: Annotated[AgreementFigure | None, Figure("kappa", meaning="without weights")]
    linear: Annotated[AgreementFigure | None, Figure("linear", meaning="kappa with linear weights")]
    quadratic: Annotated[AgreementFigure | None, Figure("quadratic", meaning="kappa with quadratic weights")]
    correlation: Annotated[
        AgreementFigure | None,
        Figure("correlation", meaning="Pearson's, weighted where answers have weights"),
    ]
    cost: Annotated[
        float | None,
        Figure("cost of 1,000", unit="USD", meaning="mean cost of 1,000 marks", missing="unknown"),
    ]


@dataclass(frozen=True, slots=True)
class JudgeDifference:
    """The difference of two judges' figures on the answers that both and the reference marked."""

    first: Annotated[str, Figure("first")]
    second: Annotated[str, Figure("second")]
    n: Annotated[int, Figure("n", meaning="answers that both judges and the reference marked")]
    value: Annotated[float | None, Figure("difference", digits=3, meaning="first minus second")]
    interval: Annotated[Interval | None, Flat(only=ENDS)]
    p: Annotated[float | None, Figure("p", digits=4, meaning="two-sided, after Holm's correction")]

    @property
    def significant(self) -> Annotated[bool, Figure("significant", meaning="p of at most 0.05")]:
        """Whether the difference is significant after Holm's correction."""
        return self.p is not None and self.p <= 0.05


@dataclass(frozen=True, slots=True)
class JudgeRecommendation:
    """Judges compared with a reference, best first, and which of them to use."""

    source: Annotated[RankSource, Flat()]
    reference: Annotated[str, Figure("reference", meaning="whose marks the judges are compared with")]
    measure: Annotated[str, Figure("measure", meaning="the figure by which judges are compared")]
    margin: Annotated[float, Figure("margin", meaning="largest loss of the measure that does not matter")]
    recommended: Annotated[str | None, Figure("recommended", meaning="none where the data cannot tell")]
    reason: Annotated[str, Figure("reason", meaning="why this judge, or why none")]
    judges: tuple[ReferenceAgreement, ...]
    rounds: Annotated[tuple[ReferenceAgreement, ...], Figure("rounds", meaning="by judge and round")]
    models: Annotated[tuple[ReferenceAgreement, ...], Figure("models", name="by_model")]
    differences: tuple[JudgeDifference, ...]
    remarks: Annotated[
        tuple[str, ...], Listed("text"), Figure("remarks", meaning="what could not be measured, and why")
    ]


def _figure(heading: str, legend: str = "") -> tuple[Column, Column]:
    """Return two columns for a figure: its value and its interval."""

    def value(row: object) -> str:
        shown = getattr(row, heading)
        return "-" if shown is None or shown.value is None else f"{shown.value:.3f}"

    def interval(row: object) -> str:
        shown = getattr(row, heading)
        ends = None if shown is None else shown.interval
        return "" if ends is None else between(ends.low, ends.high)

    return Column(heading, value, right=True, legend=legend), Column("95 %", interval)


def agreement_table(rows: tuple[ReferenceAgreement, ...], group: str = "") -> Table:
    """Return the columns that these rows have figures for; `group` is `round`, `model` or empty."""
    names = ("agreement", "kappa", "linear", "quadratic", "correlation", "cost")
    known = {name for name in names if any(getattr(row, name) is not None for row in rows)}
    columns: list[str | Column] = ["judge", *([group] if group else []), "n"]
    for name in names[:-1]:
        if name in known:
            shown = _figure(name)
            columns += shown[:1] if group and name != "kappa" else shown
    if not group and "cost" in known:
        columns.append("cost")
    return Table(ReferenceAgreement, columns, name="judges")


DIFFERENCES: Final = Table(
    JudgeDifference,
    (
        "first",
        "second",
        "n",
        "value",
        Column(
            "95 %",
            lambda row: "" if row.interval is None else between(row.interval.low, row.interval.high, 3),
        ),
        Column(
            "p",
            lambda row: "-" if row.p is None else f"{row.p:.2g}",
            right=True,
            legend="after Holm's correction",
        ),
        "significant",
    ),
    name="differences",
)
SCHEMAS: Final[dict[str, tuple[type | Table, str]]] = {
    "judge-choose": (JudgeRecommendation, "assay judge choose --json: agreement of judges with a reference"),
}
