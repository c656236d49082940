"""Blind marking over HTTP."""

from __future__ import annotations

from typing import Any

import pytest
from exam_server import Served
from review_desk import JUDGE, LAB, MODEL, Desk, Page, give_answers
from sqlalchemy import select, update

from assay.store.engine import reading, writing
from assay.store.schema_bank import reviewers
from assay.store.schema_exam import human_marks


@pytest.fixture
def bo(review_server: Served, desk: Desk) -> Page:
    """Bo, who reads law."""
    return Page(review_server, desk.users["Bo"])


def test_answers_are_marked_blind(desk: Desk, ada: Page) -> None:
    """A reviewer sees question, key and answer, but no model, session, organisation or judge.

    The mark is stored once, with its reason sealed.
    """
    give_answers(desk.engine)
    reply = ada.served.send("GET", "/review/answer", token=ada.token)
    answer = reply.json["answer"]
    assert set(answer) == {"code", "discipline", "question", "key", "answer"}
    assert answer["answer"] == "True, for it follows."
    sessions = [row.session for row in rows(desk)]
    for hidden in (MODEL, JUDGE, "acme", LAB, *sessions):
        assert hidden.encode() not in reply.raw
    body = {"stars": 2, "reason": "half of it is explained", "seconds": 30.0}
    path = f"/review/answers/{answer['code']}"
    marked = ada.served.send("PUT", path, body, token=ada.token)
    assert (marked.status, marked.json["reviewer"]["to_mark"], marked.json["reviewer"]["marked_today"]) == (
        200,
        1,
        1,
    )
    (mark,) = [row for row in rows(desk) if row.marked_at is not None]
    assert (mark.code, mark.stars, mark.seconds) == (answer["code"], 2, 30.0)
    assert b"explained" not in bytes(mark.rationale)
    assert ada.served.send("PUT", path, body, token=ada.token).status == 409


@pytest.mark.parametrize(
    ("change", "status"),
    [({"stars": 4}, 422), ({"stars": True}, 422), ({"reason": " "}, 422), ({"reason": ""}, 422), ({}, 404)],
)
def test_an_invalid_mark_is_refused(
    desk: Desk, ada: Page, bo: Page, change: dict[str, Any], status: int
) -> None:
    """Invalid stars, a missing reason or another reviewer's answer store nothing."""
    give_answers(desk.engine)
    code = ada.served.send("GET", "/review/answer", token=ada.token).json["answer"]["code"]
    page = bo if status == 404 else ada
    body = {"stars": 3, "reason": "right", **change}
    assert page.served.send("PUT", f"/review/answers/{code}", body, token=page.token).status == status
    assert all(row.marked_at is None for row in rows(desk))


def test_marking_stops_at_the_cap(desk: Desk, ada: Page) -> None:
    """At the cap no answer is given, although one waits."""
    give_answers(desk.engine)
    with writing(desk.engine) as connection:
        connection.execute(update(reviewers).values(daily_cap=1))
    code = ada.served.send("GET", "/review/answer", token=ada.token).json["answer"]["code"]
    ada.served.send("PUT", f"/review/answers/{code}", {"stars": 3, "reason": "right"}, token=ada.token)
    reply = ada.served.send("GET", "/review/answer", token=ada.token).json
    assert (reply["answer"], reply["reviewer"]["to_mark"]) == (None, 1)


def rows(desk: Desk) -> list[Any]:
    """Return the assignments of reviewers."""
    with reading(desk.engine) as connection:
        return list(connection.execute(select(human_marks)).all())
