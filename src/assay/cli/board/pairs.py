"""Printing a board's significant differences, and what its ranges of ranks mean."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from assay.cli.output import notes, print_rows
from assay.ranking.board.judged import Board
from assay.ranking.board.keyed import KeyedBoard
from assay.report.board.results import compared_pairs
from assay.results.ranking import SIGNIFICANT, Comparison, better_first
from assay.runs.board.stored import StoredBoard, StoredKeyedBoard


def significant_pairs(found: StoredBoard | StoredKeyedBoard) -> list[Comparison]:
    """Return every pair of models that differ significantly, the better model first."""
    return [better_first(pair.comparison) for pair in compared_pairs(found.board) if pair.significant]


def print_pairs(found: StoredBoard | StoredKeyedBoard) -> None:
    """Print every pair of models that differ significantly, in points, the better model first."""
    table = found.board
    title = f"{found.suite.name} {found.suite.version}: significant differences, in points"
    print_rows(SIGNIFICANT, significant_pairs(found), title)
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
