"""Judges' leniency on a board, and models' judge means with it taken out."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from assay.ranking.cells import INVALID_MARK, Cells, over
from assay.ranking.measured import FloatArray
from assay.stats.two_way import rater_effects


@dataclass(frozen=True, slots=True)
class JudgeLeniency:
    """How far a judge's marks (1-5) lie above the panel's on the same answers, from `marks` of them.

    None for a judge that no chain of shared answers connects with the others.
    """

    judge: str
    effect: float | None
    marks: int


@dataclass(frozen=True, slots=True)
class Adjusted:
    """Models' judge means (M,) on the 1-5 scale with leniency taken out, over `prompts` (M,) with a mark."""

    means: FloatArray
    prompts: FloatArray
    judges: tuple[JudgeLeniency, ...]


def adjust(cells: Cells) -> Adjusted:
    """Fit mark = answer + judge over all models, and average each model's marks less the judge's effect.

    Every mark a judge gave takes part, of judges with incomplete coverage too; a judge's marks for its own
    model do not. Invalid answers say nothing about leniency: they are left out of the fit and stay at 1.
    Means may leave 1-5 a little. NaN for a model with no usable mark.
    """
    answered, judges_there = cells.given.shape[0] * cells.given.shape[1], len(cells.judges)
    effects = rater_effects(cells.given.reshape(answered, judges_there))
    answers = over(cells.given - effects, -1)
    invalid = 1.0 - cells.valid
    whole = np.where(invalid == 1.0, INVALID_MARK, answers * cells.valid + INVALID_MARK * invalid)
    given = (~np.isnan(cells.given)).sum(axis=(0, 1))
    judges = tuple(
        JudgeLeniency(judge, None if np.isnan(effect) else float(effect), int(count))
        for judge, effect, count in zip(cells.judges, effects, given, strict=True)
    )
    return Adjusted(over(whole, -1), (~np.isnan(whole)).sum(axis=1).astype(np.float64), judges)
