"""Tables of outcomes: what each model reached on each prompt, a row an answer or a row of counts a cell."""

from __future__ import annotations

import hashlib
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import duckdb
import numpy as np
import numpy.typing as npt

from assay.core.errors import InvalidInput, Problem
from assay.files import outcome_table_sql as sql
from assay.files.long_form import SHOWN
from assay.files.long_form_sql import BAD
from assay.files.outcome_table_checks import bad_rows, blanks, repeated, units
from assay.files.outcome_table_columns import Matched, match
from assay.files.outcome_table_wish import TableWish
from assay.files.tables import Table, open_table, querying

FloatArray = npt.NDArray[np.float64]
IntArray = npt.NDArray[np.int64]
OK, INVALID, ERROR, UNGRADED = range(4)


@dataclass(frozen=True, slots=True)
class OutcomeTable:
    """A checked table as parallel arrays, one entry a row; `prompt` and `model` number the sorted names.

    In long form `quality` is 0-1 (NaN: an error or ungraded), `status` one of OK, INVALID, ERROR, UNGRADED,
    and `place` counts a cell's rows from 0 in order of their generations. In counts form `correct` of `given`
    answers were right. `cost` and `latency` are NaN where blank, None where there is no such column. `row`
    counts from 1 below the header. `in_table` counts the table's rows, `row` those that met the conditions.
    """

    prompts: tuple[str, ...]
    models: tuple[str, ...]
    row: IntArray
    prompt: IntArray
    model: IntArray
    quality: FloatArray | None
    status: IntArray | None
    place: IntArray | None
    correct: IntArray | None
    given: IntArray | None
    cost: FloatArray | None
    latency: FloatArray | None
    unit: str
    categories: tuple[str, ...] | None
    texts: tuple[str, ...] | None
    in_table: int
    digest: str
    notes: tuple[str, ...]


def read_outcomes(path: Path, wish: TableWish) -> OutcomeTable:
    """Check a whole table and read it. Its form is told by its columns: counts, RouterBench's wide, or long.

    Raises InvalidInput with the first problems by row and how many rows have one.
    """
    table = open_table(path)
    matched = match(table, wish)
    with querying(path) as connection:
        connection.execute(f"CREATE TEMP VIEW given AS {sql.given(table, matched, wish)}")
        connection.execute(f"CREATE TEMP VIEW typed AS {sql.typed(wish, matched.counts)}")
        _check(connection, table, matched, wish)
        wanted = "n_correct, n_gen" if matched.counts else "generation, quality, status"
        taken = f"row, prompt, model, use_case, cost, latency, {wanted}"
        connection.execute(f"CREATE TEMP TABLE kept AS SELECT {taken} FROM typed")
        for statement in sql.NAMES:
            connection.execute(statement)
        values = sql.COUNTS_VALUES if matched.counts else sql.LONG_VALUES
        columns = connection.execute(sql.CODED.format(values=values)).fetchnumpy()
        return _assembled(connection, table, matched, wish, columns)


def _check(connection: duckdb.DuckDBPyConnection, table: Table, matched: Matched, wish: TableWish) -> None:
    bad = sql.COUNTS_BAD if matched.counts else BAD
    blank = "FALSE" if matched.counts or wish.null else "status = 'ok' AND quality_text IS NULL"
    counted = connection.execute(
        f"SELECT count(*), count(*) FILTER (({bad}) AND NOT ({blank})), count(*) FILTER ({blank}) FROM typed"
    ).fetchone()
    rows, wrong, empty = counted or (0, 0, 0)
    place = str(table.path)
    if rows == 0:
        text = (
            "no row meets the conditions: see what the columns hold, and write them as they stand there"
            if wish.where
            else "has no rows: give at least one below the header"
        )
        raise InvalidInput(Problem(text, place))
    problems: list[Problem] = []
    if wrong:
        found = connection.execute(
            f"SELECT * FROM typed WHERE ({bad}) AND NOT ({blank}) ORDER BY row LIMIT {SHOWN}"
        )
        names = [column[0] for column in found.description or ()]
        rows_found = [dict(zip(names, values, strict=True)) for values in found.fetchall()]
        problems += bad_rows(rows_found, matched, wish, place)
        if wrong > SHOWN:
            problems.append(Problem(f"{wrong - SHOWN} more rows of {rows} have problems", place))
    if empty:
        first = connection.execute(f"SELECT row FROM typed WHERE {blank} ORDER BY row LIMIT 5").fetchall()
        problems.append(Problem(blanks(empty, rows, [row for (row,) in first], matched), place))
    if "unit" in matched.columns:
        problems += units([each for (each,) in connection.execute(sql.UNITS).fetchall()], matched, place)
    if problems:
        raise InvalidInput(problems)


def _assembled(
    connection: duckdb.DuckDBPyConnection,
    table: Table,
    matched: Matched,
    wish: TableWish,
    columns: Mapping[str, Any],
) -> OutcomeTable:
    order = np.argsort(columns["row"], kind="stable")
    prompts = connection.execute(
        "SELECT prompt, category, several, high FROM prompts ORDER BY code"
    ).fetchall()
    models = tuple(
        name for (name,) in connection.execute("SELECT model FROM models ORDER BY code").fetchall()
    )
    row, prompt, model = (
        np.asarray(columns[name], dtype=np.int64)[order] for name in ("row", "prompt", "model")
    )
    torn = [each for each in prompts if each[2]]
    if torn:
        shown = "; ".join(f"{name!r} is {low!r} and {high!r}" for name, low, _, high in torn[:5])
        text = f"{len(torn)} prompts have several categories: {shown}: give each prompt one"
        raise InvalidInput(Problem(text, str(table.path)))
    quality = status = place = correct = given = None
    if matched.counts:
        correct, given = (_whole(columns[name])[order] for name in ("n_correct", "n_gen"))
        generation = np.zeros(len(row), dtype=np.int64)
    else:
        quality, status = _floats(columns["quality"])[order], _whole(columns["status"])[order]
        generation = _whole(columns["generation"])[order]
    numbered = matched.counts or "generation" in matched.columns
    cell = prompt * len(models) + model
    arranged = np.lexsort((row, generation, cell))
    if numbered:
        told = repeated(
            row, prompt, model, generation, arranged, tuple(p[0] for p in prompts), models, matched
        )
        if told:
            raise InvalidInput([Problem(text, str(table.path)) for text in told])
    if not matched.counts:
        place = _places(cell[arranged], arranged)
    unit = "USD"
    if "unit" in matched.columns:
        found = connection.execute(sql.UNITS).fetchall()
        unit = str(found[0][0]) if found else unit
        unit = unit.upper() if unit.lower() in ("usd", "eur", "gbp") else unit
    there = {
        name: _floats(columns[name])[order]
        for name in ("cost", "latency")
        if name in matched.columns or (name == "cost" and matched.wide)
    }
    counted = connection.execute(f"SELECT count(*) FROM {table.source}").fetchone()
    in_table = (counted or (0,))[0] * max(1, len(matched.wide))
    return OutcomeTable(
        prompts=tuple(each[0] for each in prompts),
        models=models,
        row=row,
        prompt=prompt,
        model=model,
        quality=quality,
        status=status,
        place=place,
        correct=correct,
        given=given,
        cost=there.get("cost"),
        latency=there.get("latency"),
        unit=unit,
        categories=tuple(each[1] or "" for each in prompts) if "category" in matched.columns else None,
        texts=_texts(connection, table, matched, wish, [each[0] for each in prompts]),
        in_table=in_table,
        digest=_digest(table.path),
        notes=(),
    )


def _places(cells: IntArray, arranged: IntArray) -> IntArray:
    """Return each row's place within its cell, from rows arranged by cell."""
    first = np.flatnonzero(np.r_[True, cells[1:] != cells[:-1]])
    lengths = np.diff(np.r_[first, len(cells)])
    places = np.empty(len(cells), dtype=np.int64)
    places[arranged] = np.arange(len(cells)) - np.repeat(first, lengths)
    return places


def _texts(
    connection: duckdb.DuckDBPyConnection, table: Table, matched: Matched, wish: TableWish, prompts: list[str]
) -> tuple[str, ...] | None:
    query = sql.texts(table, matched, wish)
    if query is None:
        return None
    found = {prompt: wording or "" for prompt, wording, _ in connection.execute(query).fetchall()}
    return tuple(found.get(prompt, "") for prompt in prompts)


def _floats(column: Any) -> FloatArray:
    return np.asarray(np.ma.filled(np.ma.asarray(column, dtype=np.float64), np.nan), dtype=np.float64)


def _whole(column: Any) -> IntArray:
    return np.asarray(column, dtype=np.int64)


def _digest(path: Path) -> str:
    with path.open("rb") as file:
        return hashlib.file_digest(file, "sha256").hexdigest()
