"""Checks of a whole table of outcomes: no rows, blank qualities, repeated rows, copies, columns not read."""

from __future__ import annotations

import re
from collections.abc import Sequence

import duckdb
import numpy as np
import numpy.typing as npt

from assay.core.errors import InvalidInput, Problem
from assay.files.outcome_table_columns import (
    COST_MARK,
    MatchedColumns,
    OutcomeOptions,
    expression,
    filtering,
    plain,
)
from assay.files.outcome_table_sql import numbered
from assay.files.row_checks import SHOWN
from assay.files.shape import cut
from assay.files.tables import FileTable, name

IntArray = npt.NDArray[np.int64]
ABOUT_FAILURE = re.compile(r"error|fail|success|invalid|exclu|quarantin", re.IGNORECASE)
VALUES = 6


def explain_no_rows(connection: duckdb.DuckDBPyConnection, table: FileTable, options: OutcomeOptions) -> str:
    """Return a message about a table without rows, with values of the columns that have conditions."""
    count = connection.execute(f"SELECT count(*) FROM {table.source}").fetchone()
    if not options.where or count == (0,):
        return "the table has no rows: add one below the header"
    held = []
    for column in dict.fromkeys(condition.column for condition in options.where):
        cell = expression(table, column)
        query = f"SELECT DISTINCT {cell} FROM {table.source} WHERE {cell} IS NOT NULL ORDER BY 1 LIMIT 6"
        values = [cut(value) for (value,) in connection.execute(query).fetchall()]
        held.append(f"{column!r} has {', '.join(values[:5])}{', ...' if len(values) > 5 else ''}")
    return f"no row meets all conditions: choose among their values ({'; '.join(held)})"


def explain_blanks(count: int, rows: int, first: Sequence[int], matched: MatchedColumns) -> str:
    """Return a message about rows without a quality, with the meanings that they may have."""
    theirs = repr(matched.columns.get("quality", "quality"))
    numbers = ", ".join(map(str, first)) + (", ..." if count > len(first) else "")
    return (
        f"{count} of {rows} rows have a blank {theirs} (rows {numbers}): --null missing leaves them out as "
        f"never graded, --null wrong counts them as 0"
    )


def check_units(units: Sequence[str], matched: MatchedColumns) -> list[str]:
    """Return a message if costs are in several units."""
    if len({unit.lower() for unit in units}) < 2:
        return []
    shown = ", ".join(map(repr, units))
    return [f"{matched.columns['unit']!r} has several units of cost, {shown}: use one, or choose by --where"]


def find_repeated(
    row: IntArray,
    prompt: IntArray,
    model: IntArray,
    generation: IntArray | None,
    names: tuple[Sequence[str], Sequence[str]],
) -> list[str]:
    """Return messages about rows of the same prompt, model and generation, at most `SHOWN`."""
    numbers = np.zeros(len(row), dtype=np.int64) if generation is None else generation
    order = np.lexsort((row, numbers, model, prompt))
    keys = [array[order] for array in (prompt, model, numbers)]
    same = np.logical_and.reduce([key[1:] == key[:-1] for key in keys])
    if not same.any():
        return []
    starts = np.flatnonzero(np.r_[True, ~same])
    ends = np.r_[starts[1:], len(order)]
    groups = [order[start:end] for start, end in zip(starts, ends, strict=True) if end - start > 1]
    groups.sort(key=lambda group: int(row[group[0]]))
    prompts, models = names
    lines = []
    for group in groups[:SHOWN]:
        first = group[0]
        shown = ", ".join(str(row[index]) for index in group[:5]) + (", ..." if len(group) > 5 else "")
        key = f"prompt {cut(prompts[prompt[first]])}, model {models[model[first]]!r}"
        if generation is None:
            advice = "keep one, add their counts, or choose by --where"
        else:
            key += f", generation {generation[first]}"
            advice = "keep one, or number them all in order by --column generation="
        lines.append(f"rows {shown} have {key}: {advice}")
    if len(groups) > SHOWN:
        lines.append(f"{len(groups) - SHOWN} more answers are in several rows")
    return lines


def note_unread_columns(
    connection: duckdb.DuckDBPyConnection, table: FileTable, matched: MatchedColumns, options: OutcomeOptions
) -> list[str]:
    """Return a note for each column with several values that was not read and is named after failures."""
    used = {*matched.columns.values(), *options.arms, *(condition.column for condition in options.where)}
    notes = []
    for column in table.columns:
        if column in used or COST_MARK in column or not ABOUT_FAILURE.search(column):
            continue
        values = connection.execute(
            f"SELECT {plain(column)}, count(*) FROM {table.source} WHERE {filtering(table, options.where)}"
            f" GROUP BY 1 ORDER BY 2 DESC, 1 NULLS FIRST LIMIT {VALUES + 1}"
        ).fetchall()
        if len(values) < 2:
            continue
        shown = ", ".join(
            f"{'blank' if value is None else cut(value)} {count:,}" for value, count in values[:VALUES]
        )
        more = ", ..." if len(values) > VALUES else ""
        notes.append(
            f"the column {column!r} was not read ({shown}{more}): choose rows by --where {column}=..."
        )
    return notes


def check_copies(
    connection: duckdb.DuckDBPyConnection, table: FileTable, matched: MatchedColumns, options: OutcomeOptions
) -> list[str]:
    """Check for equal rows in a table without generations. Return a note if they may be equal answers.

    Raises InvalidInput if they must be copies: some other column (a trial's name, a time) has its own value
    for every other answer, or most cells have one row.
    """
    columns = [column for column in table.columns if not column.startswith("assay_")]
    rows = f"FROM ({numbered(table, matched)}) WHERE {filtering(table, options.where)}"
    key = ", ".join(map(name, columns)) + (", assay_cell.model" if matched.wide else "")
    groups = f"SELECT list(assay_row ORDER BY assay_row) AS equal {rows} GROUP BY {key} HAVING count(*) > 1"
    counts = connection.execute(f"SELECT count(*), sum(len(equal) - 1) FROM ({groups})").fetchone()
    number, more = counts or (0, 0)
    if not number:
        return []
    reason = _why_copies(connection, table, matched, columns, rows, key)
    if reason is None:
        return [f"{int(more):,} rows are equal to another in every column: they count as more generations"]
    first = connection.execute(f"SELECT equal FROM ({groups}) ORDER BY equal[1] LIMIT {SHOWN}").fetchall()
    advice = f"{reason}; keep one of each, or add a column `generation` with their numbers"
    problems = [
        Problem(f"rows {', '.join(map(str, equal[:5]))} are equal in every column: {advice}", str(table.path))
        for (equal,) in first
    ]
    if number > SHOWN:
        problems.append(Problem(f"{number - SHOWN} more groups of equal rows", str(table.path)))
    raise InvalidInput(problems)


def _why_copies(
    connection: duckdb.DuckDBPyConnection,
    table: FileTable,
    matched: MatchedColumns,
    columns: list[str],
    rows: str,
    key: str,
) -> str | None:
    """Return the reason why equal rows must be copies; None if they may be equal answers."""
    if matched.wide:
        return "a wide table has one row for each prompt"
    named = [*(matched.arms or (matched.columns["model"],)), matched.columns["prompt"]]
    cell = ", ".join(str(expression(table, column)) for column in named)
    others = [column for column in columns if column not in {*named, matched.columns["quality"]}]
    counts = "".join(f", count(DISTINCT {name(column)})" for column in others)
    distinct = f"SELECT {', '.join(map(name, columns))} {rows} GROUP BY {key}"
    numbers = connection.execute(
        f"SELECT count(*), count(DISTINCT ({cell})){counts} FROM ({distinct})"
    ).fetchone()
    answers, cells, *distinct_values = numbers or (0, 0)
    if answers == cells:
        several = connection.execute(
            f"SELECT count(*) FROM (SELECT 1 {rows} GROUP BY {cell} HAVING count(*) > 1)"
        ).fetchone()
        return "most cells have one row" if several and 2 * several[0] < cells else None
    for column, count in zip(others, distinct_values, strict=True):
        if count == answers:
            return f"{column!r} has its own value for every other answer"
    return None
