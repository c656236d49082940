"""Who reaches what: every role, in the own organisation and in another."""

from __future__ import annotations

import time

import pytest
from exam_server import Served, people


@pytest.mark.parametrize(
    ("role", "expected"),
    [
        ("examiner", {"look": 200, "list": 200, "results": 200, "question": 403, "open": 201}),
        ("admin", {"look": 200, "list": 200, "results": 200, "question": 403, "open": 201}),
        ("viewer", {"look": 403, "list": 403, "results": 200, "question": 403, "open": 403}),
        ("examiner elsewhere", {"look": 403, "list": 200, "results": 200, "question": 403, "open": 404}),
    ],
)
def test_a_role_reaches_what_it_may(served: Served, role: str, expected: dict[str, int]) -> None:
    """Roles see and do what is theirs inside their organisation, and nothing of another's."""
    session = served.room.open(now=time.time())
    token = served.token(people(served.room)[role])
    found = {
        "look": served.send("GET", f"/sessions/{session}", token=token).status,
        "list": served.send("GET", "/sessions", token=token).status,
        "results": served.send("GET", "/results", token=token).status,
        "question": served.send("POST", f"/sessions/{session}/question", token=token).status,
        "open": served.send(
            "POST", "/sessions", {"candidate": served.room.ada, "model": "a/b", "n": 10}, token=token
        ).status,
    }
    assert found == expected


def test_candidates_reach_their_own_session_only(served: Served) -> None:
    """Neither a colleague's of the same organisation nor a stranger's, nor the examiner's routes."""
    now = time.time()
    others = people(served.room)
    own = served.room.open(now=now)
    colleagues = served.room.open(candidate=served.room.bob, now=now)
    token = served.token(served.room.ada, own)
    stranger_session = served.room.open(candidate=others["candidate elsewhere"], now=now)
    for session in (colleagues, stranger_session):
        for method, path in (("GET", ""), ("POST", "/question"), ("POST", "/finish")):
            refused = served.send(method, f"/sessions/{session}{path}", token=token)
            assert (refused.status, refused.title) == (403, "Session Invalid")
        refused = served.send("PUT", f"/sessions/{session}/answers/1", {"text": "a"}, token=token)
        assert (refused.status, refused.title) == (403, "Session Invalid")
    for method, path in (("GET", "/sessions"), ("GET", "/results")):
        assert served.send(method, path, token=token).title == "Forbidden"
    assert served.room.count("SELECT count(*) FROM served") == 0


def test_listing_shows_the_own_organisation_only(served: Served) -> None:
    """An examiner elsewhere sees an empty list, and cannot page through with another's session."""
    session = served.room.open(now=time.time())
    users = people(served.room)
    theirs, ours = served.token(users["examiner elsewhere"]), served.token(users["examiner"])
    assert served.send("GET", "/sessions", token=theirs).json == {"sessions": [], "next": None}
    assert served.send("GET", f"/sessions?after={session}", token=theirs).status == 404
    assert [each["id"] for each in served.send("GET", "/sessions", token=ours).json["sessions"]] == [session]
