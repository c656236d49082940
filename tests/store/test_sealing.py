"""Rows of sealed suites are encrypted, and can be opened in their own row only."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st
from sqlalchemy import select

from assay.core.errors import Denied
from assay.files.sealing import KeySealer
from assay.store.engine import open_database
from assay.store.rows import Batch, GradeRow, MarkRow, SampleRow
from assay.store.schema import marks
from assay.store.sealing import PLACEHOLDER, filled, open_row, seal_batch, seal_row
from assay.store.unsaved import keep_batches, kept_files

SEALER = KeySealer(bytes(32))
TEXT = st.text(st.characters(codec="utf-8"), max_size=200)


@dataclass(frozen=True)
class Place:
    """A replacement for an engine with a key."""

    def get_execution_options(self) -> dict[str, object]:
        """Return the option that holds the key."""
        return {"assay_suite_sealer": lambda: SEALER}


def mark(value: float | None, reason: str | None = None, *, judge: int = 1) -> MarkRow:
    """Return a mark on sample 3 of run 7."""
    return MarkRow(7, 3, 0, judge, "rubric", value, reason, "because of B", "single", None, 0, 1.0)


@given(value=st.none() | st.floats(0, 1), reason=st.none() | TEXT, evidence=TEXT)
def test_a_row_opens_as_it_was(value: float | None, reason: str | None, evidence: str) -> None:
    """This holds for any values."""
    row = GradeRow(1, 2, 0, "choice", value, reason, evidence)
    closed = seal_row(row, SEALER)
    assert (closed.value, closed.evidence) == (None, "{}")
    assert open_row(closed, Place()) == row  # type: ignore[arg-type]


def test_right_and_wrong_look_alike() -> None:
    """Two scores are sealed in different bytes of the same length."""
    right, wrong, again = (
        seal_row(SampleRow(1, 2, 1, 0, 0, "ok", score, 0, 1.0), SEALER) for score in (100.0, 0.0, 100.0)
    )
    assert right.sealed is not None and wrong.sealed is not None and again.sealed is not None
    assert len(right.sealed) == len(wrong.sealed)
    assert right.sealed != again.sealed


def test_a_row_opens_in_no_other_place() -> None:
    """A judge's sealed mark, put into another judge's row, is refused."""
    closed = seal_row(mark(4.0), SEALER)
    with pytest.raises(Denied, match="altered"):
        open_row(closed._replace(judge=2), Place())  # type: ignore[arg-type]


def test_a_mark_that_could_not_be_read_still_counts_as_none(tmp_path: Path) -> None:
    """SQL distinguishes readable marks from others without the key."""
    engine = open_database(str(tmp_path / "assay.db"))
    unread = seal_row(mark(None, "no number", judge=2), SEALER)
    rows = [seal_row(mark(4.0), SEALER), unread, mark(None, "no number", judge=3)]
    with engine.begin() as connection:
        connection.execute(marks.insert(), [row._asdict() for row in rows])
        readable = connection.execute(select(marks.c.judge).where(filled(marks, "value"))).scalars().all()
    engine.dispose()
    assert readable == [1]
    assert unread.reason == PLACEHOLDER


def test_rows_that_could_not_be_committed_are_sealed_in_the_file(tmp_path: Path) -> None:
    """Rows in a file beside the database are sealed, too."""
    engine = open_database(str(tmp_path / "assay.db"))
    batch = Batch()
    batch.marks.append(mark(4.0))
    keep_batches(engine, "w", 0, [seal_batch(batch, lambda run: True, lambda: SEALER)])
    text = kept_files(engine, 7)[0].read_text()
    engine.dispose()
    assert "because of B" not in text
    assert "sealed" in text
