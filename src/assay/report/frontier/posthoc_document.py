"""A study of selection after the fact as one JSON document; qualities, shares and rates are 0-1."""

from __future__ import annotations

from typing import Any

from assay.frontier.carriers.cheapest import Cheapest
from assay.frontier.carriers.shapley import Carriers
from assay.frontier.selection.break_even import BreakEven
from assay.frontier.selection.posthoc import Posthoc
from assay.frontier.selection.sequential import Sequential
from assay.report.frontier.document_parts import budget_document, estimate, set_document
from assay.report.frontier.posthoc_sequences import shown_steps
from assay.stats.intervals import Interval
from assay.studies.frontier.posthoc_judges import NamedJudge
from assay.studies.frontier.posthoc_result import PosthocStudy, Selected

Document = dict[str, Any]


def posthoc_document(study: PosthocStudy, source: Document) -> Document:
    """Return the study; `source` says what was read, as every command of the frontier says it."""
    wish = study.wish
    return {
        "source": source,
        "level": wish.level,
        "resamples": wish.resamples,
        "seed": wish.seed,
        "scope": wish.scope,
        "rule": wish.rule,
        "right": wish.right,
        "prompts": study.prompts,
        "models": list(study.models),
        "generations": study.generations,
        "answers": study.answers,
        "missing_cells": study.missing,
        "most": study.most,
        "basis": study.basis,
        "judges": [_selected(each) for each in study.selected],
        "break_even": [_break_even(each) for each in study.break_even],
        "carriers": _carriers(study.carriers),
        "groups": None if study.groups is None else _carriers(study.groups),
        "group_of": wish.groups and {name: wish.groups[name] for name in study.models},
        "cheapest": _cheapest(study.cheapest),
        "notes": list(study.notes),
        "caveats": list(study.caveats),
    }


def _selected(found: Selected) -> Document:
    return {
        "judge": _judge(found.judge),
        "selection": _curve(found.posthoc),
        "sequential": _sequential(found.sequential),
    }


def _judge(found: NamedJudge) -> Document:
    point = found.point
    return {
        "label": found.label,
        "kind": found.kind,
        "true_positive": point.true_positive,
        "false_positive": point.false_positive,
        "price": point.price,
        "measured": _measured(found),
    }


def _measured(found: NamedJudge) -> Document | None:
    rates = found.rates
    if rates is None:
        return None
    measured = rates.measured
    return {
        "judge": rates.judge,
        "metric": rates.metric,
        "accept": rates.accept,
        "right_from": rates.right,
        "right": _rate(measured.right, measured.right_accepted, measured.true_positive, measured.right_worth),
        "wrong": _rate(
            measured.wrong, measured.wrong_accepted, measured.false_positive, measured.wrong_worth
        ),
        "noise": rates.noise,
        "price": rates.price,
        "left_out": dict(rates.left_out),
        "problems": [str(each) for each in rates.problems],
        "notes": list(rates.notes),
    }


def _rate(answers: int, accepted: int, ends: Interval, worth: float) -> Document:
    return {
        "answers": answers,
        "accepted": accepted,
        "low": ends.low,
        "high": ends.high,
        "independent_answers": worth,
    }


def _curve(found: Posthoc) -> Document:
    return {
        "unit": found.unit,
        "single": found.single,
        "single_quality": estimate(found.single_quality),
        "single_cost": estimate(found.single_cost),
        "points": [
            {
                "k": each.k,
                "quality": estimate(each.quality),
                "gain": estimate(each.gain),
                "answers": estimate(each.answers),
                "cost": estimate(each.cost),
            }
            for each in found.points
        ],
        "limit": estimate(found.limit),
        "best_k": found.best_k,
        "worse_after": found.worse_after,
        "fall": estimate(found.fall),
        "notes": list(found.notes),
    }


def _sequential(found: Sequential) -> Document:
    shown = shown_steps(len(found.points))
    return {
        "unit": found.unit,
        "budgets": [budget_document(found.points[step - 1]) for step in shown],
        "everybody": budget_document(found.everybody),
        "saving": estimate(found.saving),
        "quality_at_single_cost": estimate(found.at_single_cost),
        "saving_at_single_quality": estimate(found.matched_saving),
        "plan": list(found.plan),
        "cross_fitted": found.cross_fitted,
        "notes": list(found.notes),
    }


def _break_even(found: BreakEven) -> Document:
    return {
        "k": found.k,
        "error": estimate(found.error),
        "curve": [
            {"error": error, "gain": gain} for error, gain in zip(found.errors, found.gains, strict=True)
        ],
    }


def _carriers(found: Carriers) -> Document:
    return {
        "method": found.method,
        "prompts": found.prompts,
        "oracle": estimate(found.oracle),
        "margin": found.margin,
        "nobody_alone": estimate(found.nobody),
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
        "chosen": set_document(found.chosen),
        "least_size": found.least_size,
        "held_out": estimate(found.held_out),
        "held_out_sizes": list(found.sizes),
        "steady": dict(zip(found.chosen.models, found.steady, strict=True)),
        "sets": [set_document(each) for each in found.sets],
    }
