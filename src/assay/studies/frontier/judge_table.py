"""How often a judge accepts right and wrong answers: measured from a table in a file."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

from assay.core.errors import InvalidInput, Problem
from assay.files.rows import RowReader, TableRow, open_rows
from assay.files.shape import cut
from assay.studies.frontier.judge_rates import RIGHT, JudgedAnswer, JudgeRates, accepted_from, rates_of

SHOWN = 20
ALIASES = {
    "prompt": ("prompt", "item", "case", "task", "question"),
    "quality": ("quality", "correct", "human", "right"),
    "judged": ("judged", "verdict", "mark", "accepted"),
}
JUDGE = ("judge", "rater")
WORDS = {"true": 1.0, "false": 0.0, "yes": 1.0, "no": 0.0}


def table_judge_rates(
    path: Path,
    *,
    judge: str | None = None,
    accept: float | None = None,
    right: float = RIGHT,
    price: float | None = None,
    level: float = 0.95,
) -> JudgeRates:
    """Return how a judge does in a table with columns prompt, quality and judged: numbers, or true and false.

    Where a column tells several judges apart, `judge` names the one that is meant. Rows without quality or
    mark are left out and counted, rows that cannot be read are told. InvalidInput where a column is missing,
    no judge is named among several, or no row is good.
    """
    rows = open_rows(path)
    columns = _columns(rows)
    teller = next((column for column in rows.columns if column.lower() in JUDGE), None)
    if judge is not None and teller is None:
        raise InvalidInput(
            Problem(f"has no column 'judge' to find {judge!r} in: leave the name out", str(path))
        )
    found: list[JudgedAnswer] = []
    left = {"no quality": 0, "no mark": 0}
    judges: set[str] = set()
    for row in rows:
        if teller is not None:
            judges.add(row.cells[teller] or "")
            if judge is not None and row.cells[teller] != judge:
                continue
        quality, mark = (_number(rows, row, columns[name]) for name in ("quality", "judged"))
        if quality is None:
            left["no quality"] += 1
        elif mark is None:
            left["no mark"] += 1
        elif math.isfinite(quality) and math.isfinite(mark):
            found.append(JudgedAnswer(row.cells[columns["prompt"]] or "", quality, mark))
    _refuse_unclear(path, rows, judge, judges, found)
    rates = rates_of(
        found,
        accepted_from(accept, [each.mark for each in found]),
        right,
        price,
        level,
        judge=judge or next(iter(judges), path.stem),
        metric=None,
    )
    counted = {name: count for name, count in left.items() if count}
    return replace(rates, left_out=counted, problems=tuple(rows.problems))


def _refuse_unclear(
    path: Path, rows: RowReader, judge: str | None, judges: set[str], found: Sequence[JudgedAnswer]
) -> None:
    """Refuse a table that does not say how one judge does."""
    named = ", ".join(sorted(judges))
    if judge is None and len(judges) > 1:
        raise InvalidInput(Problem(f"holds {len(judges)} judges: name one of {named}", str(path)))
    if judge is not None and judge not in judges:
        raise InvalidInput(Problem(f"judge {judge!r} is not in it: there are {named}", str(path)))
    if not found:
        raise InvalidInput(rows.problems[:SHOWN] or [Problem("has no row with quality and mark", str(path))])


def _columns(rows: RowReader) -> dict[str, str]:
    lowered = {column.lower(): column for column in rows.columns}
    found = {
        name: next((lowered[alias] for alias in aliases if alias in lowered), None)
        for name, aliases in ALIASES.items()
    }
    missing = [name for name, column in found.items() if column is None]
    if missing:
        there = ", ".join(rows.columns)
        text = f"has no column {missing[0]!r} (also {', '.join(ALIASES[missing[0]][1:])}): there are {there}"
        raise InvalidInput(Problem(text, str(rows.path)))
    return {name: column for name, column in found.items() if column is not None}


def _number(rows: RowReader, row: TableRow, column: str) -> float | None:
    """Return a cell's number, None where it is blank; NaN, with its problem told, where it is none."""
    text = row.cells[column]
    if text is None:
        return None
    try:
        value = WORDS.get(text.lower())
        value = float(text) if value is None else value
    except ValueError:
        value = math.nan
    if not math.isfinite(value):
        rows.refuse(row.place, f"{column} is {cut(text)}: write a number, or true or false")
        return math.nan
    return value
