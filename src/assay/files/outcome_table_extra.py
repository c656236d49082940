"""What the columns that are not read tell of a table of outcomes: copies of rows, failures left unread."""

from __future__ import annotations

import re

import duckdb

from assay.core.errors import InvalidInput, Problem
from assay.files.long_form import SHOWN
from assay.files.outcome_table_columns import COST_MARK, Matched, expression, filtering, plain
from assay.files.outcome_table_sql import numbered
from assay.files.outcome_table_wish import TableWish
from assay.files.shape import cut
from assay.files.tables import Table, name

TELLS_FAILURE = re.compile(r"error|fail|success|invalid|exclu|quarantin", re.IGNORECASE)
VALUES = 6


def unread(
    connection: duckdb.DuckDBPyConnection, table: Table, matched: Matched, wish: TableWish
) -> list[str]:
    """Return a note for each column that tells of failures by its name, was not read, and says something."""
    used = {*matched.columns.values(), *wish.arms, *(each.column for each in wish.where)}
    notes = []
    for column in table.columns:
        if column in used or COST_MARK in column or not TELLS_FAILURE.search(column):
            continue
        found = connection.execute(
            f"SELECT {plain(column)}, count(*) FROM {table.source} WHERE {filtering(table, wish.where)}"
            f" GROUP BY 1 ORDER BY 2 DESC, 1 NULLS FIRST LIMIT {VALUES + 1}"
        ).fetchall()
        if len(found) < 2:
            continue
        told = ", ".join(
            f"{'blank' if value is None else cut(value)} {count:,}" for value, count in found[:VALUES]
        )
        more = ", ..." if len(found) > VALUES else ""
        notes.append(f"{column!r} was not read, and says ({told}{more}): --where {column}=... chooses rows")
    return notes


def copies(
    connection: duckdb.DuckDBPyConnection, table: Table, matched: Matched, wish: TableWish
) -> list[str]:
    """Refuse rows that are copies of others, where no generation tells answers apart; note what may be some.

    Equal rows can be equal answers. They are copies where some other column (a trial's name, a time) has a
    value of its own for every other answer, or where most cells have one row.
    """
    columns = [each for each in table.columns if not each.startswith("assay_")]
    rows = f"FROM ({numbered(table, matched)}) WHERE {filtering(table, wish.where)}"
    key = ", ".join(name(each) for each in columns) + (", assay_cell.model" if matched.wide else "")
    groups = f"SELECT list(assay_row ORDER BY assay_row) AS equal {rows} GROUP BY {key} HAVING count(*) > 1"
    counted = connection.execute(f"SELECT count(*), sum(len(equal) - 1) FROM ({groups})").fetchone()
    number, more = counted or (0, 0)
    if not number:
        return []
    telling = _telling(connection, table, matched, columns, rows, key)
    if telling is None:
        return [f"{int(more):,} rows repeat another in every column: they count as further generations"]
    found = connection.execute(f"SELECT equal FROM ({groups}) ORDER BY equal[1] LIMIT {SHOWN}").fetchall()
    advice = f"{telling}; keep one of each, or add a column `generation` that numbers the answers"
    problems = [
        Problem(f"rows {', '.join(map(str, equal[:5]))} are equal in every column: {advice}", str(table.path))
        for (equal,) in found
    ]
    if number > SHOWN:
        problems.append(Problem(f"{number - SHOWN} more groups of equal rows", str(table.path)))
    raise InvalidInput(problems)


def _telling(
    connection: duckdb.DuckDBPyConnection,
    table: Table,
    matched: Matched,
    columns: list[str],
    rows: str,
    key: str,
) -> str | None:
    """Return why equal rows must be copies; None where they may be equal answers."""
    if matched.wide:
        return "a wide table has one row a prompt"
    named = [*(matched.arms or (matched.columns["model"],)), matched.columns["prompt"]]
    cell = ", ".join(str(expression(table, each)) for each in named)
    others = [each for each in columns if each not in {*named, matched.columns["quality"]}]
    counts = "".join(f", count(DISTINCT {name(each)})" for each in others)
    distinct = f"SELECT {', '.join(name(each) for each in columns)} {rows} GROUP BY {key}"
    found = connection.execute(
        f"SELECT count(*), count(DISTINCT ({cell})){counts} FROM ({distinct})"
    ).fetchone()
    answers, cells, *each_counts = found or (0, 0)
    if answers == cells:
        several = connection.execute(
            f"SELECT count(*) FROM (SELECT 1 {rows} GROUP BY {cell} HAVING count(*) > 1)"
        ).fetchone()
        return "most cells have one row" if several and 2 * several[0] < cells else None
    for column, count in zip(others, each_counts, strict=True):
        if count == answers:
            return f"{column!r} has a value of its own for every other answer"
    return None
