"""The bench score: a blend of a model's public results, as context for the measured ones."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import date
from typing import Annotated, Final, Literal

from assay.results.figure import Figure, Flat
from assay.results.table import Column, Table

Benchmark = Literal["lmarena_elo", "mmlu_pro", "gpqa_diamond", "swe_bench_verified", "aime"]
TITLES: Final[Mapping[Benchmark, str]] = {
    "lmarena_elo": "Elo",
    "mmlu_pro": "MMLU-Pro",
    "gpqa_diamond": "GPQA Diamond",
    "swe_bench_verified": "SWE-bench Verified",
    "aime": "AIME",
}


@dataclass(frozen=True, slots=True)
class EloScale:
    """The conversion of an Elo to a share, `clamp((elo - low) / span)`. A change raises `version`."""

    version: Annotated[str, Figure("version")] = "1"
    low: Annotated[float, Figure("low", meaning="the Elo that has share 0")] = 500.0
    span: Annotated[
        float, Figure("span", meaning="the difference between the Elos that have share 1 and share 0")
    ] = 2000.0

    def share(self, elo: float) -> float:
        """Return the share for an Elo."""
        return min(1.0, max(0.0, (elo - self.low) / self.span))


@dataclass(frozen=True, slots=True)
class Cited:
    """One public result, an Elo or a share from 0 to 1, with its source and date."""

    value: float
    source: Annotated[str, Figure("source", meaning="address")]
    date: Annotated[date, Figure("date")]
    note: Annotated[str | None, Figure("note")]


@dataclass(frozen=True, slots=True)
class BenchPart:
    """One benchmark's part of a blend; `value` and `share` are None without a public result."""

    benchmark: Annotated[Benchmark, Figure("benchmark")]
    weight: Annotated[float, Figure("weight", least=0, most=1)]
    value: Annotated[float | None, Figure("value", meaning="as published: an Elo, or a share")]
    share: Annotated[float | None, Figure("share", share=True)]


@dataclass(frozen=True, slots=True)
class CitedPart:
    """A part with the source of its public result."""

    part: Annotated[BenchPart, Flat()]
    cited: Annotated[Cited | None, Flat(only=("source", "date", "note"))]


@dataclass(frozen=True, slots=True)
class BenchScore:
    """A blend of the benchmarks that have a public result; `score` is None if none has one."""

    score: Annotated[
        float | None, Figure("bench score", name="bench_score", digits=1, missing="", least=0, most=100)
    ]
    coverage: Annotated[
        float,
        Figure("coverage", meaning="weight of the benchmarks with a result; others are left out", share=True),
    ]
    parts: tuple[BenchPart, ...]


@dataclass(frozen=True, slots=True)
class ModelBench:
    """One model's bench score with its parts."""

    model: Annotated[str, Figure("model")]
    score: Annotated[BenchScore, Flat(only=("bench_score", "coverage"))]
    parts: tuple[CitedPart, ...]


@dataclass(frozen=True, slots=True)
class BenchScores:
    """The bench scores, sorted by full coverage and then by score."""

    elo: EloScale
    models: tuple[ModelBench, ...]


def _column(benchmark: Benchmark) -> Column:
    def cell(row: ModelBench) -> str:
        part = next(part for part in row.score.parts if part.benchmark == benchmark)
        if part.value is None:
            return ""
        return f"{part.value:.0f}" if benchmark == "lmarena_elo" else f"{part.value:.1%}"

    return Column(TITLES[benchmark], cell, right=True)


BENCH_SCORES: Final = Table(ModelBench, ("model", "bench_score", "coverage", *map(_column, TITLES)))
SCHEMAS: Final[dict[str, tuple[type | Table, str]]] = {
    "bench-score": (
        BenchScores,
        "assay bench-score --json: public results blended, sorted by full coverage and then by score",
    ),
}
