"""`assay frontier posthoc`: its document, its screen, its folder of files, and its errors."""

from __future__ import annotations

import csv
import json
from pathlib import Path

import numpy as np
import pytest
from command_line import Assay
from frontier_judged import measured_run, often
from schemas import valid
from sqlalchemy import Engine

CALL = ("--resamples", "20")


def table(folder: Path, generations: int = 4, *, cost: bool = True, models: int = 3) -> str:
    """Write a counts table of a few models and return its name."""
    rng = np.random.default_rng(4)
    rows = [
        f"q{prompt},m{model},{rng.binomial(generations, rng.beta(1, 1))},{generations}"
        + (f",{0.01 * 4**model:g}" if cost else "")
        for prompt in range(30)
        for model in range(models)
    ]
    head = "prompt,model,n_correct,n_gen" + (",cost" if cost else "")
    (folder / "counts.csv").write_text(head + "\n" + "\n".join(rows) + "\n")
    return "counts.csv"


def judged(folder: Path) -> str:
    """Write a table of a judge that accepts 9 of 10 right and 2 of 10 wrong answers."""
    rows = [f"q{n},{int(n < 10)},{int(n < 9 or n in (10, 11))}" for n in range(20)]
    (folder / "judged.csv").write_text("prompt,quality,judged\n" + "\n".join(rows) + "\n")
    return "judged.csv"


def test_without_a_judge_examples_stand_beside_the_perfect_one(assay: Assay, folder: Path) -> None:
    """Five judges, break-even at one answer and the most, the plan, carriers and sets."""
    found = valid("frontier-posthoc", assay("frontier", "posthoc", table(folder), *CALL, "--json"))
    kinds = [each["judge"]["kind"] for each in found["judges"]]
    assert kinds == ["perfect", "example", "example", "example", "example"]
    assert [each["judge"]["false_positive"] for each in found["judges"]] == [0.0, 0.01, 0.05, 0.1, 0.2]
    assert [each["k"] for each in found["break_even"]] == [1, 4]
    assert (found["prompts"], found["answers"], found["missing_cells"]) == (30, 360, 0)
    assert len(found["judges"][0]["sequential"]["plan"]) == 12
    assert len(found["carriers"]["models"]) == 3


@pytest.mark.parametrize(
    ("options", "rates"),
    [
        (("--judge-error", "0.1"), (0.9, 0.1)),
        (("--true-positive", "0.8", "--false-positive", "0.3"), (0.8, 0.3)),
        (("--judged", "judged.csv"), (0.9, 0.2)),
    ],
)
def test_a_judge_stated_or_measured(
    assay: Assay, folder: Path, options: tuple[str, ...], rates: tuple[float, float]
) -> None:
    """The given judge is shown with the perfect one, and its price is paid for every answer."""
    judged(folder)
    call = ("frontier", "posthoc", table(folder), *CALL, *options, "--judge-price", "0.01", "--json")
    perfect, meant = valid("frontier-posthoc", assay(*call))["judges"]
    assert (meant["judge"]["true_positive"], meant["judge"]["false_positive"]) == pytest.approx(rates)
    free, paid = (each["selection"]["points"][0]["cost"]["value"] for each in (perfect, meant))
    assert paid == pytest.approx(free + 3 * 0.01)


@pytest.mark.parametrize(("generations", "cost"), [(1, True), (2, False)])
def test_documents_of_poor_sources(assay: Assay, folder: Path, generations: int, cost: bool) -> None:
    """One generation, or no costs: the same schema, and notes that say so."""
    found = valid(
        "frontier-posthoc",
        assay("frontier", "posthoc", table(folder, generations, cost=cost), *CALL, "--json"),
    )
    assert found["carriers"]["method"] == ("naive" if generations == 1 else "mixture")
    assert any("G = 1" in note for note in found["notes"]) == (generations == 1)
    assert found["judges"][0]["selection"]["unit"] == ("USD" if cost else "generations")


def test_a_judge_measured_on_a_run(assay: Assay, folder: Path, sqlite: Engine) -> None:
    """Its rates against the run's own checks, and what its calls cost, in the document."""
    number = measured_run(sqlite, j=often)
    call = ("--database", "assay.db", "frontier", "posthoc", table(folder), *CALL, "--json")
    found = valid("frontier-posthoc", assay(*call, "--judge-run", str(number), "--accept", "4"))
    judge = found["judges"][1]["judge"]
    assert (judge["kind"], judge["true_positive"], judge["false_positive"]) == ("measured", 0.75, 0.25)
    assert judge["price"] == pytest.approx(0.001)
    assert judge["measured"]["right"]["answers"] == 4
    refused = assay(*call, "--judge-run", str(number), "--accept", "4", "--judge-metric", "taste")
    assert refused.status == 2 and "did not mark 'taste'" in refused.err


def test_arms_are_grouped_by_a_column(assay: Assay, folder: Path) -> None:
    """Arms of a model and a prompt: each arm's value, and each model's as one player with its best arm."""
    rng = np.random.default_rng(2)
    rows = [
        f"q{prompt},{model},{style},{rng.integers(0, 2)}"
        for prompt in range(30)
        for model in ("a", "b")
        for style in ("x", "y")
        for _ in range(2)
    ]
    (folder / "arms.csv").write_text("prompt,model,style,quality\n" + "\n".join(rows) + "\n")
    call = ("frontier", "posthoc", "arms.csv", "--arm", "model", "--arm", "style", *CALL, "--json")
    found = valid("frontier-posthoc", assay(*call, "--group-by", "model"))
    assert found["group_of"] == {"a + x": "a", "a + y": "a", "b + x": "b", "b + y": "b"}
    arms = {each["model"]: each["shapley"]["value"] for each in found["carriers"]["models"]}
    groups = {each["model"]: each["shapley"]["value"] for each in found["groups"]["models"]}
    assert groups["a"] == pytest.approx(arms["a + x"] + arms["a + y"])


def test_the_screen(assay: Assay, folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Denominators, the judge's rates with theirs, tables in order, break-even, caveats with numbers."""
    monkeypatch.setenv("COLUMNS", "200")
    shown = assay("frontier", "posthoc", table(folder), "--judged", judged(folder), *CALL).out
    assert shown.startswith("30 prompts x 3 models x 4 generations: 360 answers, 0 of 90 cells missing")
    assert "accepts 9 of 10 right answers, 90.0 %" in shown and "2 of 10 wrong" in shown
    order = (
        "All answers are made, the judge selects",
        "pays while",
        "One model after the other",
        "The plan:",
        "Models that carry the frontier",
        "The cheapest set",
        "errors are assumed to be independent",
        "4 x 3 = 12",
        "results for agentic tasks are too low",
    )
    places = [shown.index(text) for text in order]
    assert places == sorted(places)


@pytest.mark.slow
def test_a_folder_of_files(assay: Assay, folder: Path) -> None:
    """The document of --json, each table as CSV and Markdown, each chart as page and pictures."""
    ended = assay("frontier", "posthoc", table(folder), *CALL, "--out", "made", "--json")
    written = folder / "made"
    assert json.loads((written / "posthoc.json").read_text()) == ended.json
    with (written / "selection.csv").open() as lines:
        rows = list(csv.DictReader(lines))
    assert [row["k"] for row in rows] == ["0", "1", "2", "3", "4"]
    for name in ("selection", "paid", "judge-error", "carriers"):
        assert {f"{name}.html", f"{name}.svg", f"{name}.png"} <= {each.name for each in written.iterdir()}


@pytest.mark.parametrize(
    ("call", "told"),
    [
        (("--judge-error", "5"), "5 % is 0.05"),
        (("--judge-error", "0.1", "--true-positive", "0.9"), "sets both error rates"),
        (("--true-positive", "0.9"), "give --false-positive too"),
        (("--false-positive", "0.9"), "give --true-positive too"),
        (("--judge-price", "-1"), "--judge-price -1.0: give 0 or more"),
        (("--judge-price", "0.1"), "has no costs"),
        (("--judge-error", "0.1", "--judged", "judged.csv"), "give one"),
        (("--judge", "kim"), "belongs to --judge-run or --judged"),
        (("--model", "nobody"), "--model 'nobody' is not in the source: use one of m0, m1, m2"),
        (("--most", "0"), "--most 0: give 1 or more"),
        (("--share", "1.5"), "share of the gain"),
        (("--group-by", "model"), "--group-by 'model' is not a column of arms"),
        (("--judged", "nowhere.csv"), "nowhere.csv"),
    ],
)
def test_what_is_refused(assay: Assay, folder: Path, call: tuple[str, ...], told: str) -> None:
    """Exit 2, one message, the value named."""
    judged(folder)
    ended = assay("frontier", "posthoc", table(folder, 2, cost=False), *call)
    assert ended.status == 2
    assert told in " ".join(ended.err.split())


def test_graded_quality_needs_to_be_told_from_when_it_is_right(assay: Assay, folder: Path) -> None:
    """A judge accepts or rejects: --right makes quality 0 and 1."""
    rng = np.random.default_rng(1)
    rows = [f"q{p},m{m},{rng.random():.2f}" for p in range(10) for m in range(2) for _ in range(2)]
    (folder / "graded.csv").write_text("prompt,model,quality\n" + "\n".join(rows) + "\n")
    refused = assay("frontier", "posthoc", "graded.csv", *CALL)
    assert refused.status == 2 and "--right" in refused.err
    found = valid(
        "frontier-posthoc", assay("frontier", "posthoc", "graded.csv", *CALL, "--right", "0.5", "--json")
    )
    assert found["right"] == 0.5
