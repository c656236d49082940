"""`assay frontier fit`: the oracle's value by each method, its document, and what is said beside it."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
from command_line import Assay
from schemas import valid


def table(folder: Path, generations: int, cost: str = "0.01") -> str:
    """Write a counts table of 12 prompts and 3 models and return its name."""
    rng = np.random.default_rng(4)
    rows = [
        f"q{prompt},m{model},{rng.binomial(generations, rng.beta(1, 1))},{generations},{cost}"
        for prompt in range(12)
        for model in range(3)
    ]
    (folder / "counts.csv").write_text("prompt,model,n_correct,n_gen,cost\n" + "\n".join(rows) + "\n")
    return "counts.csv"


def test_several_methods_in_one_document(assay: Assay, folder: Path) -> None:
    """Each once, in the order of the methods, over the same prompts, with its cost estimator."""
    call = ("--method", "bracket", "--method", "naive", "--method", "smooth", "--resamples", "20", "--json")
    found = valid("frontier-fit", assay("frontier", "fit", table(folder, 6), *call))
    assert [each["method"] for each in found["methods"]] == ["naive", "smooth", "bracket"]
    naive, smooth, bracket = found["methods"]
    assert len(found["curve"]) == 6
    assert naive["quality"]["value"] == found["curve"][-1]["quality"] == bracket["upper"]["value"]
    assert bracket["lower"]["value"] <= bracket["upper"]["value"]
    assert smooth["cost"] == found["paper_cost"]
    assert all(each["cost_estimator"] for each in found["methods"])
    assert found["caveats"]


def test_the_same_seed_gives_the_same_document(assay: Assay, folder: Path) -> None:
    """Another seed draws other replicates."""
    call = ("frontier", "fit", table(folder, 4), "--method", "power", "--resamples", "20", "--json", "--seed")
    first, again, other = (assay(*call, seed).json for seed in ("3", "3", "4"))
    assert first == again
    assert first["methods"][0]["quality"]["value"] == other["methods"][0]["quality"]["value"]
    assert first["methods"][0]["quality"]["over_prompts"] != other["methods"][0]["quality"]["over_prompts"]


@pytest.mark.slow
def test_the_default_method_knows_what_is_unknown_of_these_prompts(assay: Assay, folder: Path) -> None:
    """It is `mixture`, and has both intervals."""
    found = valid("frontier-fit", assay("frontier", "fit", table(folder, 6), "--resamples", "20", "--json"))
    assert [each["method"] for each in found["methods"]] == ["mixture"]
    assert found["methods"][0]["quality"]["these_prompts"] is not None
    assert found["methods"][0]["quality"]["over_prompts"] is not None


def test_the_table_names_the_best_single_model_and_the_caveats(
    assay: Assay, folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Methods in rows, the curve below, then how costs were estimated, notes and caveats."""
    monkeypatch.setenv("COLUMNS", "200")
    ended = assay(
        "frontier", "fit", table(folder, 3), "--method", "naive", "--method", "power", "--resamples", "20"
    )
    assert ended.status == 0
    rows = ended.out.splitlines()
    assert [row.split()[0] for row in rows[3:6]] == ["m2", "naive", "power"]
    assert any(row.startswith("biased oracle") for row in rows)
    assert "power: G = 3: extrapolations are unreliable below G = 10" in rows
    assert "cost by the paper's own estimator, equation 12 on the cost curve: needs 5 generations" in rows
    assert sum(row.startswith("caveat: ") for row in rows) == 3


def test_one_generation_has_a_naive_value_and_says_what_it_is_worth(assay: Assay, folder: Path) -> None:
    """The default method has none; the document stands and the reason is in its notes."""
    call = ("--method", "all", "--resamples", "20", "--json")
    found = valid("frontier-fit", assay("frontier", "fit", table(folder, 1), *call))
    values = {each["method"]: each["quality"]["value"] for each in found["methods"]}
    assert [name for name, value in values.items() if value is not None] == ["naive"]
    assert {"power", "smooth", "mixture", "bracket"} <= set(values)
    assert all("bias cannot be measured" in " ".join(each["notes"]) for each in found["methods"])


def test_an_unknown_method_is_refused(assay: Assay, folder: Path) -> None:
    """With the names there are, exit status 2."""
    ended = assay("frontier", "fit", table(folder, 3), "--method", "magic")
    assert ended.status == 2
    assert "unknown method 'magic': use one of naive, power" in ended.err
