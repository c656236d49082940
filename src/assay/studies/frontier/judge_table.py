"""A judge's rates of accepting right and wrong answers, measured from a table in a file."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

from assay.core.errors import InvalidInput, Problem
from assay.files.rows import RowReader, TableRow, open_rows
from assay.files.shape import cut
from assay.studies.frontier.judge_rates import RIGHT, JudgedAnswer, JudgeRates, acceptance_threshold, rates_of

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
    """Return the rates of a judge in a table with the columns prompt, quality and judged.

    Quality and marks are numbers, or true and false. If a column `judge` has several judges, `judge` names
    one. Rows without quality or mark are left out and counted, and bad rows are reported. Raises InvalidInput
    if a column is missing, if there are several judges and none is named, or if no row is good.
    """
    rows = open_rows(path)
    columns = _columns(rows)
    judge_column = next((column for column in rows.columns if column.lower() in JUDGE), None)
    if judge is not None and judge_column is None:
        raise InvalidInput(
            Problem(f"has no column 'judge', so judge {judge!r} is unknown: leave it out", str(path))
        )
    answers: list[JudgedAnswer] = []
    left_out = {"no quality": 0, "no mark": 0}
    judges: set[str] = set()
    for row in rows:
        if judge_column is not None:
            judges.add(row.cells[judge_column] or "")
            if judge is not None and row.cells[judge_column] != judge:
                continue
        quality, mark = (_number(rows, row, columns[name]) for name in ("quality", "judged"))
        if quality is None:
            left_out["no quality"] += 1
        elif mark is None:
            left_out["no mark"] += 1
        elif math.isfinite(quality) and math.isfinite(mark):
            answers.append(JudgedAnswer(row.cells[columns["prompt"]] or "", quality, mark))
    _check_one_judge(path, rows, judge, judges, answers)
    rates = rates_of(
        answers,
        acceptance_threshold(accept, [answer.mark for answer in answers]),
        right,
        price,
        level,
        judge=judge or next(iter(judges), path.stem),
        metric=None,
    )
    counted = {reason: count for reason, count in left_out.items() if count}
    return replace(rates, left_out=counted, problems=tuple(rows.problems))


def _check_one_judge(
    path: Path, rows: RowReader, judge: str | None, judges: set[str], answers: Sequence[JudgedAnswer]
) -> None:
    """Raise InvalidInput unless the answers are of exactly one judge."""
    named = ", ".join(sorted(judges))
    if judge is None and len(judges) > 1:
        raise InvalidInput(Problem(f"has {len(judges)} judges: name one of {named}", str(path)))
    if judge is not None and judge not in judges:
        raise InvalidInput(Problem(f"has no judge {judge!r}: use one of {named}", str(path)))
    if not answers:
        problem = Problem("has no row with quality and mark: give at least one", str(path))
        raise InvalidInput(rows.problems[:SHOWN] or [problem])


def _columns(rows: RowReader) -> dict[str, str]:
    lowered = {column.lower(): column for column in rows.columns}
    columns = {
        name: next((lowered[alias] for alias in aliases if alias in lowered), None)
        for name, aliases in ALIASES.items()
    }
    missing = [name for name, column in columns.items() if column is None]
    if missing:
        also = ", ".join(ALIASES[missing[0]][1:])
        text = f"missing column {missing[0]!r} (or {also}): add it (the table has {', '.join(rows.columns)})"
        raise InvalidInput(Problem(text, str(rows.path)))
    return {name: column for name, column in columns.items() if column is not None}


def _number(rows: RowReader, row: TableRow, column: str) -> float | None:
    """Return a cell's number, None if it is blank. A cell that is not a number is reported and gives NaN."""
    text = row.cells[column]
    if text is None:
        return None
    try:
        value = WORDS.get(text.lower())
        value = float(text) if value is None else value
    except ValueError:
        value = math.nan
    if not math.isfinite(value):
        rows.refuse(row.place, f"invalid {column} {cut(text)}: write a number, or true or false")
        return math.nan
    return value
