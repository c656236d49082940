"""A table of outcomes as a tensor, with what became of its rows."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import numpy.typing as npt

from assay.files.outcome_table import ERROR, INVALID, UNGRADED, OutcomeTable, read_outcomes
from assay.files.outcome_table_wish import TableWish
from assay.frontier.tensor import Tensor
from assay.studies.frontier.coverage import Kept, LeftOut, Rows, keep

FloatArray = npt.NDArray[np.float64]
IntArray = npt.NDArray[np.int64]
BoolArray = npt.NDArray[np.bool_]


def read_table(
    path: Path, wish: TableWish, least: float
) -> tuple[Tensor, str, tuple[LeftOut, ...], tuple[str, ...], Rows, str]:
    """Read a table: its tensor, how it was read, what was left out, notes, its rows, and its digest."""
    table = read_outcomes(path, wish)
    observed = _observed(table)
    shape = (len(table.prompts), len(table.models))
    cells = np.bincount(
        table.prompt[observed] * shape[1] + table.model[observed], minlength=shape[0] * shape[1]
    )
    scored = cells.reshape(shape)
    kept = keep(table.prompts, table.models, scored, scored > 0, least)
    used = observed & np.isin(table.prompt, kept.prompts) & np.isin(table.model, kept.models)
    tensor = _tensor(table, kept, used)
    rows = _rows(table, observed, used, tensor)
    notes = (*table.notes, *kept.notes)
    return tensor, told(path, wish, least), kept.left_out, notes, rows, table.digest


def told(path: Path, wish: TableWish, least: float) -> str:
    """Return the file's name and every choice made in reading it, as the command line writes them."""
    said = [str(path)]
    said += [f"--column {ours}={theirs}" for ours, theirs in wish.columns.items()]
    said += [f"--arm {column}" for column in wish.arms]
    said += [f"--where {each.column}{'=' if each.equal else '!='}{each.value}" for each in wish.where]
    said += [f"--null {wish.null}"] * (wish.null is not None)
    said += [f"--zero-cost {wish.zero_cost}"] * (wish.zero_cost is not None)
    if wish.quality_range is not None:
        said.append(f"--quality-range {wish.quality_range[0]:g} {wish.quality_range[1]:g}")
    said += [f"--least-coverage {least:g}"] * (least != 0.5)
    return " ".join(said)


def _observed(table: OutcomeTable) -> BoolArray:
    if table.given is not None:
        return np.asarray(table.given > 0, dtype=np.bool_)
    assert table.status is not None
    return np.asarray(table.status <= INVALID, dtype=np.bool_)


def _rows(table: OutcomeTable, observed: BoolArray, used: BoolArray, tensor: Tensor) -> Rows:
    number = len(table.row)
    if table.status is None:
        errors, ungraded, invalid = 0, int((~observed).sum()), 0
    else:
        errors, ungraded = int((table.status == ERROR).sum()), int((table.status == UNGRADED).sum())
        invalid = int((table.status[used] == INVALID).sum())
    return Rows(
        read=number,
        used=int(used.sum()),
        errors=errors,
        ungraded=ungraded,
        left_out=int((observed & ~used).sum()),
        invalid=invalid,
        skipped=table.in_table - number,
        answers=int(tensor.given.sum()),
    )


def _tensor(table: OutcomeTable, kept: Kept, used: BoolArray) -> Tensor:
    at_prompt = np.full(len(table.prompts), -1)
    at_prompt[kept.prompts] = np.arange(len(kept.prompts))
    at_model = np.full(len(table.models), -1)
    at_model[kept.models] = np.arange(len(kept.models))
    prompt, model = at_prompt[table.prompt[used]], at_model[table.model[used]]
    size = (len(kept.prompts), len(kept.models))
    by_cell = table.given is not None
    fill = _from_counts if by_cell else _from_rows
    quality, cost, latency = fill(table, used, prompt, model, size)
    return Tensor(
        prompts=tuple(table.prompts[at] for at in kept.prompts),
        models=tuple(table.models[at] for at in kept.models),
        quality=quality,
        cost=cost,
        latency=latency,
        unit=table.unit,
        cost_by_cell=by_cell and cost is not None,
        categories=None if table.categories is None else tuple(table.categories[at] for at in kept.prompts),
        texts=None if table.texts is None else tuple(table.texts[at] for at in kept.prompts),
    )


def _from_rows(
    table: OutcomeTable, used: BoolArray, prompt: IntArray, model: IntArray, size: tuple[int, int]
) -> tuple[FloatArray, FloatArray | None, FloatArray | None]:
    assert table.quality is not None and table.place is not None
    place = _closed_up(prompt * size[1] + model, table.place[used])
    shape = (*size, int(place.max()) + 1)

    def spread(values: FloatArray | None) -> FloatArray | None:
        if values is None:
            return None
        found = np.full(shape, np.nan)
        found[prompt, model, place] = values[used]
        return found

    quality = spread(table.quality)
    assert quality is not None
    return quality, spread(table.cost), spread(table.latency)


def _closed_up(cells: IntArray, places: IntArray) -> IntArray:
    """Number each cell's used rows from 0 without gaps: a missing generation takes no place."""
    order = np.lexsort((places, cells))
    arranged = cells[order]
    first = np.flatnonzero(np.r_[True, arranged[1:] != arranged[:-1]])
    lengths = np.diff(np.r_[first, len(arranged)])
    closed = np.empty(len(cells), dtype=np.int64)
    closed[order] = np.arange(len(cells)) - np.repeat(first, lengths)
    return closed


def _from_counts(
    table: OutcomeTable, used: BoolArray, prompt: IntArray, model: IntArray, size: tuple[int, int]
) -> tuple[FloatArray, FloatArray | None, FloatArray | None]:
    assert table.correct is not None and table.given is not None
    given = np.zeros(size, dtype=np.int64)
    given[prompt, model] = table.given[used]
    correct = np.zeros(size, dtype=np.int64)
    correct[prompt, model] = table.correct[used]
    turn = np.arange(int(given.max()))
    missing = turn >= given[:, :, None]
    quality = np.asarray(turn < correct[:, :, None], dtype=np.float64)
    quality[missing] = np.nan

    def spread(values: FloatArray | None) -> FloatArray | None:
        if values is None:
            return None
        by_cell = np.full(size, np.nan)
        by_cell[prompt, model] = values[used]
        found = np.repeat(by_cell[:, :, None], len(turn), axis=2)
        found[missing] = np.nan
        return found

    return quality, spread(table.cost), spread(table.latency)
