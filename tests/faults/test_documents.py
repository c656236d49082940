"""Damaged and hostile documents: each is refused in one line, in bounded memory, and the next is read."""

from __future__ import annotations

import json
import os
import re
import subprocess
import sys
import warnings
import zipfile
from collections.abc import Callable, Mapping
from contextlib import suppress
from pathlib import Path
from random import Random
from typing import Any

import pytest
from exam_papers import write_book, write_pdf, write_word
from hostile_documents import BOMBS, book, cell, gz, paragraph, repacked, word, zst

from assay.core.errors import InvalidInput
from assay.files.documents.document import DocumentLines, DocumentRecords
from assay.files.documents.opening import open_document

CHILD = Path(__file__).with_name("document_child.py")
MOST = 1024
"""MiB that reading any document may take: the process itself is some 80 of them."""


def opened(path: Path) -> dict[str, Any]:
    """Read a document in a process of its own, and return what became of it."""
    done = subprocess.run(
        [sys.executable, str(CHILD), str(path)],
        capture_output=True,
        text=True,
        check=False,
        env={**os.environ, "PYTHONWARNINGS": "ignore"},
    )
    assert done.returncode == 0, done.stderr[-2000:]
    found: dict[str, Any] = json.loads(done.stdout)
    return found


@pytest.mark.slow
@pytest.mark.parametrize("name", BOMBS)
def test_a_bomb_is_refused_in_bounded_memory(tmp_path: Path, name: str) -> None:
    """Whatever it unpacks to, and whichever reader it is meant for."""
    write, told = BOMBS[name]
    found = opened(write(tmp_path / name))
    assert found["peak"] < MOST
    if told:
        assert name in (found["refused"] or "")
        assert re.search(told, found["refused"]), found["refused"]
        assert "\n" not in found["refused"]


HARMLESS: Mapping[str, Callable[[Path], Path]] = {
    ".docx": lambda path: write_word(path, ["1. What?", "A. x", "B. y", "Answer: A"]),
    ".xlsx": lambda path: write_book(path, {"One": [["question", "answer"], ["What?", "x"]]}),
    ".pdf": lambda path: write_pdf(path, [["1. What?", "A. x", "B. y", "Answer: A"]]),
    ".jsonl.gz": lambda path: gz(path, b'{"question": "What?", "answer": "x"}\n', 1000),
    ".jsonl.zst": lambda path: zst(path, b'{"question": "What?", "answer": "x"}\n', 1000),
}


def walked(path: Path) -> int:
    """Open a document and count what it holds."""
    found = open_document(path)
    return len(found.lines) if isinstance(found, DocumentLines) else sum(1 for _ in found)


@pytest.mark.parametrize("suffix", HARMLESS)
@pytest.mark.parametrize("share", [0.02, 0.3, 0.6, 0.9, 0.99])
def test_a_truncated_file_is_refused_in_one_line(tmp_path: Path, suffix: str, share: float) -> None:
    """Wherever it was cut, the refusal names the file; a PDF that pypdf can mend may be read."""
    whole = HARMLESS[suffix](tmp_path / f"whole{suffix}").read_bytes()
    path = tmp_path / f"cut{suffix}"
    path.write_bytes(whole[: int(len(whole) * share)])
    try:
        walked(path)
    except InvalidInput as error:
        assert path.name in str(error)
        assert "\n" not in str(error)
    else:
        assert suffix == ".pdf"


@pytest.mark.parametrize("suffix", [".docx", ".xlsx", ".pdf"])
@pytest.mark.parametrize("seed", range(12))
def test_a_file_with_altered_bytes_is_read_or_refused(tmp_path: Path, suffix: str, seed: int) -> None:
    """Twenty bytes changed anywhere never raise anything but InvalidInput."""
    path = HARMLESS[suffix](tmp_path / f"altered{suffix}")
    raw, random = bytearray(path.read_bytes()), Random(seed)
    for _ in range(20):
        raw[random.randrange(len(raw))] = random.randrange(256)
    path.write_bytes(raw)
    with suppress(InvalidInput), warnings.catch_warnings():
        warnings.simplefilter("ignore")
        walked(path)


@pytest.mark.parametrize(
    "part",
    [
        "word/document.xml",
        "[Content_Types].xml",
        "word/_rels/document.xml.rels",
        "xl/workbook.xml",
        "xl/worksheets/sheet1.xml",
        "xl/styles.xml",
    ],
)
@pytest.mark.parametrize("content", ["<a><b></a>", "<a/>", "", "<a>&nbsp;</a>"])
def test_a_part_with_other_content_is_refused(tmp_path: Path, part: str, content: str) -> None:
    """Whichever part of a Word document or a workbook it is, well-formed or not."""
    suffix = ".xlsx" if part.startswith("xl/") else ".docx"
    path = repacked(HARMLESS[suffix](tmp_path / f"damaged{suffix}"), {part: content})
    if part == "xl/styles.xml" and content == "<a/>":
        with warnings.catch_warnings():  # a workbook can be read without its styles
            warnings.simplefilter("ignore")
            walked(path)
        return
    with pytest.raises(InvalidInput, match=r"damaged\."):
        walked(path)


@pytest.mark.parametrize(
    "name", ["../../outside.xml", "/outside.xml", "C:\\outside.xml", "word\\..\\..\\outside.xml"]
)
def test_a_name_that_leads_out_of_the_file_is_refused(tmp_path: Path, name: str) -> None:
    """Nothing is ever written, and no Office program writes such a name."""
    path = repacked(write_word(tmp_path / "paper.docx", ["1. What?"]), {name: "<a/>"})
    with pytest.raises(InvalidInput, match=r"leads out of the file"):
        walked(path)
    assert [each.name for each in tmp_path.iterdir()] == ["paper.docx"]


def test_two_parts_of_one_name_are_refused(tmp_path: Path) -> None:
    """Which of the two counts would be a matter of the reader."""
    path = write_word(tmp_path / "paper.docx", ["1. What?"])
    with zipfile.ZipFile(path, "a") as file, warnings.catch_warnings():
        warnings.simplefilter("ignore")
        file.writestr("word/document.xml", "<a/>")
    with pytest.raises(InvalidInput, match=r"two parts 'word/document\.xml'"):
        walked(path)


def test_a_million_empty_rows_are_not_read(tmp_path: Path) -> None:
    """Rows below the last value do not count."""
    rows = f'<row r="2">{cell("A2", "x")}{cell("B2", "y")}</row><row r="1048576"/>'
    assert walked(book(tmp_path / "a.xlsx", rows)) == 2


def test_a_formula_without_a_stored_result_is_a_reject(tmp_path: Path) -> None:
    """Its cell would be read as blank; a formula with a result is read as that."""
    rows = (
        f'<row r="2">{cell("A2", "x")}<c r="B2"><f>A1</f></c></row>'
        f'<row r="3">{cell("A3", "x")}<c r="B3" t="str"><f>A1</f><v>y</v></c></row>'
        f'<row r="4">{cell("A4", "x")}<c r="B4" t="e"><f>1/0</f><v>#DIV/0!</v></c></row>'
    )
    found = open_document(book(tmp_path / "a.xlsx", rows))
    assert isinstance(found, DocumentRecords)
    read = list(found)[1:]
    assert "formula without a result" in read[0].fault
    assert read[1].value == {"question": "x", "answer": "y"}
    assert "the error #DIV/0!" in read[2].fault


def test_cells_of_unlikely_length_are_rejects(tmp_path: Path) -> None:
    """Excel's own limit is 32,767 characters."""
    rows = f'<row r="2">{cell("A2", "x" * 40_000)}{cell("B2", "y")}</row>'
    found = open_document(book(tmp_path / "a.xlsx", rows))
    assert "32,767" in list(found)[1].fault if isinstance(found, DocumentRecords) else False


def test_tracked_changes_are_read_as_accepted_and_hidden_text_is_told(tmp_path: Path) -> None:
    """Deleted text, deleted rows and hidden text stay out; inserted text and content controls are read."""
    body = (
        paragraph("1. What?")
        + "<w:p><w:r><w:t>A. x</w:t></w:r><w:r><w:rPr><w:vanish/></w:rPr><w:t> (right)</w:t></w:r></w:p>"
        + '<w:p><w:del w:id="1"><w:r><w:delText>B. old</w:delText></w:r></w:del>'
        + '<w:ins w:id="2"><w:r><w:t>B. new</w:t></w:r></w:ins></w:p>'
        + f"<w:sdt><w:sdtContent>{paragraph('C. z')}</w:sdtContent></w:sdt>"
        + f'<w:tbl><w:tr><w:trPr><w:del w:id="3"/></w:trPr><w:tc>{paragraph("gone")}</w:tc></w:tr>'
        + f"<w:tr><w:tc>{paragraph('kept')}</w:tc></w:tr></w:tbl>"
    )
    found = open_document(word(tmp_path / "paper.docx", body))
    assert isinstance(found, DocumentLines)
    assert [line.text for line in found.lines] == ["1. What?", "A. x", "B. new", "C. z", "kept"]
    assert found.notes == ["1 passages of hidden text were not read: move them into the text"]
