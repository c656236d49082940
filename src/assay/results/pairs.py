"""Published verdicts of judges on pairs of answers: `assay judge pairs` and `assay board --pairwise`."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Annotated, Final, Literal

from assay.core.errors import AssayError
from assay.results.figure import Figure, Flat, Hidden, Listed
from assay.results.rank import between
from assay.results.rank_comparisons import ComparisonRatings, CovariateEffect
from assay.results.ranking import ENDS
from assay.results.runs import Spend
from assay.results.table import Column, Table
from assay.stats.intervals import Interval


@dataclass(frozen=True, slots=True)
class PairTally:
    """One judge's verdicts on the answers of two models.

    A model wins a pair of answers if the judge prefers its answer in both orders. A pair on which the two
    orders disagree counts half for each, like a tie.
    """

    model: Annotated[str, Figure("model")]
    opponent: Annotated[str, Figure("against", name="against")]
    judge: Annotated[str, Figure("judge")]
    n: Annotated[int, Figure("n", meaning="pairs of answers with a verdict in both orders, or by rule")]
    wins: Annotated[int, Figure("wins", meaning="pairs that the model wins in both orders", of="n")]
    ties: Annotated[int, Figure("ties", meaning="pairs that are a tie in both orders", of="n")]
    losses: Annotated[int, Figure("losses", meaning="pairs that the model loses in both orders", of="n")]
    split: Annotated[int, Figure("split", meaning="pairs on which the two orders disagree", of="n")]
    by_rule: Annotated[
        int,
        Figure(
            "by rule",
            meaning="pairs decided without a judge, since the answers are equal or one is empty",
            of="n",
        ),
    ]
    missing: Annotated[
        int, Figure("missing", meaning="pairs without a readable verdict in both orders; they do not count")
    ]
    win_rate: Annotated[
        float | None,
        Figure("win rate", meaning="wins and half of the ties and split pairs", of="n", share=True, digits=1),
    ]
    win_rate_interval: Annotated[Interval | None, Flat("win_rate", ENDS)]


@dataclass(frozen=True, slots=True)
class ListedVerdict:
    """One verdict in one order, as a row of a table of comparisons."""

    item: Annotated[str, Figure("item", meaning="the case")]
    epoch: Annotated[int, Figure("epoch", name="generation")]
    a: Annotated[str, Figure("a", meaning="model")]
    b: Annotated[str, Figure("b", meaning="model")]
    verdict: Annotated[str, Figure("verdict", meaning="position that won: first, second or tie")]
    judge: Annotated[str, Figure("judge")]
    order: Annotated[str, Figure("order", meaning="AB if the answer of a was shown first, else BA")]
    length_a: Annotated[int, Figure("length a", unit="characters")]
    length_b: Annotated[int, Figure("length b", unit="characters")]
    by_rule: Annotated[bool, Figure("by rule", meaning="whether no judge was asked")]


@dataclass(frozen=True, slots=True)
class JudgeOrders:
    """One judge's verdicts on pairs that it saw in both orders: whether they agree, and what position does.

    Pairs that were decided by rule are left out.
    """

    judge: Annotated[str, Figure("judge")]
    n: Annotated[int, Figure("n", meaning="pairs with a readable verdict in both orders")]
    missing: Annotated[int, Figure("missing", meaning="pairs without a readable verdict in both orders")]
    agree: Annotated[int, Figure("agree", meaning="pairs with the same verdict in both orders", of="n")]
    agree_share: Annotated[float | None, Figure("share", meaning="agree / n", share=True, digits=1)]
    agree_interval: Annotated[Interval | None, Flat("agree", ENDS)]
    kept_first: Annotated[
        int, Figure("first twice", meaning="pairs in which it chose the answer shown first both times")
    ]
    kept_second: Annotated[
        int, Figure("second twice", meaning="pairs in which it chose the answer shown second both times")
    ]
    p: Annotated[
        float, Figure("p", meaning="exact two-sided p if neither position is preferred", least=0, most=1)
    ]
    longer: Annotated[
        float | None,
        Figure(
            "longer wins",
            meaning="share of decided verdicts that the longer answer wins",
            share=True,
            digits=1,
        ),
    ]
    longer_interval: Annotated[Interval | None, Flat("longer", ENDS)]
    decided: Annotated[
        int, Figure("decided", meaning="pairs with a winner in both orders and answers of different lengths")
    ]


@dataclass(frozen=True, slots=True)
class PairStudy:
    """The comparison of the answers of some runs by judges. It holds no prompt, answer or rationale."""

    run: Annotated[int, Figure("run", least=1)]
    status: Annotated[Literal["finished", "stopped"], Figure("status")]
    reason: Annotated[str | None, Figure("reason", meaning="why it stopped")]
    error: Annotated[AssayError | None, Hidden()]
    suite: Annotated[str, Figure("suite")]
    version: Annotated[str, Figure("version")]
    compared: Annotated[
        tuple[str, ...], Listed("model"), Figure("models", meaning="models whose answers were compared")
    ]
    prompts: Annotated[int, Figure("prompts", meaning="prompts whose answers were compared")]
    planned: Annotated[
        int, Figure("planned", meaning="verdicts: pairs of answers, in both orders, of all judges")
    ]
    stored: Annotated[int, Figure("stored", meaning="stored verdicts, readable or not", of="planned")]
    reused: Annotated[
        int, Figure("reused", meaning="verdicts taken from an earlier run on the same answers", of="stored")
    ]
    tallies: Annotated[tuple[PairTally, ...], Figure("pairs", name="pairs")]
    orders: Annotated[tuple[JudgeOrders, ...], Figure("judges", name="judges")]
    verdicts: Annotated[tuple[ListedVerdict, ...], Hidden()]
    spend: Annotated[Spend, Flat()]
    simulated: Annotated[bool, Figure("simulated", meaning="whether a judge or a model is simulated")]
    remarks: Annotated[tuple[str, ...], Figure("remarks", meaning="what to keep in mind, one line each")]


@dataclass(frozen=True, slots=True)
class PairwiseBoard:
    """The models of a suite ranked by judges' verdicts on pairs of their answers."""

    suite: Annotated[str, Figure("suite")]
    version: Annotated[str, Figure("version")]
    runs: Annotated[
        tuple[int, ...], Figure("runs", meaning="runs of `assay judge pairs` whose verdicts count")
    ]
    simulated: Annotated[bool, Figure("simulated", meaning="whether a judge or a model is simulated")]
    items: Annotated[int, Figure("items", meaning="prompts with a comparison")]
    ratings: Annotated[ComparisonRatings, Flat()]
    measured: Annotated[
        tuple[CovariateEffect, ...],
        Figure("measured", meaning="effects of position and length, whether or not ratings are adjusted"),
    ]
    tallies: Annotated[tuple[PairTally, ...], Figure("pairs", name="pairs")]
    orders: Annotated[tuple[JudgeOrders, ...], Figure("judges", name="judges")]


def _percent(ends: Interval | None) -> str:
    return "" if ends is None else between(100 * ends.low, 100 * ends.high, 0)


PAIR_TALLIES: Final = Table(
    PairTally,
    (
        "model",
        "against",
        "judge",
        "n",
        "wins",
        "ties",
        "losses",
        "split",
        "by_rule",
        "missing",
        "win_rate",
        Column("95 %", lambda row: _percent(row.win_rate_interval)),
    ),
    name="pairs",
)
LISTED_VERDICTS: Final = Table(ListedVerdict, name="verdicts")
JUDGE_ORDERS: Final = Table(
    JudgeOrders,
    (
        "judge",
        "n",
        "missing",
        "agree",
        "agree_share",
        Column("95 %", lambda row: _percent(row.agree_interval)),
        "kept_first",
        "kept_second",
        "p",
        "longer",
        Column("95 %", lambda row: _percent(row.longer_interval)),
        "decided",
    ),
    name="judges",
)
SCHEMAS: Final[dict[str, tuple[type | Table, str]]] = {
    "judge-pairs": (PairStudy, "assay judge pairs --json: judges' verdicts on pairs of answers"),
    "board-pairwise": (PairwiseBoard, "assay board --pairwise --json: models ranked by these verdicts"),
}
