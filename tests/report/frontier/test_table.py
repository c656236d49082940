"""Tables of a frontier's report: how values are written, and what CSV and Markdown hold."""

from __future__ import annotations

import pytest

from assay.frontier.estimate import Estimate
from assay.report.frontier.table import (
    Column,
    Kind,
    Table,
    Value,
    cell_text,
    csv_text,
    markdown_text,
    shown_columns,
)
from assay.stats.intervals import Interval

BOTH = Estimate(0.625, Interval(0.59, 0.66, 0.9), Interval(0.62, 0.63, 0.9))


@pytest.mark.parametrize(
    ("value", "kind", "text"),
    [
        (BOTH, Kind.SHARE, "62.5 (59.0–66.0)"),
        (Estimate(-0.001, Interval(-0.02, 0.01, 0.9)), Kind.SHARE, "−0.1 (−2.0 to 1.0)"),
        (Estimate(0.2, Interval(-1e-17, 0.5, 0.9)), Kind.SHARE, "20.0 (0.0–50.0)"),
        (0.00004213, Kind.COST, "0.0000421"),
        (0.0596, Kind.COST, "0.0596"),
        (1234.5, Kind.COST, "1,234"),
        (17_200, Kind.COUNT, "17,200"),
        (float("nan"), Kind.NUMBER, "–"),
        (None, Kind.COST, "–"),
        ("a", Kind.TEXT, "a"),
        (0.97, Kind.FIXED, "0.970"),
    ],
)
def test_how_values_are_written(value: Value, kind: Kind, text: str) -> None:
    """Per cent with one decimal, costs without powers of ten, true minus signs, a dash for nothing."""
    assert cell_text(value, kind) == text


TABLE = Table(
    "table-1",
    "Table 1",
    (
        Column("rows", "prompts"),
        Column("q", "quality, %", Kind.SHARE, bounds=True),
        Column("cost", "cost", Kind.COST),
    ),
    (("a|b", BOTH, None), ("c", Estimate(None), None)),
    ("A note.",),
)


def test_csv_holds_raw_values_and_both_intervals() -> None:
    """Shares stay 0-1; an empty cell is what is not known."""
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


def test_columns_that_nobody_knows_are_not_shown() -> None:
    """The cost, here."""
    assert shown_columns(TABLE) == (0, 1)
