"""The bench score: a weighted mean of public results, for context only. It is never mixed with measured
scores.

Source: seed 001 (weights 30/20/20/20/10); DESIGN section 7 for the conversion of an Elo into a share.
"""

from __future__ import annotations

import math
from collections.abc import Mapping
from typing import Final

from assay.results.bench import Benchmark, BenchPart, BenchScore, EloScale

ELO: Final = "lmarena_elo"
WEIGHTS: Mapping[Benchmark, float] = {
    ELO: 0.30,
    "mmlu_pro": 0.20,
    "gpqa_diamond": 0.20,
    "swe_bench_verified": 0.20,
    "aime": 0.10,
}


def bench_score(results: Mapping[str, float], scale: EloScale | None = None) -> BenchScore:
    """Return the weighted mean of a model's public results: an Elo and shares from 0 to 1, named as in
    `WEIGHTS`.

    Missing results are left out, and the weights of the others are rescaled to 1. Raises ValueError for an
    unknown benchmark, and for a share outside 0 to 1.
    """
    unknown = results.keys() - WEIGHTS.keys()
    if unknown:
        raise ValueError(f"unknown benchmarks {sorted(unknown)}: use {list(WEIGHTS)}")
    scale = scale or EloScale()
    parts = tuple(_part(name, weight, results.get(name), scale) for name, weight in WEIGHTS.items())
    present = [(part.weight, part.share) for part in parts if part.share is not None]
    coverage = math.fsum(weight for weight, _ in present)
    if not present:
        return BenchScore(None, 0.0, parts)
    total = math.fsum(weight * share for weight, share in present)
    return BenchScore(100 * total / coverage, coverage, parts)


def _part(name: Benchmark, weight: float, value: float | None, scale: EloScale) -> BenchPart:
    if value is None:
        return BenchPart(name, weight, None, None)
    if name == ELO:
        return BenchPart(name, weight, value, scale.share(value))
    if not 0 <= value <= 1:
        raise ValueError(f"{name} is {value!r}: give a share from 0 to 1")
    return BenchPart(name, weight, value, value)
