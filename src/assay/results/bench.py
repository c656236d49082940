"""The bench score: public results of models, blended for context beside what was measured."""

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
    """How an Elo becomes a share from 0 to 1: `clamp((elo - low) / span)`. A change raises `version`."""

    version: Annotated[str, Figure("version")] = "1"
    low: Annotated[float, Figure("low", meaning="the Elo whose share is 0")] = 500.0
    span: Annotated[float, Figure("span", meaning="the Elo from a share of 0 to one of 1")] = 2000.0

    def share(self, elo: float) -> float:
        """Return the share for an Elo."""
        return min(1.0, max(0.0, (elo - self.low) / self.span))


@dataclass(frozen=True, slots=True)
class Cited:
    """One public result: an Elo, or a share from 0 to 1, with where it is published and when."""

    value: float
    source: Annotated[str, Figure("source", meaning="address")]
    date: Annotated[date, Figure("date")]
    note: Annotated[str | None, Figure("note")]


@dataclass(frozen=True, slots=True)
class BenchPart:
    """One benchmark's part of a blend; `value` and `share` are None where there is no public result."""

    benchmark: Annotated[Benchmark, Figure("benchmark")]
    weight: Annotated[float, Figure("weight", least=0, most=1)]
    value: Annotated[float | None, Figure("value", meaning="as published: an Elo, or a share")]
    share: Annotated[float | None, Figure("share", share=True)]


@dataclass(frozen=True, slots=True)
class CitedPart:
    """A part with where its public result is published."""

    part: Annotated[BenchPart, Flat()]
    cited: Annotated[Cited | None, Flat(only=("source", "date", "note"))]


@dataclass(frozen=True, slots=True)
class BenchScore:
    """A blend over the parts that there are; `score` is None where there is no result at all."""

    score: Annotated[
        float | None, Figure("bench score", name="bench_score", digits=1, missing="", least=0, most=100)
    ]
    coverage: Annotated[
        float,
        Figure("coverage", meaning="weight of the parts that there are; others are left out", share=True),
    ]
    parts: tuple[BenchPart, ...]


@dataclass(frozen=True, slots=True)
class ModelBench:
    """One model's public results, blended."""

    model: Annotated[str, Figure("model")]
    score: Annotated[BenchScore, Flat(only=("bench_score", "coverage"))]
    parts: tuple[CitedPart, ...]


@dataclass(frozen=True, slots=True)
class BenchScores:
    """The bench scores: full coverage first, then the highest score."""

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
        "assay bench-score --json: public results blended, full coverage first, then the highest score",
    ),
}
