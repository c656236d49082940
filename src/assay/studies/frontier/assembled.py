"""Checked outcomes on their way into a tensor, with what became of every row."""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from assay.core.errors import InvalidInput
from assay.files.outcome_table import ERROR, INVALID, UNGRADED, Outcomes
from assay.files.outcome_table_wish import ZeroCost
from assay.frontier.tensor import Tensor
from assay.studies.frontier.coverage import Kept, keep
from assay.studies.frontier.read import Read, Rows
from assay.studies.frontier.remarks import remarks

FloatArray = npt.NDArray[np.float64]
IntArray = npt.NDArray[np.int64]
BoolArray = npt.NDArray[np.bool_]
MOST = 500_000_000
"""Values that a tensor may hold: 4 GB of quality, and as much of cost and of latency."""


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
    return Read(tensor, source, kept.left_out, notes, _rows(found, observed, used), found.digest)


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
