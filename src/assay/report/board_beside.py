"""Who is excluded from a board or not ranked, and what a suite of the other kind says, as plain values."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

from assay.ranking.keyed.accuracy import Accuracy, KeyedCounts, Rights
from assay.runs.boards.beside import Beside, JudgedLine
from assay.runs.boards.source import Excluded, NotRanked


def excluded_document(excluded: Sequence[Excluded]) -> list[dict[str, Any]]:
    """Return the excluded models as JSON values; `runs` measured them all the same."""
    return [{"model": each.model, "reason": each.reason, "runs": list(each.runs)} for each in excluded]


def not_ranked_document(not_ranked: Sequence[NotRanked]) -> list[dict[str, Any]]:
    """Return the models that are not ranked as JSON values, each with its run, why, and what mends it."""
    return [
        {
            "model": each.model,
            "run": each.run,
            "reasons": [{"reason": lack.reason, "command": lack.command} for lack in each.lacks],
        }
        for each in not_ranked
    ]


def not_ranked_rows(not_ranked: Sequence[NotRanked]) -> Iterator[dict[str, Any]]:
    """Yield a CSV row for each model that is not ranked: its name and why, and no figure."""
    for each in not_ranked:
        yield {"model": each.model, "not_ranked": "; ".join(lack.reason for lack in each.lacks)}


def keyed_beside_document(beside: Beside[Rights] | None) -> dict[str, Any] | None:
    """Return what a keyed suite says of a judged board's models."""
    if beside is None:
        return None
    lines = [{"model": model, **rights_document(found)} for model, found in sorted(beside.lines.items())]
    return {**_suite(beside), "models": lines}


def judged_beside_document(beside: Beside[JudgedLine] | None) -> dict[str, Any] | None:
    """Return what a judged suite says of a keyed board's models; composites are 0-1."""
    if beside is None:
        return None
    lines = [
        {
            "model": model,
            "composite": found.score.composite,
            "basis": found.score.basis,
            "n": found.counts.n,
            "ok": found.counts.ok,
            "invalid": found.counts.invalid,
            "error": found.counts.error,
            "ungraded": found.counts.ungraded,
        }
        for model, found in sorted(beside.lines.items())
    ]
    return {**_suite(beside), "models": lines}


def rights_document(found: Rights) -> dict[str, Any]:
    """Return accuracies (0-1) with their intervals, and every count."""
    return {
        **_accuracy("accuracy_valid", found.valid),
        **_accuracy("accuracy_all", found.overall),
        **counts_document(found.counts),
    }


def counts_document(counts: KeyedCounts) -> dict[str, int]:
    """Return every count of a keyed suite's samples."""
    return {
        "n": counts.n,
        "ok": counts.ok,
        "invalid": counts.invalid,
        "truncated": counts.truncated,
        "error": counts.error,
        "ungraded": counts.ungraded,
        "right": counts.right,
        "unread": counts.unread,
    }


def _accuracy(name: str, found: Accuracy) -> dict[str, Any]:
    interval = found.interval
    return {
        name: found.value,
        f"{name}_low": None if interval is None else interval.low,
        f"{name}_high": None if interval is None else interval.high,
    }


def _suite(beside: Beside[Any]) -> dict[str, Any]:
    return {
        "suite": beside.suite.name,
        "version": beside.suite.version,
        "digest": beside.suite.digest,
        "simulated": beside.simulated,
        "runs": list(beside.runs),
        "excluded": [{"model": name, "reason": reason} for name, reason in sorted(beside.excluded.items())],
    }
