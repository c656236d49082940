"""What strangers and changed keys come to: short logins, no echo, nothing of the bank's key, holds let go."""

from __future__ import annotations

import time

from banked import SEALER
from exam_server import Served

from assay.core.exam import Role
from assay.exam import people
from assay.exam.issuing import issue, revoke_all
from assay.exam.keys import Keyring, rotate
from assay.files.sealing import KeySealer

OTHER = KeySealer(b"o" * 32)


def test_a_login_longer_than_any_is_refused(served: Served) -> None:
    """Nobody needs a body of many thousand bytes to tell an id and a secret."""
    body = b'{"user_id": "x", ' + b", ".join(b'"%d": 1' % number for number in range(1000)) + b"}"
    assert served.send("POST", "/tokens", raw=body).status == 413


def test_an_unknown_field_is_not_echoed_at_length(served: Served) -> None:
    """The name of a field that is not known is cut short in what is told of it."""
    reply = served.send("POST", "/tokens", {"k" * 3000: 1})
    assert reply.status == 422
    assert b"k" * 61 not in reply.raw


def test_a_service_whose_bank_key_was_changed_says_nothing_of_keys(served: Served) -> None:
    """Logins, and tokens of a signing key that it cannot open, get 503 without the name of a bank key."""
    engine, now = served.room.engine, time.time()
    user = people.add_user(engine, "vera", organisation="Lovelace Labs", role=Role.VIEWER, now=now)
    rotate(engine, OTHER, now=now)
    token = issue(engine, Keyring(engine, OTHER), user.user.id, now=now).token
    login = {"user_id": user.user.id, "secret": user.secret}
    replies = [served.send("POST", "/tokens", login), served.send("GET", "/results", token=token)]
    assert [reply.status for reply in replies] == [503, 503]
    assert not any(each.name.encode() in reply.raw for reply in replies for each in (SEALER, OTHER))


def test_a_revoked_token_holds_no_session(served: Served) -> None:
    """Whoever gives a token up, or has it revoked, can go on at once with another one."""
    session = served.room.open(10, now=time.time())
    path, statuses = f"/sessions/{session}/question", []
    for end in ("given up", "revoked"):
        token = served.token(served.room.ada, session)
        statuses.append(served.send("POST", path, token=token).status)
        if end == "given up":
            served.send("DELETE", "/tokens/current", token=token)
        else:
            revoke_all(served.room.engine, served.room.ada, now=time.time())
    token = served.token(served.room.ada, session)
    assert [*statuses, served.send("POST", path, token=token).status] == [200, 200, 200]
