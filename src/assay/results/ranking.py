"""Parts that both kinds of board share: ranks, comparisons, sample counts, and models without a rank."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Annotated, Final

from assay.results.figure import Figure, Flat
from assay.results.table import Column, Table, legend_of
from assay.stats.intervals import Interval

ENDS: Final = ("low", "high")


@dataclass(frozen=True, slots=True)
class RankRange:
    """A model's best and worst tenable rank, 1 the best.

    Ranges that overlap do not say that two models are alike: of two models with ranges 1-3 and 2-4 one may
    be significantly better than the other. `Comparisons.significant` says which pairs are.
    """

    low: Annotated[int, Figure("best rank", meaning="1 + the models that are significantly better", least=1)]
    high: Annotated[
        int,
        Figure("worst rank", meaning="ranked models less those that are significantly worse", least=1),
    ]

    def __str__(self) -> str:
        """Return the range as tables show it: `1-3`, or `2` where both ends are the same."""
        return f"{self.low}" if self.low == self.high else f"{self.low}-{self.high}"


@dataclass(frozen=True, slots=True)
class Average:
    """A mean over `n` prompts for which it is known; None when it is known for none."""

    value: float | None
    n: Annotated[int, Figure("n", meaning="prompts for which it is known")]


@dataclass(frozen=True, slots=True)
class BoardSamples:
    """A model's samples on a board, by status."""

    n: Annotated[int, Figure("n", meaning="all samples: ok + invalid + error + ungraded")]
    ok: Annotated[int, Figure("ok", meaning="visible answers that were graded", of="n")]
    invalid: Annotated[int, Figure("inv", meaning="answers without visible text", of="n")]
    truncated: Annotated[
        int,
        Figure("truncated", meaning="invalid answers that used all their tokens for reasoning", of="invalid"),
    ]
    error: Annotated[
        int,
        Figure("err", meaning="no answer after retries; left out of every mean of a judged board", of="n"),
    ]
    ungraded: Annotated[
        int,
        Figure("ungr", meaning="answers that were not graded, or not marked by every judge", of="n"),
    ]

    def __str__(self) -> str:
        """Return the counts as tables show them: `20 (17/1/2/0), 1 truncated`."""
        truncated = f", {self.truncated} truncated" if self.truncated else ""
        return f"{self.n} ({self.ok}/{self.invalid}/{self.error}/{self.ungraded}){truncated}"


@dataclass(frozen=True, slots=True)
class AnswerUsage:
    """The latency, output tokens and cost of a model's answers."""

    latency: Annotated[
        Average,
        Flat("latency", ("value",)),
        Figure("s", unit="seconds", meaning="mean latency of an answer", digits=1),
    ]
    tokens: Annotated[
        Average,
        Flat("tokens", ("value",)),
        Figure("tokens", meaning="mean output tokens of an answer", digits=0),
    ]
    cost: Annotated[
        float | None,
        Figure(
            "cost",
            unit="USD",
            meaning="total cost; unknown as soon as that of one answer is",
            missing="unknown",
        ),
    ]
    cost_unknown: Annotated[int, Figure("cost unknown", meaning="answered samples whose cost is unknown")]


@dataclass(frozen=True, slots=True)
class Comparison:
    """How two models' composites or scores (0-1) differ on the same prompts.

    None (and p 1) where the two cannot be compared.
    """

    first: Annotated[str, Figure("first")]
    second: Annotated[str, Figure("second")]
    difference: Annotated[float | None, Figure("difference", meaning="first less second")]
    low: Annotated[float | None, Figure("low", meaning="lower end of the 95 % interval, not corrected")]
    high: Annotated[float | None, Figure("high", meaning="upper end of the 95 % interval, not corrected")]
    p: Annotated[float, Figure("p", meaning="two-sided p of the difference", least=0, most=1)]
    p_holm: Annotated[
        float, Figure("corrected p", meaning="p corrected over all pairs (Holm)", least=0, most=1)
    ]


@dataclass(frozen=True, slots=True)
class ComparedPair:
    """Two ranked models, the better one first, and whether they differ at the board's alpha."""

    comparison: Annotated[Comparison, Flat()]
    significant: Annotated[bool, Figure("significant", meaning="whether the corrected p is at most alpha")]


@dataclass(frozen=True, slots=True)
class Excluded:
    """A model that the workspace excludes from a suite, with the reason; `runs` measured it all the same."""

    model: Annotated[str, Figure("model")]
    reason: Annotated[str, Figure("reason")]
    runs: Annotated[tuple[int, ...], Figure("runs that do not count", missing="-")]


@dataclass(frozen=True, slots=True)
class Lack:
    """Why a model's run cannot be ranked, and the command that mends it."""

    reason: Annotated[str, Figure("reason")]
    command: Annotated[str, Figure("what to type")]


@dataclass(frozen=True, slots=True)
class NotRanked:
    """A model none of whose runs can be ranked: the nearest one, and why not, with the command that helps."""

    model: Annotated[str, Figure("model")]
    run: Annotated[int, Figure("run")]
    reasons: tuple[Lack, ...]


@dataclass(frozen=True, slots=True)
class RankedModels:
    """How the ranked models compare, and which models are not ranked."""

    comparisons: tuple[ComparedPair, ...]
    excluded: tuple[Excluded, ...]
    not_ranked: tuple[NotRanked, ...]


def between(interval: Interval | None, digits: int = 1) -> str:
    """Return an interval out of 100, as in `71.2-74.0`; nothing without one."""
    if interval is None:
        return ""
    return f"{100 * interval.low:.{digits}f}-{100 * interval.high:.{digits}f}"


def better_first(pair: Comparison) -> Comparison:
    """Return the comparison turned so that the difference is not negative."""
    if pair.difference is None or pair.low is None or pair.high is None or pair.difference >= 0:
        return pair
    return Comparison(pair.second, pair.first, -pair.difference, -pair.high, -pair.low, pair.p, pair.p_holm)


def _gap(pair: Comparison) -> str:
    return "" if pair.low is None or pair.high is None else f"{100 * pair.low:+.1f} to {100 * pair.high:+.1f}"


RANK: Final = Column("rank", lambda standing: standing.ranks or "-")
SAMPLES: Final = "n (ok/inv/err/ungr)"
"""The heading over the text of `BoardSamples`."""
EXCLUDED: Final = Table(Excluded)

SIGNIFICANT: Final = Table(
    Comparison,
    (
        Column("better", lambda pair: pair.first),
        Column("worse", lambda pair: pair.second),
        Column("difference", lambda pair: f"{100 * pair.difference:+.1f}", right=True),
        Column("95 %", _gap),
        Column("p", lambda pair: f"{pair.p:.2g}", right=True, legend=legend_of(Comparison, "p")),
        Column("corrected p", lambda pair: f"{pair.p_holm:.2g}", right=True),
    ),
)
