"""Tables of outcomes: what each model reached on each prompt, a row an answer or a row of counts a cell."""

from __future__ import annotations

import hashlib
from collections.abc import Mapping
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import duckdb
import numpy as np
import numpy.typing as npt

from assay.core.errors import InvalidInput, Problem
from assay.files import outcome_table_sql as sql
from assay.files.long_form import SHOWN
from assay.files.outcome_table_checks import bad_rows, blanks, no_rows, repeated, units
from assay.files.outcome_table_columns import Matched, match
from assay.files.outcome_table_extra import copies, unread
from assay.files.outcome_table_wish import TableWish
from assay.files.tables import Table, open_table, querying

FloatArray = npt.NDArray[np.float64]
IntArray = npt.NDArray[np.int64]
OK, INVALID, ERROR, UNGRADED = range(4)


@dataclass(frozen=True, slots=True)
class Outcomes:
    """Checked rows as parallel arrays, in the order of the file; `prompt` and `model` number sorted names.

    In long form `quality` is 0-1 (NaN: an error or ungraded), `status` one of OK, INVALID, ERROR, UNGRADED,
    `generation` the answer's number within its cell, 0 throughout where the source gives none. In counts
    form `correct` of `given` answers were right. `cost` and `latency` (seconds) are NaN where blank, None
    where there is no such column. `row` counts from 1 below the header. `skipped` rows did not meet the
    conditions. `categories` and `texts` are one a prompt, "" where blank.
    """

    prompts: tuple[str, ...]
    models: tuple[str, ...]
    row: IntArray
    prompt: IntArray
    model: IntArray
    quality: FloatArray | None = None
    status: IntArray | None = None
    generation: IntArray | None = None
    correct: IntArray | None = None
    given: IntArray | None = None
    cost: FloatArray | None = None
    latency: FloatArray | None = None
    unit: str = "USD"
    categories: tuple[str, ...] | None = None
    texts: tuple[str, ...] | None = None
    skipped: int = 0
    digest: str = ""
    notes: tuple[str, ...] = ()


def read_outcomes(path: Path, wish: TableWish) -> Outcomes:
    """Check a whole table and read it. Its form is told by its columns: counts, RouterBench's wide, or long.

    Raises InvalidInput with the first problems by row and how many rows have one, NotFound without a file.
    """
    table = open_table(path)
    matched = match(table, wish)
    with querying(path) as connection:
        # It would be drawn on stdout, where results go.
        connection.execute("SET enable_progress_bar = false")
        if table.source.startswith("read_parquet("):
            described = connection.execute(f"DESCRIBE SELECT * FROM {table.source}").fetchall()
            matched = replace(matched, types={column: kind for column, kind, *_ in described})
        connection.execute(f"CREATE TEMP VIEW given AS {sql.given(table, matched, wish)}")
        connection.execute(f"CREATE TEMP VIEW typed AS {sql.typed(wish, matched.counts)}")
        connection.execute(f"CREATE TEMP TABLE kept AS {sql.kept(matched.counts)}")
        unit = _check(connection, table, matched, wish)
        for statement in sql.NUMBERED:
            connection.execute(statement)
        found = _gathered(connection, table, matched, wish)
        if matched.counts or "generation" in matched.columns:
            _refuse_repeated(table, found)
        skipped = _skipped(connection, table, matched, wish, len(found.row))
        notes = unread(connection, table, matched, wish)
        if not matched.counts and "generation" not in matched.columns:
            notes += copies(connection, table, matched, wish)
    if matched.milliseconds:
        notes.append(f"latency: {matched.columns['latency']!r} is divided by 1,000, as its name says")
    with path.open("rb") as file:
        digest = hashlib.file_digest(file, "sha256").hexdigest()
    return replace(found, unit=unit, skipped=skipped, digest=digest, notes=tuple(notes))


def _refuse_repeated(table: Table, found: Outcomes) -> None:
    names = found.prompts, found.models
    lines = repeated(found.row, found.prompt, found.model, found.generation, names)
    if lines:
        raise InvalidInput([Problem(line, str(table.path)) for line in lines])


def _skipped(
    connection: duckdb.DuckDBPyConnection, table: Table, matched: Matched, wish: TableWish, read: int
) -> int:
    """Return how many rows did not meet the conditions; without any, the table is not read again."""
    if not wish.where:
        return 0
    counted = connection.execute(f"SELECT count(*) FROM {table.source}").fetchone()
    return int((counted or (0,))[0]) * max(1, len(matched.wide)) - read


def _check(connection: duckdb.DuckDBPyConnection, table: Table, matched: Matched, wish: TableWish) -> str:
    """Return the unit of the costs; raise with all that is wrong with the rows."""
    counted = connection.execute(
        "SELECT count(*), count(*) FILTER (bad), count(*) FILTER (blank) FROM kept"
    ).fetchone()
    rows, wrong, empty = counted or (0, 0, 0)
    place = str(table.path)
    if rows == 0:
        raise InvalidInput(Problem(no_rows(connection, table, wish), place))
    problems: list[Problem] = []
    if wrong:
        found = connection.execute(f"SELECT * FROM typed WHERE bad ORDER BY row LIMIT {SHOWN}")
        names = [column[0] for column in found.description or ()]
        lines = bad_rows(
            [dict(zip(names, values, strict=True)) for values in found.fetchall()], matched, wish
        )
        problems += [Problem(line, place) for line in lines]
        if wrong > SHOWN:
            problems.append(Problem(f"{wrong - SHOWN} more rows of {rows} have problems", place))
    if empty:
        first = connection.execute("SELECT row FROM kept WHERE blank ORDER BY row LIMIT 5").fetchall()
        problems.append(Problem(blanks(empty, rows, [row for (row,) in first], matched), place))
    found_units: list[str] = []
    if "unit" in matched.columns:
        found_units = [str(each) for (each,) in connection.execute(sql.UNITS).fetchall()]
        problems += [Problem(line, place) for line in units(found_units, matched)]
    if problems:
        raise InvalidInput(problems)
    unit = found_units[0] if found_units else "USD"
    return "USD" if unit.lower() in ("usd", "$", "us dollars") else unit


def _gathered(
    connection: duckdb.DuckDBPyConnection, table: Table, matched: Matched, wish: TableWish
) -> Outcomes:
    named = connection.execute("SELECT prompt, category, several, high FROM prompts ORDER BY code").fetchall()
    torn = [(prompt, low, high) for prompt, low, several, high in named if several]
    if torn:
        shown = "; ".join(f"{prompt!r} is {low!r} and {high!r}" for prompt, low, high in torn[:5])
        text = f"{len(torn)} prompts have several categories: {shown}: give each prompt one"
        raise InvalidInput(Problem(text, str(table.path)))
    models = connection.execute("SELECT model FROM models ORDER BY code").fetchall()
    values = sql.COUNTS_VALUES if matched.counts else sql.LONG_VALUES
    columns: Mapping[str, Any] = connection.execute(sql.CODED.format(values=values)).fetchnumpy()
    order = np.argsort(columns["row"], kind="stable")

    def whole(name: str) -> IntArray:
        return np.asarray(columns[name], dtype=np.int64)[order]

    def numbers(name: str) -> FloatArray:
        filled = np.ma.filled(np.ma.asarray(columns[name], dtype=np.float64), np.nan)
        return np.asarray(filled, dtype=np.float64)[order]

    def amounts(name: str) -> FloatArray | None:
        there = name in matched.columns or (name == "cost" and bool(matched.wide))
        return numbers(name) if there else None

    found = Outcomes(
        prompts=tuple(each[0] for each in named),
        models=tuple(model for (model,) in models),
        row=whole("row"),
        prompt=whole("prompt"),
        model=whole("model"),
        quality=None if matched.counts else numbers("quality"),
        status=None if matched.counts else whole("status"),
        generation=None if matched.counts else whole("generation"),
        correct=whole("n_correct") if matched.counts else None,
        given=whole("n_gen") if matched.counts else None,
        cost=amounts("cost"),
        latency=amounts("latency"),
        categories=tuple(each[1] or "" for each in named) if "category" in matched.columns else None,
    )
    query = sql.texts(table, matched, wish)
    if query is None:
        return found
    wording = dict(connection.execute(query).fetchall())
    return replace(found, texts=tuple(wording.get(prompt) or "" for prompt in found.prompts))
