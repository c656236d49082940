"""Checked outcomes on their way into a tensor, with what became of every row."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from assay.core.errors import InvalidInput
from assay.core.wording import counted
from assay.files.outcome_table import ERROR, INVALID, UNGRADED, Outcomes
from assay.files.outcome_table_columns import ZeroCost
from assay.frontier.tensor import Tensor
from assay.results.frontier import LeftOut, Rows
from assay.studies.frontier.read import Read
from assay.studies.frontier.remarks import remarks

FloatArray = npt.NDArray[np.float64]
IntArray = npt.NDArray[np.int64]
BoolArray = npt.NDArray[np.bool_]
MOST = 500_000_000
"""Values that a tensor may hold: 4 GB of quality, and as much of cost and of latency."""
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
            told.append(f"{counted(len(some), kind)} left out: {named}{more}")
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


def assemble(found: Outcomes, source: str, *, least_coverage: float, zero_cost: ZeroCost | None) -> Read:
    """Return the tensor of outcomes and what a report must say about it. Raises InvalidInput when empty."""
    observed = _observed(found)
    size = (len(found.prompts), len(found.models))
    cells = found.prompt[observed] * size[1] + found.model[observed]
    scored = np.bincount(cells, minlength=size[0] * size[1]).reshape(size)
    kept = keep(found.prompts, found.models, scored, least_coverage)
    stay = np.zeros(size, dtype=np.bool_)
    stay[np.ix_(kept.prompts, kept.models)] = True
    used = observed & stay[found.prompt, found.model]
    _fits(found, kept, used)
    tensor = _tensor(found, kept, used, unknown=zero_cost == "unknown")
    notes = (*found.notes, *kept.notes, *remarks(tensor, free=zero_cost == "free"))
    for name, before, after in (
        ("cost", found.cost, tensor.cost),
        ("latency", found.latency, tensor.latency),
    ):
        if before is not None and after is None:
            notes += (f"no {name} is known: all are blank",)
    if zero_cost == "unknown" and found.cost is not None:
        zeros = int(np.sum(found.cost[used] == 0))
        notes += (f"{zeros:,} costs of 0 are read as unknown",) if zeros else ()
    rows = _rows(found, observed, used)
    return Read(tensor, source, kept.left_out, notes, rows, found.digest, found.simulated)


def _fits(found: Outcomes, kept: Kept, used: BoolArray) -> None:
    """Refuse what no memory would hold, such as one cell with very many answers among small ones."""
    prompt, model = found.prompt[used], found.model[used]
    if found.given is not None:
        most = int(found.given[used].max())
    else:
        most = int(np.bincount(prompt * len(found.models) + model).max())
    size = len(kept.prompts) * len(kept.models) * most
    if size > MOST:
        raise InvalidInput(
            f"{len(kept.prompts):,} prompts by {len(kept.models):,} models by up to {most:,} generations are "
            f"{size:,} values, more than {MOST:,}: choose rows by --where"
        )


def _observed(found: Outcomes) -> BoolArray:
    """Return which rows have a quality."""
    if found.given is not None:
        return np.asarray(found.given > 0, dtype=np.bool_)
    assert found.status is not None
    return np.asarray(found.status <= INVALID, dtype=np.bool_)


def _rows(found: Outcomes, observed: BoolArray, used: BoolArray) -> Rows:
    status = np.where(observed, 0, UNGRADED) if found.status is None else found.status
    return Rows(
        read=len(found.row),
        used=int(used.sum()),
        errors=int((status == ERROR).sum()),
        ungraded=int((status == UNGRADED).sum()),
        left_out=int((observed & ~used).sum()),
        invalid=int((status[used] == INVALID).sum()),
        skipped=found.skipped,
        answers=int(used.sum() if found.given is None else found.given[used].sum()),
    )


def _tensor(found: Outcomes, kept: Kept, used: BoolArray, *, unknown: bool) -> Tensor:
    at_prompt, at_model = np.full(len(found.prompts), -1), np.full(len(found.models), -1)
    at_prompt[kept.prompts] = np.arange(len(kept.prompts))
    at_model[kept.models] = np.arange(len(kept.models))
    prompt, model = at_prompt[found.prompt[used]], at_model[found.model[used]]
    size = (len(kept.prompts), len(kept.models))
    amounts = []
    for values, zeros in ((found.cost, unknown), (found.latency, False)):
        some = None if values is None else values[used]
        if some is not None and zeros:
            some = np.where(some == 0, np.nan, some)
        amounts.append(None if some is None or np.isnan(some).all() else some)
    if found.given is not None and found.correct is not None:
        number = np.zeros(size, dtype=np.int64)
        number[prompt, model] = found.given[used]
        right = np.zeros(size, dtype=np.int64)
        right[prompt, model] = found.correct[used]
        quality = _answers(right, number)
        cost, latency = (_everywhere(each, prompt, model, number) for each in amounts)
    else:
        assert found.quality is not None and found.generation is not None
        place = _places(prompt * size[1] + model, found.generation[used])
        shape = (*size, int(place.max()) + 1)
        at = prompt, model, place
        quality = _put(found.quality[used], at, shape)
        cost, latency = (None if each is None else _put(each, at, shape) for each in amounts)
    return Tensor(
        prompts=tuple(found.prompts[at] for at in kept.prompts),
        models=tuple(found.models[at] for at in kept.models),
        quality=quality,
        cost=cost,
        latency=latency,
        unit=found.unit,
        cost_by_cell=found.given is not None and cost is not None,
        categories=_named(found.categories, kept),
        texts=_named(found.texts, kept),
    )


def _answers(right: IntArray, number: IntArray) -> FloatArray:
    """Return the qualities of counts: ones first, then zeros, then nothing."""
    most = int(number.max())
    turn = np.arange(most)
    quality = np.asarray(turn < right[:, :, None], dtype=np.float64)
    if number.min() < most:
        quality[turn >= number[:, :, None]] = np.nan
    return quality


def _everywhere(
    values: FloatArray | None, prompt: IntArray, model: IntArray, number: IntArray
) -> FloatArray | None:
    """Return a cell's mean at each of its answers; where all cells have as many, without copies of it."""
    if values is None:
        return None
    by_cell = np.full(number.shape, np.nan)
    by_cell[prompt, model] = values
    turn = np.arange(int(number.max()))
    spread = np.broadcast_to(by_cell[:, :, None], (*number.shape, len(turn)))
    if number.min() == len(turn):
        return spread
    return np.asarray(np.where(turn < number[:, :, None], spread, np.nan), dtype=np.float64)


def _put(
    values: FloatArray, at: tuple[IntArray, IntArray, IntArray], shape: tuple[int, int, int]
) -> FloatArray:
    found = np.full(shape, np.nan)
    found[at] = values
    return found


def _places(cells: IntArray, generations: IntArray) -> IntArray:
    """Number each cell's rows from 0 without gaps, in order of their generations, then of the file."""
    order = np.lexsort((np.arange(len(cells)), generations, cells))
    arranged = cells[order]
    first = np.flatnonzero(np.r_[True, arranged[1:] != arranged[:-1]])
    lengths = np.diff(np.r_[first, len(arranged)])
    places = np.empty(len(cells), dtype=np.int64)
    places[order] = np.arange(len(cells)) - np.repeat(first, lengths)
    return places


def _named(names: tuple[str, ...] | None, kept: Kept) -> tuple[str, ...] | None:
    return None if names is None else tuple(names[at] for at in kept.prompts)
