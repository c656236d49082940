"""Opening and listing sessions over HTTP."""

from __future__ import annotations

import time

import pytest
from exam_server import Served, people


def test_an_examiner_opens_a_session_that_can_be_sat(served: Served) -> None:
    """The reply is 201 with the address; the candidate can then get a question."""
    token = served.token(people(served.room)["examiner"])
    body = {"candidate": served.room.ada, "model": "openai/gpt-x", "n": 10, "prompting": "cot", "hours": 2}
    opened = served.send("POST", "/sessions", body, token=token)
    assert opened.status == 201
    assert opened.headers["location"] == f"/api/v1/sessions/{opened.json['id']}"
    assert (opened.json["quota"], opened.json["prompting"], opened.json["simulated"]) == (10, "cot", False)
    own = served.token(served.room.ada, opened.json["id"])
    assert served.send("POST", f"/sessions/{opened.json['id']}/question", token=own).status == 200


@pytest.mark.parametrize(
    ("change", "status"),
    [
        ({"n": 15}, 422),
        ({"n": 1000}, 409),
        ({"n": None}, 422),
        ({"draw": "spring"}, 403),
        ({"candidate": "5b1c1c50-4c0f-4a8e-8f0b-2b9f2d1f7e11"}, 404),
        ({"candidate": "ada"}, 422),
        ({"prompting": "five-shot"}, 422),
        ({"hours": 1e9}, 422),
        ({"model": "a\u0000b"}, 422),
        ({"allocation": "law=2,law=3"}, 422),
        ({"simulated": False}, 422),
    ],
)
def test_an_invalid_session_is_refused(served: Served, change: dict[str, object], status: int) -> None:
    """No session is opened, and the refusal is logged."""
    user = people(served.room)["examiner"]
    body = {"candidate": served.room.ada, "model": "a/b", "n": 10, **change}
    refused = served.send("POST", "/sessions", body, token=served.token(user))
    assert refused.status == status
    assert served.room.count("SELECT count(*) FROM sessions") == 0
    query = "SELECT count(*) FROM access_log WHERE user_id = :user AND status = :status"
    assert served.room.count(query, user=user, status=status) == 1


def test_sessions_are_listed_page_by_page(served: Served) -> None:
    """Following `next` gives each session once."""
    now = time.time()
    opened = {served.room.open(now=now + number) for number in range(3)}
    token = served.token(people(served.room)["admin"])
    ids, path = [], "/sessions?limit=2"
    while True:
        page = served.send("GET", path, token=token).json
        ids += [session["id"] for session in page["sessions"]]
        if page["next"] is None:
            break
        path = f"/sessions?limit=2&after={page['next']}"
    assert len(ids) == 3
    assert set(ids) == opened


@pytest.mark.parametrize(
    "query", ["limit=0", "limit=201", "limit=x", "after=x", "state=lost", "page=2", "limit=1&limit=2"]
)
def test_an_invalid_query_is_refused(served: Served, query: str) -> None:
    """The status is 422."""
    token = served.token(people(served.room)["examiner"])
    assert served.send("GET", f"/sessions?{query}", token=token).status == 422


def test_sessions_are_listed_by_state(served: Served) -> None:
    """Only sessions with this status."""
    session = served.room.open(now=time.time())
    token = served.token(people(served.room)["examiner"])
    served.send("POST", f"/sessions/{session}/finish", token=served.token(served.room.ada, session))
    assert len(served.send("GET", "/sessions?state=closed", token=token).json["sessions"]) == 1
    assert served.send("GET", "/sessions?state=open", token=token).json["sessions"] == []
