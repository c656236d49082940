"""Published results about panels: effective votes, the best judge against the vote, cheaper panels."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Annotated, Final, Literal

from assay.results.figure import Figure, Flat, Listed
from assay.results.rank import RankSource, between
from assay.results.ranking import ENDS
from assay.results.table import Column, Table
from assay.stats.intervals import Interval

VoteBasis = Literal["errors against the reference", "agreement beyond items and models"]
PanelMeasure = Literal["accuracy", "root mean squared error"]
VoteRule = Literal["single", "majority", "mean", "weighted"]


@dataclass(frozen=True, slots=True)
class EffectiveVotes:
    """The number of independent judges that a panel is worth; None where it is undefined, with the reason."""

    votes: Annotated[
        float | None,
        Figure(
            "effective votes",
            name="effective_votes",
            meaning="J / (1 + (J - 1) r), r the mean correlation of two judges",
            digits=2,
            least=0,
        ),
    ]
    interval: Annotated[Interval | None, Flat("effective_votes", ENDS)]
    judges: Annotated[int, Figure("judges", name="effective_votes_judges", meaning="judges J that count")]
    correlation: Annotated[
        float | None,
        Figure("r", name="mean_correlation", meaning="mean correlation of two judges", digits=3),
    ]
    basis: Annotated[
        VoteBasis,
        Figure(
            "basis",
            name="effective_votes_basis",
            meaning="what is correlated: errors, or without a reference the marks beyond item and model, "
            "whose agreement is then counted as if it were shared error",
        ),
    ]
    n: Annotated[int, Figure("n", name="effective_votes_n", meaning="answers that it is computed from")]
    reason: Annotated[
        str | None, Figure("reason", name="effective_votes_reason", meaning="why there is no figure")
    ]


@dataclass(frozen=True, slots=True)
class BestAgainstPanel:
    """The best single judge against the panel's vote, on the answers that all of them marked.

    The best judge is chosen on the same answers, which favours it.
    """

    best: Annotated[str, Figure("best judge", name="best_judge")]
    best_value: Annotated[float, Figure("best judge's measure", name="best_judge_value", digits=3)]
    panel_value: Annotated[float, Figure("panel's measure", name="panel_value", digits=3)]
    gain: Annotated[
        float,
        Figure(
            "panel's gain",
            name="panel_gain",
            meaning="the panel is better by this; negative: worse",
            digits=3,
        ),
    ]
    gain_interval: Annotated[Interval | None, Flat("panel_gain", ENDS)]
    n: Annotated[int, Figure("n", name="panel_n", meaning="answers that all judges and the reference marked")]
    ties: Annotated[int, Figure("ties", name="panel_ties", meaning="tied votes, which count in part", of="n")]


@dataclass(frozen=True, slots=True)
class PanelIndependence:
    """How independent the judges of a panel are, and with a reference whether their vote helps."""

    reference: Annotated[
        str | None, Figure("reference", name="panel_reference", meaning="whose marks are taken for the truth")
    ]
    measure: Annotated[
        PanelMeasure | None,
        Figure(
            "measure", name="panel_measure", meaning="accuracy, or error in marks; none without reference"
        ),
    ]
    effective: Annotated[EffectiveVotes, Flat()]
    best: Annotated[BestAgainstPanel | None, Flat()]


@dataclass(frozen=True, slots=True)
class PanelJudge:
    """One judge of a panel."""

    judge: Annotated[str, Figure("judge")]
    n: Annotated[int, Figure("n", meaning="answers with its mark, and the reference's if there is one")]
    value: Annotated[float | None, Figure("measure", meaning="accuracy, or error in marks", digits=3)]
    interval: Annotated[Interval | None, Flat("value", ENDS)]
    correlation: Annotated[
        float | None,
        Figure("r with others", name="correlation", meaning="mean correlation with the others", digits=3),
    ]
    cost: Annotated[
        float | None,
        Figure("cost of 1,000", unit="USD", meaning="mean cost of 1,000 marks", missing="unknown"),
    ]


@dataclass(frozen=True, slots=True)
class JudgeCorrelation:
    """The correlation of two judges' errors, or of their marks beyond item and model."""

    first: Annotated[str, Figure("first")]
    second: Annotated[str, Figure("second")]
    n: Annotated[int, Figure("n", meaning="answers that it is computed from")]
    correlation: Annotated[
        float | None, Figure("correlation", digits=3, meaning="none where one of them has no errors")
    ]


@dataclass(frozen=True, slots=True)
class CheaperPanel:
    """A panel that cross-validation chose, and its measure on answers that had no part in the choice."""

    size: Annotated[int, Figure("size", meaning="judges of the panel", least=1)]
    members: Annotated[
        tuple[str, ...], Listed("judge"), Figure("members", meaning="chosen in the same way from all answers")
    ]
    rule: Annotated[VoteRule, Figure("rule", meaning="how their marks are combined")]
    value: Annotated[
        float, Figure("measure", meaning="on held-out answers: accuracy, or error in marks", digits=3)
    ]
    gain: Annotated[
        float,
        Figure("gain", meaning="better than the vote of all judges by this, on the same answers", digits=3),
    ]
    gain_interval: Annotated[Interval | None, Flat("gain", ENDS)]
    stability: Annotated[
        float,
        Figure("same members", meaning="share of the outer folds that chose these members", share=True),
    ]
    cost: Annotated[
        float | None,
        Figure("cost of 1,000", unit="USD", meaning="cost of 1,000 answers", missing="unknown"),
    ]


@dataclass(frozen=True, slots=True)
class JudgePanel:
    """A panel of judges: its independence, its judges, and cheaper panels by size."""

    source: Annotated[RankSource, Flat()]
    independence: Annotated[PanelIndependence, Flat()]
    judges: Annotated[tuple[PanelJudge, ...], Figure("judges", name="judges")]
    correlations: tuple[JudgeCorrelation, ...]
    sizes: Annotated[
        tuple[CheaperPanel, ...], Figure("sizes", name="panels", meaning="the best panel of each size")
    ]
    chosen: Annotated[
        CheaperPanel | None,
        Figure(
            "chosen",
            meaning="the cheapest panel within one standard error of the best; its size was "
            "chosen within the training folds too",
        ),
    ]
    remarks: Annotated[
        tuple[str, ...], Listed("text"), Figure("remarks", meaning="what could not be measured, and why")
    ]


def panel_sentences(panel: PanelIndependence) -> tuple[str, ...]:
    """Return a panel's effective votes, and its best judge against its vote, in sentences."""
    effective, best = panel.effective, panel.best
    if effective.votes is None:
        return (f"Effective votes of the panel: unknown, because {effective.reason}.",)
    ends = effective.interval
    around = "" if ends is None else f" (95 %: {between(ends.low, ends.high)})"
    votes = f"{effective.votes:.2f}{around}, from {effective.judges} judges"
    if panel.reference is None:
        return (
            f"Effective votes of the panel without a reference: {votes}. Their agreement beyond what prompts "
            "and models explain is counted as shared error; marks of people would show how much of it is.",
        )
    sentences = [
        f"Effective votes of the panel: {votes}, by the correlation of their errors (reference: "
        f"{panel.reference})."
    ]
    if best is not None:
        verdict, ends = "The difference is not significant.", best.gain_interval
        if ends is not None and not ends.low <= 0.0 <= ends.high:
            verdict = "The panel is better." if ends.low > 0.0 else "The best judge alone is better."
        around = "" if ends is None else f" (95 %: {between(ends.low, ends.high, 3)})"
        sentences.append(
            f"Best single judge: {best.best} with {panel.measure} {best.best_value:.3f}; all judges together "
            f"{best.panel_value:.3f}; gain of the panel {best.gain:+.3f}{around}. {verdict}"
        )
    return tuple(sentences)


def _ends(row: object, name: str) -> str:
    interval = getattr(row, name)
    return "" if interval is None else between(interval.low, interval.high, 3)


def panel_judges_table(rows: Sequence[PanelJudge]) -> Table:
    """Return the columns of judges that these rows have figures for."""
    columns: list[str | Column] = ["judge", "n"]
    if any(row.value is not None for row in rows):
        columns += ["value", Column("95 %", lambda row: _ends(row, "interval"))]
    columns.append("correlation")
    if any(row.cost is not None for row in rows):
        columns.append("cost")
    return Table(PanelJudge, columns, name="judges")


def panels_table(rows: Sequence[CheaperPanel]) -> Table:
    """Return the columns of panels by size, with costs if they are known."""
    gain = Column("95 %", lambda row: _ends(row, "gain_interval"))
    columns: list[str | Column] = ["size", "members", "rule", "value", "gain", gain, "stability"]
    if any(row.cost is not None for row in rows):
        columns.append("cost")
    return Table(CheaperPanel, columns, name="panels")


CORRELATIONS: Final = Table(JudgeCorrelation, ("first", "second", "n", "correlation"), name="correlations")
SCHEMAS: Final[dict[str, tuple[type | Table, str]]] = {
    "judge-panel": (JudgePanel, "assay judge panel --json: independence of a panel of judges"),
}
