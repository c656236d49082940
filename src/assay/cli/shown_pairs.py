"""Printing a board's significant differences, and what its ranges of ranks mean."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from assay.cli.output import notes, print_table
from assay.ranking.board import Board
from assay.ranking.keyed.board import KeyedBoard
from assay.report.board_apart import ranked_models
from assay.report.board_document import pairs_document
from assay.runs.board import StoredBoard
from assay.runs.boards.keyed import StoredKeyedBoard


def print_pairs(found: StoredBoard | StoredKeyedBoard) -> None:
    """Print every pair of models that differ significantly, in points, the better model first."""
    table = found.board
    ranked = [each.model for each in ranked_models(table)]
    pairs = [each for each in pairs_document(table.comparisons, ranked, table.alpha) if each["significant"]]
    for pair in pairs:
        if pair["difference"] < 0:
            pair["first"], pair["second"] = pair["second"], pair["first"]
            pair["difference"], pair["low"], pair["high"] = -pair["difference"], -pair["high"], -pair["low"]
    print_table(
        f"{found.suite.name} {found.suite.version}: significant differences, in points",
        ("better", "worse", "difference", "95 %", "p", "corrected p"),
        [
            (
                pair["first"],
                pair["second"],
                f"{100 * pair['difference']:+.1f}",
                f"{100 * pair['low']:+.1f} to {100 * pair['high']:+.1f}",
                f"{pair['p']:.2g}",
                f"{pair['p_holm']:.2g}",
            )
            for pair in pairs
        ],
        right=("difference", "p", "corrected p"),
    )
    significant, compared = _counts(table)
    notes().print(
        f"{significant} of {compared} pairs differ significantly: corrected p (Holm) of at most "
        f"{table.alpha:g}. The intervals are not corrected."
    )


def explain_ranks(table: Board | KeyedBoard, suite: str, method: str) -> Iterator[str]:
    """Yield what a range of ranks is, and where the significant differences are listed."""
    significant, compared = _counts(table)
    if not compared:
        return
    yield (
        "rank: from 1 + the models that are significantly better to the number of models less those that are "
        "significantly worse. Models whose ranges overlap may still differ significantly."
    )
    yield (
        f"{significant} of {compared} pairs differ significantly ({method}, Holm, {table.replicates:,} "
        f"replicates): `assay board {suite} --pairs` lists them."
    )


def _counts(table: Board | KeyedBoard) -> tuple[int, int]:
    """Return how many pairs differ significantly, and how many were compared."""
    compared = np.triu(~np.isnan(table.comparisons.difference), 1)
    significant = np.triu(table.comparisons.significant(table.alpha), 1)
    return int(significant.sum()), int(compared.sum())
