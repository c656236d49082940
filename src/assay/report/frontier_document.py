"""A frontier's report as one JSON document; qualities, shares and reductions are 0-1, not per cent."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from assay.frontier.carriers import Carriers
from assay.frontier.cheapest import Cheapest, ModelSet
from assay.frontier.estimate import Estimate
from assay.frontier.extrapolate import Extrapolation
from assay.frontier.matched import Gain
from assay.frontier.oracle import OracleEstimate
from assay.frontier.reliability import Correlation
from assay.frontier.result import Bias, Frontier, Gains, Point, Single
from assay.frontier.sequential import Budget, Sequential
from assay.report.frontier_headline import headline
from assay.stats.intervals import Interval
from assay.studies.frontier.report_result import (
    FrontierReport,
    Group,
    Judged,
    KShot,
    ModelReliability,
    ReliabilityTable,
    Way,
)

Document = dict[str, Any]


def report_document(report: FrontierReport, source: Document) -> Document:
    """Return the report; `source` says what was read, as every command of the frontier says it."""
    settings = report.settings
    return {
        "source": source,
        "method": settings.method,
        "asked_method": settings.asked,
        "level": settings.level,
        "resamples": settings.resamples,
        "seed": settings.seed,
        "prices_date": settings.prices_date,
        "new_prices": settings.repriced,
        "headline": list(headline(report)),
        "all": group_document(report.whole),
        "categories": [group_document(each) for each in report.groups],
        "small_categories": [{"category": name, "prompts": number} for name, number in report.few],
        "methods": [method_document(each) for each in report.methods],
        "curve": curve_document(report),
        "reliability": None if report.reliability is None else _reliability(report.reliability),
        "carriers": _carriers(report.carriers),
        "cheapest": _cheapest(report.cheapest),
        "sequential": None if report.sequential is None else _sequential(report.sequential),
        "judges": [_judged(each) for each in report.judged],
        "judge_break_even": None if report.break_even is None else estimate(report.break_even.error),
        "uplift": _uplift(report),
        "notes": list(report.notes),
        "caveats": list(report.caveats),
    }


def group_document(group: Group) -> Document:
    """Return all prompts or one category: denominators, frontier, gains, bias, k-shot results."""
    counted, found = group.counted, group.frontier
    return {
        "category": group.name,
        "prompts": counted.prompts,
        "models": counted.models,
        "generations": {"least": counted.least_generations, "most": counted.generations},
        "cells": counted.cells,
        "missing_cells": counted.missing,
        "answers": counted.answers,
        "unit": found.unit if found.points[-1].cost.value is not None else None,
        "cost_estimator": found.cost_estimator,
        "best_single": found.singles[found.best_single].model,
        "singles": [_single(each, float(found.share[-1, place])) for place, each in enumerate(found.singles)],
        "frontier": _points(found, found.points, share=True),
        "naive": _points(found, found.naive, share=False),
        "old_decisions": None
        if found.old_decisions is None
        else _points(found, found.old_decisions, share=False),
        "gains": _gains(found.gains),
        "bias": _bias(found.bias),
        "paper_bias": None if found.paper_bias is None else _bias(found.paper_bias),
        "k_shot": [_shot(each) for each in group.shots],
        "notes": list(found.notes),
    }


def estimate(found: Estimate) -> Document:
    """Return an estimate with its two intervals."""
    return {
        "value": found.value,
        "over_prompts": _ends(found.over_prompts),
        "these_prompts": _ends(found.these_prompts),
    }


def method_document(found: OracleEstimate) -> Document:
    """Return one method's oracle."""
    return {
        "method": found.method,
        "quality": estimate(found.quality),
        "lower": _maybe(found.lower),
        "upper": _maybe(found.upper),
        "gain": estimate(found.gain),
        "error_reduction": estimate(found.error_reduction),
        "cost": _maybe(found.cost),
        "cost_estimator": found.cost_estimator,
        "paper_cost": _maybe(found.paper_cost),
        "notes": list(found.notes),
    }


def curve_document(report: FrontierReport) -> Document:
    """Return the biased oracle at every number of generations, and what was fitted to it."""
    found = report.main
    costs: Sequence[float | None] = [None] * len(found.sizes)
    if found.cost_curve is not None:
        costs = found.cost_curve.tolist()
    return {
        "points": [
            {"generations": size, "quality": quality, "cost": cost}
            for size, quality, cost in zip(found.sizes.tolist(), found.curve.tolist(), costs, strict=True)
        ],
        "power": _fit(report.decay.power),
        "smooth": _fit(report.decay.smooth),
    }


def _points(found: Frontier, points: Sequence[Point], *, share: bool) -> list[Document]:
    told = []
    for place, point in enumerate(points):
        shares = {
            model: float(part)
            for model, part in zip(found.models, found.share[place], strict=True)
            if part > 0.0
        }
        told.append(
            {
                "alpha": point.alpha,
                "quality": estimate(point.quality),
                "cost": estimate(point.cost),
                "optimal": point.optimal,
                "on_hull": point.on_hull,
                "latency_p95": point.latency_p95,
                "shares": shares if share else None,
            }
        )
    return told


def _single(found: Single, chosen: float) -> Document:
    return {
        "model": found.model,
        "coverage": found.coverage,
        "quality": estimate(found.quality),
        "cost": estimate(found.cost),
        "level": estimate(found.level),
        "level_cost": estimate(found.level_cost),
        "optimal": found.optimal,
        "chosen": chosen,
        "latency_p95": found.latency_p95,
    }


def _gains(found: Gains) -> Document:
    return {
        "error_reduction": _gain(found.error_reduction),
        "matched_cost_error_reduction": _gain(found.matched_cost),
        "quality_at_matched_cost": _gain(found.quality_for_cost),
        "saving_at_matched_quality": _gain(found.saving),
        "cost_at_matched_quality": _gain(found.cost_for_quality),
        "alpha_star": found.alpha_star,
        "aiq": _gain(found.aiq),
        "aiq_singles": _gain(found.aiq_singles),
        "height": _gain(found.height),
        "same_best": found.same_best,
    }


def _gain(found: Gain) -> Document:
    return {**estimate(found.estimate), "reason": found.reason, "defined": found.defined}


def _bias(found: Bias) -> Document:
    return {"quality_points": estimate(found.quality), "cost_percent": estimate(found.cost)}


def _shot(found: KShot) -> Document:
    return {
        "k": found.k,
        "per_prompt_best_k": _way(found.per_prompt_best),
        "all_models_k": _way(found.all_models),
        "fixed_best_k": _way(found.fixed_best),
        "fixed_model": found.fixed_model,
        "all_models_k_plug_in": found.plug_in,
        "short_cells": found.short,
    }


def _way(found: Way) -> Document:
    return {
        "shown": found.told,
        "recorded": _maybe(found.recorded),
        "debiased": _maybe(found.debiased),
        "error_reduction": estimate(found.error_reduction),
        "generations": estimate(found.answers),
        "cost": _maybe(found.cost),
    }


def _fit(found: Extrapolation | None) -> Document | None:
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


def _reliability(found: ReliabilityTable) -> Document:
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
        "remaining": _maybe(found.remaining),
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


def _carriers(found: Carriers) -> Document:
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


def _cheapest(found: Cheapest) -> Document:
    return {
        "method": found.method,
        "share": found.share,
        "single": found.single,
        "gain": estimate(found.gain),
        "chosen": _set(found.chosen),
        "least_size": found.least_size,
        "held_out": estimate(found.held_out),
        "steady": list(found.steady),
        "sets": [_set(each) for each in found.sets],
    }


def _set(found: ModelSet) -> Document:
    return {
        "models": list(found.models),
        "quality": estimate(found.quality),
        "kept": estimate(found.kept),
        "cost": _maybe(found.cost),
        "at_most": found.at_most,
        "exact": found.exact,
    }


def _sequential(found: Sequential) -> Document:
    return {
        "unit": found.unit,
        "single": found.single,
        "single_quality": estimate(found.single_quality),
        "single_cost": estimate(found.single_cost),
        "budgets": [_budget(each) for each in found.points],
        "everybody": _budget(found.everybody),
        "saving": estimate(found.saving),
        "quality_at_single_cost": estimate(found.at_single_cost),
        "saving_at_single_quality": estimate(found.matched_saving),
        "plan": list(found.plan),
        "cross_fitted": found.cross_fitted,
        "notes": list(found.notes),
    }


def _budget(found: Budget) -> Document:
    return {
        "answers_at_most": found.steps,
        "quality": estimate(found.quality),
        "cost": estimate(found.cost),
        "answers": estimate(found.answers),
        "latency": _maybe(found.latency),
    }


def _judged(found: Judged) -> Document:
    told = found.posthoc
    return {
        "error": found.error,
        "points": [{"k": each.k, "quality": estimate(each.quality)} for each in told.points],
        "limit": estimate(told.limit),
        "best_k": told.best_k,
        "worse_after": told.worse_after,
        "notes": list(told.notes),
    }


def _uplift(report: FrontierReport) -> Document | None:
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
                "debiased": _maybe(each.debiased),
            }
            for each in found.path
        ],
        "rise": estimate(found.rise),
        "rise_by_chance": estimate(found.rise_by_chance),
        "p_value": found.p_value,
        "rank_correlation": estimate(found.rank_correlation),
        "notes": list(report.uplift.notes),
    }


def _maybe(found: Estimate | None) -> Document | None:
    return None if found is None else estimate(found)


def _ends(interval: Interval | None) -> Document | None:
    return None if interval is None else {"low": interval.low, "high": interval.high}
