"""Access to reviewing: every other role is refused, and only reviewing needs the bank's key."""

from __future__ import annotations

import time
import uuid
from collections.abc import Iterator
from typing import Any

import pytest
from exam_people import open_session
from exam_server import Served, people
from fastapi import FastAPI
from review_desk import FIRST, ITEMS, LAW, Desk, furnish, reviewing
from sqlalchemy import Engine

from assay.bank.reviewing import Reviewing
from assay.files.sealing import KeySealer
from assay.store.engine import writing


@pytest.fixture
def desk(sqlite: Engine) -> Desk:
    """Return a desk with two raw questions on law and one on science."""
    return furnish(sqlite, ITEMS)


@pytest.fixture
def served(desk: Desk) -> Iterator[Served]:
    """A server over it."""
    with reviewing(desk) as server:
        yield server


EDIT = {
    "version": 1,
    "stem": "x",
    "options": [],
    "key": ["x"],
    "explanation": "",
    "discipline": "law",
    "reason": "x",
}
ROUTES = [
    ("GET", "/review/reviewer", None),
    ("GET", "/review/question", None),
    ("POST", f"/review/questions/{FIRST}/decision", {"version": 1, "decision": "accept"}),
    ("PUT", f"/review/questions/{FIRST}", EDIT),
    ("GET", "/review/decisions", None),
    ("POST", "/review/decisions/1/undo", None),
    ("GET", "/review/answer", None),
    ("PUT", f"/review/answers/{FIRST}", {"stars": 3, "reason": "right"}),
]


@pytest.mark.parametrize(("method", "path", "body"), ROUTES)
def test_only_linked_reviewers_can_review(
    desk: Desk, served: Served, method: str, path: str, body: Any
) -> None:
    """Other roles, strangers, unlinked users and reviewers who left are refused and see no key."""
    others = people(desk.room)
    candidate = served.token(desk.room.ada, desk_session(desk))
    tokens = {
        **{role: served.token(user) for role, user in others.items() if "candidate" not in role},
        "candidate": candidate,
        "unlinked": served.token(desk.users["Dee"]),
        "left": served.token(desk.users["Cy"]),
    }
    for user, token in tokens.items():
        refused = served.send(method, path, body, token=token)
        assert (user, refused.status, refused.title) == (user, 403, "Forbidden")
        assert LAW[1].explanation.encode() not in refused.raw
    assert served.send(method, path, body).status == 401


def desk_session(desk: Desk) -> str:
    """Return a session of the candidate's."""
    session = str(uuid.uuid4())
    with writing(desk.engine) as connection:
        open_session(connection, session, desk.room.organisation, desk.room.ada)
        connection.exec_driver_sql(f"UPDATE sessions SET deadline = {time.time() + 3600}")
    return session


@pytest.mark.parametrize("sealer", [None, KeySealer(b"x" * 32)], ids=["none", "another"])
@pytest.mark.parametrize(("method", "path", "body"), [ROUTES[1], ROUTES[3]])
def test_without_the_banks_key_only_reviewing_stops(
    desk: Desk, sealer: KeySealer | None, method: str, path: str, body: Any
) -> None:
    """Reviewing gets 503 with the reason; candidates can still sit."""

    def prepare(app: FastAPI) -> None:
        app.state.reviewing = Reviewing(sealer)

    with reviewing(desk, prepare=prepare) as served:
        refused = served.send(method, path, body, token=served.token(desk.users["Ada"]))
        assert (refused.status, refused.title) == (503, "Service Unavailable")
        assert b"reviewed" in refused.raw
        session = desk_session(desk)
        own = served.token(desk.room.ada, session)
        assert served.send("GET", f"/sessions/{session}", token=own).status == 200


def test_a_database_error_does_not_show_the_database(desk: Desk, served: Served) -> None:
    """The reply is 503 without the database's path."""
    token = served.token(desk.users["Ada"])
    with writing(desk.engine) as connection:
        connection.exec_driver_sql("ALTER TABLE duplicates RENAME TO elsewhere")
    refused = served.send("GET", "/review/question", token=token)
    assert (refused.status, refused.title) == (503, "Service Unavailable")
    assert b"assay.db" not in refused.raw


def test_only_reviewing_has_models_with_keys(served: Served) -> None:
    """Every schema with a key or explanation belongs to reviewing, and all its routes are described."""
    described = served.send("GET", "/openapi.json").json
    keyed = {
        name
        for name, schema in described["components"]["schemas"].items()
        if {"key", "explanation", "rationale"} & set(schema.get("properties", {}))
    }
    assert keyed == {"ReviewQuestion", "ReviewAnswer", "ReviewEdit"}
    paths = [path for path in described["paths"] if path.startswith("/api/v1/review/")]
    assert len(paths) == len(ROUTES)
