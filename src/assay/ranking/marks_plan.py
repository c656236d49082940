"""How many human marks are needed for a wanted precision, and which answers to mark."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt
import scipy

from assay.core.errors import InvalidInput
from assay.ranking.corrected_marks import EVERY, FEWEST, PanelMarks
from assay.ranking.reference_marks import FloatArray, of_model
from assay.results.corrected_marks import AnswerToTake, PlannedModel, PlannedStratum
from assay.stats.allocation import PilotStrata, allocate, half_width, least_marks, pilot_strata

IntArray = npt.NDArray[np.int64]


@dataclass(frozen=True, slots=True)
class PlannedMarks:
    """The plan by model and by stratum, and the answers to take."""

    models: tuple[PlannedModel, ...]
    strata: tuple[PlannedStratum, ...]
    take: tuple[AnswerToTake, ...]
    remarks: tuple[str, ...]


def plan_marks(panel: PanelMarks, wanted: float, reference: str, rng: np.random.Generator) -> PlannedMarks:
    """Plan the human marks for intervals of `wanted` points on either side, for every model.

    The spread of human marks given the judge's mark comes from the human marks that exist (the pilot), over
    all models. Raises InvalidInput for a pilot of fewer than `FEWEST` marks, and for a half-width outside
    0-50.
    """
    if not 0.0 < wanted < 50.0:
        raise InvalidInput(f"invalid half-width {wanted:g}: give points between 0 and 50")
    marks = panel.marks
    asked = ~marks.by_rule
    marked = asked & ~np.isnan(panel.human)
    if int(marked.sum()) < FEWEST:
        raise InvalidInput(
            f"{int(marked.sum())} answers have a human mark: a plan needs a pilot of at least {FEWEST}, "
            "better 50, on answers drawn at random"
        )
    codes, stratum = np.unique(panel.strata, return_inverse=True)
    stratum = stratum.reshape(-1)
    pilot = pilot_strata(panel.human[marked], stratum[marked], len(codes))
    models, strata, take = [], [], list[AnswerToTake]()
    for group in panel.groups:
        own = of_model(marks.answers, group)
        sizes = np.bincount(stratum[own], minlength=len(codes))
        done = np.bincount(stratum[own & marked], minlength=len(codes))
        settled = np.bincount(stratum[own & marks.by_rule], minlength=len(codes))
        planned = _plan_model(pilot, sizes, done, settled, wanted / 100.0)
        models.append(_model_row(group or EVERY, pilot, sizes, done, settled, planned, wanted / 100.0))
        for code in np.flatnonzero(sizes > settled):
            spread = 100.0 * float(np.sqrt(pilot.variances[code]))
            own_stratum = own & (stratum == code)
            label = _label(panel.judge[own_stratum], panel, codes)
            further = int(planned[code] - done[code])
            strata.append(
                PlannedStratum(group or EVERY, label, int(sizes[code]), int(done[code]), spread, further)
            )
            left = np.flatnonzero(own_stratum & ~marked)
            chosen = rng.choice(left, size=further, replace=False) if further else left[:0]
            take += [_row(panel, place, reference) for place in sorted(chosen.tolist())]
    order = rng.permutation(len(take))
    return PlannedMarks(
        tuple(models),
        tuple(strata),
        tuple(take[place] for place in order),
        tuple(_remarks(models, wanted, int(marked.sum()))),
    )


def _plan_model(
    pilot: PilotStrata, sizes: IntArray, done: IntArray, settled: IntArray, wanted: float
) -> IntArray:
    """Return the human marks per stratum, with those that exist; no more where all answers do not suffice."""
    fewest = least_marks(pilot, sizes, done, settled, wanted)
    if fewest is None:
        return done
    return allocate(pilot, sizes - settled, done, fewest)


def _model_row(
    name: str,
    pilot: PilotStrata,
    sizes: IntArray,
    done: IntArray,
    settled: IntArray,
    planned: IntArray,
    wanted: float,
) -> PlannedModel:
    every = half_width(pilot, sizes, sizes - settled, settled)
    z = float(scipy.special.ndtri(0.975))
    share = sizes / sizes.sum()
    mean = float(share @ pilot.means)
    whole = float(share @ (pilot.variances + (pilot.means - mean) ** 2))
    return PlannedModel(
        model=name,
        answers=int(sizes.sum()),
        marked=int(done.sum()),
        half_width=100.0 * half_width(pilot, sizes, done, settled),
        wanted=int(planned.sum()) if every <= wanted else None,
        at_random=int(np.ceil(z**2 * whole / wanted**2)),
        further=int((planned - done).sum()),
        least=100.0 * every,
    )


def _label(judge: FloatArray, panel: PanelMarks, codes: FloatArray) -> str:
    """Return a stratum's name: the judge's mark on the marks' own scale, or the range of a group."""
    values = panel.marks.categories
    low, high = (min(values), max(values)) if values else (0.0, 1.0)
    ends = [low + (high - low) * float(end) for end in (judge.min(), judge.max())]
    names = dict(zip(panel.marks.categories, panel.marks.names, strict=True))
    shown = [names.get(round(end, 9), f"{end:.4g}") for end in ends]
    return shown[0] if shown[0] == shown[1] else f"{shown[0]} to {shown[1]}"


def _row(panel: PanelMarks, place: int, reference: str) -> AnswerToTake:
    answer = panel.marks.answers[place]
    return AnswerToTake(answer.item, answer.model, answer.generation, reference, "", answer.place)


def _remarks(models: Sequence[PlannedModel], wanted: float, pilot: int) -> list[str]:
    remarks = []
    short = [row for row in models if row.wanted is None]
    if short:
        names = ", ".join(row.model for row in short)
        answers, least = max(row.at_random for row in short), max(row.least for row in short)
        remarks.append(
            f"{names}: {wanted:g} points cannot be reached even if people mark all answers, so no mark is "
            f"planned. Give a half-width above {least:.1f}, or have the models answer {answers:,} items"
        )
    if pilot < 50:
        remarks.append(
            f"the pilot has only {pilot} human marks: plan again when half of the new marks are in"
        )
    return remarks
