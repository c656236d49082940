"""`assay rank report`: a table with all that can be added, a simulated exam, every form, and bad input."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
from command_line import Assay
from schemas import valid

STATIC = "model,static\na,60\nb,50\nc,40\nd,30\ne,20\n"
RECALLS = "model,source,kind,n,recalled\na,open,public,1000,153\na,ours,private,1000,80\n"


@pytest.fixture(autouse=True)
def tables(folder: Path) -> None:
    """Write scores of five models, a static ranking, recalled questions, and marks of people and judges."""
    luck = np.random.default_rng(2).random(200)
    scores = ["prompt,model,quality"]
    marks = ["item,model,judge,mark"]
    for model, share in zip("abcde", (0.9, 0.7, 0.5, 0.3, 0.1), strict=True):
        scores += [f"{item},{model},{int(value < share)}" for item, value in enumerate(luck)]
        for item, value in enumerate(luck[:40]):
            right = int(value < share)
            marks.append(f"{item},{model},human,{right}")
            marks.append(f"{item},{model},careful,{1 - right if item == 7 else right}")
            marks.append(f"{item},{model},hasty,{1 - right if item % 3 == 0 else right}")
    texts = {"scores": "\n".join(scores), "marks": "\n".join(marks), "static": STATIC, "recalls": RECALLS}
    for name, text in texts.items():
        (folder / f"{name}.csv").write_text(text)


WHOLE = ("--against", "static.csv", "--recalls", "recalls.csv", "--human", "marks.csv", "--resamples", "10")


def test_every_part_answers_its_question(assay: Assay) -> None:
    """With all data given, only the comparison of methods stays open."""
    document = valid("rank-report", assay("rank", "report", "scores.csv", *WHOLE, "--json"))
    still_open = [row["question"] for row in document["findings"] if row["limit"] is not None]
    assert still_open == ["Is the relative score a more stable ranking than Elo?"]
    assert document["parts"]["correlations"]["correlations"][0]["rho"] == pytest.approx(1.0)
    assert document["parts"]["judges"]["recommended"] == "careful"


def test_the_page_has_a_section_for_each_question_and_the_limits(assay: Assay, folder: Path) -> None:
    """The questions are the headings; the tables of the parts stand below."""
    assert assay("rank", "report", "scores.csv", *WHOLE, "--out", "report.html").status == 0
    page = (folder / "report.html").read_text()
    for heading in (
        "Which model is first?",
        "Have the models seen public questions before?",
        "cannot conclude",
    ):
        assert heading in page
    assert page.count('data-chart="') == 7


def test_the_terminal_ends_with_the_limits(assay: Assay) -> None:
    """Without further data three questions name the option that would answer them."""
    out = assay("rank", "report", "scores.csv", "--resamples", "10").out
    limits = out.partition("What this report cannot conclude")[2]
    assert all(option in limits for option in ("--against", "--recalls", "--human"))


def test_bad_input_is_one_message(assay: Assay) -> None:
    """An unknown ranking and an unknown reference end with status 2 or not found, and print nothing."""
    for options in (("--against", "none.csv"), ("--reference", "zzz")):
        ended = assay("rank", "report", "scores.csv", *options)
        assert (ended.status, ended.out) == (2, "")
        assert options[1] in ended.err
