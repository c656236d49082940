"""The comparison of two runs, case by case. Scores are 0-100."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Annotated, Final, Literal

from assay.results.figure import Day, Figure, Flat, Listed
from assay.results.runs import RunKind, RunStatus, StatusCounts, SuiteKey
from assay.results.table import Table

_MEAN: Final = Figure("mean", meaning="mean score of the common cases", digits=1, least=0, most=100)
_SCORE: Final = Figure("score", meaning="mean over epochs; none without a score", digits=1, least=0, most=100)


@dataclass(frozen=True, slots=True)
class ComparedRun:
    """A model in a run, with its samples of the cases that both runs scored."""

    run: Annotated[int, Figure("run")]
    kind: Annotated[RunKind, Figure("kind")]
    status: Annotated[RunStatus, Figure("status")]
    day: Annotated[Day | None, Figure("day")]
    model: Annotated[str, Figure("model")]
    counts: Annotated[StatusCounts, Flat()]
    cases: Annotated[int, Figure("cases", meaning="cases of the whole run with a score")]


@dataclass(frozen=True, slots=True)
class NamedCase:
    """A case of the suite."""

    case: Annotated[str, Figure("case")]
    use_case: Annotated[str, Figure("use case")]


@dataclass(frozen=True, slots=True)
class ComparedCase:
    """A case with its score in both runs."""

    name: Annotated[NamedCase, Flat()]
    a: Annotated[float | None, _SCORE]
    b: Annotated[float | None, _SCORE]


@dataclass(frozen=True, slots=True)
class FlippedCase:
    """A case that passes in one run and not in the other."""

    name: Annotated[NamedCase, Flat()]
    a: Annotated[float, _SCORE]
    b: Annotated[float, _SCORE]


@dataclass(frozen=True, slots=True)
class RunComparison:
    """The comparison of run B with run A. Means and difference are None without a common case."""

    suite: Annotated[SuiteKey, Flat()]
    visibility: Annotated[Literal["public", "private"], Figure("visibility")]
    simulated: Annotated[
        bool, Figure("simulated", meaning="whether a simulated model answered in either run")
    ]
    a: ComparedRun
    b: ComparedRun
    cases: Annotated[int, Figure("cases", meaning="cases with a score in both runs")]
    mean_a: Annotated[float | None, _MEAN]
    mean_b: Annotated[float | None, _MEAN]
    difference: Annotated[
        float | None,
        Figure("difference", meaning="mean_b minus mean_a", digits=1, least=-100, most=100),
    ]
    low: Annotated[
        float | None,
        Figure("low", meaning="lower end of the difference's interval, over cases like these"),
    ]
    high: Annotated[float | None, Figure("high", meaning="upper end of the difference's interval")]
    level: Annotated[float, Figure("level", meaning="level of the interval")]
    p: Annotated[
        float,
        Figure("p", meaning="two-sided sign-flip test of the differences on these cases", least=0, most=1),
    ]
    threshold: Annotated[
        float, Figure("threshold", meaning="least score with which a case passes", least=0, most=100)
    ]
    binary: Annotated[bool, Figure("binary", meaning="whether all scores are 0 or 100")]
    fell: Annotated[tuple[FlippedCase, ...], Figure("fell", meaning="passed in A, not in B")]
    rose: Annotated[tuple[FlippedCase, ...], Figure("rose", meaning="passed in B, not in A")]
    p_flips: Annotated[
        float,
        Figure("p of flips", meaning="two-sided exact McNemar test of the flipped cases", least=0, most=1),
    ]
    only_a: Annotated[tuple[NamedCase, ...], Figure("only in A", meaning="cases without a score in B")]
    only_b: Annotated[tuple[NamedCase, ...], Figure("only in B", meaning="cases without a score in A")]
    scores: Annotated[
        tuple[ComparedCase, ...],
        Figure("scores", meaning="every case with a score in either run, in the suite's order"),
    ]
    remarks: Annotated[
        tuple[str, ...],
        Listed("text"),
        Figure("remarks", meaning="other possible causes of the difference"),
    ]


CHANGED: Final = Table(FlippedCase, ("case", "use_case", "a", "b"))
SCHEMAS: Final[dict[str, tuple[type | Table, str]]] = {
    "compare": (
        RunComparison,
        "assay compare --json: run B compared with run A, case by case; scores are 0-100",
    ),
}
