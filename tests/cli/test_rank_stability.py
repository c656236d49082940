"""`assay rank stability`."""

from __future__ import annotations

from pathlib import Path

import numpy as np
from command_line import Assay
from schemas import valid


def written(folder: Path) -> str:
    """Write a table of three models and 60 prompts, and return its name."""
    rng = np.random.default_rng(1)
    rows = [
        f"q{prompt},{model},{int(rng.random() < chance)}"
        for prompt in range(60)
        for model, chance in (("a", 0.9), ("b", 0.6), ("c", 0.3))
    ]
    (folder / "scores.csv").write_text("\n".join(["prompt,model,quality", *rows]) + "\n")
    return "scores.csv"


def test_the_same_seed_gives_the_same_document(assay: Assay, folder: Path) -> None:
    """Another seed draws other items."""
    call = ("rank", "stability", written(folder), "--n", "30", "--n", "60", "--resamples", "20", "--json")
    first, again, other = (valid("rank-stability", assay(*call, "--seed", seed)) for seed in ("3", "3", "4"))
    assert first == again
    assert first["ratings"] != other["ratings"]
    assert sorted({row["n"] for row in first["orders"]}) == [30, 60]


def test_the_terminal_shows_table_9_and_the_answer(assay: Assay, folder: Path) -> None:
    """R by number of items, both variances, and the number of items that the order needs."""
    out = assay("rank", "stability", written(folder), "--resamples", "10").out
    assert "R by number of items, a = 100" in out
    assert "variance (n-1)" in out
    assert "The order of all models holds in 95 % of draws from" in out


def test_the_page_has_both_parts(assay: Assay, folder: Path) -> None:
    """Figure 5 and table 9."""
    assert assay("rank", "stability", written(folder), "--resamples", "5", "--out", "s.html").status == 0
    page = (folder / "s.html").read_text()
    assert 'id="order-of-the-models"' in page
    assert 'id="relative-scores"' in page
