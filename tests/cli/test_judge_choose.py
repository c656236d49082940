"""`assay judge choose`, `correct` and `plan`: from a table of marks, in every form, and bad input."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
from command_line import Assay
from schemas import valid

HOSTILE = "<script>alert(1)</script>"


def marks_table(folder: Path, *, items: int = 200, human: float = 1.0, first: str = "good") -> str:
    """Write right-or-wrong marks of two judges on answers of two models; people marked a share of them."""
    rng = np.random.default_rng(3)
    lines = ["item,model,judge,mark,cost"]
    for item in range(items):
        for model, ability in (("a", 0.8), ("b", 0.5)):
            truth = int(rng.random() < ability)
            for judge, share, cost in ((first, 0.97, 0.02), ("poor", 0.65, 0.001)):
                lines.append(f"{item},{model},{judge},{truth if rng.random() < share else 1 - truth},{cost}")
            if rng.random() < human:
                lines.append(f"{item},{model},human,{truth},")
    (folder / "marks.csv").write_text("\n".join(lines) + "\n")
    return "marks.csv"


def test_a_judge_is_recommended_with_its_reason(assay: Assay, folder: Path) -> None:
    """The good judge is clearly better, so the cheap one is not as good."""
    source = marks_table(folder)
    document = valid("judge-choose", assay("judge", "choose", source, "--reference", "human", "--json"))
    assert document["recommended"] == "good"
    out = assay("judge", "choose", source).out
    assert "Recommended: good" in out


def test_corrected_means_are_near_the_human_ones(assay: Assay, folder: Path) -> None:
    """A quarter of the answers have human marks; the poor judge's own means are far off."""
    source = marks_table(folder, items=400, human=0.25)
    call = ("judge", "correct", source, "--reference", "human", "--judge", "poor")
    document = valid("judge-correct", assay(*call, "--json"))
    means = {row["model"]: row["corrected"]["value"] for row in document["models"]}
    assert means["a"] == pytest.approx(80.0, abs=12.0)
    assert means["b"] == pytest.approx(50.0, abs=12.0)
    judged = {row["model"]: row["judge_only"]["value"] for row in document["models"]}
    assert abs(judged["a"] - 80.0) > abs(means["a"] - 80.0)


def test_a_plan_lists_the_answers_to_mark(assay: Assay, folder: Path) -> None:
    """With --out it writes them, each once."""
    source = marks_table(folder, items=400, human=0.1)
    call = ("judge", "plan", source, "--judge", "good", "--half-width", "5")
    document = valid("judge-plan", assay(*call, "--json"))
    assert document["half_width"] == 5.0
    assert len({(row["item"], row["model"]) for row in document["take"]}) == len(document["take"])
    assert assay(*call, "--out", "take.csv").status == 0
    assert (folder / "take.csv").read_text().count("\n") == len(document["take"]) + 1


@pytest.mark.parametrize("command", ["choose", "correct", "plan"])
def test_pages_escape_names(assay: Assay, folder: Path, command: str) -> None:
    """A hostile judge's name stays text."""
    source = marks_table(folder, first=HOSTILE)
    chosen = () if command == "choose" else ("--judge", HOSTILE)
    assert assay("judge", command, source, *chosen, "--out", "page.html").status == 0
    assert HOSTILE not in (folder / "page.html").read_text()


@pytest.mark.parametrize("command", ["choose", "correct", "plan"])
def test_without_a_reference_nothing_can_be_said(assay: Assay, folder: Path, command: str) -> None:
    """Exit status 2 and one message that names the reference."""
    ended = assay("judge", command, marks_table(folder, human=0.0))
    assert (ended.status, ended.out) == (2, "")
    assert "human" in ended.err
