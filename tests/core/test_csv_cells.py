"""CSV for people: no formulas, numbers stay, and texts come back."""

from __future__ import annotations

import csv
import io
import re
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from assay.core.csv_cells import CsvWriter, plain_text, safe_cell

SOURCES = Path(__file__).parents[2] / "src" / "assay"


@pytest.mark.parametrize(
    "text",
    ["=1+1", "+cmd|' /C calc'!A0", "-2+3", "@SUM(A1)", "\t=1", "\r=1", "\n=1", "-", "'=1", "--5", "-5%"],
)
def test_a_text_like_a_formula_is_made_a_text(text: str) -> None:
    """An apostrophe stands before it, and goes when it is read."""
    assert safe_cell(text) == f"'{text}"
    assert plain_text(f"'{text}") == text


@pytest.mark.parametrize(
    "value", ["-5", "+3.2e5", "-.5", "-1.", -5, -0.25, None, True, "a=b", "'tis", "", "5-3"]
)
def test_numbers_and_other_cells_stay(value: object) -> None:
    """A negative number is no formula, whether it is a number or a text."""
    assert safe_cell(value) == value


@given(st.text(alphabet="'=+-@\t\r\n5a.,\"", max_size=6))
def test_every_text_comes_back(text: str) -> None:
    """Written, read by Python's csv, and freed of the apostrophe; only a number begins like a formula."""
    out = io.StringIO(newline="")
    CsvWriter(out).row([text, "end"])
    cell = next(csv.reader(io.StringIO(out.getvalue(), newline="")))[0]
    assert plain_text(cell) == text
    assert cell[:1] not in {"=", "@", "\t", "\r", "\n"}
    assert cell[:1] not in {"+", "-"} or float(cell) is not None


def test_csv_is_written_in_one_place() -> None:
    """No other module makes a writer of Python's csv."""
    writing = re.compile(r"csv\.(?:writer|DictWriter)|\bto_csv\(")
    found = [path for path in SOURCES.rglob("*.py") if writing.search(path.read_text(encoding="utf-8"))]
    assert [path.name for path in found] == ["csv_cells.py"]
