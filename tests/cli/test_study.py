"""`assay study contamination`: errors, output and documents."""

from __future__ import annotations

from pathlib import Path

import pytest
from bank_rows import add_source, row
from command_line import Assay, served, write_workspace
from schemas import valid

from assay.core.question import QuestionState
from assay.store.bank.changes import next_revision, set_state
from assay.store.bank.questions import keep_questions, walk_questions
from assay.store.engine import open_database, writing

STEMS = [
    f"In the matter before the court of session {number} the clerk Oriel noted that {number + 7} letters "
    f"from the nonce town of Kelm{number}ton had been burned unread in the yard behind the mill."
    for number in range(4)
]


@pytest.fixture
def bank(folder: Path) -> Path:
    """A workspace with a bank of four accepted questions."""
    engine = open_database(str(folder / "assay.db"))
    with writing(engine) as connection:
        ids = keep_questions(connection, [row(add_source(connection), stem) for stem in STEMS])
        revision = next_revision(connection, "accept", "for a test", 0.0)
        set_state(connection, [each for each in ids if each], QuestionState.ACCEPTED, revision=revision)
    engine.dispose()
    return folder


def retired(folder: Path) -> int:
    engine = open_database(str(folder / "assay.db"))
    try:
        return len(list(walk_questions(engine, retired=True)))
    finally:
        engine.dispose()


STUDY = ("study", "contamination", "-m", "mine/a/b", "--n", "3", "--control", "4")


def test_the_bank_is_replayed_only_with_consent(
    bank: Path, assay: Assay, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Without --yes-retire the command shows the number and ends with 2; with it they are retired."""
    monkeypatch.setenv("COLUMNS", "200")
    with served(lambda prompt, before: "I do not know it.") as upstream:
        write_workspace(bank, upstream)
        refused = assay(*STUDY, "--bank")
        assert (refused.status, upstream.calls, retired(bank)) == (2, 0, 0)
        assert "3 questions of the bank would be retired" in refused.err
        ended = assay(*STUDY, "--bank", "--yes-retire")
        assert (ended.status, upstream.calls, retired(bank)) == (0, 21, 3)
    assert "above control" in ended.out
    assert "3 questions of the bank retired" in ended.err
    assert "nonce town" not in ended.out + ended.err


def test_the_document_is_what_its_schema_says(bank: Path, assay: Assay) -> None:
    """The documents of a stopped study and of the same study resumed match the schema."""
    with served(lambda prompt, before: "I do not know it.") as upstream:
        write_workspace(bank, upstream)
        first = assay(*STUDY, "--bank", "--yes-retire", "--max-cost", "0.0035", "--json")
        assert (first.status, valid("study-contamination", first)["status"]) == (3, "stopped")
        assert "assay study contamination --resume 1" in first.err
        second = assay("study", "contamination", "--resume", "1", "--json")
        document = valid("study-contamination", second)
        assert (second.status, document["status"], upstream.calls) == (0, "finished", 21)
        assert [(row["kind"], row["n"], row["recalled"]) for row in document["rows"]] == [
            ("bank", 3, 0),
            ("control", 4, 0),
        ]
        again = assay("resume", "1", "--json")
        assert "assay study contamination --resume 1" in again.err
        assert (again.status, valid("study-contamination", again)["status"]) == (0, "finished")
        assert upstream.calls == 21


def test_a_file_needs_no_bank_and_no_consent(folder: Path, assay: Assay) -> None:
    """Public questions are replayed without retiring any, and a simulated model is marked as simulated."""
    (folder / "public.jsonl").write_text("".join(f'{{"question": "{stem}"}}\n' for stem in STEMS))
    ended = assay(
        *(
            "study",
            "contamination",
            "-m",
            "simulated/steady",
            "--file",
            "public.jsonl",
            "--control",
            "2",
            "--json",
        )
    )
    assert (ended.status, valid("study-contamination", ended)["simulated"]) == (0, True)


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["--suite", "daily"], "no model to test"),
        (["-m", "simulated/steady"], "nothing to replay"),
        (["-m", "simulated/steady", "--bank"], "no database"),
        (["-m", "simulated/steady", "--file", "none.jsonl"], "no file"),
        (["-m", "nobody/x", "--suite", "daily"], "nobody"),
    ],
)
@pytest.mark.usefixtures("no_database")
def test_invalid_input_ends_with_2(assay: Assay, arguments: list[str], message: str) -> None:
    """There is one message for each kind of invalid input."""
    ended = assay("study", "contamination", *arguments)
    assert ended.status == 2
    assert message in ended.err
