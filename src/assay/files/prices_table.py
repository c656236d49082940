"""Reading new prices of models from YAML or a table: a factor on the recorded costs, or a cost per answer."""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

from assay.core.errors import InvalidInput, NotFound, Problem
from assay.files.marked_yaml import Marked, read
from assay.files.rows import RowPlace, RowReader, open_rows
from assay.files.shape import cut, near

YAML = (".yaml", ".yml")
KINDS = ("factor", "cost")
WRITE = "write factor: 0.5 (of the recorded costs) or cost: 0.002 (for every answer)"


@dataclass(frozen=True, slots=True)
class NewPrice:
    """One model's new price: `factor` of its recorded costs or `cost` of every answer, the other None."""

    factor: float | None = None
    cost: float | None = None


def read_prices(path: Path) -> Mapping[str, NewPrice]:
    """Return the new prices of a file by model, in its order.

    YAML is a mapping of models to `{factor: ...}` or `{cost: ...}`. A table (.csv, .tsv, .jsonl, .json,
    .parquet) has a column `model` and one or both of `factor` and `cost`; each row has one of them. Raises
    NotFound without a file, and InvalidInput with every problem: an invalid or negative price, both kinds or
    neither, a model twice, no model at all.
    """
    if not path.is_file():
        raise NotFound(f"no file of prices at {str(path)!r}: check the path")
    prices = _from_yaml(path) if path.suffix.lower() in YAML else _from_table(path)
    if not prices:
        raise InvalidInput(Problem(f"the file has no prices: {WRITE} for each model", str(path)))
    return prices


def _from_yaml(path: Path) -> dict[str, NewPrice]:
    marked = read(path, str(path))
    prices: dict[str, NewPrice] = {}
    if isinstance(marked.value, dict):
        for model, value in marked.value.items():
            price = _entry(marked, str(model), value)
            if price is not None:
                prices[str(model)] = price
    elif marked.value is not None:
        marked.refuse(f"the file is {cut(marked.value)}: write a mapping of models to prices")
    if marked.problems:
        raise InvalidInput(marked.in_order())
    return prices


def _entry(marked: Marked, model: str, value: object) -> NewPrice | None:
    if not isinstance(value, dict):
        marked.refuse(f"the price of {model!r} is {cut(value)}: {WRITE}", (model,))
        return None
    for key in value:
        if key not in KINDS:
            marked.refuse(f"unknown key {key!r} of {model!r}: {near(str(key), KINDS)}", (model, key))
    if any(key not in KINDS for key in value):
        return None
    given = {kind: value.get(kind) for kind in KINDS}
    price, problem = _price(model, given)
    if problem is not None:
        marked.refuse(problem, (model,))
    return price


def _from_table(path: Path) -> dict[str, NewPrice]:
    rows = open_rows(path)
    columns = {column.strip().lower(): column for column in rows.columns}
    if "model" not in columns or not any(kind in columns for kind in KINDS):
        names = ", ".join(map(repr, rows.columns)) or "none"
        text = f"missing columns: add 'model', and 'factor' or 'cost' (the table has {names})"
        raise InvalidInput(Problem(text, str(path)))
    prices = _rows(rows, columns)
    if rows.problems:
        raise InvalidInput(rows.problems)
    return prices


def _rows(rows: RowReader, columns: Mapping[str, str]) -> dict[str, NewPrice]:
    prices: dict[str, NewPrice] = {}
    first: dict[str, RowPlace] = {}
    for row in rows:
        model = row.cells.get(columns["model"])
        if model is None:
            rows.refuse(row.place, "'model' is blank: write the model's name")
            continue
        if model in first:
            rows.refuse(row.place, f"model {model!r} already has a price at {first[model]}: keep one")
            continue
        first[model] = row.place
        given = {kind: row.cells.get(columns[kind]) for kind in KINDS if kind in columns}
        price, problem = _price(model, given)
        if price is None:
            rows.refuse(row.place, str(problem))
        else:
            prices[model] = price
    return prices


def _price(model: str, given: Mapping[str, object]) -> tuple[NewPrice | None, str | None]:
    """Return a price, or the problem with the given values."""
    filled = {kind: value for kind, value in given.items() if value is not None}
    if len(filled) != 1:
        which = "both a factor and a cost" if filled else "neither a factor nor a cost"
        return None, f"model {model!r} has {which}: {WRITE}"
    kind, value = next(iter(filled.items()))
    try:
        number = float("nan") if isinstance(value, bool) else float(str(value))
    except ValueError:
        number = math.nan
    if not (math.isfinite(number) and number >= 0.0):
        return None, f"the {kind} of {model!r} is {cut(value)}: write a number, 0 or more"
    return NewPrice(**{kind: number}), None
