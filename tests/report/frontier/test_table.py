"""Tables of a frontier report: the format of values, CSV and Markdown."""

from __future__ import annotations

from every_row import every_row

from assay.report.frontier.table import (
    CellKind,
    ReportColumn,
    ReportTable,
    Value,
    cell_text,
    csv_text,
    markdown_text,
    shown_columns,
)
from assay.results.frontier import Estimate
from assay.stats.intervals import Interval

BOTH = Estimate(0.625, Interval(0.59, 0.66, 0.9), Interval(0.62, 0.63, 0.9))


@every_row(
    "value, kind, text",
    [
        (BOTH, CellKind.SHARE, "62.5 (59.0–66.0)"),
        (Estimate(-0.001, Interval(-0.02, 0.01, 0.9)), CellKind.SHARE, "−0.1 (−2.0 to 1.0)"),
        (Estimate(0.2, Interval(-1e-17, 0.5, 0.9)), CellKind.SHARE, "20.0 (0.0–50.0)"),
        (0.00004213, CellKind.COST, "0.0000421"),
        (0.0596, CellKind.COST, "0.0596"),
        (1234.5, CellKind.COST, "1,234"),
        (17_200, CellKind.COUNT, "17,200"),
        (float("nan"), CellKind.NUMBER, "–"),
        (None, CellKind.COST, "–"),
        ("a", CellKind.TEXT, "a"),
        (0.97, CellKind.FIXED, "0.970"),
    ],
)
def test_how_values_are_written(value: Value, kind: CellKind, text: str) -> None:
    """Per cent with one decimal, costs without powers of ten, true minus signs, a dash for nothing."""
    assert cell_text(value, kind) == text


TABLE = ReportTable(
    "table-1",
    "Table 1",
    (
        ReportColumn("rows", "prompts"),
        ReportColumn("q", "quality, %", CellKind.SHARE, bounds=True),
        ReportColumn("cost", "cost", CellKind.COST),
    ),
    (("a|b", BOTH, None), ("c", Estimate(None), None)),
    ("A note.",),
)


def test_csv_holds_raw_values_and_both_intervals() -> None:
    """Shares stay 0-1, and unknown values are empty cells."""
    assert csv_text(TABLE).splitlines() == [
        "rows,q,q_low,q_high,q_these_low,q_these_high,cost",
        "a|b,0.625,0.59,0.66,0.62,0.63,",
        "c,,,,,,",
    ]


def test_markdown_escapes_bars_and_ends_with_the_notes() -> None:
    """A bar in a name stays inside its cell."""
    lines = markdown_text(TABLE).splitlines()
    assert lines[4] == "| a\\|b | 62.5 (59.0–66.0) | – |"
    assert lines[-1] == "A note."


def test_columns_without_values_are_not_shown() -> None:
    """The cost, here."""
    assert shown_columns(TABLE) == (0, 1)
