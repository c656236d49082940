"""A reviewer's table of decisions, read from a file row by row."""

from __future__ import annotations

import math
from dataclasses import dataclass, field
from pathlib import Path

from assay.core.errors import InvalidInput, Problem
from assay.files.rows import Row, open_rows
from assay.questions.screen import Decided, Decision

NEEDED = ("uuid", "decision")
KNOWN = (*NEEDED, "reason", "seconds")


@dataclass(slots=True)
class DecisionTable:
    """The rows of a table that say something, with where each stands; `problems` are of the others."""

    decisions: list[Decided] = field(default_factory=list)
    places: list[str] = field(default_factory=list)
    problems: list[tuple[str, str]] = field(default_factory=list)


def read_decisions(path: Path) -> DecisionTable:
    """Read a table with the columns uuid, decision, reason and seconds; the last two may be missing.

    Raises NotFound without a file, InvalidInput for one that is no table or has other columns.
    """
    rows = open_rows(path)
    missing = [name for name in NEEDED if name not in rows.columns]
    strange = [name for name in rows.columns if name not in KNOWN]
    if missing or strange:
        told = f"has no column {missing[0]!r}" if missing else f"has a column {strange[0]!r}"
        raise InvalidInput(Problem(f"{told}: the columns are {', '.join(KNOWN)}", str(path)))
    table = DecisionTable()
    for row in rows:
        try:
            table.decisions.append(_decided(row))
            table.places.append(str(row.place))
        except InvalidInput as error:
            table.problems.append((str(row.place), str(error)))
    table.problems += [
        ("row" if each.line is None else f"line {each.line}", each.text) for each in rows.problems
    ]
    return table


def _decided(row: Row) -> Decided:
    uuid, decision = row.cells.get("uuid"), row.cells.get("decision")
    if not uuid:
        raise InvalidInput("the uuid is empty: say which question is meant")
    try:
        wanted = Decision((decision or "").strip().lower())
    except ValueError:
        raise InvalidInput(f"{decision!r} is no decision: write accept or reject") from None
    return Decided(
        uuid.strip().lower(), wanted, row.cells.get("reason") or "", _seconds(row.cells.get("seconds"))
    )


def _seconds(text: str | None) -> float | None:
    if text is None or not text.strip():
        return None
    try:
        seconds = float(text)
    except ValueError:
        seconds = math.nan
    if not math.isfinite(seconds):
        raise InvalidInput(f"{text!r} is no number of seconds")
    return seconds
