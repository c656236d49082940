"""Taking documents into the bank."""

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
from sqlalchemy import Engine, text

from assay.bank.account import Account, Fate
from assay.bank.ingest import Wish, import_file
from assay.bank.keeping import reject_about
from assay.core.errors import InvalidInput
from assay.core.question import QuestionKind
from assay.core.sealed import key_about, read_key
from assay.files.sealing import KeySealer
from assay.questions.refusal import Reason
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


def take(engine: Engine, path: Path, wish: Wish | None = None) -> Account:
    """Import a file at a fixed time."""
    return import_file(engine, path, wish or Wish(discipline="law"), sealer=SEALER, clock=lambda: 1.0)


def write(folder: Path, content: str, encoding: str = "utf-8") -> Path:
    """Write a text file."""
    path = folder / "paper.txt"
    path.write_bytes(content.encode(encoding))
    return path


def key(stored: StoredQuestion) -> tuple[str, ...]:
    """Open a question's key."""
    return read_key(SEALER.open(stored.sealed, key_about(stored.question.uuid, 1))).answers


def test_every_line_has_one_fate(engine: Engine, tmp_path: Path) -> None:
    """Title, headings, questions, material, a reject with its reason, page number, blank: all add up."""
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
    """Where they stand in the file, with the number they have there."""
    take(engine, write(tmp_path, PAPER))
    first, second = walk_questions(engine)
    assert (first.place, first.question.kind) == ("lines 4-6 (number 1)", QuestionKind.MULTIPLE_CHOICE)
    assert (key(first), first.question.language) == (("B",), "zh")
    assert (second.question.kind, second.question.passage) == (
        QuestionKind.MATERIAL_ANALYSIS,
        "材料：甲去世。",
    )


def test_a_rejected_question_keeps_its_key_from_the_end(engine: Engine, tmp_path: Path) -> None:
    """What is sealed holds its lines and the line of the answers that is about it."""
    account = take(engine, write(tmp_path, "1. a?\nA. x\nB. x\n2. b?\nA. x\nB. y\nAnswers\n1. B 2. A\n"))
    assert account.fates == {Fate.REJECT: 3, Fate.QUESTION: 3, Fate.HEADING: 1, Fate.ANSWERS: 1}
    with reading(engine) as connection:
        row = connection.execute(text("SELECT place, lines, text FROM rejects")).one()
    assert account.source is not None
    opened = SEALER.open(bytes(row.text), reject_about(account.source, row.place))
    assert (row.place, row.lines, opened) == ("lines 1-3", 3, "1. a?\nA. x\nB. x\n[answers] 1. B 2. A")


def test_a_line_of_two_questions_is_counted_once(engine: Engine, tmp_path: Path) -> None:
    """One of them good, the other rejected: the line is the reject's."""
    account = take(engine, write(tmp_path, "1. a? A. x B. x 2. b? A. x B. y\nAnswers\n1-2 AB\n"))
    assert (account.added, account.fates) == (1, {Fate.REJECT: 1, Fate.HEADING: 1, Fate.ANSWERS: 1})


def test_a_line_of_two_rejects_is_counted_once(engine: Engine, tmp_path: Path) -> None:
    """Both are kept, and the totals balance."""
    account = take(engine, write(tmp_path, "1. a? A. x B. x 2. b? A. y B. y\nAnswers\n1-2 AB\n"))
    assert (account.rejects, account.fates[Fate.REJECT], account.balanced) == (2, 1, True)


def test_a_question_that_repeats_is_counted_as_such(engine: Engine, tmp_path: Path) -> None:
    """Its lines are not lost."""
    one = "一、简答题\n1. 何谓法？\n答案：规则。\n"
    account = take(engine, write(tmp_path, one + one))
    assert account.fates == {Fate.HEADING: 2, Fate.QUESTION: 2, Fate.REPEATED: 2}


def test_a_word_document_with_counted_lists(engine: Engine, tmp_path: Path) -> None:
    """Numbers and letters that stand in no text, a picture, a table of questions."""
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
    """Lines that the page broke are joined, page numbers left out."""
    pages = [
        ["1. Which of these", "is even?", "A. 1", "B. 2", "1"],
        ["Answer: B", "2. And odd?", "Answer: 1", "2"],
    ]
    account = take(engine, write_pdf(tmp_path / "paper.pdf", pages))
    assert [each.question.stem for each in walk_questions(engine)] == ["Which of these is even?", "And odd?"]
    assert account.fates == {Fate.QUESTION: 7, Fate.FURNITURE: 2}


def test_a_workbook(engine: Engine, tmp_path: Path) -> None:
    """Columns by their Chinese names, the kind too."""
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
    """It states none itself."""
    with pytest.raises(InvalidInput, match=r"paper\.txt.*--discipline"):
        take(sqlite, write(tmp_path, PAPER), Wish())


def test_a_document_without_questions_is_told(sqlite: Engine, tmp_path: Path) -> None:
    """A letter is no exam paper."""
    with pytest.raises(InvalidInput, match=r"no question numbered"):
        take(sqlite, write(tmp_path, "Dear reader,\nthis is a letter.\n"))


LINES = """1. who?|2. what|3、甲|(1) sub|(2) sub|A. x|B. y|A. x B. y|D. w|答案：A|Answer: B|解析：因
一、选择题|二、材料分析题|参考答案|Answers|1-3 ABC|1. A 2. B|材料：从前|text|| |第二章 乙|5. five|第 3 页"""


@settings(max_examples=60, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(st.lists(st.sampled_from(LINES.replace("\n", "|").split("|")), max_size=20))
def test_the_totals_balance_for_any_document(sqlite: Engine, tmp_path: Path, lines: list[str]) -> None:
    """Whatever the lines are, each is counted once: a defect would be raised."""
    path = write(tmp_path, "\n".join(["1. first?", "答案：x", *lines]) + "\n")
    account = take(sqlite, path, Wish(discipline="law", again=True))
    assert account.balanced
    assert account.read == len(lines) + 2
