"""The permissions of all roles, in their own and in another organisation."""

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
def test_a_role_has_its_permissions(served: Served, role: str, expected: dict[str, int]) -> None:
    """The permissions apply only inside the user's organisation."""
    session = served.room.open(now=time.time())
    token = served.token(people(served.room)[role])
    statuses = {
        "look": served.send("GET", f"/sessions/{session}", token=token).status,
        "list": served.send("GET", "/sessions", token=token).status,
        "results": served.send("GET", "/results", token=token).status,
        "question": served.send("POST", f"/sessions/{session}/question", token=token).status,
        "open": served.send(
            "POST", "/sessions", {"candidate": served.room.ada, "model": "a/b", "n": 10}, token=token
        ).status,
    }
    assert statuses == expected


def test_candidates_reach_their_own_session_only(served: Served) -> None:
    """Sessions of a colleague or a stranger, and the examiner's routes, are refused."""
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


def test_lists_have_only_sessions_of_the_own_organisation(served: Served) -> None:
    """An examiner of another organisation gets an empty list and cannot use a foreign session as `after`."""
    session = served.room.open(now=time.time())
    users = people(served.room)
    theirs, ours = served.token(users["examiner elsewhere"]), served.token(users["examiner"])
    assert served.send("GET", "/sessions", token=theirs).json == {"sessions": [], "next": None}
    assert served.send("GET", f"/sessions?after={session}", token=theirs).status == 404
    assert [listed["id"] for listed in served.send("GET", "/sessions", token=ours).json["sessions"]] == [
        session
    ]
