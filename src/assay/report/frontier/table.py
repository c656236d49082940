"""Tables of frontier reports: one set of values for the terminal, Markdown, CSV and the page."""

from __future__ import annotations

import io
from collections.abc import Iterator
from dataclasses import dataclass
from enum import Enum, auto

from assay.core.csv_cells import CsvWriter
from assay.report.numerals import MINUS, NOTHING
from assay.results.frontier import Estimate
from assay.stats.intervals import Interval

Value = Estimate | str | float | int | None


class CellKind(Enum):
    """The format of a column's values. CSV holds the unformatted values."""

    TEXT = auto()
    COUNT = auto()
    SHARE = auto()
    """A share 0-1, shown in per cent."""
    POINTS = auto()
    """Points of 100, or a value in per cent."""
    COST = auto()
    NUMBER = auto()
    FIXED = auto()
    """A value 0-1, shown with three decimals."""


@dataclass(frozen=True, slots=True)
class ReportColumn:
    """A column: `key` is its heading in CSV, `title` (with unit) elsewhere; `bounds`: it has intervals."""

    key: str
    title: str
    kind: CellKind = CellKind.TEXT
    bounds: bool = False


@dataclass(frozen=True, slots=True)
class ReportTable:
    """A table: `key` is the name of its files; `notes` explain columns and missing values."""

    key: str
    title: str
    columns: tuple[ReportColumn, ...]
    rows: tuple[tuple[Value, ...], ...]
    notes: tuple[str, ...] = ()


def value_text(value: Value, kind: CellKind) -> str:
    """Return a value without its interval, a dash if there is none."""
    if isinstance(value, Estimate):
        value = value.value
    if value is None or value != value:
        return NOTHING
    if isinstance(value, str):
        return value
    if kind is CellKind.COUNT:
        return f"{value:,.0f}" if float(value).is_integer() else f"{value:,.1f}"
    if kind is CellKind.SHARE:
        return _signed(f"{100.0 * value:.1f}")
    if kind is CellKind.POINTS:
        return _signed(f"{value:.1f}" if abs(value) >= 10 else f"{value:.2f}")
    if kind is CellKind.COST:
        return cost_text(value)
    if kind is CellKind.FIXED:
        return _signed(f"{value:.3f}")
    return _signed(f"{value:.3g}")


def cost_text(value: float) -> str:
    """Return a cost with three significant digits, never in powers of ten."""
    if value == 0.0:
        return "0"
    for least, decimals in (
        (1000, 0),
        (100, 1),
        (10, 2),
        (1, 3),
        (0.1, 3),
        (0.01, 4),
        (0.001, 5),
        (0.0001, 6),
    ):
        if abs(value) >= least:
            return f"{value:,.{decimals}f}"
    return f"{value:.7f}"


def ends_text(interval: Interval | None, kind: CellKind) -> str:
    """Return the two ends of an interval, an empty text without one."""
    if interval is None:
        return ""
    low, high = value_text(interval.low, kind), value_text(interval.high, kind)
    return f"{low} to {high}" if MINUS in (low[0], high[0]) else f"{low}{NOTHING}{high}"


def cell_text(value: Value, kind: CellKind) -> str:
    """Return a value followed by its interval over prompts."""
    text = value_text(value, kind)
    if isinstance(value, Estimate) and value.value is not None:
        ends = ends_text(value.over_prompts, kind)
        return f"{text} ({ends})" if ends else text
    return text


def shown_columns(table: ReportTable) -> tuple[int, ...]:
    """Return the positions of the columns that have a value in any row."""
    return tuple(
        place
        for place, column in enumerate(table.columns)
        if any(value_text(row[place], column.kind) != NOTHING for row in table.rows)
    )


def csv_text(table: ReportTable) -> str:
    """Return the table as CSV: shares 0-1, empty cells for unknown values, intervals in their own columns.

    `_low` and `_high` are the ends of the interval over other prompts, `_these_low` and `_these_high` those
    of the interval for these prompts.
    """
    out = io.StringIO()
    writer = CsvWriter(out)
    head = []
    for column in table.columns:
        head.append(column.key)
        if column.bounds:
            head += [f"{column.key}_{end}" for end in ("low", "high", "these_low", "these_high")]
    writer.row(head)
    for row in table.rows:
        cells: list[object] = []
        for column, value in zip(table.columns, row, strict=True):
            cells += _raw(value, column.bounds)
        writer.row(cells)
    return out.getvalue()


def markdown_text(table: ReportTable) -> str:
    """Return the table as Markdown with its title and notes."""
    return "\n".join(_markdown(table)) + "\n"


def _markdown(table: ReportTable) -> Iterator[str]:
    yield f"### {table.title}"
    yield ""
    yield "| " + " | ".join(column.title for column in table.columns) + " |"
    yield "|" + "|".join("---" if column.kind is CellKind.TEXT else "---:" for column in table.columns) + "|"
    for row in table.rows:
        cells = (cell_text(value, column.kind) for column, value in zip(table.columns, row, strict=True))
        yield "| " + " | ".join(cell.replace("|", "\\|") for cell in cells) + " |"
    for note in table.notes:
        yield ""
        yield note


def _raw(value: Value, bounds: bool) -> list[object]:
    if not isinstance(value, Estimate):
        return ["" if value is None else value, *([""] * 4 if bounds else [])]
    cells: list[object] = ["" if value.value is None else value.value]
    if bounds:
        for interval in (value.over_prompts, value.these_prompts):
            cells += ["", ""] if interval is None else [interval.low, interval.high]
    return cells


def _signed(text: str) -> str:
    return text.replace("-", MINUS) if text.strip("-0.") else text.lstrip("-")
