"""`assay bank import` and `assay bank new-key`."""

from __future__ import annotations

import json
import stat
from pathlib import Path

import pytest
from command_line import Assay
from exam_papers import write_word
from hostile_documents import BOMBS
from schemas import valid

SECRET = "theplantedanswer"
PAPER = f"""\
一、选择题
1. 正确的是？
A. 甲
B. 乙
答案：B
2. 缺选项的题？
答案：{SECRET}
"""
RECORDS = [
    {"question": "Who?", "answer": SECRET},
    {"question": "Which?", "options": ["x", "y"], "answer": "A", "colour": "red"},
    {"question": "Which?", "options": ["x", "x"], "answer": "A"},
]


@pytest.fixture
def files(folder: Path, assay: Assay, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A folder with a key, a paper in GB18030 and a file of records."""
    assert assay("bank", "new-key", "--out", "bank.key").status == 0
    monkeypatch.setenv("ASSAY_BANK_KEY_FILE", str(folder / "bank.key"))
    (folder / "paper.txt").write_bytes(PAPER.encode("gb18030"))
    (folder / "records.jsonl").write_text("".join(f"{json.dumps(each)}\n" for each in RECORDS))
    return folder


def test_a_key_is_written_once_for_its_owner_only(folder: Path, assay: Assay) -> None:
    """The command prints how to use the key and never overwrites a file."""
    done = assay("bank", "new-key", "--out", "bank.key")
    path = folder / "bank.key"
    assert (done.status, stat.S_IMODE(path.stat().st_mode)) == (0, 0o600)
    assert "ASSAY_BANK_KEY_FILE" in done.err
    assert path.read_text().strip() not in done.out + done.err
    again = assay("bank", "new-key", "--out", "bank.key")
    assert (again.status, "may hold a key in use" in again.err) == (2, True)
    assert assay("bank", "new-key", "--out", "none/bank.key").status == 2


def test_the_totals_are_printed_and_no_key(files: Path, assay: Assay) -> None:
    """The account shows outcomes, reasons of rejects and repairs, and never keys."""
    done = assay("bank", "import", "paper.txt", "records.jsonl", "--discipline", "Law")
    assert done.status == 0
    assert "gb18030" in done.out
    assert "its kind is multiple choice, but it has no options" in done.out
    assert "two options are the same" in done.out
    assert "not read: 'colour'" in done.err
    assert SECRET not in done.out + done.err


def test_the_document_fits_its_schema(files: Path, assay: Assay) -> None:
    """A paper and records; then the same files again, which are known."""
    first = valid(
        "bank-import", assay("bank", "import", "paper.txt", "records.jsonl", "--discipline", "law", "--json")
    )
    paper, records = first["files"]
    assert (paper["read"], sum(each["count"] for each in paper["fates"])) == (7, 7)
    assert (paper["added"], records["added"], records["unit"]) == (1, 2, "line")
    again = valid("bank-import", assay("bank", "import", "paper.txt", "--discipline", "law", "--json"))
    assert (again["files"][0]["known_as"], again["files"][0]["added"]) == (paper["source"], 0)


def test_a_second_import_says_so(files: Path, assay: Assay) -> None:
    """If all of the file is known, the message names the option that reads it again."""
    assay("bank", "import", "records.jsonl", "--discipline", "law")
    assert (
        "imported before as source 1" in assay("bank", "import", "records.jsonl", "--discipline", "law").out
    )
    assert "0 new questions" in assay("bank", "import", "records.jsonl", "--discipline", "law", "--again").out


@pytest.mark.usefixtures("no_database")
def test_a_dry_run_needs_no_key_and_no_database(
    files: Path, assay: Assay, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A dry run prints the same and leaves nothing behind."""
    monkeypatch.delenv("ASSAY_BANK_KEY_FILE")
    done = assay("bank", "import", "records.jsonl", "--discipline", "law", "--dry-run")
    assert (done.status, "nothing was saved" in done.out) == (0, True)
    assert not (files / "assay.db").exists()


def test_rejects_are_written_for_their_owner(files: Path, assay: Assay) -> None:
    """Rejects have place, reason and text, and never replace another file."""
    assay("bank", "import", "records.jsonl", "--discipline", "law", "--rejects", "rejects.jsonl")
    path = files / "rejects.jsonl"
    (reject,) = [json.loads(line) for line in path.read_text().splitlines()]
    assert (reject["place"], reject["reason"]) == ("line 3", "two options are the same")
    assert stat.S_IMODE(path.stat().st_mode) == 0o600
    again = assay(
        "bank", "import", "records.jsonl", "--discipline", "law", "--again", "--rejects", "rejects.jsonl"
    )
    assert (again.status, "exists" in again.err) == (2, True)


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["none.txt", "--discipline", "law"], "none.txt"),
        (["paper.txt"], "--discipline"),
        (["paper.txt", "--discipline", "alchemy"], "'alchemy'"),
        (["paper.txt", "--discipline", "law", "--secondary", "Physics"], "belongs to science"),
        (["paper.txt", "--discipline", "law", "--profile", "none"], "'none'"),
        (["paper.txt", "--discipline", "law", "--profile", "gsm8k"], "is for records"),
        (["records.jsonl", "--discipline", "law", "--profile", "chinese"], "is for documents"),
    ],
)
def test_invalid_input_ends_with_a_message(
    files: Path, assay: Assay, arguments: list[str], message: str
) -> None:
    """Status 2 and one message."""
    done = assay("bank", "import", *arguments)
    assert (done.status, message in done.err) == (2, True)


def test_without_a_key_nothing_is_taken_in(
    files: Path, assay: Assay, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The message says how to make one."""
    monkeypatch.delenv("ASSAY_BANK_KEY_FILE")
    done = assay("bank", "import", "records.jsonl", "--discipline", "law")
    assert (done.status, "assay bank new-key" in done.err) == (2, True)


def test_a_bad_file_does_not_stop_the_others(files: Path, assay: Assay) -> None:
    """It is reported, the others are imported, and the status is 2."""
    (files / "bad.pdf").write_bytes(b"%PDF-1.4 nothing")
    done = assay("bank", "import", "bad.pdf", "records.jsonl", "--discipline", "law")
    assert (done.status, "bad.pdf: the file is damaged" in done.err, "2 new questions" in done.out) == (
        2,
        True,
        True,
    )


def test_a_file_without_a_single_question_ends_with_status_1(files: Path, assay: Assay) -> None:
    """All of it was rejected: bad news, though nothing failed."""
    (files / "poor.jsonl").write_text('{"question": "Who?"}\n')
    assert assay("bank", "import", "poor.jsonl", "--discipline", "law").status == 1


def test_the_example_bank_is_written_and_taken_in(files: Path, assay: Assay) -> None:
    """The command lists its files and the imports that work; both say that a score is never published."""
    written = assay("bank", "example")
    assert written.status == 0
    assert "never for a published score" in written.err
    tables = [name for name in written.out.split() if "/tables/" in name]
    taken = assay("bank", "import", *tables)
    assert taken.status == 0
    assert "never for a published score" in taken.err
    for command in ("law.docx --discipline law", "education.txt --discipline education"):
        assert f"assay bank import example/papers/{command}" in written.err
        assert assay("bank", "import", *f"example/papers/{command}".split()).status == 0
    counted = valid("bank-stats", assay("bank", "stats", "--json"))
    assert [(each["source"], each["original"]) for each in counted["sources"]] == [("example", 150)]
    again = assay("bank", "example")
    assert (again.status, "'example' is not empty" in again.err) == (2, True)


def test_a_bad_file_does_not_keep_the_others_out(files: Path, assay: Assay) -> None:
    """Each bad file is refused with its reason, the others are read, and the status is 2."""
    names = ["laughs.docx", "undeclared.docx", "undeclared.xlsx", "again.xlsx"]
    for name in names:
        BOMBS[name][0](files / name)
    cut = write_word(files / "cut.docx", ["1. What?"])
    cut.write_bytes(cut.read_bytes()[:3000])
    write_word(files / "good.docx", ["1. Which is even?", "A. 2", "B. 3", "Answer: A"])
    done = assay("bank", "import", *names, "cut.docx", "good.docx", "--discipline", "science")
    assert (done.status, "1 new question in the bank" in done.out) == (2, True)
    assert all(f"error: {name}: " in done.err for name in [*names, "cut.docx"])
    assert "5 of 6 files not imported" in done.err
    assert "Traceback" not in done.err
