"""Overlap of a table of questions with a folder: order, places, files that cannot be read, and privacy."""

from __future__ import annotations

from pathlib import Path

import pytest

from assay.core.errors import InvalidInput
from assay.questions.overlap import QuestionText
from assay.studies.overlap import find_overlap

FIRST = "In the matter before the court of session the clerk noted that seven letters were burned"
SECOND = "A farmer who keeps thirty sheep on the eastern meadow sells a dozen of them in spring"


@pytest.fixture
def texts(tmp_path: Path) -> Path:
    """A folder with one file that quotes the first question whole and half of the second."""
    folder = tmp_path / "texts"
    folder.mkdir()
    half = " ".join(SECOND.split()[:10])
    (folder / "a.txt").write_text(f"Chapter 1\n\n{half} and more.\n")
    (folder / "b.md").write_text(f"# Notes\n{FIRST.upper()}\n")
    return folder


def asked() -> list[QuestionText]:
    return [
        QuestionText("second", (SECOND,)),
        QuestionText("first", (FIRST,)),
        QuestionText("none", (" ".join(reversed(SECOND.split())),)),
        QuestionText("short", ("Why?",)),
    ]


def test_questions_are_listed_by_their_share_with_the_place(texts: Path) -> None:
    """A whole quotation comes before half of one; questions without overlap are only counted."""
    result = find_overlap("bank", asked(), texts)
    rows = [(row.question, row.share, row.longest, row.file, row.line) for row in result.overlaps]
    assert rows == [
        ("first", 1.0, 16, "b.md", 2),
        ("second", pytest.approx(3 / 10), 10, "a.txt", 3),
    ]
    assert (result.questions, result.untested, result.mostly, result.files) == (4, 1, 1, 2)


def test_texts_of_questions_are_in_the_result_only_on_request(texts: Path) -> None:
    """By default there is no word of a question; with `show` there is the shared run."""
    hidden = find_overlap("bank", asked(), texts)
    assert {row.text for row in hidden.overlaps} == {None}
    shown = find_overlap("bank", asked(), texts, show=True)
    assert [row.text for row in shown.overlaps] == [FIRST, " ".join(SECOND.split()[:10])]


def test_a_file_that_cannot_be_read_is_named_and_the_others_are_read(texts: Path) -> None:
    """A damaged packed file does not end the search."""
    (texts / "aa.txt.gz").write_bytes(b"not packed")
    (texts / "c.pdf").write_bytes(b"%PDF")
    result = find_overlap("bank", asked(), texts)
    assert [row.question for row in result.overlaps] == ["first", "second"]
    assert "1 other file left out" in result.notes[0]
    assert "aa.txt.gz was not read to its end" in result.notes[1]


def test_the_source_is_not_compared_with_itself(texts: Path) -> None:
    """A table of questions within the folder would match itself completely."""
    table = texts / "questions.csv"
    table.write_text(f"id,stem\nfirst,{FIRST}\n")
    (texts / "b.md").unlink()
    result = find_overlap(str(table), asked()[1:2], texts)
    assert (result.overlaps, result.files) == ((), 1)
    assert "was not compared with itself" in result.notes[0]


def test_a_folder_without_texts_is_refused_before_the_questions_are_read(tmp_path: Path) -> None:
    """The bank is not read in vain."""

    def never() -> list[QuestionText]:
        raise AssertionError

    with pytest.raises(InvalidInput, match="no text file"):
        find_overlap("bank", (text for text in [] if never()), tmp_path)
