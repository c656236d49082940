"""`assay frontier route`: its document, its tables, its chart, and its errors."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
from command_line import Assay
from schemas import valid


def table(folder: Path, cost: bool = True) -> str:
    """Write 24 prompts of two categories with three answers of two models, and return its name."""
    rng = np.random.default_rng(4)
    rows = [
        f"q{prompt:02d},m{model},{turn},{int(rng.random() < (0.9 if prompt % 2 == model else 0.2))},"
        f"c{prompt % 2}" + (f",{(1 + 4 * model) / 100}" if cost else "")
        for prompt in range(24)
        for model in range(2)
        for turn in range(3)
    ]
    head = "prompt,model,generation,quality,category" + (",cost" if cost else "")
    (folder / "answers.csv").write_text(head + "\n" + "\n".join(rows) + "\n")
    return "answers.csv"


CALL = ("--repeats", "1", "--resamples", "20")


def test_the_document_holds_every_router(assay: Assay, folder: Path) -> None:
    """In its closed schema, with a verdict and what training chose."""
    call = ("frontier", "route", table(folder), *CALL, "--verifier-error", "0.1", "--json")
    found = valid("frontier-route", assay(*call))
    names = [each["router"] for each in found["routers"]]
    assert names == [
        "best single",
        "category",
        "chosen in training",
        "cascade by category",
        "cascade, verified",
    ]
    by_name = {each["router"]: each for each in found["routers"]}
    assert by_name[found["nested"]]["share"]["value"] > 0.5
    assert by_name["category"]["over_shuffled"]["value"] > 0.0
    assert by_name["cascade, verified"]["reads_answers"]
    assert found["verdict"].startswith("Of the ")
    assert "one model answers a whole prompt" in " ".join(found["caveats"])


def test_without_costs_or_features_the_best_single_model_stands_alone(assay: Assay, folder: Path) -> None:
    """The document stands, and the notes say what is missing."""
    call = (*CALL, "--column", "category=", "--router", "linear", "--json")
    found = valid("frontier-route", assay("frontier", "route", table(folder, cost=False), *call))
    assert [each["router"] for each in found["routers"]] == ["best single"]
    assert found["nested"] == "best single"
    assert found["unit"] is None
    assert found["routers"][0]["matched"] is None
    assert any("no texts" in note for note in found["notes"])


def test_the_tables_show_both_comparisons(
    assay: Assay, folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """At any cost and at the best single model's, with what was chosen below."""
    monkeypatch.setenv("COLUMNS", "200")
    ended = assay("frontier", "route", table(folder), *CALL)
    assert ended.status == 0
    rows = ended.out.splitlines()
    assert sum(row.startswith("category ") for row in rows) == 2
    assert any(row.startswith("at the best single model's cost") for row in rows)
    assert any(row.startswith("chosen in training: category (5)") for row in rows)


@pytest.mark.parametrize(
    ("call", "told"),
    [
        (("--router", "magic"), "unknown router 'magic'"),
        (("--embeddings", "none.csv"), "no file of embeddings at"),
        (("--folds", "40"), "24 distinct prompts of 24: 40 folds need 40 or more"),
    ],
)
def test_bad_wishes_are_refused(assay: Assay, folder: Path, call: tuple[str, ...], told: str) -> None:
    """With exit status 2 or, for what is not there, its own."""
    ended = assay("frontier", "route", table(folder), *call)
    assert ended.status == 2
    assert told in " ".join(ended.err.split())


@pytest.mark.slow
def test_the_chart_is_written_three_times(assay: Assay, folder: Path) -> None:
    """As a page, a drawing and a picture."""
    assert assay("frontier", "route", table(folder), *CALL, "--out", "charts").status == 0
    assert {path.suffix for path in (folder / "charts").iterdir()} == {".html", ".svg", ".png"}
    assert "chosen in training" in (folder / "charts" / "routers.svg").read_text()
