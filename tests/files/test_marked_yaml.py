"""YAML is read with lines, and what cannot be read is a problem with its place."""

from __future__ import annotations

from pathlib import Path

from every_row import every_row

from assay.files.marked_yaml import parse, read


def test_lines_of_keys_and_items() -> None:
    """Every key and item knows its line; an unknown place takes the nearest one above."""
    marked = parse("a: 1\nb:\n  - x\n  - y: |\n      z\n", "f.yaml")
    places = [("a",), ("b", 0), ("b", 1, "y"), ("b", 1, "missing"), ("gone",)]
    assert [marked.line(place) for place in places] == [1, 3, 4, 4, 1]


def test_only_json_scalars_are_converted() -> None:
    """Words, times, dates and numbers with leading zeros stay the text that was written."""
    text = "[no, 16:30, 2024-01-31, 007, 1_000, .5, 1.5, -2, 1e3, ~, true, '3']"
    expected = ["no", "16:30", "2024-01-31", "007", "1_000", ".5", 1.5, -2, 1000.0, None, True, "3"]
    assert parse(text, "f.yaml").value == expected


@every_row(
    "text, line, words",
    [
        ("a: 1\na: 2\n", 2, "duplicate key 'a' (first on line 1)"),
        ("a: 1\nb: &x 1\nc: *x\n", 3, "such as `*x`"),
        ("a:\tb\n\tc: d", 2, "indent with spaces"),
        ("x: 1\na: b: c", 2, "quote text"),
        ("a: 1\n\x00", 2, "forbidden"),
        ("a: 1\n---\nb: 2", 2, "another document"),
        ("a: !!python/object:os.system x", 1, "tag"),
        ("? [a]\n: b", 1, "key must be text"),
        ("a: " + "[" * 100_000, 1, "deeper than 64 levels"),
        ("a: " + "9" * 5000, 1, "5000 digits"),
    ],
)
def test_what_is_not_read(text: str, line: int, words: str) -> None:
    """A text that YAML or Assay does not read is refused with its line and what to do."""
    [problem] = parse(text, "f.yaml").problems
    assert (problem.line, words in problem.text) == (line, True), problem


def test_not_utf8(tmp_path: Path) -> None:
    """A file in another encoding is refused with the byte."""
    path = tmp_path / "f.yaml"
    path.write_bytes("a: é".encode("latin-1"))
    assert [str(problem) for problem in read(path, "f.yaml").problems] == [
        "f.yaml: the text is not UTF-8 at byte 3: save the file as UTF-8"
    ]


def test_a_byte_order_mark_is_skipped(tmp_path: Path) -> None:
    """A file saved by Windows' editor reads like any other."""
    path = tmp_path / "f.yaml"
    path.write_bytes(b"\xef\xbb\xbfa: 1")
    assert read(path, "f.yaml").value == {"a": 1}


def test_a_missing_file(tmp_path: Path) -> None:
    """A file that is not there is a problem that names it."""
    [problem] = read(tmp_path / "gone.yaml", "gone.yaml").problems
    assert (problem.file, problem.text.partition(":")[0]) == (
        "gone.yaml",
        "cannot read the file (no such file or directory)",
    )
