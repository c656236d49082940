"""Tables of outcomes of models on prompts: one row for each answer, or one row of counts for each cell."""

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
from assay.files.outcome_table_checks import (
    check_copies,
    check_units,
    explain_blanks,
    explain_no_rows,
    find_repeated,
    note_unread_columns,
)
from assay.files.outcome_table_columns import MatchedColumns, OutcomeOptions, match
from assay.files.row_checks import SHOWN, explain_bad_rows
from assay.files.tables import FileTable, open_table, querying

FloatArray = npt.NDArray[np.float64]
IntArray = npt.NDArray[np.int64]
OK, INVALID, ERROR, UNGRADED = range(4)


@dataclass(frozen=True, slots=True)
class Outcomes:
    """Checked rows as parallel arrays, in the order of the file.

    `prompt` and `model` are indices of the sorted `prompts` and `models`. In long form `quality` is 0-1 (NaN
    for an error or ungraded answer), `status` is one of OK, INVALID, ERROR, UNGRADED, and `generation` is the
    answer's number within its cell (0 if the table has none). In counts form `correct` of `answers`
    were right. `cost` and `latency` (seconds) are NaN for blanks, None if there is no such column. `row`
    counts from 1 below the header. `skipped` rows did not meet the conditions. `simulated` is true if a
    model is simulated. `categories` and `texts` belong to `prompts`; "" for blanks.
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
    answers: IntArray | None = None
    cost: FloatArray | None = None
    latency: FloatArray | None = None
    unit: str = "USD"
    categories: tuple[str, ...] | None = None
    texts: tuple[str, ...] | None = None
    skipped: int = 0
    digest: str = ""
    simulated: bool = False
    notes: tuple[str, ...] = ()


def read_outcomes(path: Path, options: OutcomeOptions) -> Outcomes:
    """Check a whole table and read it: counts, RouterBench's wide form or long form, by its columns.

    Raises InvalidInput with the problems of the first bad rows and the number of further ones, and NotFound
    without a file.
    """
    table = open_table(path)
    matched = match(table, options)
    with querying(path) as connection:
        if table.kind == "parquet":
            described = connection.execute(f"DESCRIBE SELECT * FROM {table.source}").fetchall()
            matched = replace(matched, types={column: kind for column, kind, *_ in described})
        connection.execute(f"CREATE TEMP VIEW given AS {sql.given(table, matched, options)}")
        connection.execute(f"CREATE TEMP VIEW typed AS {sql.typed(options, matched.counts)}")
        connection.execute(f"CREATE TEMP TABLE kept AS {sql.kept(matched, options)}")
        unit = _check_rows(connection, table, matched, options)
        for statement in sql.NUMBERED:
            connection.execute(statement)
        outcomes = _read_arrays(connection, table, matched, options)
        if matched.counts or "generation" in matched.columns:
            _refuse_repeated(table, outcomes)
        skipped = _count_skipped(connection, table, matched, options, len(outcomes.row))
        notes = note_unread_columns(connection, table, matched, options)
        if not matched.counts and "generation" not in matched.columns:
            notes += check_copies(connection, table, matched, options)
    if matched.milliseconds:
        notes.append(f"the latency {matched.columns['latency']!r} is divided by 1,000, as its name says")
    with path.open("rb") as file:
        digest = hashlib.file_digest(file, "sha256").hexdigest()
    return replace(outcomes, unit=unit, skipped=skipped, digest=digest, notes=tuple(notes))


def _refuse_repeated(table: FileTable, outcomes: Outcomes) -> None:
    names = outcomes.prompts, outcomes.models
    lines = find_repeated(outcomes.row, outcomes.prompt, outcomes.model, outcomes.generation, names)
    if lines:
        raise InvalidInput([Problem(line, str(table.path)) for line in lines])


def _count_skipped(
    connection: duckdb.DuckDBPyConnection,
    table: FileTable,
    matched: MatchedColumns,
    options: OutcomeOptions,
    read: int,
) -> int:
    """Return the number of rows that did not meet the conditions."""
    if not options.where:
        return 0
    count = connection.execute(f"SELECT count(*) FROM {table.source}").fetchone()
    return int((count or (0,))[0]) * max(1, len(matched.wide)) - read


def _check_rows(
    connection: duckdb.DuckDBPyConnection, table: FileTable, matched: MatchedColumns, options: OutcomeOptions
) -> str:
    """Return the unit of the costs. Raises InvalidInput with all problems of the rows."""
    counts = connection.execute(
        "SELECT count(*), count(*) FILTER (bad), count(*) FILTER (blank) FROM kept"
    ).fetchone()
    rows, bad, blank = counts or (0, 0, 0)
    place = str(table.path)
    if rows == 0:
        raise InvalidInput(Problem(explain_no_rows(connection, table, options), place))
    problems: list[Problem] = []
    if bad:
        problems += explain_bad_rows(connection, table.path, sql.checks(matched, options), matched.columns)
    if bad > SHOWN:
        problems.append(Problem(f"{bad - SHOWN} more rows of {rows} have problems", place))
    if blank:
        first = connection.execute("SELECT row FROM kept WHERE blank ORDER BY row LIMIT 5").fetchall()
        problems.append(Problem(explain_blanks(blank, rows, [row for (row,) in first], matched), place))
    units: list[str] = []
    if "unit" in matched.columns:
        units = [str(unit) for (unit,) in connection.execute(sql.UNITS).fetchall()]
        problems += [Problem(line, place) for line in check_units(units, matched)]
    if problems:
        raise InvalidInput(problems)
    unit = units[0] if units else "USD"
    return "USD" if unit.lower() in ("usd", "$", "us dollars") else unit


def _read_arrays(
    connection: duckdb.DuckDBPyConnection, table: FileTable, matched: MatchedColumns, options: OutcomeOptions
) -> Outcomes:
    prompts = connection.execute(
        "SELECT prompt, category, several, high FROM prompts ORDER BY code"
    ).fetchall()
    ambiguous = [(prompt, low, high) for prompt, low, several, high in prompts if several]
    if ambiguous:
        shown = "; ".join(f"{prompt!r} is {low!r} and {high!r}" for prompt, low, high in ambiguous[:5])
        text = f"{len(ambiguous)} prompts have several categories ({shown}): give each prompt one"
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
        given = name in matched.columns or (name == "cost" and bool(matched.wide))
        return numbers(name) if given else None

    outcomes = Outcomes(
        prompts=tuple(row[0] for row in prompts),
        models=tuple(model for (model,) in models),
        row=whole("row"),
        prompt=whole("prompt"),
        model=whole("model"),
        quality=None if matched.counts else numbers("quality"),
        status=None if matched.counts else whole("status"),
        generation=None if matched.counts else whole("generation"),
        correct=whole("n_correct") if matched.counts else None,
        answers=whole("n_gen") if matched.counts else None,
        cost=amounts("cost"),
        latency=amounts("latency"),
        categories=tuple(row[1] or "" for row in prompts) if "category" in matched.columns else None,
    )
    query = sql.texts(table, matched, options)
    if query is None:
        return outcomes
    wording = dict(connection.execute(query).fetchall())
    return replace(outcomes, texts=tuple(wording.get(prompt) or "" for prompt in outcomes.prompts))
