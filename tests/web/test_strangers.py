"""Requests of strangers, changed keys of the bank, and revoked tokens."""

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
    """An id and a secret need only a short body."""
    body = b'{"user_id": "x", ' + b", ".join(b'"%d": 1' % number for number in range(1000)) + b"}"
    assert served.send("POST", "/tokens", raw=body).status == 413


def test_an_unknown_field_is_not_echoed_at_length(served: Served) -> None:
    """The name of an unknown field is cut in the reply."""
    reply = served.send("POST", "/tokens", {"k" * 3000: 1})
    assert reply.status == 422
    assert b"k" * 61 not in reply.raw


def test_replies_do_not_name_keys_after_the_bank_key_was_changed(served: Served) -> None:
    """Logins, and tokens of a signing key that cannot be opened, get 503 without a key's name."""
    engine, now = served.room.engine, time.time()
    user = people.add_user(engine, "vera", organisation="Lovelace Labs", role=Role.VIEWER, now=now)
    rotate(engine, OTHER, now=now)
    token = issue(engine, Keyring(engine, OTHER), user.user.id, now=now).token
    login = {"user_id": user.user.id, "secret": user.secret}
    replies = [served.send("POST", "/tokens", login), served.send("GET", "/results", token=token)]
    assert [reply.status for reply in replies] == [503, 503]
    assert not any(sealer.name.encode() in reply.raw for reply in replies for sealer in (SEALER, OTHER))


def test_a_revoked_token_does_not_reserve_its_session(served: Served) -> None:
    """After a token was revoked, by its user or the operator, another one can be used at once."""
    session = served.room.open(10, now=time.time())
    path, statuses = f"/sessions/{session}/question", []
    for revoked_by in ("user", "operator"):
        token = served.token(served.room.ada, session)
        statuses.append(served.send("POST", path, token=token).status)
        if revoked_by == "user":
            served.send("DELETE", "/tokens/current", token=token)
        else:
            revoke_all(served.room.engine, served.room.ada, now=time.time())
    token = served.token(served.room.ada, session)
    assert [*statuses, served.send("POST", path, token=token).status] == [200, 200, 200]
