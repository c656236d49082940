"""A reviewer's last decisions over HTTP, undoing them, and questions of one kind."""

from __future__ import annotations

import time
from typing import Any

import pytest
from exam_server import Served
from review_desk import FIRST, ITEMS, LAW, SCIENCE, SECOND, Desk, Page, furnish
from sqlalchemy import Engine

from assay.bank.review import decide
from assay.core.question import QuestionKind, QuestionState
from assay.questions.screen import Decided, Decision
from assay.store.bank.questions import question_by_uuid
from assay.store.bank.reviews import reviews_of


@pytest.fixture
def desk(sqlite: Engine) -> Desk:
    """Return a desk with two raw questions on law and one on science."""
    return furnish(sqlite, ITEMS)


def listed(page: Page) -> list[dict[str, Any]]:
    """Return the list of a reviewer's decisions."""
    reply = page.served.send("GET", "/review/decisions", token=page.token)
    assert reply.status == 200, reply.raw
    decisions: list[dict[str, Any]] = reply.json["decisions"]
    return decisions


def undo(page: Page, number: object) -> Any:
    """Send an undo."""
    return page.served.send("POST", f"/review/decisions/{number}/undo", token=page.token)


def test_the_list_has_decisions_without_keys(ada: Page) -> None:
    """The last one first, with question, reason and state; no key is in it."""
    ada.decide()
    ada.decide(SECOND[0].uuid, "reject", reason="two are right")
    second, first = listed(ada)
    assert (second["stem"], second["decision"], second["reason"]) == (
        SECOND[0].stem,
        "reject",
        "two are right",
    )
    assert (first["id"], first["state"], first["refusal"]) == (FIRST, "accepted", None)
    assert (first["kind"], first["discipline"]) == ("multiple-choice", "law")
    raw = ada.served.send("GET", "/review/decisions", token=ada.token).raw
    for _, key in (LAW, SECOND):
        assert key.explanation.encode() not in raw


def test_an_undone_decision_returns_its_question(desk: Desk, ada: Page) -> None:
    """The question comes with its key, is reserved for the reviewer, and can be decided on again."""
    ada.decide()
    (decision,) = listed(ada)
    reply = undo(ada, decision["number"])
    assert reply.status == 200, reply.raw
    question = reply.json["question"]
    assert (question["id"], question["state"], question["key"]) == (FIRST, "raw", list(LAW[1].answers))
    bo = Page(ada.served, desk.users["Bo"])
    assert bo.next()["id"] == SECOND[0].uuid
    assert ada.decide(FIRST, "reject", reason="on second thoughts").json["state"] == "rejected"
    history = reviews_of(desk.engine, question_by_uuid(desk.engine, FIRST).id)
    assert [review.decision for review in history] == ["accept", "unaccept", "reject"]


def test_an_undo_that_comes_too_late_is_a_conflict(desk: Desk, ada: Page) -> None:
    """Another reviewer has decided: the reply says why, and nothing changes."""
    decide(desk.engine, "Ada", Decided(FIRST, Decision.ACCEPT), second_review=True, now=time.time())
    decide(desk.engine, "Bo", Decided(FIRST, Decision.ACCEPT), now=time.time())
    (decision,) = listed(ada)
    assert "another reviewer has decided" in decision["refusal"]
    late = undo(ada, decision["number"])
    assert (late.status, late.title) == (409, "Conflict")
    assert question_by_uuid(desk.engine, FIRST).state is QuestionState.ACCEPTED


def test_decisions_of_others_cannot_be_undone(desk: Desk, ada: Page) -> None:
    """They are not found, like ids that cannot exist; the access log has each attempt."""
    ada.decide()
    (decision,) = listed(ada)
    bo = Page(ada.served, desk.users["Bo"])
    assert listed(bo) == []
    for number in (decision["number"], 77, 0, "x", "1.0", 10**9, 10**30):
        assert undo(bo, number).status == 404
    assert question_by_uuid(desk.engine, FIRST).state is QuestionState.ACCEPTED
    query = "SELECT count(*) FROM access_log WHERE user_id = :user AND status = 404"
    assert desk.room.count(query, user=desk.users["Bo"]) == 7


def test_a_question_of_another_discipline_is_not_returned(desk: Desk, review_server: Served) -> None:
    """A reviewer whose disciplines changed may undo, but does not get the question."""
    bo = Page(review_server, desk.users["Bo"])
    bo.decide()
    with desk.engine.begin() as connection:
        connection.exec_driver_sql("UPDATE reviewers SET disciplines = '[\"history\"]' WHERE name = 'Bo'")
    (decision,) = listed(bo)
    assert undo(bo, decision["number"]).json["question"] is None
    assert question_by_uuid(desk.engine, FIRST).state is QuestionState.RAW


def test_questions_of_one_kind(ada: Page) -> None:
    """Only this kind is offered, also together with questions to skip."""
    blank = QuestionKind.FILL_IN_THE_BLANK
    assert ada.next(f"?kind={blank}")["id"] == SCIENCE[0].uuid
    assert ada.next("?kind=multiple-choice")["id"] == FIRST
    number = ada.next("?kind=multiple-choice")["number"]
    assert ada.next(f"?kind=multiple-choice&skip={number}")["id"] == SECOND[0].uuid
    assert ada.next("?kind=short-answer") is None


@pytest.mark.parametrize("query", ["kind=", "kind=essay", "kind=short-answer&kind=short-answer", "Kind=x"])
def test_an_invalid_kind_is_refused(ada: Page, query: str) -> None:
    """422 for anything but one known kind."""
    reply = ada.served.send("GET", f"/review/question?{query}", token=ada.token)
    assert reply.status == 422


def test_the_page_starts_with_all_kinds(ada: Page) -> None:
    """They are the choices of the filter."""
    reply = ada.served.send("GET", "/review/reviewer", token=ada.token)
    assert reply.json["all_kinds"] == list(QuestionKind)
