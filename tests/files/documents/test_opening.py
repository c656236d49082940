"""Opening files of questions: documents as lines, tables as records, bad files with one message."""

from __future__ import annotations

import gzip
from pathlib import Path

import pytest
from exam_papers import write_book, write_pdf, write_word

from assay.core.errors import InvalidInput, NotFound
from assay.files.documents.document import DocumentLines, DocumentRecords, Line, span
from assay.files.documents.opening import open_document


def lines(path: Path) -> DocumentLines:
    """Open a document."""
    found = open_document(path)
    assert isinstance(found, DocumentLines)
    return found


def records(path: Path) -> DocumentRecords:
    """Open a table."""
    found = open_document(path)
    assert isinstance(found, DocumentRecords)
    return found


@pytest.mark.parametrize("encoding", ["utf-8", "utf-8-sig", "gb18030", "utf-16", "utf-16-le"])
def test_a_text_in_any_encoding(tmp_path: Path, encoding: str) -> None:
    """Simplified Chinese as UTF-8, GB18030, UTF-16 with and without a mark."""
    path = tmp_path / "paper.txt"
    text = "一、选择题\n1. 下列说法正确的是（ ）。\nA. 中国人民\nB. 世界历史 plain text\n"
    path.write_bytes(text.encode(encoding))
    assert [line.text for line in lines(path).lines] == text.split("\n")[:-1]


def test_big5_and_latin_texts(tmp_path: Path) -> None:
    """Traditional Chinese as Big5; French as Latin-1."""
    for text, encoding in [
        ("選擇題：下列關於歷史的說法，正確的是？", "big5"),
        ("Où est l'élève français? Déjà là.", "latin-1"),
    ]:
        path = tmp_path / "paper.txt"
        path.write_bytes(text.encode(encoding))
        assert [line.text for line in lines(path).lines] == [text]


def test_the_encoding_is_told(tmp_path: Path) -> None:
    """So that a wrong guess can be seen."""
    path = tmp_path / "paper.txt"
    path.write_bytes("下列说法正确的是".encode("gb18030"))
    assert lines(path).encoding == "gb18030"


@pytest.mark.parametrize(
    ("text", "encoding"),
    [
        ("Год основания Петербурга: 1703\nОтвет: Б", "cp1251"),
        ("дело", "cp1251"),
        ("1. Kas yra šešėlis? Žalias ąžuolas\n", "cp775"),
        ("ギリシャの首都はどこですか", "shift_jis"),
        ("Η Ελλάδα και η Αθήνα", "cp1253"),
        ("L'élève où déjà là", "cp850"),
    ],
)
@pytest.mark.parametrize("name", ["paper.txt", "paper.csv", "paper.json"])
def test_an_unknown_encoding_is_asked_about(tmp_path: Path, text: str, encoding: str, name: str) -> None:
    """A guess would turn letters into others unseen; the option that names it reads the text."""
    path = tmp_path / name
    content = {".txt": text, ".csv": f"question,answer\n{text.splitlines()[0]},x\n"}
    path.write_bytes(content.get(path.suffix, f'[{{"question": "{text.splitlines()[0]}"}}]').encode(encoding))
    with pytest.raises(InvalidInput, match=rf"{name}.*unknown encoding.*--encoding"):
        walk(path)
    assert text.splitlines()[0] in walk(path, encoding)


def walk(path: Path, encoding: str | None = None) -> str:
    """Open a file and return all its text."""
    found = open_document(path, encoding=encoding)
    if isinstance(found, DocumentLines):
        return "\n".join(line.text for line in found.lines)
    return "\n".join(str(record.value) for record in found)


@pytest.mark.parametrize("encoding", ["utf-16-le", "utf-16-be"])
def test_chinese_in_utf_16_without_a_mark(tmp_path: Path, encoding: str) -> None:
    """Most of its bytes are not 0."""
    path = tmp_path / "paper.txt"
    path.write_bytes("下列说法正确的是\n中国人民的历史".encode(encoding))
    assert walk(path) == "下列说法正确的是\n中国人民的历史"


def test_half_a_file_in_another_encoding_is_asked_about(tmp_path: Path) -> None:
    """No encoding fits all of it; records are judged line by line."""
    path = tmp_path / "paper.txt"
    path.write_bytes("1. Où est l'élève?\n".encode() + "Ответ: Б и ещё раз Б\n".encode("cp1251"))
    with pytest.raises(InvalidInput, match="unknown encoding"):
        walk(path)
    path = tmp_path / "paper.jsonl"
    path.write_bytes('{"q": "Où?"}\n'.encode() + '{"q": "Ответ"}\n'.encode("cp1251"))
    first, second = records(path)
    assert first.value == {"q": "Où?"}
    assert "unknown encoding" in second.fault


@pytest.mark.parametrize("name", ["paper.txt", "paper.csv"])
def test_a_wrong_encoding_is_refused(tmp_path: Path, name: str) -> None:
    """What is named must decode every byte; Python must know it, as one of texts."""
    path = tmp_path / name
    path.write_bytes("question,answer\nпривет,x\n".encode("cp1251"))
    with pytest.raises(InvalidInput, match=r"not utf-8.*check --encoding"):
        walk(path, "utf-8")
    for wrong in ("klingon", "zlib", "rot13"):
        with pytest.raises(InvalidInput, match="unknown encoding"):
            walk(path, wrong)


def test_lines_end_in_any_way_and_pages_have_numbers(tmp_path: Path) -> None:
    """CR, LF and both; a page number is furniture."""
    path = tmp_path / "paper.txt"
    path.write_bytes("one\r\ntwo\rthree\n第 3 页 共 9 页\n\u2028four".encode())
    found = lines(path).lines
    assert [(line.text, line.furniture) for line in found] == [
        ("one", False),
        ("two", False),
        ("three", False),
        ("第 3 页 共 9 页", True),
        ("\u2028four", False),
    ]


def test_a_pdf_by_page_without_its_running_heads(tmp_path: Path) -> None:
    """Lines know their page; what recurs at the edge of most pages, and page numbers, are furniture."""
    pages = [["Midterm 2020", f"{page}. Question?", "A. x", "B. y", str(page)] for page in (1, 2, 3)]
    found = lines(write_pdf(tmp_path / "paper.pdf", pages))
    assert found.wrapped
    assert [line.text for line in found.lines if line.furniture] == [
        text for page in (1, 2, 3) for text in ("Midterm 2020", str(page))
    ]
    assert found.lines[6] == Line("2. Question?", 2, section="page 2")


def test_a_pdf_with_a_page_of_pictures_tells_it(tmp_path: Path) -> None:
    """The other pages are read."""
    found = lines(write_pdf(tmp_path / "paper.pdf", [["1. What?"], []]))
    assert found.notes == ["no text on page 2, which may be a picture"]


def test_a_workbook_row_by_row(tmp_path: Path) -> None:
    """Every sheet has a header; whole numbers have no `.0`; empty rows are blank."""
    path = write_book(
        tmp_path / "a.xlsx",
        {"One": [["q", "a"], ["x", 3.0], [None, None], ["y", 0.5]], "Two": [["q"], ["z"]]},
    )
    found = [(each.place, each.value, each.other) for each in records(path)]
    assert found == [
        ("sheet 'One' row 1", None, "header"),
        ("sheet 'One' row 2", {"q": "x", "a": 3}, ""),
        ("sheet 'One' row 3", None, "blank"),
        ("sheet 'One' row 4", {"q": "y", "a": 0.5}, ""),
        ("sheet 'Two' row 1", None, "header"),
        ("sheet 'Two' row 2", {"q": "z"}, ""),
    ]


def test_a_title_above_a_sheets_header_is_no_header(tmp_path: Path) -> None:
    """A row with one filled cell above the columns' names is passed over, and counted with the headings."""
    rows = [["Questions of 2022"], [], ["question", "answer"], ["x", "y"]]
    found = records(write_book(tmp_path / "a.xlsx", {"One": rows}))
    assert [(each.value, each.other) for each in found] == [
        (None, "header"),
        (None, "blank"),
        (None, "header"),
        ({"question": "x", "answer": "y"}, ""),
    ]


def test_a_date_in_a_workbook_is_no_text(tmp_path: Path) -> None:
    """Excel turns `1-2` into a date: the row cannot be trusted."""
    from datetime import date

    path = write_book(tmp_path / "a.xlsx", {"One": [["q", "a"], ["x", date(2024, 1, 2)]]})
    assert "date" in list(records(path))[1].fault


def test_a_csv_with_quotes_and_ragged_rows(tmp_path: Path) -> None:
    """A cell over two lines, a row that is too long, one that is too short, an open quote."""
    path = tmp_path / "a.csv"
    path.write_bytes('题目;答案\n"一\n二";A\nx;y;z\nw\n"open;B\n'.encode("gb18030"))
    found = list(records(path))
    assert [(each.place, each.value) for each in found[:4]] == [
        ("line 1", None),
        ("lines 2-3", {"题目": "一\n二", "答案": "A"}),
        ("line 4", None),
        ("line 5", {"题目": "w"}),
    ]
    assert (found[2].fault, bool(found[4].fault)) == ("the row has 3 cells, the header 2", True)


def test_json_arrays_and_objects_with_one(tmp_path: Path) -> None:
    """The records may stand at one key of an object, which is reported."""
    path = tmp_path / "a.json"
    path.write_text('[{"q": 1}, 2]')
    assert [each.value for each in records(path)] == [{"q": 1}, 2]
    path.write_text('{"title": "x", "example": [{"q": 1}]}')
    found = records(path)
    assert ([each.value for each in found], len(found.notes)) == ([{"q": 1}], 1)


def test_places_are_told_as_spans() -> None:
    """Within a page, over pages, one line."""
    one, two, far = (
        Line("", 3, section="page 1"),
        Line("", 5, section="page 1"),
        Line("", 1, section="page 2"),
    )
    assert span(one, two) == "page 1 lines 3-5"
    assert span(one, far) == "page 1 line 3 to page 2 line 1"
    assert span(Line("", 4, "paragraph"), Line("", 4, "paragraph")) == "paragraph 4"


def damaged(folder: Path, name: str) -> Path:
    """Write one of the bad files."""
    path = folder / name
    if name == "cut.docx":
        path.write_bytes(write_word(folder / "whole.docx", ["1. What?"]).read_bytes()[:2000])
    elif name == "pictures.pdf":
        write_pdf(path, [[], []])
    elif name == "cut.pdf":
        path.write_bytes(b"%PDF-1.4\nnothing")
    elif name in ("secret.docx", "secret.xlsx"):
        path.write_bytes(b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1" + bytes(512))
    elif name == "blank.docx":
        write_word(path, ["", "  "])
    elif name == "noise.xlsx":
        path.write_bytes(b"PK\x03\x04 nothing")
    elif name == "empty.xlsx":
        write_book(path, {"One": []})
    elif name == "binary.txt":
        path.write_bytes(bytes(range(256)) * 8)
    elif name == "blank.txt":
        path.write_text(" \n\n")
    elif name == "bad.json":
        path.write_text('{"a": [1], "b": [2]}')
    elif name == "cut.jsonl.gz":
        path.write_bytes(gzip.compress(b'{"q": 1}\n' * 100)[:30])
    else:
        path.write_bytes(b"" if name.startswith("empty") else b"x")
    return path


@pytest.mark.parametrize(
    ("name", "told"),
    [
        ("cut.docx", r"damaged"),
        ("pictures.pdf", r"only pictures.*OCR"),
        ("cut.pdf", r"damaged"),
        ("secret.docx", r"encrypted"),
        ("secret.xlsx", r"encrypted"),
        ("blank.docx", r"no text"),
        ("noise.xlsx", r"damaged"),
        ("empty.xlsx", r"empty"),
        ("binary.txt", r"not text in any known encoding"),
        ("blank.txt", r"empty"),
        ("empty.txt", r"empty"),
        ("empty.csv", r"empty"),
        ("bad.json", r"not an array"),
        ("cut.jsonl.gz", r"cannot read the file"),
        ("old.doc", r"unknown kind of file.*save it as"),
        ("paper.exe", r"unknown kind of file"),
    ],
)
def test_a_bad_file_has_one_message(tmp_path: Path, name: str, told: str) -> None:
    """Damaged, encrypted, empty, pictures only, of another kind: which file, and what is wrong with it."""
    with pytest.raises(InvalidInput, match=rf"{name}.*{told}") as caught:
        found = open_document(damaged(tmp_path, name))
        if isinstance(found, DocumentRecords):
            list(found)
    assert "\n" not in str(caught.value)


def test_a_missing_file_is_told(tmp_path: Path) -> None:
    """By its name."""
    with pytest.raises(NotFound, match=r"none\.txt"):
        open_document(tmp_path / "none.txt")


def test_an_encrypted_pdf_is_told(tmp_path: Path) -> None:
    """One that needs a password; one that opens without is read."""
    from pypdf import PdfReader, PdfWriter

    plain = write_pdf(tmp_path / "plain.pdf", [["1. What?"]])
    for owner_only, name in ((False, "locked.pdf"), (True, "open.pdf")):
        writer = PdfWriter(clone_from=PdfReader(plain))
        writer.encrypt("" if owner_only else "secret", "owner", algorithm="RC4-128")
        writer.write(str(tmp_path / name))
    with pytest.raises(InvalidInput, match=r"locked\.pdf.*encrypted"):
        open_document(tmp_path / "locked.pdf")
    assert lines(tmp_path / "open.pdf").lines[0].text == "1. What?"


def test_questions_at_a_page_s_edge_are_no_running_heads(tmp_path: Path) -> None:
    """Pages that all begin with a numbered question, and end with the same option, lose neither."""
    pages = [[f"{page}. Which is right?", "A. yes", "B. no"] for page in (1, 2, 3, 4)]
    found = lines(write_pdf(tmp_path / "paper.pdf", pages))
    assert not any(line.furniture for line in found.lines)
