"""How far judges agree, as plain values of a JSON document; never a prompt, an answer or a rationale."""

from __future__ import annotations

from typing import Any

from assay.stats.intervals import Interval
from assay.stats.kappa import Kappa
from assay.stats.position import PositionBias
from assay.stats.preference import Preference
from assay.stats.ratio import Estimate
from assay.stats.verbosity import Verbosity
from assay.studies.judge_pairs import PairFigures
from assay.studies.judges import Agreement, JudgeFigures

LEVEL = 0.95


def agreement_document(found: Agreement) -> dict[str, Any]:
    """Return how far judges agree as one JSON document; null stands for what does not apply."""
    figures = found.figures
    return {
        "run": found.run,
        "suite": found.suite,
        "version": found.version,
        "metric": found.metric,
        "other_metrics": [{"metric": metric} for metric in found.others],
        "simulated": found.simulated,
        "file": None if found.file is None else str(found.file),
        "rows": found.rows,
        "refused": len(found.problems),
        "problems": [
            {"file": problem.file, "line": problem.line, "text": problem.text} for problem in found.problems
        ],
        "ignored": [{"column": column} for column in found.ignored],
        "marks_are": figures.scale.kind,
        "ordered": figures.scale.ordered,
        "categories": [{"category": name} for name in figures.scale.categories],
        "pairwise": figures.pairwise,
        "answers": figures.answers,
        "shared": figures.shared,
        "level": LEVEL,
        "replicates": figures.replicates,
        "judges": [_judge(each) for each in figures.judges],
        "pairs": [_pair(each) for each in figures.pairs],
        "alpha": [
            {
                "distance": name,
                "value": each.value,
                **_ends(each.interval),
                "answers": each.items,
                "marks": each.marks,
            }
            for name, each in figures.alphas
        ],
        "remarks": [{"text": remark} for remark in figures.remarks],
    }


def _judge(each: JudgeFigures) -> dict[str, Any]:
    return {
        "judge": each.judge,
        "family": each.family,
        "marks": each.marks,
        "unread": each.unread,
        "mean": each.mean,
        "above_others": None if each.above_others is None else _estimate(each.above_others),
        "own_model": None if each.own_model is None else _preference(each.own_model),
        "own_family": None if each.own_family is None else _preference(each.own_family),
        "verbosity": None if each.verbosity is None else _verbosity(each.verbosity),
        "position": None if each.position is None else _position(each.position),
    }


def _pair(each: PairFigures) -> dict[str, Any]:
    return {
        "first": each.first,
        "second": each.second,
        "n": each.n,
        "agreement": each.agreement,
        **_ends(each.interval),
        "within_one": each.within_one,
        "kappa": _kappa(each.kappa),
        "linear": _kappa(each.linear),
        "quadratic": _kappa(each.quadratic),
        "refused": each.refused,
    }


def _kappa(kappa: Kappa | None) -> dict[str, Any] | None:
    return None if kappa is None else {"value": kappa.value, **_ends(kappa.interval)}


def _estimate(figure: Estimate) -> dict[str, Any]:
    return {"value": figure.value, **_ends(figure.interval), "n": figure.n}


def _preference(found: Preference) -> dict[str, Any]:
    return {
        "excess": _estimate(found.excess),
        "own": _estimate(found.own),
        "other": _estimate(found.other),
        "above": found.above,
        "models": found.models,
    }


def _verbosity(found: Verbosity) -> dict[str, Any]:
    return {
        "slope": _estimate(found.slope),
        "partial": {"value": found.partial, **_ends(found.partial_interval)},
    }


def _position(found: PositionBias) -> dict[str, Any]:
    return {
        "items": found.items,
        "unreadable": found.unreadable,
        "flips": found.flips,
        "flip_share": {"value": found.flip_share, **_ends(found.flip_interval)},
        "kept_first": found.kept_first,
        "kept_second": found.kept_second,
        "first_share": {"value": found.first_share, **_ends(found.first_interval)},
        "p": found.p,
    }


def _ends(interval: Interval | None) -> dict[str, float | None]:
    return {
        "low": None if interval is None else interval.low,
        "high": None if interval is None else interval.high,
    }
