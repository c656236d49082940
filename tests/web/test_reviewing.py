"""Reviewing over HTTP: who may, what is shown, decisions, edits, caps, blind marking."""

from __future__ import annotations

import time
import uuid
from collections.abc import Iterator
from typing import Any

import orjson
import pytest
from exam_server import Served
from fastapi import FastAPI
from review_desk import FIRST, ITEMS, LAW, SCIENCE, SECOND, Desk, Page, furnish, reviewing
from sqlalchemy import Engine, select, update

from assay.bank.review import decide
from assay.core.question import QuestionState
from assay.questions.screen import Decided, Decision
from assay.store.bank.duplicates import PairRow, keep_pairs
from assay.store.bank.questions import question_by_uuid
from assay.store.bank.reviews import reviews_of
from assay.store.engine import reading, writing
from assay.store.schema_bank import question_versions, reviewers
from assay.web.api.reviewing.held import HELD_SECONDS, Reviewing
from assay.web.api.reviewing.screening import MOST_SECONDS


@pytest.fixture
def desk(engine: Engine) -> Desk:
    """Two questions on law and one on science, all raw."""
    return furnish(engine, ITEMS)


@pytest.fixture
def served(desk: Desk) -> Iterator[Served]:
    """A server over it."""
    with reviewing(desk) as server:
        yield server


@pytest.fixture
def ada(served: Served, desk: Desk) -> Page:
    """Ada, who reads every discipline."""
    return Page(served, desk.users["Ada"])


@pytest.fixture
def bo(served: Served, desk: Desk) -> Page:
    """Bo, who reads law."""
    return Page(served, desk.users["Bo"])


def test_a_reviewer_sees_the_question_with_its_key(ada: Page) -> None:
    """All that is needed to decide: options, key, explanation, what screening finds."""
    found = ada.next()
    question, key = LAW
    assert (found["id"], found["stem"], found["options"]) == (
        question.uuid,
        question.stem,
        [*question.options],
    )
    assert (found["key"], found["explanation"]) == (list(key.answers), key.explanation)
    assert (found["findings"], found["near"], found["state"], found["version"]) == ([], [], "raw", 1)


def test_findings_and_near_duplicates_come_along(desk: Desk, ada: Page) -> None:
    """What screening finds, and what reads alike until somebody decides."""
    ids = [question_by_uuid(desk.engine, item[0].uuid).id for item in (LAW, SECOND)]
    with writing(desk.engine) as connection:
        keep_pairs(connection, [PairRow(*ids, 0.91234)], time.time())
    assert ada.edit(key=["A", "E"]).status == 200
    found = ada.next()
    assert [(each["kind"], each["severity"]) for each in found["findings"]] == [
        ("key-outside-options", "blocks")
    ]
    (near,) = found["near"]
    assert (near["id"], near["similarity"], near["stem"]) == (SECOND[0].uuid, 0.912, SECOND[0].stem)
    assert "key" not in near


def test_disciplines_are_kept(bo: Page) -> None:
    """Bo gets law alone, and a decision on another discipline is refused."""
    bo.decide()
    bo.decide(SECOND[0].uuid)
    assert bo.next() is None
    refused = bo.decide(SCIENCE[0].uuid)
    assert (refused.status, refused.title) == (403, "Forbidden")


def test_accepting_and_rejecting_stand_in_the_bank(desk: Desk, ada: Page) -> None:
    """With reviewer, reason and seconds; the reply has the count of the day."""
    told = ada.decide().json
    assert (told["state"], told["reviewer"]["read_today"]) == ("accepted", 1)
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
        (FIRST, {"reason": "mechanical: fine"}, 422),
        (FIRST, {"reason": "x" * 2001}, 422),
        (FIRST, {"version": 2}, 409),
        (str(uuid.UUID(int=77)), {}, 404),
        ("one", {}, 422),
    ],
)
def test_a_decision_that_cannot_be_taken_is_told(
    desk: Desk, ada: Page, about: str, change: dict[str, Any], status: int
) -> None:
    """Nothing is stored, and the access log says how it ended."""
    assert ada.decide(about, **change).status == status
    assert question_by_uuid(desk.engine, FIRST).state is QuestionState.RAW
    query = "SELECT count(*) FROM access_log WHERE user_id = :user AND status = :status"
    assert desk.room.count(query, user=desk.users["Ada"], status=status) == 1


def test_a_whole_number_may_be_written_as_a_decimal(ada: Page) -> None:
    """1.0 is 1 to JSON."""
    assert ada.decide(version=1.0).status == 200
    assert ada.decide(SECOND[0].uuid, version=1.5).status == 422


def test_who_comes_second_is_told(desk: Desk, ada: Page) -> None:
    """Another reviewer decided meanwhile: 409, and what was decided stays."""
    found = ada.next()
    decide(desk.engine, "Bo", Decided(FIRST, Decision.REJECT, "wrong", 3.0), now=time.time())
    late = ada.decide(found["id"])
    assert (late.status, late.title) == (409, "Conflict")
    assert question_by_uuid(desk.engine, FIRST).state is QuestionState.REJECTED
    assert ada.next()["id"] == SECOND[0].uuid


def test_two_reviewers_are_not_given_the_same(ada: Page, bo: Page) -> None:
    """What Ada has before her is not given to Bo; what she skips is."""
    first = ada.next()
    assert bo.next()["id"] == SECOND[0].uuid
    assert ada.next(f"?skip={first['number']}")["id"] == SCIENCE[0].uuid
    assert bo.next()["id"] == FIRST


def test_what_is_held_is_free_again_after_a_while() -> None:
    """A page that was closed keeps nothing from others for long."""
    held = Reviewing(None)
    held.hold("Ada", 7, 100.0)
    assert held.with_others("Bo", 100.0) == {7}
    assert held.with_others("Bo", 100.0 + HELD_SECONDS) == set()


@pytest.mark.parametrize(
    "query", ["skip=", "skip=a", "skip=1&skip=2", "page=2", f"skip={'1,' * 200}1", "skip=-1"]
)
def test_a_list_of_skipped_ones_that_cannot_be_is_told(ada: Page, query: str) -> None:
    """422 with what to give."""
    assert ada.served.send("GET", f"/review/question?{query}", token=ada.token).status == 422


def test_the_daily_cap_holds(desk: Desk, ada: Page) -> None:
    """At the cap there is no next question, and a decision is refused."""
    with writing(desk.engine) as connection:
        connection.execute(update(reviewers).values(daily_cap=1))
    ada.decide()
    told = ada.served.send("GET", "/review/question", token=ada.token).json
    assert (told["question"], told["reviewer"]["read_today"]) == (None, 1)
    assert b"daily cap" in ada.decide(SECOND[0].uuid).raw


def test_an_edit_keeps_the_original(desk: Desk, ada: Page) -> None:
    """The question is another version with a key sealed for it; what it was stands with editor and reason."""
    told = ada.edit(key=["B"], stem="Which number did the clerk write first?", discipline="history")
    assert told.status == 200, told.raw
    assert (told.json["version"], told.json["key"], told.json["discipline"]) == (2, ["B"], "history")
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
def test_an_edit_that_cannot_be_is_told(desk: Desk, ada: Page, change: dict[str, Any], status: int) -> None:
    """Nothing changed, something empty, another version, another question's words: the question stays."""
    assert ada.edit(**change).status == status
    assert question_by_uuid(desk.engine, FIRST).version == 1


def test_two_reviewers_are_asked_where_that_is_wanted(desk: Desk) -> None:
    """With a second review the first decision leaves the question for another."""

    def prepare(app: FastAPI) -> None:
        app.state.reviewing.second = True

    with reviewing(desk, prepare=prepare) as served:
        first, second = (Page(served, desk.users[name]) for name in ("Ada", "Bo"))
        assert first.decide().json["state"] == "reviewed"
        assert first.next()["id"] != FIRST
        assert second.next()["id"] == FIRST
        assert second.decide().json["state"] == "accepted"


def test_who_begins_is_told_who_they_are(bo: Page) -> None:
    """Name, disciplines, the day's counts, and the disciplines that there are."""
    told = bo.served.send("GET", "/review/reviewer", token=bo.token).json
    assert told["reviewer"] == {
        "name": "Bo",
        "disciplines": ["law"],
        "daily_cap": 100,
        "read_today": 0,
        "to_mark": 0,
        "marked_today": 0,
    }
    assert len(told["all_disciplines"]) == 13
