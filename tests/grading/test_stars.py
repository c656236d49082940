"""The stars grader: what a judge of an examination is asked, and the stars that are read."""

from __future__ import annotations

import json

import pytest

from assay.core.ask import CallStatus, Message, ModelAsk, ModelReply
from assay.core.case import Case, GraderSpec
from assay.core.judging import JudgedGrader, Mark, Shown
from assay.grading.judging import verdict
from assay.grading.registry import grader
from assay.grading.stars import Stars

FENCE = "00112233445566aa"
SHOWN = Shown("False: it only skips the rest of this iteration.", fence=FENCE)
CASE = Case("loop", "computing", (Message("user", "True or false: continue leaves the loop. Why?"),), ())
SPEC = GraderSpec("stars", {"reference": "False; it starts the next iteration."})
STARS: JudgedGrader = Stars()


def said(mark: object) -> ModelReply:
    """Return a judge's reply with this many stars."""
    body = {"rationale": "right", "mark": mark, "token": verdict.token(FENCE)}
    return ModelReply(CallStatus.OK, json.dumps(body))


def text(parameters: dict[str, str]) -> str:
    """Return what the judge is told by the user's message."""
    return STARS.ask(CASE, GraderSpec("stars", parameters), "stars", SHOWN).messages[1].content


def test_it_is_registered_for_the_panel_with_a_scale_of_3() -> None:
    """Suites name it `stars`."""
    found = grader("stars")
    assert isinstance(found, Stars)
    assert (found.version, found.bench, found.scale, found.metrics(SPEC)) == (
        "2",
        "panel",
        (0.0, 3.0),
        ("stars",),
    )


@pytest.mark.parametrize(
    ("parameters", "told"),
    [
        ({}, "no reference: give the correct answer"),
        ({"reference": " "}, "no reference"),
        ({"reference": "a", "ideal": "b"}, "unknown parameter 'ideal'"),
        ({"reference": 42}, "'reference' is 42: write a text"),
    ],
    ids=["nothing", "blank", "unknown", "number"],
)
def test_what_is_wrong_with_the_parameters_is_told(parameters: dict[str, object], told: str) -> None:
    """The correct answer must be there, as a text."""
    assert told in " ".join(STARS.problems(GraderSpec("stars", parameters)))


def test_an_ask_with_the_key_in_it_is_sealed() -> None:
    """The ledger keeps its hash only."""
    assert STARS.ask(CASE, SPEC, "stars", SHOWN).sealed


def test_the_question_is_the_case_s_unless_it_is_given() -> None:
    """A question in other words takes the place of the candidate's turns."""
    assert f"<<<TASK {FENCE}>>>\nTrue or false" in text(dict(SPEC.parameters))
    given = text({**SPEC.parameters, "question": "Does continue end the loop?"})
    assert f"<<<TASK {FENCE}>>>\nDoes continue end the loop?\n<<<END TASK {FENCE}>>>" in given
    assert "True or false" not in given


def test_the_key_and_what_counts_are_shown() -> None:
    """Each stands in its own section."""
    shown = text(
        {**SPEC.parameters, "criteria": "The word iteration or step.", "rubric": "As in the lecture."}
    )
    assert f"<<<CORRECT ANSWER {FENCE}>>>\nFalse; it starts" in shown
    assert f"<<<CRITERIA {FENCE}>>>\nThe word" in shown
    assert f"<<<RUBRIC {FENCE}>>>\nAs in" in shown


@pytest.mark.parametrize("stars", [0, 1, 2, 3])
def test_stars_are_read(stars: int) -> None:
    """From none to three, none being a mark too."""
    assert STARS.read(CASE, SPEC, "stars", SHOWN, (said(stars),)) == Mark(stars, "right", None, "json")


@pytest.mark.parametrize("stars", [-1, 4, 5, 2.5, "three", True], ids=repr)
def test_other_marks_are_asked_once_more_and_then_given_up(stars: object) -> None:
    """Four of three stars are no mark."""
    assert isinstance(STARS.read(CASE, SPEC, "stars", SHOWN, (said(stars),)), ModelAsk)
    found = STARS.read(CASE, SPEC, "stars", SHOWN, (said(stars), said(stars)))
    assert isinstance(found, Mark)
    assert found.value is None


def test_another_key_is_another_question() -> None:
    """The essence depends on the correct answer."""
    other = GraderSpec("stars", {"reference": "True."})
    assert STARS.essence(CASE, other, "stars") != STARS.essence(CASE, SPEC, "stars")
