"""Reading judges' marks by key and position."""

from __future__ import annotations

from sqlalchemy import Engine

from assay.store.marks import marks_by_key, readable_marks
from assay.store.rows import Batch, MarkRow
from assay.store.writer import LedgerWriter

FAR = 2**40


def row(position: int, value: float | None, key: bytes, *, at: float = 1.0, reused: int = 0) -> MarkRow:
    """Return a mark of judge 7 in run 1."""
    reason = None if value is not None else "unreadable"
    return MarkRow(1, position, 0, 7, "rubric", value, reason, f"at {at}", "json", key, reused, at)


def written(engine: Engine, *rows: MarkRow) -> None:
    """Commit marks, each in a batch of its own."""
    writer = LedgerWriter(engine)
    for row in rows:
        batch = Batch()
        batch.marks.append(row)
        writer.commit(batch)
    writer.close()


def test_the_newest_readable_mark_of_a_key_counts(engine: Engine) -> None:
    """The newest readable mark of a key is returned; keys without one are left out."""
    rows = [
        row(1, 2.0, b"a", at=1),
        row(2, 4.0, b"a", at=3),
        row(3, 3.0, b"a", at=2),
        row(4, None, b"b", at=9),
    ]
    written(engine, *rows)
    newest = marks_by_key(engine, [b"a", b"b", b"c"])
    assert {key: (mark.value, mark.rationale) for key, mark in newest.items()} == {b"a": (4.0, "at 3")}


def test_more_keys_than_one_query_takes(engine: Engine) -> None:
    """1,001 keys, half of them known, take several queries."""
    keys = [f"{number:04}".encode() for number in range(1001)]
    written(engine, *(row(number, 5.0, key) for number, key in enumerate(keys[::20])))
    assert set(marks_by_key(engine, keys)) == set(keys[::20])


def test_readable_marks_of_a_span(engine: Engine) -> None:
    """Marks of these judges and positions are returned, without unreadable ones."""
    written(engine, row(1, 2.0, b"a"), row(FAR, 3.0, b"b"), row(FAR + 1, None, b"c"), row(FAR + 2, 4.0, b"d"))
    assert readable_marks(engine, 1, [7], (FAR, FAR + 1)) == {FAR: {(0, 7, "rubric")}}
    assert readable_marks(engine, 1, [8], (0, FAR)) == {}


def test_a_mark_for_another_question_replaces_the_earlier_one(engine: Engine) -> None:
    """A mark with another key replaces it, reused or not; with the same key the first one is kept."""
    written(engine, row(1, 2.0, b"a", at=1), row(1, 2.0, b"a", at=5, reused=1))
    assert marks_by_key(engine, [b"a"])[b"a"].marked_at == 1
    written(engine, row(1, 4.0, b"b", at=6, reused=1))
    assert marks_by_key(engine, [b"a", b"b"])[b"b"].value == 4.0
    assert b"a" not in marks_by_key(engine, [b"a", b"b"])
    written(engine, row(1, 5.0, b"b", at=7))
    assert marks_by_key(engine, [b"b"])[b"b"].value == 5.0
