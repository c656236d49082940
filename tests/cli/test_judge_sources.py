"""`assay judge choose` and `correct` on what is in the workspace: a run, a board, and chosen people."""

from __future__ import annotations

import csv
from collections.abc import Callable
from pathlib import Path

import pytest
from command_line import Assay
from exam_series import SatSeries
from fresh_database import fresh_sqlite
from schemas import valid
from workbench_files import row, write_rows

ITEMS = 40
MODELS = ("m-1", "m-2")


def quality(model: str, item: int) -> int:
    """Return the true mark of an answer, 1-5: m-1 is better by 1."""
    return 2 + (item * 7) % 3 + (model == "m-1")


def answers(model: str, items: int = ITEMS) -> list[dict[str, object]]:
    """Return a model's answers, which `good` marks rightly and `lenient` with 5 or 4."""
    return [
        row(
            model,
            f"P{item:02}",
            response=f"{model} {item}",
            judges={"good": quality(model, item), "lenient": 5 - (item * 11 % 5 == 0)},
        )
        for item in range(items)
    ]


@pytest.fixture
def marked(assay: Assay, folder: Path) -> Path:
    """A run of two models that two judges marked, with Eva's marks, which are right, and a few of Bob's."""
    write_rows(folder / "r.jsonl", [line for model in MODELS for line in answers(model)])
    assert assay("import", "workbench", "r.jsonl").status == 0
    person(assay, folder, "human:eva", quality)
    person(assay, folder, "human:bob", lambda model, item: 3 if item < 4 else None)
    return folder


def person(assay: Assay, folder: Path, name: str, mark: Callable[[str, int], int | None]) -> None:
    """Import a person's marks of the run, on a sheet that is exported and filled in."""
    assert assay("export", "marks", "1", "--out", "m.csv", "--reveal").status == 0
    with (folder / "m.csv").open(encoding="utf-8-sig", newline="") as file:
        sheet = list(csv.DictReader(file))
    for line in sheet:
        model, item = line["answer"].split()
        line["mark"] = str(mark(model, int(item)) or "")
    with (folder / "m.csv").open("w", encoding="utf-8", newline="") as file:
        writer = csv.DictWriter(file, list(sheet[0]))
        writer.writeheader()
        writer.writerows(sheet)
    assert assay("import", "marks", "m.csv", "--run", "1", "--judge", name).status == 0


@pytest.mark.parametrize("source", ["1", "run:1", "board:generalist"])
def test_a_run_and_a_board_give_the_same_choice(assay: Assay, marked: Path, source: str) -> None:
    """Of two people the first by name counts: Bob's 3 replaces Eva's mark on 8 answers, 5 of them not 3."""
    document = valid("judge-choose", assay("judge", "choose", source, "--json"))
    judges = {judge["judge"]: judge for judge in document["judges"]}
    assert {name: judge["n"] for name, judge in judges.items()} == {"good": 80, "lenient": 80}
    assert judges["good"]["agreement"]["value"] == 75 / 80
    assert {(row["judge"], row["model"]) for row in document["by_model"]} == {
        (judge, model) for judge in judges for model in MODELS
    }
    assert (document["recommended"], document["source"]) == ("good", source)


def test_one_person_is_the_reference_and_another_is_never_recommended(assay: Assay, marked: Path) -> None:
    """Against Eva the judge `good` is perfect; Bob is compared like a judge, but no judge to choose."""
    call = ("judge", "choose", "run:1", "--reference", "human/eva", "--json")
    document = valid("judge-choose", assay(*call))
    judges = {judge["judge"]: judge for judge in document["judges"]}
    assert judges["good"]["agreement"] == {"value": 1.0, "low": 1.0, "high": 1.0}
    assert judges["good"]["kappa"]["value"] == 1.0
    assert judges["human/bob"]["n"] == 8
    assert (document["reference"], document["recommended"]) == ("human/eva", "good")
    alone = assay(*call, "--judge", "lenient").json
    assert [judge["judge"] for judge in alone["judges"]] == ["lenient"]


@pytest.mark.parametrize("source", ["run:1", "board:generalist"])
def test_a_lenient_judge_is_corrected(assay: Assay, marked: Path, source: str) -> None:
    """It gives both models 95 points; Eva gives 74 and 49, which the corrected means are near."""
    call = ("judge", "correct", source, "--judge", "lenient", "--reference", "human/eva", "--json")
    document = valid("judge-correct", assay(*call))
    means = {row["model"]: row for row in document["models"]}
    assert {model: row["judge_only"]["value"] for model, row in means.items()} == dict.fromkeys(MODELS, 95.0)
    assert {model: row["corrected"]["value"] for model, row in means.items()} == pytest.approx(
        {"m-1": 74.375, "m-2": 49.375}, abs=0.5
    )


def test_models_that_are_not_on_the_board_are_left_out(assay: Assay, folder: Path) -> None:
    """A model with answers to two prompts is not ranked: the board says so, the run has it."""
    rows = [*answers("m-1"), *answers("m-2"), *answers("m-3", 2)]
    write_rows(folder / "r.jsonl", rows)
    assert assay("import", "workbench", "r.jsonl").status == 0
    person(assay, folder, "human:eva", quality)
    models = {}
    for source in ("run:1", "board:generalist"):
        document = assay("judge", "choose", source, "--json").json
        models[source] = {row["model"] for row in document["by_model"]}
    assert models == {"run:1": {"m-1", "m-2", "m-3"}, "board:generalist": {"m-1", "m-2"}}
    assert any("m-3 is not ranked" in note for note in document["notes"])


def test_sources_that_cannot_be_read_are_named(assay: Assay, marked: Path) -> None:
    """An unknown person, run and board, a number that is none, and options of tables."""
    for arguments, message in {
        ("run:1", "--reference", "human/zoe"): "'human/zoe' gave no marks",
        ("run:1", "--judge", "nobody"): "judge 'nobody' gave no marks in run 1",
        ("run:9",): "9",
        ("run:x",): "invalid run 'run:x': give a number, such as run:3",
        ("board:nothing",): "'nothing'",
        ("run:1", "--category", "1"): "'run:1' is read as it is",
    }.items():
        for command in ("choose", "correct"):
            ended = assay("judge", command, *arguments)
            assert (ended.status, ended.out) == (2, ""), arguments
            assert message in " ".join(ended.err.split()), arguments


def test_experts_are_the_reference_of_an_exam(assay: Assay, folder: Path) -> None:
    """The judge gives two stars too many to every second answer of one model; experts marked one sitting."""
    engine = fresh_sqlite(folder / "assay.db")
    exams = SatSeries(engine)
    sessions = exams.add("spring", {"x/one": [3, 3], "x/two": [3, 0]})
    exams.add_expert("Ada", sessions[0], {place: 3 if place % 2 else 1 for place in range(1, 21)})
    exams.add_expert("Bo", sessions[3], {place: 3 * (place % 2 == 0) for place in range(1, 21)})
    engine.dispose()
    document = valid("judge-choose", assay("judge", "choose", "exam:spring", "--json"))
    (judge,) = document["judges"]
    assert (judge["n"], judge["agreement"]["value"]) == (40, 30 / 40)
    assert {row["model"]: row["agreement"]["value"] for row in document["by_model"]} == {
        "lab/x/one": 0.5,
        "lab/x/two": 1.0,
    }
    rows = {row["model"]: row for row in assay("judge", "correct", "exam:spring", "--json").json["models"]}
    assert (rows["lab/x/one"]["answers"], rows["lab/x/one"]["n"]) == (60, 20)
    assert rows["lab/x/one"]["judge_only"]["value"] == 100.0
    assert rows["lab/x/one"]["corrected"]["value"] == pytest.approx(66.7, abs=5.0)
    refused = assay("judge", "choose", "exam:spring", "--reference", "human/ada")
    assert "an exam's reference is its experts: leave out --reference" in " ".join(refused.err.split())
