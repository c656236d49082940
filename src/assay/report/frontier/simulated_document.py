"""The JSON documents of the frontier's simulations."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, Any

import numpy as np

from assay.frontier.estimate import Estimate
from assay.frontier.simulated.bias import BiasCurve, BiasStudy
from assay.frontier.simulated.topics import SimulatedEntropy
from assay.stats.intervals import Interval

if TYPE_CHECKING:
    from assay.studies.frontier.simulating import RecordedUplift

PAPER = (0.25, 0.75)
"""The range in which the paper puts the exponent of the bias's decay."""


def bias_document(study: BiasStudy, *, seed: int) -> dict[str, Any]:
    """Return the study of the bias's decay; quality 0-1, null where something is not defined."""
    return {
        "simulated": True,
        "seed": seed,
        "prompts": study.prompts,
        "generations": int(study.sizes[-1]),
        "populations": [_population(curve, study) for curve in study.curves],
    }


def _population(curve: BiasCurve, study: BiasStudy) -> dict[str, Any]:
    population, fit = curve.population, curve.fit
    bare = np.full(len(study.sizes), np.nan)
    low = bare if curve.low is None else curve.low
    high = bare if curve.high is None else curve.high
    limit = bare if curve.asymptote is None else curve.asymptote
    inside = inside_sizes(curve, study)
    return {
        "kind": population.kind.value,
        "models": population.rates.shape[1],
        "rate": population.rate,
        "correlation": population.correlation,
        "measured_correlation": population.measured_correlation,
        "true_oracle": curve.truth,
        "points": [
            {
                "generations": int(size),
                "bias": float(curve.bias[at]),
                "exponent": number(curve.exponents[at]),
                "exponent_low": number(low[at]),
                "exponent_high": number(high[at]),
                "asymptote": number(limit[at]),
            }
            for at, size in enumerate(study.sizes)
        ],
        "fit": None
        if fit is None
        else {
            "amplitude": fit.amplitude,
            "exponent": fit.exponent,
            "floor": fit.floor,
            "from_generations": fit.least,
            "to_generations": fit.most,
        },
        "near_half_from": curve.settles,
        "inside_from": inside[0] if inside else None,
        "inside_to": inside[1] if inside else None,
    }


def inside_sizes(curve: BiasCurve, study: BiasStudy) -> tuple[int, int] | None:
    """Return the first and the last size at which the local exponent lies in the paper's 0.25-0.75."""
    with np.errstate(invalid="ignore"):
        inside = study.sizes[(curve.exponents >= PAPER[0]) & (curve.exponents <= PAPER[1])]
    return (int(inside[0]), int(inside[-1])) if len(inside) else None


def entropy_document(
    found: SimulatedEntropy,
    recorded: tuple[RecordedUplift, dict[str, Any]] | None,
    *,
    seed: int,
    settings: dict[str, int],
) -> dict[str, Any]:
    """Return what was simulated, and apart from it what recorded prompts show; entropy in nats.

    `recorded` is the uplift of a source and the part of the document that tells how it was read.
    """
    weights = np.linspace(0.0, 1.0, len(found.entropy))
    return {
        "seed": seed,
        "simulation": {
            "simulated": True,
            **settings,
            "observations": found.observations,
            "points": [
                {
                    "weight": float(weights[at]),
                    "entropy": float(found.entropy[at]),
                    "uplift": float(found.uplift[at]),
                    "low": float(found.low[at]),
                    "high": float(found.high[at]),
                    "oracle": float(found.oracle[at]),
                    "best_single": float(found.best_single[at]),
                }
                for at in range(len(weights))
            ],
            "rank_correlation": found.rank_correlation,
            "rising_repeats": found.rising,
        },
        "recorded": None if recorded is None else recorded_document(*recorded),
    }


def recorded_document(recorded: RecordedUplift, source: dict[str, Any]) -> dict[str, Any]:
    """Return the uplift by topic entropy of recorded prompts, read as `source` tells."""
    found = recorded.uplift
    return {
        "simulated": False,
        "source": source,
        "debiased_by": found.debiased_by,
        "categories": [
            {"category": name, "prompts": prompts, "share": share}
            for name, prompts, share in zip(found.categories, found.prompts, found.shares, strict=True)
        ],
        "path": [
            {
                "weight": each.weight,
                "entropy": each.entropy,
                "naive": estimate_document(each.naive),
                "debiased": estimate_document(each.debiased),
            }
            for each in found.path
        ],
        "workloads": [
            {
                "category": each.category,
                "weight": each.weight,
                "entropy": each.entropy,
                "naive": estimate_document(each.naive),
                "debiased": estimate_document(each.debiased),
            }
            for each in found.workloads
        ],
        "rise": estimate_document(found.rise),
        "rise_by_chance": estimate_document(found.rise_by_chance),
        "p_value": found.p_value,
        "rank_correlation": estimate_document(found.rank_correlation),
        "left_out": list(found.left_out),
        "notes": list(recorded.notes),
    }


def estimate_document(found: Estimate | None) -> dict[str, Any] | None:
    """Return an estimate with its intervals; null where there is none."""
    if found is None:
        return None
    return {
        "value": found.value,
        "over_prompts": _interval(found.over_prompts),
        "these_prompts": _interval(found.these_prompts),
    }


def _interval(found: Interval | None) -> dict[str, float] | None:
    return None if found is None else {"low": found.low, "high": found.high, "level": found.level}


def number(value: float) -> float | None:
    """Return a figure for JSON: null where it is not defined."""
    return None if math.isnan(value) else float(value)
