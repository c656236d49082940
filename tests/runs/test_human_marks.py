"""Marks of people on a run: the exported sheet, importing it once and twice, and what is refused."""

from __future__ import annotations

import csv
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import openpyxl
import pytest
from judged import Court, JudgedRun, always, judged_suite
from sqlalchemy import Engine

from assay.core.errors import Conflict, Denied, InvalidInput, NotFound
from assay.runs.board.stored import BoardRequest, StoredBoard, read_board
from assay.runs.human_marks import export_marks, import_marks
from assay.store.marks import read_marks
from assay.studies.judges import run_agreement
from assay.studies.reference_marks import ReferenceOptions, runs_reference

HOSTILE = '=HYPERLINK("http://x","y")\x07'
Clock = Callable[[], float]


def executed(engine: Engine, *, cases: int = 4, subjects: tuple[str, ...] = ("one", "two")) -> JudgedRun:
    """Return a run of subjects that two judges marked with 4 and 3."""
    court = Court({"j": always(4), "k": always(3)}, answer=lambda body: HOSTILE)
    run = JudgedRun(engine, court, subjects=subjects, suite=judged_suite(cases=cases))
    run.execute()
    return run


def sheet(path: Path) -> list[dict[str, str]]:
    """Return the rows of a CSV sheet."""
    with path.open(encoding="utf-8-sig", newline="") as file:
        return list(csv.DictReader(file))


def fill(path: Path, rows: list[dict[str, str]], *marks: object) -> Path:
    """Write a sheet with these marks in its first rows."""
    filled = [
        {**row, "mark": str(marks[place]) if place < len(marks) else ""} for place, row in enumerate(rows)
    ]
    with path.open("w", encoding="utf-8", newline="") as file:
        writer = csv.DictWriter(file, list(rows[0]))
        writer.writeheader()
        writer.writerows(filled)
    return path


def test_the_sheet_hides_models_and_holds_no_formula(engine: Engine, tmp_path: Path) -> None:
    """Both forms have the same codes in the same random order; another seed gives another order."""
    run = executed(engine)
    number = run.run.id
    result = export_marks(engine, number, tmp_path / "m.csv", seed=1)
    export_marks(engine, number, tmp_path / "m.xlsx", seed=1)
    export_marks(engine, number, tmp_path / "other.csv", seed=2)
    assert (result.answers, result.visible) == (8, 8)
    rows = sheet(tmp_path / "m.csv")
    text = (tmp_path / "m.csv").read_text()
    assert "test/one" not in text and "model" not in text.splitlines()[0]
    assert {row["answer"][0] for row in rows} == {"'"}
    assert {row["scale"] for row in rows} == {"whole marks from 1 (worst) to 5 (best)"}
    assert {row["rubric"] for row in rows} == {"5 good, 1 bad"}
    assert {row["mark"] for row in rows} == {""}
    book = openpyxl.load_workbook(tmp_path / "m.xlsx")
    cells = list(book["Marks"].iter_rows(min_row=2))
    assert [cell[0].value for cell in cells] == [row["code"] for row in rows]
    assert {cell.data_type for line in cells for cell in line if cell.value} == {"s"}
    assert book["Scale"]["B2"].value == "5 good, 1 bad"
    other = [row["code"] for row in sheet(tmp_path / "other.csv")]
    assert sorted(other) == sorted(row["code"] for row in rows)
    assert other != [row["code"] for row in rows]
    assert (tmp_path / "m.csv").stat().st_mode & 0o077 == 0


def test_a_filled_workbook_is_imported_once(engine: Engine, tmp_path: Path, clock: Clock) -> None:
    """Numbers in cells are marks; the same file again changes nothing; the marks stand beside the judges'."""
    number = executed(engine).run.id
    path = tmp_path / "m.xlsx"
    export_marks(engine, number, path)
    book = openpyxl.load_workbook(path)
    column = [cell.value for cell in book["Marks"][1]].index("mark") + 1
    for place in range(2, 8):
        book["Marks"].cell(place, column).value = 2 + place % 3
    book.save(path)
    first = import_marks(engine, path, number, judge="human:eva", clock=clock)
    assert (first.judge, first.rows, first.added, first.known, first.blank) == ("human/eva", 8, 6, 0, 2)
    before = read_marks(engine, [number])
    again = import_marks(engine, path, number, judge="human:eva", clock=clock)
    assert (again.added, again.known) == (0, 6)
    assert read_marks(engine, [number]) == before
    judges = [judge.judge for judge in run_agreement(engine, number).figures.judges]
    assert sorted(judges) == ["human/eva", "test/j", "test/k"]


def test_people_together_are_the_reference(engine: Engine, tmp_path: Path, clock: Clock) -> None:
    """Of two people the first by name counts where both marked; a name chooses one of them."""
    number = executed(engine).run.id
    export_marks(engine, number, tmp_path / "m.csv")
    rows = sheet(tmp_path / "m.csv")
    import_marks(engine, fill(tmp_path / "a.csv", rows, 5, 4), number, judge="human:ann", clock=clock)
    import_marks(engine, fill(tmp_path / "b.csv", rows, 1, 1, 1), number, judge="human:bob", clock=clock)
    read = runs_reference(engine, [number], ReferenceOptions(), source="1").marks
    assert read.judges == ("test/j", "test/k")
    assert sorted(value for value in read.reference.tolist() if value == value) == [1.0, 4.0, 5.0]
    bob = runs_reference(engine, [number], ReferenceOptions("human/bob"), source="1").marks
    assert set(bob.judges) == {"test/j", "test/k", "human/ann"}
    one = runs_reference(engine, [number], ReferenceOptions(judges=["test/j"]), source="1").marks
    assert one.judges == ("test/j",)


def test_bad_rows_are_named_and_nothing_is_stored(engine: Engine, tmp_path: Path, clock: Clock) -> None:
    """Marks off the scale, half marks, words, unknown codes, and two marks for one answer."""
    number = executed(engine).run.id
    export_marks(engine, number, tmp_path / "m.csv")
    rows = sheet(tmp_path / "m.csv")
    rows[4]["code"] = "NOCODE"
    rows[6] = dict(rows[5])
    path = fill(tmp_path / "bad.csv", rows, 6, 3.5, "good", "nan", 4, 2, 3)
    with pytest.raises(InvalidInput) as refused:
        import_marks(engine, path, number, clock=clock)
    text = str(refused.value)
    for part in ("'6'", "'3.5'", "'good'", "'nan'", "unknown code 'NOCODE'", "contradicts the mark 2"):
        assert part in text
    assert text.count("whole number from 1 to 5") == 4
    assert {mark.judge for mark in read_marks(engine, [number])} == {"test/j", "test/k"}


def test_a_contradiction_with_stored_marks_needs_replace(
    engine: Engine, tmp_path: Path, clock: Clock
) -> None:
    """The message names the row and both marks; `replace` corrects it."""
    number = executed(engine).run.id
    export_marks(engine, number, tmp_path / "m.csv")
    rows = sheet(tmp_path / "m.csv")
    import_marks(engine, fill(tmp_path / "a.csv", rows, 5, 4), number, clock=clock)
    changed = fill(tmp_path / "b.csv", rows, 5, 2, 3)
    with pytest.raises(Conflict, match=r"1 mark of human differ.*has 2, stored is 4.*--replace"):
        import_marks(engine, changed, number, clock=clock)
    result = import_marks(engine, changed, number, replace=True, clock=clock)
    assert (result.added, result.replaced, result.known) == (1, 1, 1)


def test_rows_can_name_item_and_model(engine: Engine, tmp_path: Path, clock: Clock) -> None:
    """As in the table of `assay judge plan`; an answer that does not exist is named."""
    number = executed(engine).run.id
    path = tmp_path / "take.csv"
    path.write_text("item,model,generation,mark\ncase-0,test/one,0,4\ncase-1,test/two,0,\n")
    result = import_marks(engine, path, number, clock=clock)
    assert (result.added, result.blank) == (1, 1)
    path.write_text("item,model,generation,mark\ncase-9,test/one,0,4\n")
    with pytest.raises(InvalidInput, match=r"item 'case-9'.*is no answer of run 1"):
        import_marks(engine, path, number, clock=clock)


def test_a_private_suite_needs_reveal(engine: Engine, tmp_path: Path) -> None:
    """No file is written without it."""
    suite = replace(judged_suite(), visibility="private")
    run = JudgedRun(engine, Court({"j": always(4)}), suite=suite)
    run.execute()
    with pytest.raises(Denied, match="--reveal"):
        export_marks(engine, run.run.id, tmp_path / "m.csv")
    assert not (tmp_path / "m.csv").exists()
    assert export_marks(engine, run.run.id, tmp_path / "m.csv", reveal=True).answers == 4


def test_human_marks_change_no_score_and_no_panel(engine: Engine, tmp_path: Path, clock: Clock) -> None:
    """The board has the same standings and judges, and its panel is compared with people."""
    number = executed(engine, cases=20).run.id
    before = read_board(engine, BoardRequest("judged"), replicates=50)
    export_marks(engine, number, tmp_path / "m.csv")
    rows = sheet(tmp_path / "m.csv")
    marks = [2 + place % 3 for place in range(len(rows))]
    import_marks(engine, fill(tmp_path / "a.csv", rows, *marks), number, clock=clock)
    after = read_board(engine, BoardRequest("judged"), replicates=50)
    assert isinstance(before, StoredBoard) and isinstance(after, StoredBoard)
    assert before.board.standings == after.board.standings
    assert [judge.judge for judge in after.board.judges] == ["test/j", "test/k"]
    assert after.missing == before.missing
    assert before.panel is not None and before.panel.reference is None
    assert after.panel is not None and after.panel.reference == "human"
    assert after.panel.best is not None and after.panel.best.best == "test/k"
    assert after.panel.effective.votes == pytest.approx(1.0)


def test_bad_requests_are_named(engine: Engine, tmp_path: Path, clock: Clock) -> None:
    """Other names, files, runs and numbers."""
    number = executed(engine, subjects=("one",)).run.id
    with pytest.raises(InvalidInput, match=r"cannot write to .*m.txt"):
        export_marks(engine, number, tmp_path / "m.txt")
    with pytest.raises(InvalidInput, match="invalid number of answers 0"):
        export_marks(engine, number, tmp_path / "m.csv", most=0)
    with pytest.raises(NotFound, match="there is no run 99"):
        export_marks(engine, 99, tmp_path / "m.csv")
    with pytest.raises(InvalidInput, match=r"invalid judge 'human:a b'"):
        import_marks(engine, tmp_path / "m.csv", number, judge="human:a b", clock=clock)
    with pytest.raises(NotFound, match=r"no file .*gone.csv"):
        import_marks(engine, tmp_path / "gone.csv", number, clock=clock)
    (tmp_path / "x.csv").write_text("a,b\n1,2\n")
    with pytest.raises(InvalidInput, match="missing columns"):
        import_marks(engine, tmp_path / "x.csv", number, clock=clock)
    export_marks(engine, number, tmp_path / "m.csv", most=2)
    assert len(sheet(tmp_path / "m.csv")) == 2
    with pytest.raises(InvalidInput, match=r"has no marks"):
        import_marks(engine, tmp_path / "m.csv", number, clock=clock)
