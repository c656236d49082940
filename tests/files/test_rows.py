"""Rows of tables with their lines: what is wrong with one does not stop the others."""

from __future__ import annotations

import gzip
from pathlib import Path

import pytest
from table_files import write_table

from assay.core.errors import InvalidInput, NotFound
from assay.files.rows import open_rows


def read(path: Path) -> tuple[list[tuple[int | None, dict[str, str | None]]], list[str]]:
    """Return the good rows with their lines, and the problems."""
    rows = open_rows(path)
    good = [(row.place.line, dict(row.cells)) for row in rows]
    return good, [str(problem).removeprefix(str(path)) for problem in rows.problems]


def test_csv_rows_know_their_line(tmp_path: Path) -> None:
    """A cell over several lines counts them; blank lines are nobody's; blanks are None."""
    path = tmp_path / "a.csv"
    path.write_text('a,b\n1,"two\nlines"\n\n2, \n')
    assert read(path) == ([(2, {"a": "1", "b": "two\nlines"}), (5, {"a": "2", "b": None})], [])


def test_wrong_csv_rows_are_told_with_their_line(tmp_path: Path) -> None:
    """Too few cells, too many, text after a quote, no UTF-8, a quote that is never closed."""
    path = tmp_path / "a.csv"
    path.write_bytes(b'a,b\n1\n1,2,3\n"x"y,2\n\xff,2\n3,4\n"5,6\n7,8\n')
    good, problems = read(path)
    assert good == [(6, {"a": "3", "b": "4"})]
    assert [problem.split(" ", 1)[0] for problem in problems] == [":2:", ":3:", ":4:", ":5:", ":7:"]
    assert "the row has 1 cells, the header 2" in problems[0]
    assert "UTF-8" in problems[3]


def test_texts_of_our_own_csv_files_are_read_back(tmp_path: Path) -> None:
    """The apostrophe before a text like a formula is removed."""
    path = tmp_path / "a.csv"
    path.write_text("a,b\n'=x,'y\n")
    assert read(path)[0] == [(2, {"a": "=x", "b": "'y"})]


def test_a_long_cell_is_read(tmp_path: Path) -> None:
    """Answers may be longer than the csv module's own limit."""
    path = tmp_path / "a.csv"
    path.write_text(f"a\n{'x' * 200_000}\n")
    assert len(read(path)[0][0][1]["a"] or "") == 200_000


def test_json_lines(tmp_path: Path) -> None:
    """Numbers and booleans become text; a broken line and one that is no object are told."""
    path = tmp_path / "a.jsonl.gz"
    path.write_bytes(gzip.compress(b'{"a": 1.5, "b": true}\n\n{broken\n[1]\n{"a": null, "b": " x "}\n'))
    good, problems = read(path)
    assert good == [(1, {"a": "1.5", "b": "true"}), (5, {"a": None, "b": "x"})]
    assert [problem.split(": ")[0] for problem in problems] == [":3", ":4"]


def test_a_json_array_has_row_numbers(tmp_path: Path) -> None:
    """It has no lines to name."""
    path = tmp_path / "a.json"
    path.write_text('[{"a": 1},\n 2]')
    [problem] = read(path)[1]
    assert (read(path)[0], problem.partition(": write")[0]) == (
        [(None, {"a": "1"})],
        ": row 2: the row is not a JSON object",
    )


def test_parquet(tmp_path: Path) -> None:
    """Values come as text."""
    path = tmp_path / "a.parquet"
    write_table(path, {"a": "VARCHAR", "b": "DOUBLE"}, [("x", 1.0), (None, 2.5)])
    assert read(path)[0] == [(None, {"a": "x", "b": "1.0"}), (None, {"a": None, "b": "2.5"})]


@pytest.mark.parametrize(
    ("name", "text", "says"),
    [
        ("a.csv", "", "no header"),
        ("a.csv", "a,a\n1,2\n", "two columns are called 'a'"),
        ("a.json", "{}", "not an array"),
        ("a.json", "[", "invalid JSON"),
        ("a.txt", "a\n", "unknown kind of table '.txt'"),
    ],
    ids=["empty", "twice", "object", "broken", "suffix"],
)
def test_what_is_no_table_is_refused(tmp_path: Path, name: str, text: str, says: str) -> None:
    """With the reason."""
    (tmp_path / name).write_text(text)
    with pytest.raises(InvalidInput, match=says):
        open_rows(tmp_path / name)


def test_no_file(tmp_path: Path) -> None:
    """It is told as not there."""
    with pytest.raises(NotFound):
        open_rows(tmp_path / "none.csv")
