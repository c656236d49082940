"""Which models and prompts of a source enter the tensor, and what is told of the others."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from assay.core.errors import InvalidInput
from assay.studies.frontier.read import LeftOut

BoolArray = npt.NDArray[np.bool_]
IntArray = npt.NDArray[np.int64]
NAMED = 5


@dataclass(frozen=True, slots=True)
class Kept:
    """Which prompts and models stay, by position; what does not, and notes about the coverage."""

    prompts: IntArray
    models: IntArray
    left_out: tuple[LeftOut, ...]
    notes: tuple[str, ...]


def keep(prompts: tuple[str, ...], models: tuple[str, ...], scored: IntArray, least: float) -> Kept:
    """Choose what enters the tensor; `scored` (N, L) counts the rows with a quality of each cell.

    A model with a quality on less than the share `least` of the prompts that have any is left out, then
    every prompt without a quality of the models that stay. Raises InvalidInput when nothing stays.
    """
    if not 0 <= least <= 1:
        raise InvalidInput(f"least coverage is {least:g}: give a share of the prompts, from 0 to 1")
    observed = scored > 0
    asked, seen = int(observed.any(axis=1).sum()), observed.sum(axis=0)
    if asked == 0:
        raise InvalidInput("no row has a quality: all are errors or ungraded, so there is nothing to read")
    stay = (seen >= least * asked) & (seen > 0)
    if not stay.any():
        best = int(np.argmax(seen))
        raise InvalidInput(
            f"every model lacks more than {1 - least:.0%} of the {asked} prompts ({models[best]!r} has "
            f"{seen[best]}): lower the least coverage (--least-coverage), or choose rows (--where)"
        )
    out = [
        LeftOut("model", models[at], _few(int(seen[at]), asked, least), int(scored[:, at].sum()))
        for at in np.flatnonzero(~stay)
    ]
    there = observed[:, stay].any(axis=1)
    out += [
        LeftOut("prompt", prompts[at], _nobody(observed[at]), int(scored[at, stay].sum()))
        for at in np.flatnonzero(~there)
    ]
    names = [name for name, stays in zip(models, stay, strict=True) if stays]
    notes = [*_left(out), *_thin(names, observed[np.ix_(there, stay)])]
    return Kept(np.flatnonzero(there), np.flatnonzero(stay), tuple(out), tuple(notes))


def _few(seen: int, asked: int, least: float) -> str:
    if seen == 0:
        return "has no quality on any prompt"
    return f"has a quality on {seen} of {asked} prompts, less than {least:.0%}"


def _nobody(observed: BoolArray) -> str:
    return "has a quality of left-out models only" if observed.any() else "has no quality of any model"


def _left(out: list[LeftOut]) -> list[str]:
    told = []
    for kind in ("model", "prompt"):
        some = [each for each in out if each.kind == kind]
        if some:
            named = "; ".join(f"{each.name!r} {each.reason}" for each in some[:NAMED])
            more = f"; and {len(some) - NAMED} more" if len(some) > NAMED else ""
            told.append(f"{len(some)} {kind}{'s' if len(some) > 1 else ''} left out: {named}{more}")
    return told


def _thin(models: list[str], observed: BoolArray) -> list[str]:
    number, width = observed.shape
    if width == 1:
        return [f"one model, {models[0]!r}: there is nothing to choose among, every oracle is that model"]
    told = []
    seen = observed.sum(axis=0)
    partial = [f"{models[at]!r} on {seen[at]}" for at in np.flatnonzero(seen < number)]
    if partial:
        more = f", and {len(partial) - NAMED} more" if len(partial) > NAMED else ""
        told.append(f"not every model is on all {number} prompts: {', '.join(partial[:NAMED])}{more}")
    few = int((2 * observed.sum(axis=1) < width).sum())
    if few:
        told.append(
            f"{few} of {number} prompts have answers of fewer than half of the {width} models: there an "
            "oracle chooses among few"
        )
    return told
