"""Assembling checked outcomes into a tensor, with an account of every row."""

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
from assay.studies.frontier.remarks import remarks
from assay.studies.frontier.tensor_source import TensorSource

FloatArray = npt.NDArray[np.float64]
IntArray = npt.NDArray[np.int64]
BoolArray = npt.NDArray[np.bool_]
MOST = 500_000_000
"""The most values of a tensor: 4 GB of quality, and as much of cost and of latency."""
NAMED = 5


@dataclass(frozen=True, slots=True)
class CellSelection:
    """The prompts and models in the tensor, by position, those left out, and notes on the coverage."""

    prompts: IntArray
    models: IntArray
    left_out: tuple[LeftOut, ...]
    notes: tuple[str, ...]


def select_cells(
    prompts: tuple[str, ...], models: tuple[str, ...], scored: IntArray, least: float
) -> CellSelection:
    """Select the prompts and models of the tensor.

    `scored` (N, L) has each cell's number of rows with a quality. Prompts without any quality do not count. A
    model with a quality on less than the share `least` of the other prompts is left out, and then every
    prompt without a quality of a remaining model. Raises InvalidInput if nothing remains.
    """
    if not 0 <= least <= 1:
        raise InvalidInput(f"invalid least coverage {least:g}: give a share of the prompts, from 0 to 1")
    observed = scored > 0
    asked, seen = int(observed.any(axis=1).sum()), observed.sum(axis=0)
    if asked == 0:
        raise InvalidInput("no row has a quality, because all are errors or ungraded: give graded answers")
    used = (seen >= least * asked) & (seen > 0)
    if not used.any():
        best = int(np.argmax(seen))
        raise InvalidInput(
            f"every model lacks more than {1 - least:.0%} of the {asked} prompts ({models[best]!r} has "
            f"{seen[best]}): lower the least coverage (--least-coverage), or choose rows (--where)"
        )
    left_out = [
        LeftOut("model", models[at], _explain_model(int(seen[at]), asked, least), int(scored[:, at].sum()))
        for at in np.flatnonzero(~used)
    ]
    answered = observed[:, used].any(axis=1)
    left_out += [
        LeftOut("prompt", prompts[at], _explain_prompt(observed[at]), int(scored[at, used].sum()))
        for at in np.flatnonzero(~answered)
    ]
    names = [models[at] for at in np.flatnonzero(used)]
    notes = [*_left_out_notes(left_out), *_coverage_notes(names, observed[np.ix_(answered, used)])]
    return CellSelection(np.flatnonzero(answered), np.flatnonzero(used), tuple(left_out), tuple(notes))


def _explain_model(seen: int, asked: int, least: float) -> str:
    if seen == 0:
        return "has no quality on any prompt"
    return f"has a quality on {seen} of {asked} prompts, less than {least:.0%}"


def _explain_prompt(observed: BoolArray) -> str:
    return "has a quality only of left-out models" if observed.any() else "has no quality of any model"


def _left_out_notes(left_out: list[LeftOut]) -> list[str]:
    notes = []
    for kind in ("model", "prompt"):
        entries = [entry for entry in left_out if entry.kind == kind]
        if entries:
            named = "; ".join(f"{entry.name!r} {entry.reason}" for entry in entries[:NAMED])
            more = f"; and {len(entries) - NAMED} more" if len(entries) > NAMED else ""
            notes.append(f"{counted(len(entries), kind)} left out: {named}{more}")
    return notes


def _coverage_notes(models: list[str], observed: BoolArray) -> list[str]:
    number, width = observed.shape
    if width == 1:
        return [f"one model, {models[0]!r}: there is no choice, so every oracle is that model"]
    notes = []
    seen = observed.sum(axis=0)
    partial = [f"{models[at]!r} has {seen[at]}" for at in np.flatnonzero(seen < number)]
    if partial:
        more = f", and {len(partial) - NAMED} more" if len(partial) > NAMED else ""
        notes.append(f"not every model has all {number} prompts: {', '.join(partial[:NAMED])}{more}")
    few = int((2 * observed.sum(axis=1) < width).sum())
    if few:
        notes.append(
            f"{few} of {number} prompts have answers of fewer than half of the {width} models: on these "
            "prompts the oracle has few models to choose from"
        )
    return notes


def assemble(
    outcomes: Outcomes, source: str, *, least_coverage: float, zero_cost: ZeroCost | None
) -> TensorSource:
    """Return the tensor of outcomes, with notes for its reports. Raises InvalidInput if it would be empty."""
    observed = _observed(outcomes)
    size = (len(outcomes.prompts), len(outcomes.models))
    cells = outcomes.prompt[observed] * size[1] + outcomes.model[observed]
    scored = np.bincount(cells, minlength=size[0] * size[1]).reshape(size)
    selection = select_cells(outcomes.prompts, outcomes.models, scored, least_coverage)
    in_tensor = np.zeros(size, dtype=np.bool_)
    in_tensor[np.ix_(selection.prompts, selection.models)] = True
    used = observed & in_tensor[outcomes.prompt, outcomes.model]
    _check_size(outcomes, selection, used)
    tensor = _tensor(outcomes, selection, used, unknown=zero_cost == "unknown")
    notes = (*outcomes.notes, *selection.notes, *remarks(tensor, free=zero_cost == "free"))
    for name, before, after in (
        ("cost", outcomes.cost, tensor.cost),
        ("latency", outcomes.latency, tensor.latency),
    ):
        if before is not None and after is None:
            notes += (f"no {name} is known: all are blank",)
    if zero_cost == "unknown" and outcomes.cost is not None:
        zeros = int(np.sum(outcomes.cost[used] == 0))
        notes += (f"{zeros:,} costs of 0 count as unknown",) if zeros else ()
    rows = _rows(outcomes, observed, used)
    return TensorSource(tensor, source, selection.left_out, notes, rows, outcomes.digest, outcomes.simulated)


def _check_size(outcomes: Outcomes, selection: CellSelection, used: BoolArray) -> None:
    """Raise InvalidInput for a tensor too large for memory, such as one with a single very large cell."""
    prompt, model = outcomes.prompt[used], outcomes.model[used]
    if outcomes.answers is not None:
        most = int(outcomes.answers[used].max())
    else:
        most = int(np.bincount(prompt * len(outcomes.models) + model).max())
    size = len(selection.prompts) * len(selection.models) * most
    if size > MOST:
        raise InvalidInput(
            f"{len(selection.prompts):,} prompts by {len(selection.models):,} models by up to {most:,} "
            f"generations are {size:,} values, more than {MOST:,}: choose fewer rows by --where"
        )


def _observed(outcomes: Outcomes) -> BoolArray:
    """Return a mask of the rows with a quality."""
    if outcomes.answers is not None:
        return np.asarray(outcomes.answers > 0, dtype=np.bool_)
    assert outcomes.status is not None
    return np.asarray(outcomes.status <= INVALID, dtype=np.bool_)


def _rows(outcomes: Outcomes, observed: BoolArray, used: BoolArray) -> Rows:
    status = np.where(observed, 0, UNGRADED) if outcomes.status is None else outcomes.status
    return Rows(
        read=len(outcomes.row),
        used=int(used.sum()),
        errors=int((status == ERROR).sum()),
        ungraded=int((status == UNGRADED).sum()),
        left_out=int((observed & ~used).sum()),
        invalid=int((status[used] == INVALID).sum()),
        skipped=outcomes.skipped,
        answers=int(used.sum() if outcomes.answers is None else outcomes.answers[used].sum()),
    )


def _tensor(outcomes: Outcomes, selection: CellSelection, used: BoolArray, *, unknown: bool) -> Tensor:
    at_prompt, at_model = np.full(len(outcomes.prompts), -1), np.full(len(outcomes.models), -1)
    at_prompt[selection.prompts] = np.arange(len(selection.prompts))
    at_model[selection.models] = np.arange(len(selection.models))
    prompt, model = at_prompt[outcomes.prompt[used]], at_model[outcomes.model[used]]
    size = (len(selection.prompts), len(selection.models))
    amounts = []
    for column, zero_is_unknown in ((outcomes.cost, unknown), (outcomes.latency, False)):
        values = None if column is None else column[used]
        if values is not None and zero_is_unknown:
            values = np.where(values == 0, np.nan, values)
        amounts.append(None if values is None or np.isnan(values).all() else values)
    if outcomes.answers is not None and outcomes.correct is not None:
        number = np.zeros(size, dtype=np.int64)
        number[prompt, model] = outcomes.answers[used]
        right = np.zeros(size, dtype=np.int64)
        right[prompt, model] = outcomes.correct[used]
        quality = _spread_counts(right, number)
        cost, latency = (_spread_means(values, prompt, model, number) for values in amounts)
    else:
        assert outcomes.quality is not None and outcomes.generation is not None
        generation = _number_generations(prompt * size[1] + model, outcomes.generation[used])
        shape = (*size, int(generation.max()) + 1)
        at = prompt, model, generation
        quality = _put(outcomes.quality[used], at, shape)
        cost, latency = (None if values is None else _put(values, at, shape) for values in amounts)
    return Tensor(
        prompts=tuple(outcomes.prompts[at] for at in selection.prompts),
        models=tuple(outcomes.models[at] for at in selection.models),
        quality=quality,
        cost=cost,
        latency=latency,
        unit=outcomes.unit,
        cost_by_cell=outcomes.answers is not None and cost is not None,
        categories=_of_prompts(outcomes.categories, selection),
        texts=_of_prompts(outcomes.texts, selection),
    )


def _spread_counts(right: IntArray, number: IntArray) -> FloatArray:
    """Return the qualities of cells with counts: the right answers, then the wrong ones, then NaN."""
    most = int(number.max())
    generation = np.arange(most)
    quality = np.asarray(generation < right[:, :, None], dtype=np.float64)
    if number.min() < most:
        quality[generation >= number[:, :, None]] = np.nan
    return quality


def _spread_means(
    values: FloatArray | None, prompt: IntArray, model: IntArray, number: IntArray
) -> FloatArray | None:
    """Return each cell's mean at each of its answers; as a view if all cells have equally many."""
    if values is None:
        return None
    by_cell = np.full(number.shape, np.nan)
    by_cell[prompt, model] = values
    generation = np.arange(int(number.max()))
    spread = np.broadcast_to(by_cell[:, :, None], (*number.shape, len(generation)))
    if number.min() == len(generation):
        return spread
    return np.asarray(np.where(generation < number[:, :, None], spread, np.nan), dtype=np.float64)


def _put(
    values: FloatArray, at: tuple[IntArray, IntArray, IntArray], shape: tuple[int, int, int]
) -> FloatArray:
    filled = np.full(shape, np.nan)
    filled[at] = values
    return filled


def _number_generations(cells: IntArray, generations: IntArray) -> IntArray:
    """Number each cell's rows from 0 without gaps, in the order of their generations, then of the file."""
    order = np.lexsort((np.arange(len(cells)), generations, cells))
    arranged = cells[order]
    first = np.flatnonzero(np.r_[True, arranged[1:] != arranged[:-1]])
    lengths = np.diff(np.r_[first, len(arranged)])
    numbers = np.empty(len(cells), dtype=np.int64)
    numbers[order] = np.arange(len(cells)) - np.repeat(first, lengths)
    return numbers


def _of_prompts(values: tuple[str, ...] | None, selection: CellSelection) -> tuple[str, ...] | None:
    return None if values is None else tuple(values[at] for at in selection.prompts)
