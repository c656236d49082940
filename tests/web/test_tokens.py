"""Tokens over HTTP: getting and revoking them."""

from __future__ import annotations

import time

import pytest
from exam_server import Served

from assay.core.exam import Role
from assay.exam.people import add_user
from assay.results.exam_service import NewUser


@pytest.fixture
def carol(served: Served) -> NewUser:
    """A candidate with a secret."""
    return add_user(
        served.room.engine, "carol", organisation="Lovelace Labs", role=Role.CANDIDATE, now=time.time()
    )


def test_a_secret_is_exchanged_for_a_token(served: Served, carol: NewUser) -> None:
    """The token opens the session that it was asked for."""
    session = served.room.open(candidate=carol.user.id, now=time.time())
    body = {"user_id": carol.user.id, "secret": carol.secret, "session_id": session}
    reply = served.send("POST", "/tokens", body)
    assert reply.status == 200
    assert served.send("GET", f"/sessions/{session}", token=reply.json["token"]).status == 200
    assert "T" in reply.json["expires_at"]


def test_a_wrong_secret_and_an_unknown_user_get_the_same_reply(served: Served, carol: NewUser) -> None:
    """It is 401 and repeats neither secret nor user."""
    unknown = "5b1c1c50-4c0f-4a8e-8f0b-2b9f2d1f7e11"
    refused = [
        served.send("POST", "/tokens", {"user_id": user, "secret": "sesame-open-the-door"})
        for user in (carol.user.id, unknown)
    ]
    assert refused[0].raw == refused[1].raw
    assert (refused[0].status, refused[0].title) == (401, "Unauthorized")
    assert b"sesame" not in refused[0].raw
    assert served.room.count("SELECT count(*) FROM access_log") == 2


def test_a_too_long_secret_is_not_repeated(served: Served, carol: NewUser) -> None:
    """The reply is 422 without the secret."""
    refused = served.send("POST", "/tokens", {"user_id": carol.user.id, "secret": "sesame" * 100})
    assert refused.status == 422
    assert b"sesame" not in refused.raw


def test_a_token_can_be_revoked_by_its_user(served: Served, carol: NewUser) -> None:
    """The reply is 204, and the token is refused afterwards."""
    session = served.room.open(candidate=carol.user.id, now=time.time())
    token = served.token(carol.user.id, session)
    revoked = served.send("DELETE", "/tokens/current", token=token)
    assert (revoked.status, revoked.raw) == (204, b"")
    assert served.send("GET", f"/sessions/{session}", token=token).title == "Forbidden"
