"""Word documents as lines."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import docx
import pytest
from docx.oxml import parse_xml
from docx.oxml.ns import nsdecls
from exam_papers import add_counted, add_list

from assay.files.documents.word import in_form, read_word

MATHS = 'xmlns:m="http://schemas.openxmlformats.org/officeDocument/2006/math"'


def saved(document: Any, folder: Path) -> list[str]:
    """Save a document and return its lines' texts."""
    path = folder / "paper.docx"
    document.save(str(path))
    return [line.text for line in read_word(path).lines]


def test_numbers_that_word_counts_are_read(tmp_path: Path) -> None:
    """Questions 1, 2 and options A, B on the level below, which begin again with each question."""
    document = docx.Document()
    add_list(document, 50)
    for question in ("What?", "Why?"):
        add_counted(document, question, 50)
        for option in ("x", "y"):
            add_counted(document, option, 50, level=1)
    assert saved(document, tmp_path) == ["1. What?", "A. x", "B. y", "2. Why?", "A. x", "B. y"]


def test_lists_count_apart_and_in_their_forms(tmp_path: Path) -> None:
    """A Chinese list of headings and an Arabic one go on side by side."""
    document = docx.Document()
    add_list(document, 50, form="chineseCounting", text="%1、")
    add_list(document, 51, text="(%1)")
    for text, number in (("选择题", 50), ("甲", 51), ("判断题", 50), ("乙", 51)):
        add_counted(document, text, number)
    assert saved(document, tmp_path) == ["一、 选择题", "(1) 甲", "二、 判断题", "(2) 乙"]


def test_a_number_that_a_style_counts_is_read(tmp_path: Path) -> None:
    """Word's own style `List Number` holds its list in the style."""
    document = docx.Document()
    for text in ("one", "two"):
        document.add_paragraph(text, style="List Number")
    assert saved(document, tmp_path) == ["1. one", "2. two"]


@pytest.mark.parametrize(
    ("number", "form", "shown"),
    [
        (3, "upperRoman", "III"),
        (28, "upperLetter", "BB"),
        (12, "chineseCounting", "十二"),
        (20, "japaneseCounting", "二十"),
        (4, "decimalEnclosedCircle", "④"),
        (7, "ordinalText", "7"),
    ],
)
def test_numbers_in_word_s_forms(number: int, form: str, shown: str) -> None:
    """Letters go on doubled after Z; what is not known counts in digits."""
    assert in_form(number, form) == shown


def test_raised_text_and_formulas_keep_their_meaning(tmp_path: Path) -> None:
    """x² is not x2, nor is a fraction its digits."""
    document = docx.Document()
    paragraph = document.add_paragraph("x")
    paragraph.add_run("2").font.superscript = True
    paragraph.add_run(" + H")
    paragraph.add_run("2").font.subscript = True
    paragraph.add_run("O, a")
    paragraph.add_run("n+k").font.superscript = True
    paragraph._p.append(
        parse_xml(
            f"<m:oMath {MATHS}><m:f><m:num><m:r><m:t>a+b</m:t></m:r></m:num>"
            "<m:den><m:r><m:t>2</m:t></m:r></m:den></m:f>"
            "<m:sSup><m:e><m:r><m:t>y</m:t></m:r></m:e><m:sup><m:r><m:t>3</m:t></m:r></m:sup></m:sSup>"
            "<m:rad><m:e><m:r><m:t>z</m:t></m:r></m:e></m:rad></m:oMath>"
        )
    )
    assert saved(document, tmp_path) == ["x² + H₂O, a^(n+k)(a+b)/(2)y^(3)√(z)"]


def test_deleted_text_is_left_out_and_line_breaks_are_lines(tmp_path: Path) -> None:
    """What a reviewer struck out is not read, what was put in is."""
    document = docx.Document()
    paragraph = document.add_paragraph("kept")
    paragraph._p.append(
        parse_xml(f'<w:del {nsdecls("w")} w:id="1"><w:r><w:delText>struck</w:delText></w:r></w:del>')
    )
    paragraph._p.append(parse_xml(f'<w:ins {nsdecls("w")} w:id="2"><w:r><w:t> added</w:t></w:r></w:ins>'))
    paragraph.add_run().add_break()
    paragraph.add_run("A. x")
    assert saved(document, tmp_path) == ["kept added", "A. x"]


def test_tables_row_by_row(tmp_path: Path) -> None:
    """Cells of a row, a merged one once."""
    document = docx.Document()
    document.add_paragraph("before")
    table = document.add_table(2, 3)
    for cell, text in zip(table.rows[0].cells, "abc", strict=True):
        cell.text = text
    table.cell(1, 0).merge(table.cell(1, 1)).text = "wide"
    table.cell(1, 2).text = "z"
    path = tmp_path / "paper.docx"
    document.save(str(path))
    found = read_word(path).lines
    assert [(line.cells, line.section, line.number) for line in found[1:]] == [
        (("a", "b", "c"), "table 1", 1),
        (("wide", "z"), "table 1", 2),
    ]


def test_a_picture_marks_its_paragraph(tmp_path: Path) -> None:
    """The text beside it may speak of it."""
    document = docx.Document()
    paragraph = document.add_paragraph("1. What is shown?")
    paragraph._p.append(parse_xml(f"<w:r {nsdecls('w')}><w:drawing/></w:r>"))
    document.add_paragraph("plain")
    path = tmp_path / "paper.docx"
    document.save(str(path))
    assert [line.picture for line in read_word(path).lines] == [True, False]


def test_what_is_not_read_is_told(tmp_path: Path) -> None:
    """A footnote's text stands outside the document's body."""
    document = docx.Document()
    paragraph = document.add_paragraph("1. What?")
    paragraph._p.append(parse_xml(f'<w:r {nsdecls("w")}><w:footnoteReference w:id="2"/></w:r>'))
    document.save(str(tmp_path / "paper.docx"))
    assert read_word(tmp_path / "paper.docx").notes == ["1 footnotes were not read: move them into the text"]
