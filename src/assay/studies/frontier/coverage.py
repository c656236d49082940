"""Which models and prompts of a source enter the tensor, and what is told of the others."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from assay.core.errors import InvalidInput

BoolArray = npt.NDArray[np.bool_]
IntArray = npt.NDArray[np.int64]
NAMED = 5


@dataclass(frozen=True, slots=True)
class LeftOut:
    """A model or a prompt (`kind`) of the source that is not in the tensor, why, and its scored rows."""

    kind: str
    name: str
    reason: str
    rows: int


@dataclass(frozen=True, slots=True)
class Rows:
    """What became of the rows (of a run: samples): read = used + errors + ungraded + left_out.

    `skipped` did not meet the conditions and were not read; `invalid` are among the used, with quality 0.
    `answers` is how many generations the tensor holds: more than `used` where a row counts several.
    """

    read: int
    used: int
    errors: int
    ungraded: int
    left_out: int
    invalid: int = 0
    skipped: int = 0
    answers: int = 0


@dataclass(frozen=True, slots=True)
class Kept:
    """Which prompts and models stay, by position; what does not, and notes about the coverage."""

    prompts: IntArray
    models: IntArray
    left_out: tuple[LeftOut, ...]
    notes: tuple[str, ...]


def keep(
    prompts: tuple[str, ...],
    models: tuple[str, ...],
    scored: IntArray,
    observed: BoolArray,
    least: float,
) -> Kept:
    """Choose what enters the tensor.

    `scored` (N, L) counts the rows with a quality of each cell, `observed` says where there is one. A model
    seen on less than `least` of the prompts is left out, then every prompt that no model is left on. Raises
    InvalidInput when nothing stays.
    """
    if not 0 <= least <= 1:
        raise InvalidInput(f"least coverage is {least:g}: give a share of the prompts, from 0 to 1")
    asked = int(observed.any(axis=1).sum())
    seen = observed.sum(axis=0)
    if asked == 0:
        raise InvalidInput("no row has a quality: there is nothing to read")
    share = seen / asked
    stay = (share >= least) & (seen > 0)
    if not stay.any():
        best = int(np.argmax(share))
        raise InvalidInput(
            f"every model lacks more than {1 - least:.0%} of the {asked} prompts ({models[best]!r} has "
            f"{seen[best]}): lower --least-coverage, or choose rows by --where"
        )
    out = [
        LeftOut(
            "model",
            models[at],
            f"has a quality on {seen[at]} of {asked} prompts, less than {least:.0%}",
            int(scored[:, at].sum()),
        )
        for at in np.flatnonzero(~stay)
    ]
    there = observed[:, stay].any(axis=1)
    out += [
        LeftOut(
            "prompt",
            prompts[at],
            "has no quality of any model"
            if not observed[at].any()
            else "has none of the models that are kept",
            int(scored[np.ix_([at], stay)].sum()),
        )
        for at in np.flatnonzero(~there)
    ]
    kept = observed[np.ix_(there, stay)]
    names = [name for name, keeps in zip(models, stay, strict=True) if keeps]
    return Kept(np.flatnonzero(there), np.flatnonzero(stay), tuple(out), tuple(_notes(names, kept, out)))


def _notes(models: list[str], observed: BoolArray, out: list[LeftOut]) -> list[str]:
    number, width = observed.shape
    told = []
    for kind in ("model", "prompt"):
        some = [each for each in out if each.kind == kind]
        if some:
            named = "; ".join(f"{each.name!r} {each.reason}" for each in some[:NAMED])
            more = f"; and {len(some) - NAMED} more" if len(some) > NAMED else ""
            told.append(f"{len(some)} {kind}{'s' if len(some) > 1 else ''} left out: {named}{more}")
    if width == 1:
        told.append(f"one model, {models[0]!r}: nothing to choose among, every oracle is that model")
    seen = observed.sum(axis=0)
    partial = [f"{models[at]!r} on {seen[at]}" for at in np.flatnonzero(seen < number)]
    if partial:
        more = f", and {len(partial) - NAMED} more" if len(partial) > NAMED else ""
        told.append(f"of {number} prompts, some models have fewer: {', '.join(partial[:NAMED])}{more}")
    few = int((2 * observed.sum(axis=1) < width).sum())
    if few:
        told.append(
            f"{few} of {number} prompts have answers of fewer than half of the {width} models: there the "
            f"oracle chooses among few"
        )
    return told
