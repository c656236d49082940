"""`assay compare` on runs over a scripted upstream."""

from __future__ import annotations

from typing import Any

import pytest
from command_line import Assay, Served, right
from schemas import valid


def worse(prompt: str, before: int) -> Any:
    """Answer one sum wrongly, one not at all, one with an error, and the rest rightly."""
    replies = {"What is 11 plus 11?": "no idea", "What is 12 plus 12?": "", "What is 13 plus 13?": 400}
    return replies.get(prompt, right(prompt, before))


@pytest.fixture
def two_runs(upstream: Served, assay: Assay) -> Assay:
    """A run where all is right and a worse one of the same model."""
    assay("run", "small", "-m", "mine/a/b")
    upstream._answer = worse
    assay("run", "small", "-m", "mine/a/b")
    return assay


def test_the_document(two_runs: Assay) -> None:
    """By hand: of nine common cases two fell, one could not be compared; -22.2 points."""
    found = valid("compare", two_runs("compare", "1", "2", "--json"))
    assert [flip["case"] for flip in found["fell"]] == ["sums-0", "sums-1"]
    assert found["only_a"] == [{"case": "sums-2", "use_case": "sums"}]
    assert (found["cases"], found["mean_a"], found["p"], found["p_flips"]) == (9, 100.0, 0.5, 0.5)
    assert found["difference"] == pytest.approx(-200 / 9)
    assert (found["b"]["n"], found["b"]["invalid"], found["b"]["error"]) == (9, 1, 0)


def test_swapped_runs_rise(two_runs: Assay) -> None:
    """The cases that fell in one direction rose in the other."""
    found = valid("compare", two_runs("compare", "2", "1", "--json"))
    assert ([flip["case"] for flip in found["rose"]], found["fell"]) == (["sums-0", "sums-1"], [])


def test_what_is_printed(two_runs: Assay) -> None:
    """Means, the difference with interval and test, the flips; what was left out goes to stderr."""
    ended = two_runs("compare", "1", "2")
    assert ended.status == 0
    assert "small 1.0.0: run 2 against run 1, 9 cases in both" in ended.out
    assert "difference -22.2 points" in ended.out
    assert "paired sign-flip test p = 0.5" in ended.out
    assert "changed: 2 fell, 0 rose; exact McNemar test p = 0.5" in ended.out
    assert "left out of run 1, because run 2 has no score for them: sums-2" in ended.err


def test_a_run_with_several_models(upstream: Served, assay: Assay) -> None:
    """One name for both runs, or one for each; both ways at once are refused."""
    assay("run", "small", "-m", "mine/a/b", "-m", "mine/c")
    assay("run", "small", "-m", "mine/a/b", "-m", "mine/c")
    found = valid("compare", assay("compare", "1", "2", "-m", "mine/c", "--json"))
    assert (found["a"]["model"], found["b"]["model"]) == ("mine/c", "mine/c")
    named = assay("compare", "1", "1", "--model-a", "mine/a/b", "--model-b", "mine/c", "--json")
    assert valid("compare", named)["difference"] == 0.0
    assert assay("compare", "1", "2").status == 2
    assert assay("compare", "1", "2", "-m", "mine/c", "--model-a", "mine/c").status == 2


def test_a_threshold_is_a_score(two_runs: Assay) -> None:
    """At 0 every case passes, so none flips."""
    found = valid("compare", two_runs("compare", "1", "2", "--threshold", "0", "--json"))
    assert (found["threshold"], found["fell"], found["binary"]) == (0.0, [], True)


def test_nothing_of_prompts_or_answers_is_printed(two_runs: Assay) -> None:
    """Only names of cases."""
    ended = two_runs("compare", "1", "2", "--json")
    assert "plus" not in ended.out
    assert "no idea" not in ended.out


def test_wrong_input_ends_with_2(upstream: Served, assay: Assay) -> None:
    """No database, no such run, no number."""
    assert assay("compare", "1", "2").status == 2
    assay("run", "small", "-m", "mine/a/b", "--limit", "1")
    assert "no run 7" in assay("compare", "1", "7").err
    assert assay("compare", "one", "2").status == 2
