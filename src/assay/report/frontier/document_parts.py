"""The parts of a frontier's report that stand beside the frontier, as JSON values."""

from __future__ import annotations

from typing import Any

from assay.frontier.carriers.cheapest import Cheapest, ModelSet
from assay.frontier.carriers.shapley import Carriers
from assay.frontier.estimate import Estimate
from assay.frontier.oracles.extrapolate import Extrapolation
from assay.frontier.reliability import Correlation
from assay.frontier.selection.sequential import Budget, Sequential
from assay.stats.intervals import Interval
from assay.studies.frontier.report_result import FrontierReport, Judged, ModelReliability, ReliabilityTable

Document = dict[str, Any]


def estimate(found: Estimate) -> Document:
    """Return an estimate with its two intervals."""
    return {
        "value": found.value,
        "over_prompts": _ends(found.over_prompts),
        "these_prompts": _ends(found.these_prompts),
    }


def maybe(found: Estimate | None) -> Document | None:
    """Return an estimate, None for none."""
    return None if found is None else estimate(found)


def fit_document(found: Extrapolation | None) -> Document | None:
    """Return a fitted form; None where none was fitted."""
    if found is None:
        return None
    return {
        "limit": found.limit,
        "scale": found.scale,
        "rate": found.rate,
        "shift": found.shift,
        "width": found.width,
        "misfit": found.misfit,
        "rank": found.rank,
        "parameters": [
            {"name": each.name, "value": each.value, "error": each.error, "at_bound": each.at_bound}
            for each in found.parameters
        ],
        "notes": list(found.notes),
    }


def reliability_document(found: ReliabilityTable | None) -> Document | None:
    """Return every model's reliability; None without."""
    if found is None:
        return None
    return {
        "models": [_reliable(each) for each in found.models],
        "measured_with_quality": _correlation(found.with_quality),
        "measured_with_cost": _correlation(found.with_cost),
        "remaining_with_quality": _correlation(found.remaining_with_quality),
        "remaining_with_cost": _correlation(found.remaining_with_cost),
    }


def _reliable(found: ModelReliability) -> Document:
    return {
        "model": found.model,
        "prompts": found.prompts,
        "quality": found.quality,
        "cost": found.cost,
        "measured": estimate(found.measured),
        "coin": found.coin,
        "remaining": maybe(found.remaining),
        "bias": found.bias,
    }


def _correlation(found: Correlation | None) -> Document | None:
    if found is None:
        return None
    return {
        "models": found.n,
        "pearson": found.pearson,
        "pearson_p": found.pearson_p,
        "spearman": found.spearman,
        "spearman_p": found.spearman_p,
    }


def carriers_document(found: Carriers) -> Document:
    """Return who carries the oracle."""
    return {
        "method": found.method,
        "oracle": estimate(found.oracle),
        "nobody": estimate(found.nobody),
        "margin": found.margin,
        "models": [
            {
                "model": each.model,
                "shapley": estimate(each.shapley),
                "share": estimate(each.share),
                "leave_one_out": estimate(each.leave_one_out),
                "alone": estimate(each.alone),
            }
            for each in found.models
        ],
    }


def cheapest_document(found: Cheapest) -> Document:
    """Return the cheapest sets of models."""
    return {
        "method": found.method,
        "share": found.share,
        "single": found.single,
        "gain": estimate(found.gain),
        "chosen": set_document(found.chosen),
        "least_size": found.least_size,
        "held_out": estimate(found.held_out),
        "steady": list(found.steady),
        "sets": [set_document(each) for each in found.sets],
    }


def set_document(found: ModelSet) -> Document:
    """Return one set of models with what it reaches."""
    return {
        "models": list(found.models),
        "quality": estimate(found.quality),
        "kept": estimate(found.kept),
        "cost": maybe(found.cost),
        "at_most": found.at_most,
        "exact": found.exact,
    }


def sequential_document(found: Sequential | None) -> Document | None:
    """Return a plan's curve; None without."""
    if found is None:
        return None
    return {
        "unit": found.unit,
        "single": found.single,
        "single_quality": estimate(found.single_quality),
        "single_cost": estimate(found.single_cost),
        "budgets": [budget_document(each) for each in found.points],
        "everybody": budget_document(found.everybody),
        "saving": estimate(found.saving),
        "quality_at_single_cost": estimate(found.at_single_cost),
        "saving_at_single_quality": estimate(found.matched_saving),
        "plan": list(found.plan),
        "cross_fitted": found.cross_fitted,
        "notes": list(found.notes),
    }


def budget_document(found: Budget) -> Document:
    """Return what a sequential plan reaches with so many answers at most."""
    return {
        "answers_at_most": found.steps,
        "quality": estimate(found.quality),
        "cost": estimate(found.cost),
        "answers": estimate(found.answers),
        "latency": maybe(found.latency),
    }


def judged_document(found: Judged) -> Document:
    """Return selection by one judge."""
    told = found.posthoc
    return {
        "error": found.error,
        "points": [{"k": each.k, "quality": estimate(each.quality)} for each in told.points],
        "limit": estimate(told.limit),
        "best_k": told.best_k,
        "worse_after": told.worse_after,
        "notes": list(told.notes),
    }


def uplift_document(report: FrontierReport) -> Document | None:
    """Return uplift by topic entropy; None without categories."""
    if report.uplift is None:
        return None
    found = report.uplift.uplift
    return {
        "debiased_by": found.debiased_by,
        "categories": [
            {"category": name, "prompts": number, "share": share}
            for name, number, share in zip(found.categories, found.prompts, found.shares, strict=True)
        ],
        "path": [
            {
                "weight": each.weight,
                "entropy": each.entropy,
                "naive": estimate(each.naive),
                "debiased": maybe(each.debiased),
            }
            for each in found.path
        ],
        "rise": estimate(found.rise),
        "rise_by_chance": estimate(found.rise_by_chance),
        "p_value": found.p_value,
        "rank_correlation": estimate(found.rank_correlation),
        "notes": list(report.uplift.notes),
    }


def _ends(interval: Interval | None) -> Document | None:
    return None if interval is None else {"low": interval.low, "high": interval.high}
