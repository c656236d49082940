"""A frontier's report as one JSON document; qualities, shares and reductions are 0-1, not per cent."""

from __future__ import annotations

from collections.abc import Sequence

from assay.frontier.oracles.oracle import OracleEstimate
from assay.frontier.sweep.matched import Gain
from assay.frontier.sweep.result import Bias, Frontier, Gains, Point, Single
from assay.report.frontier.document_parts import (
    Document,
    carriers_document,
    cheapest_document,
    estimate,
    fit_document,
    judged_document,
    maybe,
    reliability_document,
    sequential_document,
    uplift_document,
)
from assay.report.frontier.headline import headline
from assay.studies.frontier.report_result import (
    FrontierReport,
    Group,
    KShot,
    Way,
)


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
        "reliability": reliability_document(report.reliability),
        "carriers": carriers_document(report.carriers),
        "cheapest": cheapest_document(report.cheapest),
        "sequential": sequential_document(report.sequential),
        "judges": [judged_document(each) for each in report.judged],
        "judge_break_even": None if report.break_even is None else estimate(report.break_even.error),
        "uplift": uplift_document(report),
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


def method_document(found: OracleEstimate) -> Document:
    """Return one method's oracle."""
    return {
        "method": found.method,
        "quality": estimate(found.quality),
        "lower": maybe(found.lower),
        "upper": maybe(found.upper),
        "gain": estimate(found.gain),
        "error_reduction": estimate(found.error_reduction),
        "cost": maybe(found.cost),
        "cost_estimator": found.cost_estimator,
        "paper_cost": maybe(found.paper_cost),
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
        "power": fit_document(report.decay.power),
        "smooth": fit_document(report.decay.smooth),
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
        "recorded": maybe(found.recorded),
        "debiased": maybe(found.debiased),
        "error_reduction": estimate(found.error_reduction),
        "generations": estimate(found.answers),
        "cost": maybe(found.cost),
    }
