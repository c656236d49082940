"""Text files of a folder in blocks: every kind of file, packed or not, with the right lines."""

from __future__ import annotations

import gzip
from pathlib import Path

import pytest

from assay.core.errors import InvalidInput, NotFound
from assay.files import text_folder
from assay.files.text_folder import text_blocks, text_files


def test_text_files_are_listed_in_order_and_others_counted(tmp_path: Path) -> None:
    """Folders are searched; a picture is counted and not read."""
    (tmp_path / "b").mkdir()
    for name in ("z.md", "a.txt", "b/c.csv", "b/d.jsonl.gz", "e.png"):
        (tmp_path / name).write_text("x")
    files, others = text_files(tmp_path)
    assert [path.relative_to(tmp_path).as_posix() for path in files] == [
        *("a.txt", "z.md", "b/c.csv", "b/d.jsonl.gz")
    ]
    assert others == 1
    assert text_files(tmp_path / "z.md") == ([tmp_path / "z.md"], 0)


def test_a_folder_without_text_is_refused(tmp_path: Path) -> None:
    """The message says which files are read."""
    with pytest.raises(InvalidInput, match=r"give files that end in \.txt"):
        text_files(tmp_path)
    with pytest.raises(NotFound, match="check the path"):
        text_files(tmp_path / "none")


def test_values_of_json_lines_are_joined_and_keep_their_line(tmp_path: Path) -> None:
    """Keys and numbers are left out, escapes are resolved, and a bad line is read as text."""
    path = tmp_path / "a.jsonl"
    path.write_text('{"q": "caf\\u00e9\\nau lait", "n": [1, {"x": "two"}], "y": "three"}\nnot json\n')
    assert list(text_blocks(path)) == [(1, "café au lait two three\nnot json")]


@pytest.mark.parametrize("encoding", ["utf-8", "gb18030", "utf-16"])
def test_texts_in_other_encodings_are_read(tmp_path: Path, encoding: str) -> None:
    """Chinese in UTF-8, GB 18030 and UTF-16 gives the same text."""
    path = tmp_path / "a.txt"
    path.write_bytes("下列关于中国古代的说法\n正确的是\n".encode(encoding))
    assert list(text_blocks(path)) == [(1, "下列关于中国古代的说法\n正确的是")]


def test_blocks_have_the_number_of_their_first_line(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A packed file is read in blocks, and a long line is cut between words."""
    monkeypatch.setattr(text_folder, "BLOCK", 20)
    path = tmp_path / "a.txt.gz"
    path.write_bytes(gzip.compress(b"one two three\nfour five six\nseven\n" + b"word " * 20))
    blocks = list(text_blocks(path))
    assert [line for line, _ in blocks] == [1, 3, *[4] * (len(blocks) - 2)]
    assert " ".join(text for _, text in blocks).split()[5:8] == ["six", "seven", "word"]
    assert "".join(text for _, text in blocks).count("word") == 20
    assert all(len(text) <= 41 for _, text in blocks)
