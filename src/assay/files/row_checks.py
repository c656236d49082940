"""Checks of a table's rows in SQL, and the messages about rows that fail them.

The checks read a relation `typed` with the columns `row`, `prompt_text`, `model_text`, `status` and
`numbered` (whether the table has generations), and for each number `x` its text `x_text`, its value `x_raw`
(NULL if it cannot be read) and `x_blank`. `quality` is the value after a range was applied; `blank` is true
if it is missing although the status is ok.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

import duckdb

from assay.core.errors import Problem
from assay.files.shape import cut

SHOWN = 20
MARKS = "per cent divided by 100, marks from 1 to 5 as (mark - 1) / 4"


@dataclass(frozen=True, slots=True)
class RowCheck:
    """A check of one column. `fault` is an SQL condition, true for bad rows; `write` says what to write."""

    column: str
    fault: str
    write: str


NAME_CHECKS = (
    RowCheck("prompt", "prompt_text IS NULL", "the prompt's name or text"),
    RowCheck("model", "model_text IS NULL", "the model's name or text"),
)


def check_whole(column: str, condition: str = "TRUE") -> RowCheck:
    """Return a check for whole numbers from 0 in the rows that meet a condition."""
    value = f"{column}_raw"
    fault = f"{value} IS NULL OR {value} NOT BETWEEN 0 AND 1e15 OR {value} != floor({value})"
    return RowCheck(column, f"{condition} AND ({fault})", "a whole number from 0")


def check_amount(column: str, unit: str, most: float | None = None) -> RowCheck:
    """Return a check for numbers from 0 to `most`, or blanks."""
    value = f"{column}_raw"
    fault = f"{value} IS NULL OR NOT isfinite({value}) OR {value} < 0"
    if most is not None:
        fault += f" OR {value} > {most!r}"
    limit = "" if most is None else f" to {most:,.0f}"
    return RowCheck(
        column, f"NOT {column}_blank AND ({fault})", f"{unit} as a number from 0{limit}, or leave it blank"
    )


def check_answers(quality: str, most_cost: float | None = None) -> tuple[RowCheck, ...]:
    """Return the checks of a table with one row for each answer. `quality` says what to write there."""
    ok = "status = 'ok' AND NOT blank AND (quality IS NULL OR isnan(quality) OR quality NOT BETWEEN 0 AND 1)"
    failed = "status IN ('invalid', 'error') AND NOT quality_blank AND quality_raw IS DISTINCT FROM 0"
    return (
        *NAME_CHECKS,
        check_whole("generation", "numbered"),
        RowCheck(
            "status",
            "status NOT IN ('ok', 'invalid', 'error', 'ungraded')",
            "ok, invalid, error or ungraded",
        ),
        RowCheck("quality", ok, quality),
        RowCheck("quality", failed, "0 or nothing, as the status is invalid or error"),
        RowCheck(
            "quality", "status = 'ungraded' AND NOT quality_blank", "nothing, as the status is ungraded"
        ),
        check_amount("cost", "US dollars", most_cost),
        check_amount("latency", "seconds"),
    )


def any_fault(checks: Iterable[RowCheck]) -> str:
    """Return an SQL condition that is true for rows that fail at least one check."""
    return " OR ".join(f"({check.fault})" for check in checks)


def explain_bad_rows(
    connection: duckdb.DuckDBPyConnection,
    path: Path,
    checks: Sequence[RowCheck],
    columns: Mapping[str, str],
    *,
    relations: str = "",
) -> list[Problem]:
    """Return the problems of the first `SHOWN` bad rows of `typed`, with their row numbers.

    `columns` maps Assay's names to the table's. `relations` is the WITH clause that defines `typed`.
    """
    values = ", ".join(f"({check.fault}), {check.column}_text" for check in checks)
    bad = f"FROM typed WHERE {any_fault(checks)} ORDER BY row LIMIT {SHOWN}"
    problems = []
    for row, *results in connection.execute(f"{relations} SELECT row, {values} {bad}").fetchall():
        for check, fault, text in zip(checks, results[::2], results[1::2], strict=True):
            if fault:
                shown = "blank" if text is None else cut(text)
                name = columns.get(check.column, check.column)
                problems.append(Problem(f"row {row}: {name!r} is {shown}: write {check.write}", str(path)))
    return problems
