"""A keyed board as plain values, JSON document and CSV rows; never a question, an answer or a key."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from assay.ranking.keyed.board import KeyedStanding, Part
from assay.ranking.keyed.bundles import Consistency
from assay.ranking.keyed.chance import Chance
from assay.report.board_beside import (
    excluded_document,
    judged_beside_document,
    not_ranked_document,
    not_ranked_rows,
    rights_document,
)
from assay.report.board_document import pairs_document
from assay.runs.boards.keyed import StoredKeyedBoard

FLAT = ("model", "rank_low", "rank_high", "score")
TAKES = ("latency", "tokens", "cost", "cost_unknown")


def keyed_document(stored: StoredKeyedBoard) -> dict[str, Any]:
    """Return a keyed board as one JSON document. Accuracies are 0-1."""
    found = stored.board
    ranked = [standing.model for standing in found.standings if standing.score is not None]
    return {
        "kind": "keyed",
        "suite": stored.suite.name,
        "version": stored.suite.version,
        "digest": stored.suite.digest,
        "visibility": stored.suite.visibility,
        "simulated": stored.simulated,
        "runs": list(stored.runs),
        "questions": found.questions,
        "concepts": len(found.concepts),
        "epochs": found.epochs,
        "chance": found.chance,
        "replicates": found.replicates,
        "alpha": found.alpha,
        "missing": list(stored.missing),
        "excluded": excluded_document(stored.excluded),
        "not_ranked": not_ranked_document(stored.not_ranked),
        "models": [standing_document(standing) for standing in found.standings],
        "comparisons": list(pairs_document(found.comparisons, ranked, found.alpha)),
        "beside": judged_beside_document(stored.beside),
    }


def standing_document(standing: KeyedStanding) -> dict[str, Any]:
    """Return one model's standing as JSON values."""
    ranks = standing.ranks
    return {
        "model": standing.model,
        "rank_low": None if ranks is None else ranks.low,
        "rank_high": None if ranks is None else ranks.high,
        "score": standing.score,
        **rights_document(standing.rights),
        "chance": _chance(standing.chance),
        "bundles": _bundles(standing.consistency),
        "latency": standing.latency.value,
        "tokens": standing.tokens.value,
        "cost": standing.cost,
        "cost_unknown": standing.cost_unknown,
        "variants": [_part("variant", part) for part in standing.variants],
        "concepts": [_part("concept", part) for part in standing.concepts],
    }


def keyed_rows(stored: StoredKeyedBoard) -> Iterator[dict[str, Any]]:
    """Yield one flat row a model: ranks, accuracies, counts, bundles, what it takes, accuracy by variant.

    A suite that stands beside has a column of its own, `beside:NAME`, with the composite.
    """
    beside = {} if stored.beside is None else stored.beside.lines
    for standing in stored.board.standings:
        told = standing_document(standing)
        chance, bundles = told["chance"] or {}, told["bundles"]
        row = {
            **{name: told[name] for name in FLAT},
            **rights_document(standing.rights),
            "chance": chance.get("expected"),
            "chance_p": chance.get("p"),
            "above_chance": chance.get("above"),
            "bundles": bundles["bundles"],
            "bundles_mean": bundles["mean"],
            "bundles_whole": bundles["whole"],
            "bundles_whole_expected": bundles["whole_expected"],
            "bundles_dispersion": bundles["dispersion"],
            **{name: told[name] for name in TAKES},
            **{f"variant:{each['variant']}": each["accuracy_valid"] for each in told["variants"]},
        }
        if stored.beside is not None:
            line = beside.get(standing.model)
            row[f"beside:{stored.beside.suite.name}"] = None if line is None else line.score.composite
        yield row
    yield from not_ranked_rows(stored.not_ranked)


def _chance(found: Chance | None) -> dict[str, Any] | None:
    if found is None:
        return None
    return {
        "expected": found.expected,
        "tested": found.tested,
        "right": found.right,
        "p": found.p,
        "above": found.above,
    }


def _bundles(found: Consistency) -> dict[str, Any]:
    return {
        "bundles": found.bundles,
        "left_out": found.left_out,
        "mean": found.mean,
        "whole": found.whole,
        "whole_expected": found.whole_expected,
        "dispersion": found.dispersion,
        "p": found.p,
        "spread": [
            {"k": each.k, "bundles": each.bundles, "expected": each.expected} for each in found.spread
        ],
    }


def _part(by: str, part: Part) -> dict[str, Any]:
    return {by: part.name, "questions": part.questions, **rights_document(part.rights)}
