"""A judged board: each model's composite with its parts, overall and by group, and each judge's leniency."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Annotated, Final, Literal

from assay.results.figure import Figure, Flat
from assay.results.ranking import ENDS, RANK, SAMPLES, AnswerUsage, Average, BoardSamples, RankRange, between
from assay.results.table import Column, Table, legend_of
from assay.stats.intervals import Interval

Basis = Literal["both", "judges only", "geval only"]
Dimension = Literal["category", "subcategory", "difficulty"]


@dataclass(frozen=True, slots=True)
class JudgeMean:
    """One judge's mean mark for one model.

    Invalid answers get 1 by rule, without the judge. A judge `counts` if it marked all visible answers; for
    its `own` model (or family) it never counts.
    """

    judge: Annotated[str, Figure("judge")]
    mean: Annotated[
        float | None,
        Figure(
            "mean", meaning="mean mark, rounded to 2 decimals; none without a mark", digits=2, least=1, most=5
        ),
    ]
    marked: Annotated[int, Figure("marked", meaning="visible answers with its mark", of="asked")]
    asked: Annotated[int, Figure("asked", meaning="visible answers")]
    own: Annotated[
        bool, Figure("own", meaning="whether the model is the judge itself, or of the same family")
    ]
    counts: Annotated[bool, Figure("counts", meaning="whether its marks count for the composite")]


@dataclass(frozen=True, slots=True)
class Score:
    """The composite and its halves: the judges' mean and G-Eval. `basis` is None without a composite."""

    composite: Annotated[
        float | None,
        Figure(
            "composite",
            meaning="half the judges' mean mark, half G-Eval; none without either",
            least=0,
            most=1,
            points=True,
            digits=2,
        ),
    ]
    basis: Annotated[
        Basis | None,
        Figure("basis", meaning="the halves that the composite is made of"),
    ]
    judge_mean: Annotated[
        float | None,
        Figure(
            "judges",
            meaning="mean of the judges that count, each rounded to 2 decimals",
            digits=2,
            least=1,
            most=5,
        ),
    ]
    judged: Annotated[int, Figure("judged", meaning="judges that count")]
    geval_mean: Annotated[
        float | None,
        Figure("G-Eval", meaning="mean over prompts, rounded to 4 decimals", digits=4, least=0, most=1),
    ]
    geval_n: Annotated[int, Figure("G-Eval n", meaning="prompts with G-Eval")]
    composite_invalid_zero: Annotated[
        float | None,
        Figure(
            "composite if invalid = 0",
            meaning="the composite with G-Eval 0 for invalid answers, which otherwise have no G-Eval",
            points=True,
            digits=2,
        ),
    ]


@dataclass(frozen=True, slots=True)
class FlagCounts:
    """The automatic flags of a model's samples."""

    flagged: Annotated[
        int, Figure("flagged", meaning="samples with an automatic flag; flags change no score", of="n")
    ]
    flags: Annotated[int, Figure("flags", meaning="automatic flags")]


@dataclass(frozen=True, slots=True)
class PanelAdjusted:
    """The estimated composite and judges' mean if every judge had marked every answer; not rounded.

    The interval is over prompts and includes the errors of the judges' leniency and of the estimates. If all
    missing marks were at one end of their scale, the composite would be `lowest` or `highest`. All are None
    if the model has no mark and no G-Eval.
    """

    composite: Annotated[
        float | None,
        Figure(
            "adjusted",
            name="composite_adjusted",
            meaning="the composite as if every judge had marked every answer: own judges and missing marks "
            "are estimated; ranks follow from it",
            points=True,
            digits=2,
        ),
    ]
    interval: Annotated[Interval | None, Flat("composite_adjusted", ENDS)]
    judge_mean: Annotated[
        Average,
        Flat("judge_mean_adjusted", ("value",)),
        Figure(
            "judges adjusted", meaning="the judges' mean as if every judge had marked every answer", digits=2
        ),
    ]
    missing: Annotated[
        int,
        Figure(
            "missing marks",
            name="marks_missing",
            meaning="judges' marks and G-Eval metrics that should exist and are missing",
        ),
    ]
    lowest: Annotated[
        float | None,
        Figure(
            "lowest",
            name="composite_missing_lowest",
            meaning="the adjusted composite with the missing marks at the lowest end of their scales",
        ),
    ]
    highest: Annotated[
        float | None,
        Figure(
            "highest",
            name="composite_missing_highest",
            meaning="the adjusted composite with the missing marks at the highest end of their scales",
        ),
    ]


@dataclass(frozen=True, slots=True)
class MetricMean:
    """The mean of one metric of G-Eval (0-1) over `n` prompts."""

    metric: Annotated[str, Figure("metric")]
    mean: Annotated[float | None, Figure("mean", digits=3)]
    n: Annotated[int, Figure("n", meaning="prompts with this metric")]


@dataclass(frozen=True, slots=True)
class Without:
    """The composite that the model would have without one judge; None if neither half is left."""

    judge: Annotated[str, Figure("judge")]
    composite: Annotated[float | None, Figure("composite", points=True, digits=2)]


@dataclass(frozen=True, slots=True)
class Group:
    """A group of prompts. `category` is a subcategory's, because categories share names of subcategories."""

    by: Annotated[Dimension, Figure("by")]
    name: Annotated[str, Figure("name")]
    category: Annotated[str | None, Figure("category")]
    prompts: Annotated[int, Figure("prompts")]


@dataclass(frozen=True, slots=True)
class GroupScore:
    """A model's score and counts on one group, from the judges that count overall."""

    group: Annotated[Group, Flat()]
    score: Annotated[Score, Flat()]
    samples: Annotated[BoardSamples, Flat()]
    flags: Annotated[FlagCounts, Flat()]


@dataclass(frozen=True, slots=True)
class Standing:
    """One model on a judged board. `ranks` follow from the adjusted composite; None without one."""

    model: Annotated[str, Figure("model")]
    score: Annotated[Score, Flat()]
    interval: Annotated[
        Interval | None,
        Flat("composite", ENDS),
        Figure("95 %", meaning="bootstrap interval of the composite over prompts"),
    ]
    adjusted: Annotated[PanelAdjusted, Flat()]
    ranks: Annotated[RankRange | None, Flat("rank")]
    efficiency: Annotated[
        float | None,
        Figure("eff.", meaning="judges' mean divided by log2 of the mean output tokens", digits=3),
    ]
    samples: Annotated[BoardSamples, Flat()]
    flags: Annotated[FlagCounts, Flat()]
    usage: Annotated[AnswerUsage, Flat()]
    judges: tuple[JudgeMean, ...]
    metrics: tuple[MetricMean, ...]
    without: tuple[Without, ...]
    groups: tuple[GroupScore, ...]


@dataclass(frozen=True, slots=True)
class JudgeLeniency:
    """The difference between a judge's marks (1-5) and the panel's on the same answers.

    `leniency` is None for a judge that no chain of shared answers connects with the others.
    """

    judge: Annotated[str, Figure("judge")]
    leniency: Annotated[
        float | None,
        Figure("leniency", meaning="how far its marks lie above the panel's on the same answers"),
    ]
    marks: Annotated[int, Figure("marks", meaning="marks that it gave")]


def _composite(standing: Standing) -> str:
    """Return the composite, with a remark if it has one half only."""
    score = standing.score
    if score.composite is None:
        return "-"
    half = "" if score.basis in ("both", None) else f" ({score.basis})"
    return f"{100 * score.composite:.2f}{half}"


STANDINGS: Final = Table(
    Standing,
    (
        RANK,
        "model",
        Column("composite", _composite, right=True),
        "composite_adjusted",
        Column("95 %", lambda standing: between(standing.adjusted.interval)),
        "judge_mean",
        "geval_mean",
        "efficiency",
        Column(SAMPLES, lambda standing: standing.samples, legend=legend_of(BoardSamples, "n")),
        "flagged",
        "latency",
        "tokens",
        "cost",
    ),
)
