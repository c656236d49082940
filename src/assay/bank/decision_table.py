"""Importing a reviewer's table of decisions from a file."""

from __future__ import annotations

import math
from collections import Counter
from dataclasses import dataclass, field
from pathlib import Path

from sqlalchemy import Engine

from assay.bank.review import take_decisions
from assay.core.errors import InvalidInput, Problem
from assay.files.rows import TableRow, open_rows
from assay.questions.screen import Decided, Decision
from assay.results.review import DecisionsTaken, RefusedDecision

NEEDED = ("uuid", "decision")
KNOWN = (*NEEDED, "reason", "seconds")


@dataclass(slots=True)
class DecisionTable:
    """The decisions of a table with their places, and the problems of its other rows."""

    decisions: list[Decided] = field(default_factory=list)
    places: list[str] = field(default_factory=list)
    problems: list[RefusedDecision] = field(default_factory=list)


def read_decisions(path: Path) -> DecisionTable:
    """Read a table with the columns uuid and decision, and optionally reason and seconds.

    Raises NotFound for a missing file, InvalidInput for a file that is not such a table.
    """
    rows = open_rows(path)
    missing = [name for name in NEEDED if name not in rows.columns]
    unknown = [name for name in rows.columns if name not in KNOWN]
    if missing or unknown:
        fault = f"column {missing[0]!r} is missing" if missing else f"unknown column {unknown[0]!r}"
        raise InvalidInput(Problem(f"{fault}: use the columns {', '.join(KNOWN)}", str(path)))
    table = DecisionTable()
    for row in rows:
        try:
            table.decisions.append(_decision(row))
            table.places.append(str(row.place))
        except InvalidInput as error:
            table.problems.append(RefusedDecision(str(row.place), str(error)))
    table.problems += [
        RefusedDecision("row" if problem.line is None else f"line {problem.line}", problem.text)
        for problem in rows.problems
    ]
    return table


def take_table(
    engine: Engine, path: Path, reviewer: str, *, second_review: bool, now: float
) -> DecisionsTaken:
    """Store a reviewer's table of decisions. Raises what `read_decisions` and `take_decisions` raise."""
    table = read_decisions(path)
    outcomes = take_decisions(engine, reviewer, table.decisions, second_review=second_review, now=now)
    refused = [
        RefusedDecision(place, str(refusal))
        for place, refusal in zip(table.places, outcomes.refused, strict=True)
        if refusal is not None
    ]
    problems = (*table.problems, *refused)
    states = Counter(state for state in outcomes.states if state is not None)
    return DecisionsTaken(
        str(path),
        reviewer,
        len(table.decisions) + len(table.problems),
        states.total(),
        len(problems),
        dict(sorted(states.items())),
        problems,
    )


def _decision(row: TableRow) -> Decided:
    uuid, decision = row.cells.get("uuid"), row.cells.get("decision")
    if not uuid:
        raise InvalidInput("empty uuid: give the question's uuid")
    try:
        value = Decision((decision or "").strip().lower())
    except ValueError:
        raise InvalidInput(f"invalid decision {decision!r}: use accept or reject") from None
    return Decided(
        uuid.strip().lower(), value, row.cells.get("reason") or "", _seconds(row.cells.get("seconds"))
    )


def _seconds(text: str | None) -> float | None:
    if text is None or not text.strip():
        return None
    try:
        seconds = float(text)
    except ValueError:
        seconds = math.nan
    if not math.isfinite(seconds):
        raise InvalidInput(f"invalid seconds {text!r}: use a number")
    return seconds
