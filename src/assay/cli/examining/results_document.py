"""The JSON documents of exam results."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from assay.cli.output import moment
from assay.core.exam import Prompting
from assay.exams.publish import DrawSizeRow, PromptingRow
from assay.exams.results import ModelResult, Results, SittingResult
from assay.ranking.exam.relative import Relative
from assay.ranking.exam.spread import Spread
from assay.ranking.exam.standing import LEAST_SITTINGS
from assay.stats.intervals import Interval


def results_document(found: Results) -> dict[str, Any]:
    """Return all results as a JSON document."""
    return {
        **_head(found),
        "least_sittings": LEAST_SITTINGS,
        "models": [model_document(each) for each in found.models],
    }


def model_document(one: ModelResult) -> dict[str, Any]:
    """Return a model's results; null stands for what does not exist yet."""
    return {
        "model": one.model,
        "organisation": one.organisation,
        "prompting": one.prompting.value,
        "simulated": one.simulated,
        "published": one.published,
        "missing": list(one.missing),
        "score": _spread(one.score),
        "relative": _spread(one.relative),
        "reference": one.reference,
        "bases": [{"basis": basis.value, "sittings": n} for basis, n in one.bases.items()],
        "subjects": [
            {"subject": each.code, "score": each.score, "sittings": each.sittings} for each in one.subjects
        ],
        "abandoned": one.abandoned,
        "draws": one.draws,
        "judge_is_kin": one.kin,
        "sittings": [_sitting(each) for each in one.sittings],
    }


def promptings_document(found: Results, rows: Sequence[PromptingRow]) -> dict[str, Any]:
    """Return S by prompting as a JSON document."""
    return {
        **_head(found),
        "variance": "population",
        "models": [
            {
                "model": one.model,
                "organisation": one.organisation,
                "simulated": one.simulated,
                "scores": [{"prompting": each.value, "score": one.scores.get(each)} for each in Prompting],
                "mean": one.mean,
                "variance": one.variance,
                "draws": one.draws,
            }
            for one in rows
        ],
    }


def draw_sizes_document(found: Results, rows: Sequence[DrawSizeRow]) -> dict[str, Any]:
    """Return R by draw size as a JSON document."""
    return {
        **_head(found),
        "variance": "sample",
        "models": [
            {
                "model": one.model,
                "organisation": one.organisation,
                "prompting": one.prompting.value,
                "simulated": one.simulated,
                "trials": [
                    {"session": each.session, "n": each.n, "relative": each.relative, "basis": each.basis}
                    for each in one.trials
                ],
                "mean": one.mean,
                "variance": one.variance,
            }
            for one in rows
        ],
    }


def _head(found: Results) -> dict[str, Any]:
    return {
        "judge": found.judge,
        "judge_simulated": found.judge_simulated,
        "judges": [{"judge": name, "marks": marks} for name, marks in found.judges.items()],
    }


def _sitting(one: SittingResult) -> dict[str, Any]:
    at, score = one.sitting, one.score
    return {
        "session": at.session,
        "draw": at.draw,
        "draw_name": at.draw_name,
        "revision": at.revision,
        "n": at.n,
        "state": at.state.value,
        "counts": one.counts,
        "score": None if score is None else score.value,
        "equation_1": None if score is None else score.plain,
        **_bounds(None if score is None else score.interval),
        "counted": len(one.questions),
        "standings": [{"standing": how.value, "n": n} for how, n in one.standings.items()],
        "subjects": []
        if score is None
        else [{"subject": each.code, "n": each.n, "score": each.score} for each in score.subjects],
        "relative": _relative(one.relative),
        "flags": [
            {"kind": flag.kind, "count": flag.count, "n": flag.n, "bound": flag.told} for flag in one.flags
        ],
        "opened_at": moment(at.opened_at),
        "closed_at": moment(at.closed_at),
    }


def _relative(one: Relative | None) -> dict[str, Any] | None:
    if one is None:
        return None
    return {"value": one.value, "basis": one.basis.value, "n": one.n, **_bounds(one.interval)}


def _spread(one: Spread | None) -> dict[str, Any] | None:
    if one is None:
        return None
    return {
        "sittings": one.n,
        "mean": one.mean,
        "sd": one.sd,
        "least": one.least,
        "most": one.most,
        **_bounds(one.interval),
    }


def _bounds(interval: Interval | None) -> dict[str, float | None]:
    if interval is None:
        return {"low": None, "high": None}
    return {"low": interval.low, "high": interval.high}
