"""Importing documents."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import docx
import pytest
from docx.oxml import parse_xml
from docx.oxml.ns import nsdecls
from exam_papers import add_counted, add_list, write_book, write_pdf
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from openpyxl import Workbook
from openpyxl.chart import BarChart
from openpyxl.drawing.spreadsheet_drawing import AbsoluteAnchor, AnchorMarker, TwoCellAnchor
from openpyxl.drawing.xdr import XDRPoint2D, XDRPositiveSize2D
from sqlalchemy import Engine, text

from assay.bank.ingest import IngestOptions, import_file
from assay.core.errors import InvalidInput
from assay.core.question import QuestionKind
from assay.core.sealed import key_about, read_key, reject_about
from assay.files.sealing import KeySealer
from assay.questions.refusal import Reason
from assay.results.bank_import import Account, Fate
from assay.store.bank.questions import StoredQuestion, walk_questions
from assay.store.engine import reading

SEALER = KeySealer(bytes(32))
PAPER = """\
民法学考试

一、单项选择题
1. 下列说法正确的是（ ）。
A. 甲　B. 乙
答案：B
2. 这一题没有答案。
A. 甲
B. 乙
第 1 页
二、材料分析题
材料：甲去世。
1. 谁继承？
答案：妻子。
"""


def take(engine: Engine, path: Path, wish: IngestOptions | None = None) -> Account:
    """Import a file at a fixed time."""
    return import_file(
        engine, path, wish or IngestOptions(discipline="law"), sealer=SEALER, clock=lambda: 1.0
    )


def write(folder: Path, content: str, encoding: str = "utf-8") -> Path:
    """Write a text file."""
    path = folder / "paper.txt"
    path.write_bytes(content.encode(encoding))
    return path


def key(stored: StoredQuestion) -> tuple[str, ...]:
    """Open a question's key."""
    return read_key(SEALER.open(stored.sealed, key_about(stored.question.uuid, 1))).answers


def test_every_line_has_one_fate(engine: Engine, tmp_path: Path) -> None:
    """Title, headings, questions, material, a reject, a page number and blank lines add up."""
    account = take(engine, write(tmp_path, PAPER, "gb18030"))
    assert account.fates == {
        Fate.TITLE: 1,
        Fate.BLANK: 1,
        Fate.HEADING: 2,
        Fate.QUESTION: 5,
        Fate.MATERIAL: 1,
        Fate.REJECT: 3,
        Fate.FURNITURE: 1,
    }
    assert account.read == 14
    assert account.reasons == {str(Reason.NO_KEY): 3}
    assert account.encoding == "gb18030"


def test_questions_know_their_place_and_kind(engine: Engine, tmp_path: Path) -> None:
    """A question has its lines and number in the file."""
    take(engine, write(tmp_path, PAPER))
    first, second = walk_questions(engine)
    assert (first.place, first.question.kind) == ("lines 4-6 (number 1)", QuestionKind.MULTIPLE_CHOICE)
    assert (key(first), first.question.language) == (("B",), "zh")
    assert (second.question.kind, second.question.passage) == (
        QuestionKind.MATERIAL_ANALYSIS,
        "材料：甲去世。",
    )


def test_a_rejected_question_keeps_its_key_from_the_end(engine: Engine, tmp_path: Path) -> None:
    """The sealed text contains its lines and its line of the answers."""
    account = take(engine, write(tmp_path, "1. a?\nA. x\nB. x\n2. b?\nA. x\nB. y\nAnswers\n1. B 2. A\n"))
    assert account.fates == {Fate.REJECT: 3, Fate.QUESTION: 3, Fate.HEADING: 1, Fate.ANSWERS: 1}
    with reading(engine) as connection:
        row = connection.execute(text("SELECT place, lines, text FROM rejects")).one()
    assert account.source is not None
    opened = SEALER.open(bytes(row.text), reject_about(account.source, row.place))
    assert (row.place, row.lines, opened) == ("lines 1-3", 3, "1. a?\nA. x\nB. x\n[answers] 1. B 2. A")


def test_a_line_of_two_questions_is_counted_once(engine: Engine, tmp_path: Path) -> None:
    """If one of them is rejected, the line counts for the reject."""
    account = take(engine, write(tmp_path, "1. a? A. x B. x 2. b? A. x B. y\nAnswers\n1-2 AB\n"))
    assert (account.added, account.fates) == (1, {Fate.REJECT: 1, Fate.HEADING: 1, Fate.ANSWERS: 1})


def test_a_line_of_two_rejects_is_counted_once(engine: Engine, tmp_path: Path) -> None:
    """Both are stored, and the totals balance."""
    account = take(engine, write(tmp_path, "1. a? A. x B. x 2. b? A. y B. y\nAnswers\n1-2 AB\n"))
    assert (account.rejects, account.fates[Fate.REJECT], account.balanced) == (2, 1, True)


def test_a_repeated_question_is_counted(engine: Engine, tmp_path: Path) -> None:
    """Its lines count as repeated."""
    one = "一、简答题\n1. 何谓法？\n答案：规则。\n"
    account = take(engine, write(tmp_path, one + one))
    assert account.fates == {Fate.HEADING: 2, Fate.QUESTION: 2, Fate.REPEATED: 2}


def test_a_word_document_with_counted_lists(engine: Engine, tmp_path: Path) -> None:
    """Automatic numbers and letters, a picture and a table of questions are read."""
    document: Any = docx.Document()
    add_list(document, 50)
    document.add_paragraph("Part I Multiple choice")
    for question, answer in (("Which is even?", "Answer: B"), ("What is shown?", "Answer: A")):
        add_counted(document, question, 50)
        for option in ("1", "2"):
            add_counted(document, option, 50, level=1)
        document.add_paragraph(answer)
    document.paragraphs[-1]._p.append(parse_xml(f"<w:r {nsdecls('w')}><w:drawing/></w:r>"))
    table = document.add_table(0, 4)
    for row in (("题目", "A", "B", "答案"), ("正确的是？", "甲", "乙", "B"), ("错误的是？", "丙", "丁", "C")):
        for cell, content in zip(table.add_row().cells, row, strict=True):
            cell.text = content
    document.save(str(tmp_path / "paper.docx"))
    account = take(engine, tmp_path / "paper.docx")
    assert [(each.question.stem, key(each)) for each in walk_questions(engine)] == [
        ("Which is even?", ("B",)),
        ("正确的是？", ("B",)),
    ]
    assert account.reasons == {str(Reason.PICTURE): 4, str(Reason.KEY_BEYOND): 1}
    assert account.fates == {Fate.HEADING: 2, Fate.QUESTION: 5, Fate.REJECT: 5}


def test_a_pdf_file(engine: Engine, tmp_path: Path) -> None:
    """Wrapped lines are joined, and page numbers are left out."""
    pages = [
        ["1. Which of these", "is even?", "A. 1", "B. 2", "1"],
        ["Answer: B", "2. And odd?", "Answer: 1", "2"],
    ]
    account = take(engine, write_pdf(tmp_path / "paper.pdf", pages))
    assert [each.question.stem for each in walk_questions(engine)] == ["Which of these is even?", "And odd?"]
    assert account.fates == {Fate.QUESTION: 7, Fate.FURNITURE: 2}


def test_a_workbook(engine: Engine, tmp_path: Path) -> None:
    """Columns with Chinese names are recognised, including the kind."""
    header = ["题号", "题型", "题目", "选项A", "选项B", "选项C", "答案", "解析"]
    rows = [
        [1, "单选题", "偶数是？", 1, 2, None, "B", "2=2×1"],
        [2, "判断题", "2是奇数。", None, None, None, "错", None],
        [3, "单选题", "奇数是？", 1, 2, 3, "AC", None],
    ]
    account = take(engine, write_book(tmp_path / "paper.xlsx", {"题库": [header, *rows]}))
    assert [(each.place, key(each)) for each in walk_questions(engine)] == [
        ("sheet '题库' row 2", ("B",)),
        ("sheet '题库' row 3", ("False",)),
    ]
    assert (account.unit, account.reasons) == ("row", {str(Reason.SEVERAL_KEYS): 1})


def test_a_document_needs_a_discipline(sqlite: Engine, tmp_path: Path) -> None:
    """Without one the import is refused."""
    with pytest.raises(InvalidInput, match=r"paper\.txt.*--discipline"):
        take(sqlite, write(tmp_path, PAPER), IngestOptions())


def test_a_document_without_questions_is_refused(sqlite: Engine, tmp_path: Path) -> None:
    """The message names --profile."""
    with pytest.raises(InvalidInput, match=r"no question with the numbering"):
        take(sqlite, write(tmp_path, "Dear reader,\nthis is a letter.\n"))


LINES = """1. who?|2. what|3、甲|(1) sub|(2) sub|A. x|B. y|A. x B. y|D. w|答案：A|Answer: B|解析：因
一、选择题|二、材料分析题|参考答案|Answers|1-3 ABC|1. A 2. B|材料：从前|text|| |第二章 乙|5. five|第 3 页"""


@settings(max_examples=60, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(st.lists(st.sampled_from(LINES.replace("\n", "|").split("|")), max_size=20))
def test_the_totals_balance_for_any_document(sqlite: Engine, tmp_path: Path, lines: list[str]) -> None:
    """Each line is counted once; otherwise the import raises an error."""
    path = write(tmp_path, "\n".join(["1. first?", "答案：x", *lines]) + "\n")
    account = take(sqlite, path, IngestOptions(discipline="law", again=True))
    assert account.balanced
    assert account.read == len(lines) + 2


PICTURE = f"<w:r {nsdecls('w')}><w:drawing/></w:r>"


def drawn(folder: Path, lines: list[str]) -> Path:
    """Write a Word document in which `*` is a paragraph with a picture alone, and `text*` one with both."""
    document = docx.Document()
    for line in lines:
        paragraph = document.add_paragraph(line.removesuffix("*"))
        if line.endswith("*"):
            paragraph._p.append(parse_xml(PICTURE))
    document.save(str(folder / "paper.docx"))
    return folder / "paper.docx"


ONE = ["1. Which?", "A. x", "B. y", "Answer: A"]
TWO = ["2. Who?", "A. p", "B. q", "Answer: B"]


@pytest.mark.parametrize(
    ("lines", "questions", "rejected"),
    [
        ([ONE[0], "*", *ONE[1:], *TWO], 1, 5),
        ([*ONE, "*", *TWO], 1, 5),
        (["*", *ONE, *TWO], 1, 5),
        (["Part I Single Choice", "*", *ONE, *TWO], 1, 5),
        (["Part I Single Choice*", *ONE, *TWO], 1, 4),
        ([*ONE, *TWO, "*"], 1, 5),
        (["Passage 1 for questions 1 to 2.", "*", "It is long.", *ONE, *TWO], 0, 8),
        (["Passage 1 for questions 1 to 2.*", *ONE, *TWO], 0, 8),
        ([*ONE[:3], *TWO[:3], "Answers", "1. A", "2. B", "*"], 1, 3),
        (["*", "The school's paper", *ONE, *TWO], 2, 0),
        (["The school's paper*", *ONE, *TWO], 2, 0),
    ],
)
def test_a_picture_is_never_dropped(
    engine: Engine, tmp_path: Path, lines: list[str], questions: int, rejected: int
) -> None:
    """It rejects the question, material or answer that it is in or next to; above a title it is separate."""
    account = take(engine, drawn(tmp_path, lines))
    assert account.balanced
    assert account.fates[Fate.REJECT] == account.reasons[Reason.PICTURE] == rejected
    assert account.added == questions
    assert account.fates[Fate.PICTURE] == (0 if rejected else 1)


def anchored(folder: Path, rows: list[list[str]], *anchors: object) -> Path:
    """Write a workbook with a chart at each anchor; charts are anchored to rows like pictures."""
    book = Workbook()
    for row in rows:
        book.worksheets[0].append(row)
    for anchor in anchors:
        chart = BarChart()
        chart.anchor = anchor
        book.worksheets[0].add_chart(chart)
    book.save(folder / "paper.xlsx")
    return folder / "paper.xlsx"


def between(first: int, last: int, offset: int = 5) -> TwoCellAnchor:
    """Return an anchor over rows, counted from 1."""
    return TwoCellAnchor(
        _from=AnchorMarker(col=2, row=first - 1), to=AnchorMarker(col=3, row=last - 1, rowOff=offset)
    )


ROWS = [["question", "answer"], ["Who?", "x"], ["What?", "y"], ["", ""], ["Where?", "z"]]


@pytest.mark.parametrize(
    ("anchors", "rejected", "told"),
    [
        (["D3"], ["row 3"], 0),
        ([between(2, 3)], ["row 2", "row 3"], 0),
        ([between(2, 3, offset=0)], ["row 2"], 0),
        (["D4"], ["row 3"], 0),
        (["D9"], ["row 5"], 0),
        (["D1"], [], 1),
        ([between(1, 2)], ["row 2"], 0),
        (["D2", "D2", "D5"], ["row 2", "row 5"], 0),
    ],
)
def test_a_picture_on_a_sheet_rejects_its_rows(
    engine: Engine, tmp_path: Path, anchors: list[object], rejected: list[str], told: int
) -> None:
    """It rejects the rows that it covers, or the row before blank rows; at the header it is reported."""
    account = take(engine, anchored(tmp_path, ROWS, *anchors), IngestOptions(discipline="law", clear=True))
    assert [each.place.removeprefix("sheet 'Sheet' ") for each in account.rejected] == rejected
    assert account.reasons[Reason.PICTURE] == len(rejected)
    assert sum("contains a picture" in note for note in account.notes) == told


def test_a_picture_without_an_anchor_refuses_the_sheet(engine: Engine, tmp_path: Path) -> None:
    """Its question is unknown."""
    anchor = AbsoluteAnchor(pos=XDRPoint2D(0, 0), ext=XDRPositiveSize2D(9, 9))
    with pytest.raises(InvalidInput, match="not fixed to a row"):
        take(engine, anchored(tmp_path, ROWS, anchor))
