"""Scores of models, one list per benchmark: from tables with a column `model`, runs, boards and exams."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Final

import scipy

from assay.core.errors import InvalidInput
from assay.core.wording import counted
from assay.files.rows import open_rows
from assay.ranking.relative_scores import score_models
from assay.ranking.score_table import ScoreSource

MODEL: Final = "model"
RANK: Final = "rank"
ITEMS: Final = frozenset({"prompt", "item", "prompt_id", "quality", "generation", "judge", "n_correct"})
"""Columns by which a table of items is told from a table with one row per model."""


@dataclass(frozen=True, slots=True)
class ScoreColumn:
    """One list of scores by model. `errors` are standard errors, empty if they are not known."""

    name: str
    scores: Mapping[str, float]
    errors: Mapping[str, float] = field(default_factory=dict)
    notes: tuple[str, ...] = ()
    simulated: bool = False


def is_model_table(path: Path) -> bool:
    """Return whether a file is a table with one row per model, and not one of items."""
    if not path.is_file():
        return False
    columns = {column.strip().lower() for column in open_rows(path).columns}
    return MODEL in columns and not ITEMS & columns


def column_of(read: ScoreSource) -> ScoreColumn:
    """Return the absolute scores of a source of items, with the standard errors of their intervals."""
    scored = score_models(read.table, None, read.marks)
    reach = 2.0 * float(scipy.special.ndtri(0.975))
    return ScoreColumn(
        read.about.source,
        {row.model: row.score for row in scored},
        {row.model: (row.score_interval.high - row.score_interval.low) / reach for row in scored},
        tuple(read.about.notes),
        read.about.simulated,
    )


def read_model_table(path: Path, chosen: Sequence[str] = ()) -> list[ScoreColumn]:
    """Read a table with one row per model: a list of scores for each column of numbers, or each `chosen` one.

    A column `NAME_low` with `NAME_high` is the 95 % interval of NAME, and in a column `rank` 1 is the best.
    Raises InvalidInput for a table without scores, a model that stands twice, and a score that is not a
    number.
    """
    rows = open_rows(path)
    names = {column.strip().lower(): column for column in rows.columns}
    if MODEL not in names:
        raise InvalidInput(f"{str(path)!r} has no column 'model': add one with the models' names")
    missing = [name for name in chosen if name.strip().lower() not in names]
    if missing:
        raise InvalidInput(
            f"{str(path)!r} has no column {missing[0]!r}: give one of {', '.join(map(repr, rows.columns))}"
        )
    cells: dict[str, dict[str, str]] = {
        column: {} for name, column in names.items() if name != MODEL and name
    }
    seen: set[str] = set()
    for row in rows:
        model = row.cells[names[MODEL]]
        if model is None:
            rows.refuse(row.place, "no model: fill in the column 'model'")
            continue
        if model in seen:
            raise InvalidInput(f"{str(path)!r}: model {model!r} stands twice ({row.place}): keep one row")
        seen.add(model)
        for column, given in cells.items():
            text = row.cells.get(column)
            if text is not None:
                given[model] = text
    wanted = [names[name.strip().lower()] for name in chosen] or _numeric(cells)
    if not wanted:
        raise InvalidInput(f"{str(path)!r} has no column of numbers: add one with the models' scores")
    notes = _notes(rows.problems)
    columns = [_column(path, name, cells, notes if place == 0 else ()) for place, name in enumerate(wanted)]
    return [column for column in columns if column is not None]


def _notes(problems: Sequence[object]) -> tuple[str, ...]:
    if not problems:
        return ()
    return (f"{counted(len(problems), 'row')} refused; the first: {problems[0]}",)


def _numeric(cells: Mapping[str, Mapping[str, str]]) -> list[str]:
    """Return the columns in which every cell is a number, without ends of intervals."""
    numeric = [
        column
        for column, given in cells.items()
        if given and all(as_number(text) is not None for text in given.values())
    ]
    ends = {f"{column}{end}" for column in numeric for end in ("_low", "_high") if f"{column}_low" in numeric}
    return [column for column in numeric if column not in ends]


def _column(
    path: Path, name: str, cells: Mapping[str, Mapping[str, str]], notes: tuple[str, ...]
) -> ScoreColumn:
    sign = -1.0 if name.strip().lower() == RANK else 1.0
    scores = {}
    for model, text in cells[name].items():
        value = as_number(text)
        if value is None:
            raise InvalidInput(
                f"{str(path)!r}: {name!r} of model {model!r} is {text!r}: give a number or leave it blank"
            )
        scores[model] = sign * value
    reach = 2.0 * float(scipy.special.ndtri(0.975))
    low, high = cells.get(f"{name}_low", {}), cells.get(f"{name}_high", {})
    errors = {}
    for model in scores:
        ends = as_number(low.get(model, "")), as_number(high.get(model, ""))
        if ends[0] is not None and ends[1] is not None:
            if ends[0] > ends[1]:
                raise InvalidInput(
                    f"{str(path)!r}: the interval of {name!r} of model {model!r} ends before it begins: "
                    f"exchange {low[model]!r} and {high[model]!r}"
                )
            errors[model] = (ends[1] - ends[0]) / reach
    return ScoreColumn(name, scores, errors if len(errors) == len(scores) else {}, notes)


def as_number(text: str) -> float | None:
    """Return a cell as a finite number, None if it is not one."""
    try:
        value = float(text)
    except ValueError:
        return None
    return value if math.isfinite(value) else None
