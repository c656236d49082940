"""What stands in the way of comparing judges, and which figures are not there, in words."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from assay.core.errors import InvalidInput, Problem
from assay.results.agreement import PairFigures
from assay.studies.marks import MarkMatrix

LISTED = 5
"""A refusal lists at most so many pairs of judges."""


def checked(marks: MarkMatrix, pairs: Sequence[PairFigures], shared: int, *, known: bool) -> list[str]:
    """Return what stands in the way of comparing judges; InvalidInput where nothing else is left.

    `known` says that something else is: position bias.
    """
    told: list[str] = []
    if len(marks.judges) < 2:
        told = [f"only {marks.judges[0]!r} gave marks: agreement needs two judges of the same answers"]
    elif not shared:
        told = ["no answer was marked by two judges: agreement needs the same items, by the same names"]
    refused = [pair.refused for pair in pairs if pair.refused]
    whole = bool(refused) and all(pair.refused or not pair.n for pair in pairs)
    if (told or whole) and not known:
        raise InvalidInput([Problem(text) for text in (told or refused)[:LISTED]])
    if refused:
        told += refused
        told.append(
            "alpha, marks above the others, preference and verbosity are left out: they would mix codings. "
            "Keep judges of one coding with --judge"
        )
    return told


def missing(marks: MarkMatrix, *, measured: bool, wordy: bool, answers: int, most: int) -> list[str]:
    """Return why figures are not there; above `most` answers nothing is drawn."""
    told = []
    if not marks.scale.ordered and not marks.pairwise:
        told.append(
            "marks are names without an order: kappa and alpha are of names, and there are no marks above "
            "the others, preference or verbosity; declare an order with --category, the worst mark first"
        )
    if not marks.scale.codes:
        told.append("there are too many different marks for categories: kappa is left out")
    if measured and not wordy and not np.isnan(marks.lengths).all():
        told.append("no item has answers of several lengths: verbosity needs them, told apart by `model`")
    if answers > most:
        told.append(f"no intervals: {answers:,} answers are more than the {most:,} that are drawn from")
    return told
