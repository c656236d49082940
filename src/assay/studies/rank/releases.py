"""Reading a table of models with release dates and scores, for `assay study trend`."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from datetime import UTC, date, datetime
from pathlib import Path
from statistics import fmean
from typing import Final

import numpy as np

from assay.core.errors import InvalidInput
from assay.core.wording import counted
from assay.files.rows import RowReader, TableRow, open_rows
from assay.ranking.trend import ReleasedModel, find_trend
from assay.results.study import StudySource
from assay.results.study_trend import TrendStudy
from assay.studies.rank.score_columns import as_number

NEEDED: Final = ("model", "date", "score")
OPTIONAL: Final = ("open", "series")
YES, NO = frozenset({"true", "yes", "1", "open"}), frozenset({"false", "no", "0", "closed", "proprietary"})
_DAY = re.compile(r"(\d{4})-?(\d{2})-?(\d{2})")
_MONTH = re.compile(r"(\d{4})-(\d{2})")
_EPOCH = re.compile(r"\d{9,13}")


def study_trend(
    path: Path,
    columns: Mapping[str, str] | None = None,
    *,
    most: float | None = None,
    records_only: bool = False,
    seed: int = 0,
) -> TrendStudy:
    """Read a table and find its trend. `columns` has the table's column for each of ours."""
    released, notes = read_releases(path, columns)
    highest = max(released, key=lambda model: model.score)
    if most is not None and highest.score > most:
        raise InvalidInput(
            f"{highest.model!r} has the score {highest.score:g}, above the scale's end {most:g}: give a "
            "higher --most"
        )
    found = find_trend(released, np.random.default_rng(seed), most=most, records_only=records_only)
    about = StudySource(str(path), False, len(released), notes)
    return TrendStudy(about, seed, found.curve, found.gap, found.models, found.remarks)


def read_releases(
    path: Path, columns: Mapping[str, str] | None = None
) -> tuple[list[ReleasedModel], tuple[str, ...]]:
    """Read models with date and score, and optionally `open` and `series`; return them with notes.

    A model may stand in several rows: its date is the earliest, its score the mean on its latest date. Rows
    that cannot be read are left out with a note. Raises InvalidInput for a missing column, for a model whose
    rows contradict each other, and if no row can be read.
    """
    rows = open_rows(path)
    names = _columns(rows, columns or {})
    given: dict[str, list[tuple[date, float]]] = {}
    kinds: dict[str, bool | None] = {}
    series: dict[str, str | None] = {}
    for row in rows:
        entry = _entry(rows, row, names)
        if entry is None:
            continue
        model, day, score = entry
        given.setdefault(model, []).append((day, score))
        is_open, own_series = _open(row, names), _cell(row, names, "series")
        if kinds.setdefault(model, is_open) != is_open:
            raise InvalidInput(_explain_two(path, model, "open", row))
        if series.setdefault(model, own_series) != own_series:
            raise InvalidInput(_explain_two(path, model, "series", row))
    if not given:
        reason = f"; the first: {rows.problems[0]}" if rows.problems else ""
        raise InvalidInput(f"{str(path)!r} has no row with model, date and score{reason}")
    released = [
        ReleasedModel(model, min(day for day, _ in own), _latest(own), kinds[model], series[model])
        for model, own in given.items()
    ]
    notes = (
        [f"{counted(len(rows.problems), 'row')} refused; the first: {rows.problems[0]}"]
        if rows.problems
        else []
    )
    several = sum(len(own) > 1 for own in given.values())
    if several:
        notes.append(
            f"{counted(several, 'model')} with several rows: the earliest date and the latest score count"
        )
    return released, tuple(notes)


def _explain_two(path: Path, model: str, what: str, row: TableRow) -> str:
    return f"{str(path)!r}: model {model!r} has two values of {what!r} ({row.place}): keep one"


def _latest(own: Sequence[tuple[date, float]]) -> float:
    last = max(day for day, _ in own)
    return fmean(score for day, score in own if day == last)


def _columns(rows: RowReader, chosen: Mapping[str, str]) -> dict[str, str]:
    known = {column.strip().lower(): column for column in rows.columns}
    unknown = sorted(set(chosen) - {*NEEDED, *OPTIONAL})
    if unknown:
        raise InvalidInput(f"unknown name {unknown[0]!r} in --column: use {', '.join((*NEEDED, *OPTIONAL))}")
    names = {}
    for ours in (*NEEDED, *OPTIONAL):
        theirs = chosen.get(ours, ours)
        if theirs.strip().lower() in known:
            names[ours] = known[theirs.strip().lower()]
        elif ours in NEEDED or ours in chosen:
            raise InvalidInput(
                f"{str(rows.path)!r} has no column {theirs!r}: name the one with the {ours} as "
                f"--column {ours}=COLUMN (it has {', '.join(map(repr, rows.columns))})"
            )
    return names


def _cell(row: TableRow, names: Mapping[str, str], ours: str) -> str | None:
    return row.cells.get(names[ours]) if ours in names else None


def _entry(rows: RowReader, row: TableRow, names: Mapping[str, str]) -> tuple[str, date, float] | None:
    model, day, score = (_cell(row, names, ours) for ours in NEEDED)
    if model is None or day is None or score is None:
        rows.refuse(row.place, "model, date or score is blank: fill it in")
        return None
    parsed, value = as_day(day), as_number(score)
    if parsed is None:
        rows.refuse(row.place, f"invalid date {day!r}: use YYYY-MM-DD")
        return None
    if value is None:
        rows.refuse(row.place, f"invalid score {score!r}: give a number")
        return None
    return model, parsed, value


def _open(row: TableRow, names: Mapping[str, str]) -> bool | None:
    text = _cell(row, names, "open")
    if text is None:
        return None
    plain = text.strip().lower()
    if plain in YES or plain in NO:
        return plain in YES
    raise InvalidInput(f"{row.place}: 'open' is {text!r}: write true or false")


def as_day(text: str) -> date | None:
    """Return a day from `2026-11-20`, `20261120`, `2026-11` (its first day) or seconds or ms since 1970."""
    plain = text.strip().split("T")[0].split(" ")[0]
    whole = _DAY.fullmatch(plain)
    month = _MONTH.fullmatch(plain)
    try:
        if whole:
            return date(int(whole[1]), int(whole[2]), int(whole[3]))
        if month:
            return date(int(month[1]), int(month[2]), 1)
        if _EPOCH.fullmatch(plain):
            seconds = int(plain) / (1000 if len(plain) > 11 else 1)
            return datetime.fromtimestamp(seconds, UTC).date()
    except (ValueError, OverflowError):
        return None
    return None
