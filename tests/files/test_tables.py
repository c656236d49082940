"""Tables are read from CSV, Parquet and JSON lines, packed or not, and written whole."""

from __future__ import annotations

import gzip
from pathlib import Path

import pytest
import zstandard
from table_files import write_table

from assay.core.errors import InvalidInput, NotFound
from assay.files.tables import open_table, querying

CSV = b"name,mark\na,1\nb,\n"
ROWS = [("a", "1"), ("b", None)]


def rows(path: Path) -> list[tuple[object, ...]]:
    """All rows of a table, in order."""
    table = open_table(path)
    with querying(path) as connection:
        return connection.execute(f"SELECT * FROM {table.source}").fetchall()


@pytest.mark.parametrize(
    ("name", "content"),
    [
        ("t.csv", CSV),
        ("t.CSV", CSV),
        ("t.csv", b"\xef\xbb\xbfname;mark\r\na;1\r\nb;\r\n"),
        ("t.tsv", b'name\tmark\n"a"\t1\nb\t\n'),
        ("t.csv.gz", gzip.compress(CSV, mtime=0)),
        ("t.csv.zst", zstandard.compress(CSV)),
        ("t.jsonl", b'{"name":"a","mark":1}\n{"name":"b","mark":null}\n'),
        ("t.jsonl.zst", zstandard.compress(b'{"name":"a","mark":"1"}\n{"name":"b"}\n')),
        ("t.json", b'[{"name":"a","mark":1},{"name":"b"}]'),
    ],
)
def test_formats(name: str, content: bytes, tmp_path: Path) -> None:
    """Separators, byte-order marks, compression and JSON give the same rows, as text."""
    path = tmp_path / name
    path.write_bytes(content)
    assert rows(path) == ROWS


def test_texts_of_our_own_csv_files_are_read_back(tmp_path: Path) -> None:
    """The apostrophe before a text like a formula is removed; other apostrophes stay."""
    path = tmp_path / "t.csv"
    path.write_text("name,mark\n'=x,''+y\n'z,'5\n")
    assert rows(path) == [("=x", "'+y"), ("'z", "'5")]


def test_a_separator_within_lines_is_no_new_row(tmp_path: Path) -> None:
    """JSON lines end at a line feed alone; CSV texts may hold line feeds within quotes."""
    jsonl, csv = tmp_path / "t.jsonl", tmp_path / "t.csv"
    jsonl.write_text('{"name":"a\u2028b"}\n')
    csv.write_text('name,mark\n"a\nb, ""c""",1\n')
    assert (rows(jsonl), rows(csv)) == ([("a\u2028b",)], [('a\nb, "c"', "1")])


@pytest.mark.parametrize(
    ("content", "line", "words"),
    [
        (CSV + b"c,1,2\n", 4, "Expected Number of Columns: 2 Found: 3"),
        (CSV + b"c\n", 4, "Expected Number of Columns: 2 Found: 1"),
        (CSV + b'c,"1\n', 4, "unterminated quote"),
        (b"name,mark\nc\xff,1\n", 2, "utf-8"),
        (b"name,name\na,1\n", 1, "two columns are called 'name'"),
        (b"", None, "no header"),
    ],
)
def test_broken_csv(content: bytes, line: int | None, words: str, tmp_path: Path) -> None:
    """A row that does not fit is refused with its line, never dropped."""
    path = tmp_path / "t.csv"
    path.write_bytes(content)
    with pytest.raises(InvalidInput) as caught:
        rows(path)
    [problem] = caught.value.problems
    assert (problem.file, problem.line, words in problem.text) == (str(path), line, True), problem


def test_a_broken_row_far_down(tmp_path: Path) -> None:
    """A fault beyond what a sniffer would look at is found too."""
    path = tmp_path / "t.csv"
    path.write_bytes(b"name,mark\n" + b"a,1\n" * 50_000 + b"a,1,2\n")
    with pytest.raises(InvalidInput, match="50002"):
        rows(path)


def test_broken_json(tmp_path: Path) -> None:
    """A line that is no JSON is refused with its number."""
    path = tmp_path / "t.jsonl"
    path.write_text('{"name":"a"}\n{"name"\n')
    with pytest.raises(InvalidInput, match="Malformed JSON"):
        rows(path)


@pytest.mark.parametrize(
    ("name", "words"), [("t.xlsx", "give .csv"), ("t[1].csv", "rename"), ("t.parquet", "Parquet")]
)
def test_what_is_no_table(name: str, words: str, tmp_path: Path) -> None:
    """Other files are refused with what to give."""
    path = tmp_path / name
    path.write_text("x")
    with pytest.raises(InvalidInput, match=words):
        rows(path)


def test_a_missing_table(tmp_path: Path) -> None:
    """A file that is not there is not found."""
    with pytest.raises(NotFound):
        open_table(tmp_path / "t.csv")


@pytest.mark.parametrize("name", ["t.csv", "t.jsonl", "t.parquet", "it's.parquet"])
def test_every_text_and_number_is_read(name: str, tmp_path: Path) -> None:
    """Text with quotes and line feeds, numbers and blanks are read as they were written."""
    path = tmp_path / name
    write_table(path, {"name": "VARCHAR", "mark": "DOUBLE"}, [("a\n'b\", é", 0.1), ("c", None)])
    text = [(name, None if mark is None else float(str(mark))) for name, mark in rows(path)]
    assert text == [("a\n'b\", é", 0.1), ("c", None)]


def test_parquet_keeps_types(tmp_path: Path) -> None:
    """Booleans, whole numbers and fractions keep their types in Parquet."""
    path = tmp_path / "t.parquet"
    write_table(path, {"a": "BOOLEAN", "b": "BIGINT", "c": "DOUBLE"}, [(True, 2, 3.0)])
    assert [type(value) for value in rows(path)[0]] == [bool, int, float]


def test_nothing_is_fetched(tmp_path: Path) -> None:
    """DuckDB neither installs nor loads extensions by itself."""
    path = tmp_path / "t.csv"
    path.write_bytes(CSV)
    query = (
        "SELECT current_setting('autoinstall_known_extensions'), current_setting('autoload_known_extensions')"
    )
    with querying(path) as connection:
        assert connection.execute(query).fetchall() == [(False, False)]


@pytest.mark.parametrize("content", [b'name,mark\r\n"a\nb",1\r\n', b'name,mark\n"a\r\nb",1\n'])
def test_a_line_end_within_quotes_may_be_of_the_other_kind(content: bytes, tmp_path: Path) -> None:
    """Prompts of several lines, as Python's csv writes them, are read whole."""
    path = tmp_path / "t.csv"
    path.write_bytes(content)
    ((name, mark),) = rows(path)
    assert (str(name).split(), mark) == (["a", "b"], "1")
