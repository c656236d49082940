"""Pairwise verdicts in both orders: each judge's position bias, and the marks of one order."""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from assay.stats.judge_bias import PositionBias, position_bias
from assay.studies.marks import MarkMatrix

PLACES = {
    "AB": {0.0: "first", 1.0: "second", 2.0: "tie"},
    "BA": {0.0: "second", 1.0: "first", 2.0: "tie"},
}
"""The place of the side that won, by the order in which the two were shown and the side's code."""


def position_biases(marks: MarkMatrix) -> dict[str, PositionBias]:
    """Return the position bias of each judge that was asked in both orders.

    A pair that it was asked about in one order only, or whose verdict was not read, is counted as unreadable.
    """
    asked: dict[tuple[object, ...], dict[str, int]] = {}
    for place, answer in enumerate(marks.answers):
        assert answer.order is not None
        asked.setdefault(answer[:3], {})[answer.order] = place
    found = {}
    for row, judge in enumerate(marks.judges):
        pairs = [
            (_verdict(marks, row, orders.get("AB"), "AB"), _verdict(marks, row, orders.get("BA"), "BA"))
            for orders in asked.values()
        ]
        pairs = [pair for pair in pairs if pair != (None, None)]
        if any(None not in pair for pair in pairs):
            found[judge] = position_bias([one for one, _ in pairs], [other for _, other in pairs])
    return found


def _verdict(marks: MarkMatrix, row: int, place: int | None, order: str) -> str | None:
    if place is None or np.isnan(marks.table[row, place]):
        return None
    return PLACES[order][float(marks.table[row, place])]


def in_one_order(marks: MarkMatrix) -> MarkMatrix:
    """Return the marks of one order, so that judges are compared on equal terms: A first, if it ever was."""
    order = "AB" if any(answer.order == "AB" for answer in marks.answers) else "BA"
    kept = [place for place, answer in enumerate(marks.answers) if answer.order == order]
    return replace(
        marks,
        answers=tuple(marks.answers[place] for place in kept),
        table=marks.table[:, kept],
        lengths=marks.lengths[kept],
    )
