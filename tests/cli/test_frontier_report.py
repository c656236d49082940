"""`assay frontier report`: its document, its screen, its folder of files, and its errors."""

from __future__ import annotations

import csv
import json
from pathlib import Path

import numpy as np
import pytest
from command_line import Assay
from schemas import valid

CALL = ("--resamples", "20")


def table(folder: Path, generations: int = 5, prompts: int = 44, cost: bool = True) -> str:
    """Write a counts table of three models and two categories and return its name."""
    rng = np.random.default_rng(4)
    rows = [
        f"q{prompt},m{model},{rng.binomial(generations, rng.beta(1, 1))},{generations},t{prompt % 2}"
        + (f",{0.01 * 4**model:g}" if cost else "")
        for prompt in range(prompts)
        for model in range(3)
    ]
    head = "prompt,model,n_correct,n_gen,category" + (",cost" if cost else "")
    (folder / "counts.csv").write_text(head + "\n" + "\n".join(rows) + "\n")
    return "counts.csv"


def test_one_document_with_every_part(assay: Assay, folder: Path) -> None:
    """Denominators, gains, k-shot at every k, methods, caveats; its schema is closed."""
    ended = assay("frontier", "report", table(folder), *CALL, "--prices-date", "2026-03-01", "--json")
    found = valid("frontier-report", ended)
    assert (found["method"], found["prices_date"]) == ("mixture", "2026-03-01")
    assert (found["all"]["prompts"], found["all"]["models"], found["all"]["missing_cells"]) == (44, 3, 0)
    assert [each["k"] for each in found["all"]["k_shot"]] == [1, 2, 3, 4, 5]
    assert [each["category"] for each in found["categories"]] == ["t0", "t1"]
    assert [each["method"] for each in found["methods"]] == ["mixture", "naive", "bracket", "power", "smooth"]
    assert found["all"]["paper_bias"] is not None
    assert any("2026-03-01" in caveat for caveat in found["caveats"])


@pytest.mark.parametrize(("generations", "cost"), [(1, True), (2, False)])
def test_documents_of_poor_sources(assay: Assay, folder: Path, generations: int, cost: bool) -> None:
    """One generation, or no costs: the same schema, with what is not known null."""
    found = valid(
        "frontier-report",
        assay("frontier", "report", table(folder, generations, cost=cost), *CALL, "--json"),
    )
    assert found["method"] == ("naive" if generations == 1 else "bracket")
    assert (found["reliability"] is None) == (generations == 1)
    assert (found["all"]["gains"]["saving_at_matched_quality"]["value"] is None) == (not cost)


def test_the_screen_begins_with_the_denominators_and_the_headline(
    assay: Assay, folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Then the tables 1 to 6 in order, and the caveats last."""
    monkeypatch.setenv("COLUMNS", "200")
    shown = assay("frontier", "report", table(folder), *CALL).out
    lines = shown.splitlines()
    assert lines[0] == "44 prompts x 3 models x 5 generations: 660 answers, 0 of 132 cells missing"
    assert lines[1].startswith("The best single model, m")
    assert "fewer errors" in lines[1] and "USD a prompt" in lines[2]
    places = [shown.index(f"Table {number}.") for number in range(1, 7)]
    assert places == sorted(places)
    caveats = shown[shown.index("\nCaveats\n") :]
    for word in ("no router", "never errs and costs nothing", "trajectory", "5 x 3 = 15", "date of prices"):
        assert word in caveats


@pytest.mark.slow
def test_a_folder_of_files(assay: Assay, folder: Path) -> None:
    """The document of --json, and each table as CSV and Markdown with its notes."""
    ended = assay("frontier", "report", table(folder), *CALL, "--out", "made", "--json")
    written = folder / "made"
    assert json.loads((written / "report.json").read_text()) == ended.json
    with (written / "table-1.csv").open() as lines:
        rows = list(csv.DictReader(lines))
    assert [row["rows"] for row in rows] == ["all prompts", "t0", "t1"]
    top = ended.json["all"]["frontier"][-1]["quality"]
    assert float(rows[0]["oracle_quality"]) == top["value"]
    assert float(rows[0]["oracle_quality_these_low"]) == top["these_prompts"]["low"]
    assert "| all prompts | 44 |" in (written / "table-6.md").read_text()
    assert {f"table-{number}.csv" for number in range(1, 7)} <= {each.name for each in written.iterdir()}


def test_what_is_refused(assay: Assay, folder: Path) -> None:
    """An invalid k, prices without costs and an unknown method: exit status 2, and the value is named."""
    name = table(folder, 2, cost=False)
    (folder / "prices.yaml").write_text("m0: {factor: 2}\n")
    for call, told in (
        (("--k", "x"), "invalid value 'x' for --k: write a whole number"),
        (("--prices", "prices.yaml"), "the source has no costs"),
        (("--method", "magic"), "'magic'"),
    ):
        ended = assay("frontier", "report", name, *call)
        assert ended.status == 2
        assert told in ended.err
