"""A board as plain values, JSON document and CSV rows; never a prompt, an answer or a rationale."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

from assay.ranking.adjusted import PanelAdjusted
from assay.ranking.board import Standing
from assay.ranking.groups import GroupScore
from assay.ranking.pairs import Comparisons
from assay.ranking.score import Counts, Score
from assay.report.board_beside import (
    excluded_document,
    keyed_beside_document,
    not_ranked_document,
    not_ranked_rows,
)
from assay.runs.board import StoredBoard

FLAT = (
    "model",
    "composite",
    "composite_low",
    "composite_high",
    "composite_adjusted",
    "composite_adjusted_low",
    "composite_adjusted_high",
    "marks_missing",
    "composite_missing_lowest",
    "composite_missing_highest",
    "rank_low",
    "rank_high",
    "basis",
    "judge_mean",
    "geval_mean",
    "efficiency",
    "n",
    "ok",
    "invalid",
    "truncated",
    "error",
    "ungraded",
    "flagged",
    "flags",
    "latency",
    "tokens",
    "cost",
    "cost_unknown",
    "judge_mean_adjusted",
    "composite_invalid_zero",
)


def board_document(stored: StoredBoard) -> dict[str, Any]:
    """Return a board as one JSON document. Composites and G-Eval are 0-1, judges' means 1-5."""
    found = stored.board
    ranked = [standing.model for standing in found.standings if standing.ranks is not None]
    return {
        "kind": "judged",
        "suite": stored.suite.name,
        "version": stored.suite.version,
        "digest": stored.suite.digest,
        "visibility": stored.suite.visibility,
        "simulated": stored.simulated,
        "runs": list(stored.runs),
        "prompts": found.prompts,
        "epochs": found.epochs,
        "replicates": found.replicates,
        "alpha": found.alpha,
        "geval_judge": stored.geval,
        "missing": list(stored.missing),
        "judges": [
            {"judge": each.judge, "leniency": each.effect, "marks": each.marks} for each in found.judges
        ],
        "models": [standing_document(standing) for standing in found.standings],
        "comparisons": list(pairs_document(found.comparisons, ranked, found.alpha)),
        "excluded": excluded_document(stored.excluded),
        "not_ranked": not_ranked_document(stored.not_ranked),
        "beside": keyed_beside_document(stored.beside),
    }


def standing_document(standing: Standing) -> dict[str, Any]:
    """Return one model's standing as JSON values."""
    interval, ranks = standing.interval, standing.ranks
    return {
        "model": standing.model,
        **_score(standing.score),
        "composite_low": None if interval is None else interval.low,
        "composite_high": None if interval is None else interval.high,
        **_adjusted(standing.adjusted),
        "rank_low": None if ranks is None else ranks.low,
        "rank_high": None if ranks is None else ranks.high,
        "efficiency": standing.efficiency,
        **_counts(standing.counts),
        "latency": standing.latency.value,
        "tokens": standing.tokens.value,
        "cost": standing.cost,
        "cost_unknown": standing.cost_unknown,
        "judge_mean_adjusted": standing.adjusted.judge_mean.value,
        "judges": [
            {
                "judge": each.judge,
                "mean": each.mean,
                "marked": each.marked,
                "asked": each.asked,
                "own": each.own,
                "counts": each.counts,
            }
            for each in standing.judges
        ],
        "metrics": [
            {"metric": name, "mean": average.value, "n": average.n} for name, average in standing.metrics
        ],
        "without": [{"judge": each.judge, "composite": each.composite} for each in standing.without],
        "groups": [_group(each) for each in standing.groups],
    }


def board_rows(stored: StoredBoard) -> Iterator[dict[str, Any]]:
    """Yield one flat row a model: the columns of `FLAT`, then each judge's mean and each metric's.

    A suite that stands beside has columns of its own, `beside:NAME:valid` and `beside:NAME:all`. A model that
    is not ranked has its name and the reason, in `not_ranked`.
    """
    for standing in stored.board.standings:
        told = standing_document(standing)
        row = {
            **{name: told[name] for name in FLAT},
            **{f"judge:{each['judge']}": each["mean"] for each in told["judges"]},
            **{f"geval:{each['metric']}": each["mean"] for each in told["metrics"]},
        }
        if stored.beside is not None:
            line, name = stored.beside.lines.get(standing.model), stored.beside.suite.name
            row[f"beside:{name}:valid"] = None if line is None else line.valid.value
            row[f"beside:{name}:all"] = None if line is None else line.overall.value
        yield row
    yield from not_ranked_rows(stored.not_ranked)


def _score(found: Score) -> dict[str, Any]:
    return {
        "composite": found.composite,
        "basis": found.basis,
        "judge_mean": found.judge_mean,
        "judged": found.judged,
        "geval_mean": found.geval_mean,
        "geval_n": found.geval_n,
        "composite_invalid_zero": found.composite_invalid_zero,
    }


def _adjusted(found: PanelAdjusted) -> dict[str, Any]:
    interval = found.interval
    return {
        "composite_adjusted": found.composite,
        "composite_adjusted_low": None if interval is None else interval.low,
        "composite_adjusted_high": None if interval is None else interval.high,
        "marks_missing": found.missing,
        "composite_missing_lowest": found.lowest,
        "composite_missing_highest": found.highest,
    }


def _counts(counts: Counts) -> dict[str, int]:
    return {
        "n": counts.n,
        "ok": counts.ok,
        "invalid": counts.invalid,
        "truncated": counts.truncated,
        "error": counts.error,
        "ungraded": counts.ungraded,
        "flagged": counts.flagged,
        "flags": counts.flags,
    }


def _group(found: GroupScore) -> dict[str, Any]:
    group = found.group
    return {
        "by": group.by,
        "name": group.name,
        "category": group.category,
        "prompts": group.prompts,
        **_score(found.score),
        **_counts(found.counts),
    }


def pairs_document(comparisons: Comparisons, ranked: Sequence[str], alpha: float) -> Iterator[dict[str, Any]]:
    """Yield every pair of the `ranked` models (best first) once, the better one first."""
    for place, first in enumerate(ranked):
        for second in ranked[place + 1 :]:
            found = comparisons.between(first, second)
            yield {
                "first": first,
                "second": second,
                "difference": found.difference,
                "low": found.low,
                "high": found.high,
                "p": found.p,
                "p_holm": found.p_holm,
                "significant": found.difference is not None and found.p_holm <= alpha,
            }
