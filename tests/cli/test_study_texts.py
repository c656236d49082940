"""`assay study recalls`, `overlap` and `duplicates`: documents, files, privacy and bad input."""

from __future__ import annotations

import csv
import io
from pathlib import Path

import pytest
from bank_rows import add_source, row
from command_line import Assay
from schemas import valid

from assay.core.question import QuestionState
from assay.store.bank.changes import next_revision, set_state
from assay.store.bank.questions import keep_questions
from assay.store.engine import open_database, writing

STEM = "In the matter before the court of session the clerk Oriel noted that seven letters were burned unread"
ASKED = f"id,stem\na,{STEM}\nb,{STEM.replace('session', 'sesion')}\nc,Why so?\n"
COUNTS = "model,source,kind,n,recalled\nm,web,public,1000,153\nm,own,private,1000,80\n"


@pytest.fixture
def texts(folder: Path) -> Path:
    """A folder with a table of questions, a table of counts, and a folder of texts."""
    (folder / "asked.csv").write_text(ASKED)
    (folder / "counts.csv").write_text(COUNTS)
    (folder / "texts").mkdir()
    (folder / "texts" / "a.txt").write_text(f"Introduction.\n{STEM}.\n")
    return folder


def test_recorded_counts_are_tested(texts: Path, assay: Assay) -> None:
    """Document and CSV have the same p, and the table for people says what is significant."""
    document = valid("study-recalls", assay("study", "recalls", "counts.csv", "--json"))
    (test,) = document["public_against_private"]
    assert (test["p"], test["adjusted"], test["significant"]) == (test["adjusted"], test["p"], True)
    (record,) = csv.DictReader(io.StringIO(assay("study", "recalls", "counts.csv", "--csv").out))
    assert float(record["p"]) == pytest.approx(test["p"])
    assert "Public sources minus the private source" in assay("study", "recalls", "counts.csv").out


def test_an_overlap_is_listed_without_the_text(texts: Path, assay: Assay) -> None:
    """The question's identifier, share and place are printed; its text only with --show."""
    ended = assay("study", "overlap", "asked.csv", "--against", "texts", "--json")
    document = valid("study-overlap", ended)
    first, second = document["overlaps"]
    assert (first["question"], first["share"], first["file"], first["line"]) == ("a", 1.0, "a.txt", 2)
    assert (second["question"], second["longest"], document["untested"]) == ("b", 10, 1)
    assert "Oriel" not in ended.out + ended.err
    assert "Oriel" in assay("study", "overlap", "asked.csv", "--against", "texts", "--show").out


def test_the_bank_is_compared_and_its_texts_stay_private(texts: Path, assay: Assay) -> None:
    """Neither the terminal, nor the page, nor the document has a word of the bank's questions."""
    engine = open_database(str(texts / "assay.db"))
    with writing(engine) as connection:
        ids = keep_questions(connection, [row(add_source(connection), STEM)])
        revision = next_revision(connection, "accept", "for a test", 0.0)
        set_state(connection, [each for each in ids if each], QuestionState.ACCEPTED, revision=revision)
    engine.dispose()
    ended = assay("study", "overlap", "bank", "--against", "texts", "--out", "page.html")
    page = (texts / "page.html").read_text()
    assert (ended.status, "100%" in ended.out, "100%" in page) == (0, True, True)
    assert "Oriel" not in ended.out + ended.err + page
    alike = assay("study", "duplicates", "bank", "--against", "asked.csv", "--json")
    assert len(valid("study-duplicates", alike)["pairs"]) == 2
    assert "Oriel" not in alike.out + alike.err


def test_near_duplicates_of_a_table_are_listed(texts: Path, assay: Assay) -> None:
    """By words a slip makes a pair, and the command says what it cannot see."""
    ended = assay("study", "duplicates", "asked.csv", "--out", "page.html")
    assert "1 pair among 3 questions" in ended.out
    assert "0 of 50 paraphrases and 0 of 10 translations" in ended.err
    assert "Questions that ask the same" in (texts / "page.html").read_text()


def test_an_embedding_model_of_a_package_is_used(
    texts: Path, assay: Assay, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The model is imported from the folder on the path; pairs have its cosines."""
    (texts / "letter_model.py").write_text(
        "class Model:\n    def encode(self, texts):\n"
        "        return [[t.count(x) + 1 for x in 'abcdefghi'] for t in texts]\n"
    )
    monkeypatch.syspath_prepend(str(texts))
    call = ("study", "duplicates", "asked.csv", "--embeddings", "letter_model:Model", "--least", "0.99")
    document = valid("study-duplicates", assay(*call, "--json"))
    assert (document["method"], document["least"], document["pairs"][0]["question"]) == ("meaning", 0.99, "a")


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["recalls", "none.csv"], "none.csv"),
        (["recalls", "asked.csv"], "missing columns model, source"),
        (["overlap", "asked.csv", "--against", "none"], "no folder 'none'"),
        (["overlap", "counts.csv", "--against", "texts"], "no column of texts"),
        (["overlap", "none.csv", "--against", "texts"], "no file 'none.csv'"),
        (["overlap", "bank", "--against", "texts"], "no database"),
        (["overlap", "suite:nothing", "--against", "texts"], "nothing"),
        (["overlap", "asked.csv", "--against", "texts", "--words", "5"], "--words"),
        (["overlap", "double.csv", "--against", "texts"], "second question 'a'"),
        (["overlap", "empty.csv", "--against", "texts"], "has no questions"),
        (["duplicates", "asked.csv", "--least", "0.9"], "--least needs --embeddings"),
        (["duplicates", "asked.csv", "--embeddings", "nothing"], "no embedding model 'nothing'"),
    ],
)
@pytest.mark.usefixtures("no_database")
def test_invalid_input_ends_with_2(texts: Path, assay: Assay, arguments: list[str], message: str) -> None:
    """There is one message for each kind of invalid input."""
    (texts / "double.csv").write_text("id,stem\na,one\na,two\n")
    (texts / "empty.csv").write_text("id,stem\n")
    ended = assay("study", *arguments)
    assert (ended.status, message in ended.err) == (2, True), ended.err
