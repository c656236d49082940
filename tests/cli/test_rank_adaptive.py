"""`assay run --adaptive`, `assay resume --complete` and `assay rank adaptive` from the command line."""

from __future__ import annotations

import csv
import io
from pathlib import Path
from typing import Any

import pytest
from command_line import Assay, Served, right, use_case
from schemas import valid

GOOD = "simulated/steady"
SENTENCE = "What is {} plus {}?"


def written(folder: Path) -> str:
    """Write a table of two good models and a bad one on thirty prompts, and return its name."""
    rows = ["prompt,model,quality"]
    for prompt in range(30):
        rows += [f"{prompt},a,1", f"{prompt},b,{int(prompt != 3)}", f"{prompt},c,0"]
    (folder / "scores.csv").write_text("\n".join(rows) + "\n")
    return "scores.csv"


def long_suite(folder: Path) -> None:
    """Give the small suite 25 more sums."""
    sums = {SENTENCE.format(number, number): str(2 * number) for number in range(11, 41)}
    (folder / "small" / "sums.yaml").write_text(use_case("sums", sums))


def test_the_replay_as_document_csv_and_table(assay: Assay, folder: Path) -> None:
    """All forms agree; the bad model is left out and the good ones stay open."""
    source = written(folder)
    document = valid("rank-adaptive", assay("rank", "adaptive", source, "--orders", "5", "--json"))
    ended = assay("rank", "adaptive", source, "--orders", "5", "--csv")
    rows = list(csv.DictReader(io.StringIO(ended.out)))
    assert [row["worse"] for row in rows] == [row["worse"] for row in document["separations"]]
    assert {row["worse"]: float(row["separated"]) for row in rows} == {"a": 0.0, "b": 0.0, "c": 1.0}
    text = assay("rank", "adaptive", source, "--orders", "5").out
    assert "Over 5 random orders of the prompts" in text
    assert "Of the full run's 1 significant models behind the first place, 100% were reached." in text


@pytest.mark.parametrize("name", ["out.html", "out.csv", "out.parquet", "out.json"])
def test_every_ending_is_written(assay: Assay, folder: Path, name: str) -> None:
    """The file is there, also for all pairs."""
    options = ("--separate", "all", "--orders", "3", "--out", name)
    assert assay("rank", "adaptive", written(folder), *options).status == 0
    assert (folder / name).stat().st_size > 0


def test_a_run_says_what_it_settled_and_saved(upstream: Served, folder: Path, assay: Assay) -> None:
    """Two models tie: all prompts are used, the outcome says so, and it agrees with its schema."""
    long_suite(folder)
    models = ("-m", "mine/a/b", "-m", "mine/c/d")
    ended = assay("run", "small", *models, "--adaptive", "--batch", "20")
    assert ended.status == 0
    assert "2 models may be first (probability of any false separation at most 0.05)" in ended.err
    assert "Used 35 of 35 prompts and 70 of 70 samples: 0% fewer than the full run" in ended.err
    document = valid("run", assay("resume", "1", "--json"))
    assert document["adaptive"]["settled"] is False
    assert [row["prompts"] for row in document["adaptive"]["models"]] == [35, 35]
    assert "adaptive: separate first, alpha 0.05; stopped after 35 of 35 cases" in assay("show", "1").out


def test_a_run_that_left_samples_out_is_completed(folder: Path, assay: Assay, upstream: Served) -> None:
    """The command that the run names asks for the rest; afterwards it is an ordinary run."""
    long_suite(folder)

    def by_model(prompt: str, before: int) -> Any:
        return "no" if upstream.bodies[-1]["model"] == "c/d" else right(prompt, before)

    upstream._answer = by_model
    models = ("-m", "mine/a/b", "-m", "mine/c/d", "--concurrency", "1")
    ended = assay("run", "small", *models, "--adaptive")
    assert (ended.status, upstream.calls) == (0, 20)
    assert "mine/a/b is first" in ended.err
    assert "Used 10 of 35 prompts and 20 of 70 samples: 71% fewer than the full run" in ended.err
    assert "about $0.0500 saved of $0.0700." in ended.err
    complete = "assay resume 1 --complete"
    assert complete in ended.err
    assert assay(*complete.split()[1:]).status == 0
    assert upstream.calls == 70
    assert "adaptive" not in assay("show", "1").out


def test_a_dry_run_shows_the_worst_case(upstream: Served, assay: Assay) -> None:
    """All samples are in the estimate, and a sentence says that they are the most."""
    ended = assay("run", "small", "-m", "mine/a/b", "-m", "mine/c/d", "--adaptive", "--dry-run")
    assert "20 calls" in ended.out
    assert "Adaptive: this is the most that is asked." in ended.err
    assert upstream.calls == 0


@pytest.mark.parametrize(
    ("options", "message"),
    [
        (("--alpha", "0.1"), "--alpha 0.1 is for adaptive runs: add --adaptive, or leave it out"),
        (("--adaptive", "--alpha", "2"), "alpha 2.0: give a number between 0 and 1, such as 0.05"),
        (("--adaptive", "--batch", "0"), "batch of 0 prompts: give at least 1"),
        (("--adaptive",), "an adaptive run compares models, and there is 1: name two or more"),
    ],
)
def test_bad_options_are_one_message(assay: Assay, options: tuple[str, ...], message: str) -> None:
    """Exit status 2, and nothing is asked."""
    ended = assay("run", "small", "-m", GOOD, *options)
    assert ended.status == 2
    assert message in ended.err


def test_only_adaptive_runs_can_be_completed(assay: Assay) -> None:
    """Another run is refused with the way to resume it."""
    assert assay("run", "small", "-m", GOOD).status == 0
    ended = assay("resume", "1", "--complete")
    assert ended.status == 2
    assert "run 1 is not adaptive: resume it without --complete" in ended.err
