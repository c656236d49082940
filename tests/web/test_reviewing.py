"""Reviewing over HTTP: questions, decisions, edits and caps."""

from __future__ import annotations

import time
import uuid
from typing import Any

import orjson
import pytest
from exam_server import Served
from review_desk import FIRST, LAW, SCIENCE, SECOND, Desk, Page
from sqlalchemy import select, update

from assay.bank.review import decide
from assay.bank.reviewing import HELD_SECONDS, Reviewing
from assay.core.question import QuestionState
from assay.questions.screen import Decided, Decision
from assay.store.bank.duplicates import PairRow, keep_pairs
from assay.store.bank.questions import question_by_uuid
from assay.store.bank.reviews import reviews_of
from assay.store.engine import reading, writing
from assay.store.schema_bank import question_versions, reviewers
from assay.web.api.reviewing.screening import MOST_SECONDS


@pytest.fixture
def bo(review_server: Served, desk: Desk) -> Page:
    """Bo, who reads law."""
    return Page(review_server, desk.users["Bo"])


def test_a_reviewer_sees_the_question_with_its_key(ada: Page) -> None:
    """It has options, key, explanation and findings."""
    shown = ada.next()
    question, key = LAW
    assert (shown["id"], shown["stem"], shown["options"]) == (
        question.uuid,
        question.stem,
        [*question.options],
    )
    assert (shown["key"], shown["explanation"]) == (list(key.answers), key.explanation)
    assert (shown["findings"], shown["near"], shown["state"], shown["version"]) == ([], [], "raw", 1)


def test_a_question_has_its_findings_and_near_duplicates(desk: Desk, ada: Page) -> None:
    """A near-duplicate is shown without its key."""
    ids = [question_by_uuid(desk.engine, item[0].uuid).id for item in (LAW, SECOND)]
    with writing(desk.engine) as connection:
        keep_pairs(connection, [PairRow(*ids, 0.91234)], time.time())
    assert ada.edit(key=["A", "E"]).status == 200
    shown = ada.next()
    assert [(finding["kind"], finding["severity"]) for finding in shown["findings"]] == [
        ("key-outside-options", "blocks")
    ]
    (near,) = shown["near"]
    assert (near["id"], near["similarity"], near["stem"]) == (SECOND[0].uuid, 0.912, SECOND[0].stem)
    assert "key" not in near


def test_a_reviewer_gets_own_disciplines_only(bo: Page) -> None:
    """Bo gets law only, and a decision on another discipline is refused."""
    bo.decide()
    bo.decide(SECOND[0].uuid)
    assert bo.next() is None
    refused = bo.decide(SCIENCE[0].uuid)
    assert (refused.status, refused.title) == (403, "Forbidden")


def test_decisions_are_stored(desk: Desk, ada: Page) -> None:
    """Reviewer, reason and seconds are stored; the reply has the day's count."""
    reply = ada.decide().json
    assert (reply["state"], reply["reviewer"]["read_today"]) == ("accepted", 1)
    ada.decide(SECOND[0].uuid, "reject", reason="two are right", seconds=80_000.0)
    stored = question_by_uuid(desk.engine, SECOND[0].uuid)
    (review,) = reviews_of(desk.engine, stored.id)
    assert stored.state is QuestionState.REJECTED
    assert (review.reviewer, review.reason, review.seconds) == ("Ada", "two are right", MOST_SECONDS)


@pytest.mark.parametrize(
    ("about", "change", "status"),
    [
        (FIRST, {"decision": "reject"}, 422),
        (FIRST, {"decision": "maybe"}, 422),
        (FIRST, {"seconds": -1.0}, 422),
        (FIRST, {"version": 0}, 422),
        (FIRST, {"stars": 3}, 422),
        (FIRST, {"reason": "x" * 2001}, 422),
        (FIRST, {"version": 2}, 409),
        (str(uuid.UUID(int=77)), {}, 404),
        ("one", {}, 422),
    ],
)
def test_an_invalid_decision_is_refused(
    desk: Desk, ada: Page, about: str, change: dict[str, Any], status: int
) -> None:
    """Nothing is stored, and the access log has the status."""
    assert ada.decide(about, **change).status == status
    assert question_by_uuid(desk.engine, FIRST).state is QuestionState.RAW
    query = "SELECT count(*) FROM access_log WHERE user_id = :user AND status = :status"
    assert desk.room.count(query, user=desk.users["Ada"], status=status) == 1


def test_a_whole_number_may_be_written_as_a_decimal(ada: Page) -> None:
    """In JSON 1.0 and 1 are the same number."""
    assert ada.decide(version=1.0).status == 200
    assert ada.decide(SECOND[0].uuid, version=1.5).status == 422


def test_a_late_decision_is_a_conflict(desk: Desk, ada: Page) -> None:
    """Another reviewer has decided meanwhile, and that decision stays."""
    shown = ada.next()
    decide(desk.engine, "Bo", Decided(FIRST, Decision.REJECT, "wrong", 3.0), now=time.time())
    late = ada.decide(shown["id"])
    assert (late.status, late.title) == (409, "Conflict")
    assert question_by_uuid(desk.engine, FIRST).state is QuestionState.REJECTED
    assert ada.next()["id"] == SECOND[0].uuid


def test_two_reviewers_get_different_questions(ada: Page, bo: Page) -> None:
    """The question that Ada reads is not given to Bo until she skips it."""
    first = ada.next()
    assert bo.next()["id"] == SECOND[0].uuid
    assert ada.next(f"?skip={first['number']}")["id"] == SCIENCE[0].uuid
    assert bo.next()["id"] == FIRST


def test_a_reservation_expires() -> None:
    """A closed page blocks a question for a limited time."""
    held = Reviewing(None)
    held.hold("Ada", 7, 100.0)
    assert held.held_by_others("Bo", 100.0) == {7}
    assert held.held_by_others("Bo", 100.0 + HELD_SECONDS) == set()


@pytest.mark.parametrize(
    "query", ["skip=", "skip=a", "skip=1&skip=2", "page=2", f"skip={'1,' * 200}1", "skip=-1"]
)
def test_an_invalid_skip_parameter_is_refused(ada: Page, query: str) -> None:
    """422 for anything but one list of numbers."""
    assert ada.served.send("GET", f"/review/question?{query}", token=ada.token).status == 422


def test_the_daily_cap_holds(desk: Desk, ada: Page) -> None:
    """At the cap there is no next question, and a decision is refused."""
    with writing(desk.engine) as connection:
        connection.execute(update(reviewers).values(daily_cap=1))
    ada.decide()
    reply = ada.served.send("GET", "/review/question", token=ada.token).json
    assert (reply["question"], reply["reviewer"]["read_today"]) == (None, 1)
    assert b"daily cap" in ada.decide(SECOND[0].uuid).raw


@pytest.mark.slow
def test_an_edit_keeps_the_earlier_version(desk: Desk, ada: Page) -> None:
    """The new version has its own key; the earlier one is stored with editor and reason."""
    reply = ada.edit(key=["B"], stem="Which number did the clerk write first?", discipline="history")
    assert reply.status == 200, reply.raw
    assert (reply.json["version"], reply.json["key"], reply.json["discipline"]) == (2, ["B"], "history")
    with reading(desk.engine) as connection:
        (old,) = connection.execute(select(question_versions)).all()
    assert (old.edited_by, old.reason, old.version) == ("Ada", "the key was wrong", 1)
    assert orjson.loads(old.content)["stem"] == LAW[0].stem
    assert ada.decide(version=2).json["state"] == "accepted"


@pytest.mark.parametrize(
    ("change", "status"),
    [
        ({}, 422),
        ({"stem": "  "}, 422),
        ({"key": []}, 422),
        ({"key": [" "]}, 422),
        ({"options": ["a", ""]}, 422),
        ({"discipline": "alchemy"}, 422),
        ({"key": ["B"], "reason": ""}, 422),
        ({"key": ["B"], "version": 3}, 409),
        ({"stem": SECOND[0].stem, "options": list(SECOND[0].options)}, 409),
    ],
)
def test_an_invalid_edit_is_refused(desk: Desk, ada: Page, change: dict[str, Any], status: int) -> None:
    """No change, empty parts, an old version or another question's text leave the question unchanged."""
    assert ada.edit(**change).status == status
    assert question_by_uuid(desk.engine, FIRST).version == 1


def test_the_start_of_a_page_has_the_reviewer_and_disciplines(bo: Page) -> None:
    """The reviewer has name, disciplines and the day's counts; all disciplines are listed."""
    reply = bo.served.send("GET", "/review/reviewer", token=bo.token).json
    assert reply["reviewer"] == {
        "name": "Bo",
        "disciplines": ["law"],
        "daily_cap": 100,
        "read_today": 0,
        "to_mark": 0,
        "marked_today": 0,
    }
    assert len(reply["all_disciplines"]) == 13
