"""The parts of both kinds of board: ranks, comparisons, sample counts, and models without a rank."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Annotated, Final

from assay.results.figure import Figure, Flat
from assay.results.table import Column, Table, legend_of
from assay.stats.intervals import Interval

ENDS: Final = ("low", "high")


@dataclass(frozen=True, slots=True)
class RankRange:
    """The best and worst rank that a model could have, if only significant differences count; 1 is the best.

    Overlapping ranges do not mean that two models are alike: one of two models with ranges 1-3 and 2-4 may
    be significantly better than the other. `Comparisons.significant` has the significant pairs.
    """

    low: Annotated[
        int, Figure("best rank", meaning="1 + the number of models that are significantly better", least=1)
    ]
    high: Annotated[
        int,
        Figure(
            "worst rank",
            meaning="number of ranked models minus those that are significantly worse",
            least=1,
        ),
    ]

    def __str__(self) -> str:
        """Return the text of the range in a table: `1-3`, or `2` if both ends are the same."""
        return f"{self.low}" if self.low == self.high else f"{self.low}-{self.high}"


@dataclass(frozen=True, slots=True)
class Average:
    """A mean over the `n` prompts for which the value is known; None without such prompts."""

    value: float | None
    n: Annotated[int, Figure("n", meaning="prompts for which the value is known")]


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
        """Return the text of the counts in a table: `20 (17/1/2/0), 1 truncated`."""
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
            meaning="total cost; unknown if the cost of one answer is unknown",
            missing="unknown",
        ),
    ]
    cost_unknown: Annotated[int, Figure("cost unknown", meaning="answered samples whose cost is unknown")]


@dataclass(frozen=True, slots=True)
class Comparison:
    """The difference between two models' composites or scores (0-1) on the same prompts.

    It is None (and p is 1) if the two cannot be compared.
    """

    first: Annotated[str, Figure("first")]
    second: Annotated[str, Figure("second")]
    difference: Annotated[float | None, Figure("difference", meaning="first minus second")]
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
    """A model that the workspace excludes from a suite, with the reason; `runs` have measured it anyway."""

    model: Annotated[str, Figure("model")]
    reason: Annotated[str, Figure("reason")]
    runs: Annotated[tuple[int, ...], Figure("runs that do not count", missing="-")]


@dataclass(frozen=True, slots=True)
class Lack:
    """The reason why a model's run cannot be ranked, and the command that resolves it."""

    reason: Annotated[str, Figure("reason")]
    command: Annotated[str, Figure("what to type")]


@dataclass(frozen=True, slots=True)
class NotRanked:
    """A model without a run that can be ranked: its most complete run, and the reasons with commands."""

    model: Annotated[str, Figure("model")]
    run: Annotated[int, Figure("run")]
    reasons: tuple[Lack, ...]


@dataclass(frozen=True, slots=True)
class RankedModels:
    """The comparisons of the ranked models, and the models that are not ranked."""

    comparisons: tuple[ComparedPair, ...]
    excluded: tuple[Excluded, ...]
    not_ranked: tuple[NotRanked, ...]


def between(interval: Interval | None, digits: int = 1) -> str:
    """Return the text of an interval out of 100, such as `71.2-74.0`; empty without an interval."""
    if interval is None:
        return ""
    return f"{100 * interval.low:.{digits}f}-{100 * interval.high:.{digits}f}"


def better_first(pair: Comparison) -> Comparison:
    """Return the comparison turned so that the difference is not negative."""
    if pair.difference is None or pair.low is None or pair.high is None or pair.difference >= 0:
        return pair
    return Comparison(pair.second, pair.first, -pair.difference, -pair.high, -pair.low, pair.p, pair.p_holm)


def _interval(pair: Comparison) -> str:
    return "" if pair.low is None or pair.high is None else f"{100 * pair.low:+.1f} to {100 * pair.high:+.1f}"


RANK: Final = Column("rank", lambda standing: standing.ranks or "-")
SAMPLES: Final = "n (ok/inv/err/ungr)"
"""The heading of the column with the text of `BoardSamples`."""
EXCLUDED: Final = Table(Excluded)

SIGNIFICANT: Final = Table(
    Comparison,
    (
        Column("better", lambda pair: pair.first),
        Column("worse", lambda pair: pair.second),
        Column("difference", lambda pair: f"{100 * pair.difference:+.1f}", right=True),
        Column("95 %", _interval),
        Column("p", lambda pair: f"{pair.p:.2g}", right=True, legend=legend_of(Comparison, "p")),
        Column("corrected p", lambda pair: f"{pair.p_holm:.2g}", right=True),
    ),
)
