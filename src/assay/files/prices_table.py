"""New prices of models in a file, as YAML or a table: a factor on the recorded costs, or a cost an answer."""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

from assay.core.errors import InvalidInput, NotFound, Problem
from assay.files.marked import Marked, read
from assay.files.rows import Place, Rows, open_rows, told
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
    """Return the new price of each model that a file names, in its order.

    YAML is a mapping of models to `{factor: ...}` or `{cost: ...}`; a table (.csv, .tsv, .jsonl, .json,
    .parquet) has a column `model` and one or both of `factor` and `cost`, one of them filled in each row.
    Raises NotFound without a file, InvalidInput with every problem: a price that is negative or no number,
    both kinds or neither, a model twice, no model at all.
    """
    if not path.is_file():
        raise NotFound(f"there is no file of prices at {str(path)!r}")
    prices = _from_yaml(path) if path.suffix.lower() in YAML else _from_table(path)
    if not prices:
        raise InvalidInput(Problem(f"names no model: {WRITE} for each model", str(path)))
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
        marked.refuse(f"is {cut(marked.value)}: write a mapping of models to prices")
    if marked.problems:
        raise InvalidInput(marked.in_order())
    return prices


def _entry(marked: Marked, model: str, value: object) -> NewPrice | None:
    if not isinstance(value, dict):
        marked.refuse(f"the price of {model!r} is {cut(value)}: {WRITE}", (model,))
        return None
    for key in value:
        if key not in KINDS:
            marked.refuse(f"{model!r} has the unknown key {key!r}: {near(str(key), KINDS)}", (model, key))
    if any(key not in KINDS for key in value):
        return None
    given = {kind: value.get(kind) for kind in KINDS}
    price, wrong = _price(model, given)
    if wrong is not None:
        marked.refuse(wrong, (model,))
    return price


def _from_table(path: Path) -> dict[str, NewPrice]:
    rows = open_rows(path)
    columns = {column.strip().lower(): column for column in rows.columns}
    if "model" not in columns or not any(kind in columns for kind in KINDS):
        there = ", ".join(repr(column) for column in rows.columns) or "none"
        needs = f"needs a column 'model' and one of 'factor' and 'cost': it has {there}"
        raise InvalidInput(Problem(needs, str(path)))
    prices = _rows(rows, columns)
    if rows.problems:
        raise InvalidInput(rows.problems)
    return prices


def _rows(rows: Rows, columns: Mapping[str, str]) -> dict[str, NewPrice]:
    prices: dict[str, NewPrice] = {}
    first: dict[str, Place] = {}
    for row in rows:
        model = row.cells.get(columns["model"])
        if model is None:
            rows.refuse(row.place, "'model' is blank: write the model's name")
            continue
        if model in first:
            rows.refuse(row.place, f"model {model!r} has a price at {first[model]} already: keep one")
            continue
        first[model] = row.place
        given = {kind: row.cells.get(columns[kind]) for kind in KINDS if kind in columns}
        price, wrong = _price(model, given)
        if price is None:
            rows.problems.append(told(rows.path, row.place, str(wrong)))
        else:
            prices[model] = price
    return prices


def _price(model: str, given: Mapping[str, object]) -> tuple[NewPrice | None, str | None]:
    """Return a price, or what is wrong with what was given."""
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
