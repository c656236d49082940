"""The bench score: a weighted blend of public results, for context only. It never mixes with measured scores.

Source: seed 001 (weights 30/20/20/20/10). How an Elo becomes a share the seed leaves open; DESIGN section 7
decides.
"""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass

ELO = "lmarena_elo"
WEIGHTS: Mapping[str, float] = {
    ELO: 0.30,
    "mmlu_pro": 0.20,
    "gpqa_diamond": 0.20,
    "swe_bench_verified": 0.20,
    "aime": 0.10,
}


@dataclass(frozen=True, slots=True)
class EloScale:
    """How an Elo becomes a share from 0 to 1: `clamp((elo - low) / span)`. A change raises `version`."""

    version: str = "1"
    low: float = 500.0
    span: float = 2000.0

    def share(self, elo: float) -> float:
        """Return the share for an Elo."""
        return min(1.0, max(0.0, (elo - self.low) / self.span))


@dataclass(frozen=True, slots=True)
class Part:
    """One benchmark's part: its weight in the seed, the public value (an Elo or a share) and its share, 0-1.

    `value` and `share` are None where there is no public result.
    """

    benchmark: str
    weight: float
    value: float | None
    share: float | None


@dataclass(frozen=True, slots=True)
class BenchScore:
    """A blend from 0 to 100 over the parts there are; `coverage` is their share of all weight, 0-1.

    `score` is None where there is no result at all.
    """

    score: float | None
    coverage: float
    parts: tuple[Part, ...]


def bench_score(results: Mapping[str, float], scale: EloScale | None = None) -> BenchScore:
    """Blend a model's public results: an Elo, and shares from 0 to 1, by the names in `WEIGHTS`.

    Missing results are left out and the weights of the others rescaled to 1. Raises ValueError for
    an unknown benchmark, and for a share outside 0 to 1.
    """
    unknown = results.keys() - WEIGHTS.keys()
    if unknown:
        raise ValueError(f"unknown benchmarks {sorted(unknown)}: there are {list(WEIGHTS)}")
    scale = scale or EloScale()
    parts = tuple(_part(name, weight, results.get(name), scale) for name, weight in WEIGHTS.items())
    present = [(part.weight, part.share) for part in parts if part.share is not None]
    coverage = math.fsum(weight for weight, _ in present)
    if not present:
        return BenchScore(None, 0.0, parts)
    blended = math.fsum(weight * share for weight, share in present)
    return BenchScore(100 * blended / coverage, coverage, parts)


def _part(name: str, weight: float, value: float | None, scale: EloScale) -> Part:
    if value is None:
        return Part(name, weight, None, None)
    if name == ELO:
        return Part(name, weight, value, scale.share(value))
    if not 0 <= value <= 1:
        raise ValueError(f"{name} is {value!r}: a share lies from 0 to 1")
    return Part(name, weight, value, value)
