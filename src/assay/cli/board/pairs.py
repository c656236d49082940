"""Printing a board's significant differences, and the note on its rank ranges."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from assay.cli.output import notes, print_rows
from assay.ranking.board.judged import Board
from assay.ranking.board.keyed import KeyedBoard
from assay.report.board.results import compared_pairs
from assay.results.ranking import SIGNIFICANT, Comparison, better_first
from assay.runs.board.stored import StoredBoard, StoredKeyedBoard


def significant_pairs(stored: StoredBoard | StoredKeyedBoard) -> list[Comparison]:
    """Return every pair of models that differ significantly, the better model first."""
    return [better_first(pair.comparison) for pair in compared_pairs(stored.board) if pair.significant]


def print_pairs(stored: StoredBoard | StoredKeyedBoard) -> None:
    """Print every pair of models that differ significantly, in points, the better model first."""
    table = stored.board
    title = f"{stored.suite.name} {stored.suite.version}: significant differences, in points"
    print_rows(SIGNIFICANT, significant_pairs(stored), title)
    significant, compared = _counts(table)
    notes().print(
        f"{significant} of {compared} pairs differ significantly: corrected p (Holm) of at most "
        f"{table.alpha:g}. The intervals are not corrected."
    )


def explain_ranks(table: Board | KeyedBoard, suite: str, method: str) -> Iterator[str]:
    """Yield the meaning of rank ranges, and the command that lists the significant differences."""
    significant, compared = _counts(table)
    if not compared:
        return
    yield (
        "rank: a range, from 1 + the number of models that are significantly better to the number of models "
        "minus those that are significantly worse. Models with overlapping ranges may still differ "
        "significantly."
    )
    yield (
        f"{significant} of {compared} pairs differ significantly ({method}, Holm, {table.replicates:,} "
        f"replicates): `assay board {suite} --pairs` lists them."
    )


def _counts(table: Board | KeyedBoard) -> tuple[int, int]:
    """Return the number of pairs that differ significantly, and the number of pairs compared."""
    compared = np.triu(~np.isnan(table.comparisons.difference), 1)
    significant = np.triu(table.comparisons.significant(table.alpha), 1)
    return int(significant.sum()), int(compared.sum())
