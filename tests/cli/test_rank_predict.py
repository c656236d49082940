"""`assay rank predict`."""

from __future__ import annotations

from pathlib import Path

import numpy as np
from command_line import Assay
from schemas import valid


def written(folder: Path) -> str:
    """Write a table of six models and eight benchmarks with two missing scores, and return its name."""
    rng = np.random.default_rng(5)
    rows = [
        f"bench-{column},model-{row},{np.clip(0.3 + 0.1 * row + rng.normal(0, 0.03), 0, 1):.3f}"
        for row in range(6)
        for column in range(8)
        if (row, column) not in ((2, 3), (4, 1))
    ]
    (folder / "scores.csv").write_text("\n".join(["prompt,model,quality", *rows]) + "\n")
    return "scores.csv"


def test_the_document_lists_predictions_and_completed_means(assay: Assay, folder: Path) -> None:
    """Two predictions; every model has a completed mean."""
    document = valid("rank-predict", assay("rank", "predict", written(folder), "--json"))
    cells = {(row["model"], row["item"]) for row in document["predictions"]}
    assert cells == {("model-2", "bench-3"), ("model-4", "bench-1")}
    assert [row["model"] for row in document["completed"]] == [f"model-{row}" for row in (5, 4, 3, 2, 1, 0)]


def test_the_terminal_says_how_good_predictions_are(assay: Assay, folder: Path) -> None:
    """The held-out error and coverage stand below the means."""
    out = assay("rank", "predict", written(folder)).out
    assert "are predicted with a mean error of" in out
    assert "missing at random" in out


def test_the_page_is_written(assay: Assay, folder: Path) -> None:
    """Means with a chart, and the predictions."""
    assert assay("rank", "predict", written(folder), "--out", "p.html").status == 0
    assert 'data-chart="completed-means"' in (folder / "p.html").read_text()
