"""The data behind an access decision, and the access log."""

from __future__ import annotations

import pytest
from exam_people import NOW, OTHER, populate, session_id, user_id
from sqlalchemy import Engine

from assay.core.errors import AssayError
from assay.exam.issuing import issue
from assay.store.engine import connect, reading, writing
from assay.store.exam.access import (
    Access,
    AccessRow,
    access_rows,
    delete_accesses,
    keep_accesses,
    list_accesses,
)
from assay.store.exam.tokens import revoke_token

LOGGED = Access(NOW, user_id(1), session_id(1), "f" * 32, "GET", "/api/v1/sessions", 200, None)


def test_nothing_there_is_one_row_of_nothing(engine: Engine) -> None:
    """Unknown ids and texts that are not ids are not an error."""
    for session in (None, session_id(1), "", "\x00", "é", "x" * 5000, "' OR 1=1"):
        with reading(engine) as connection:
            row = access_rows(connection, "f" * 32, user_id(1), session)
        assert row == AccessRow(*[None] * len(AccessRow._fields))


def test_user_token_key_and_session_come_together(engine: Engine) -> None:
    """One query returns the token, user and session exactly as stored, with times to the last bit."""
    people = populate(engine)
    session, user = people.sessions[OTHER, "candidate"], people.users[OTHER, "candidate"]
    claims = issue(engine, people.keyring, user, session, now=NOW + 0.1, life=1 / 3).claims
    with reading(engine) as connection:
        row = access_rows(connection, claims.jti, user, session)
    assert row.organisation is not None
    assert row == AccessRow(
        organisation=row.organisation,
        operator=0,
        role="candidate",
        disabled_at=None,
        reviewer=None,
        token_user=user,
        token_session=session,
        token_kid=claims.kid,
        token_expires_at=claims.exp,
        token_revoked_at=None,
        withdrawn_at=None,
        session_organisation=row.organisation,
        session_candidate=user,
        session_state="open",
        session_deadline=NOW + 3600,
    )


def test_a_revocation_is_seen_by_a_second_connection_at_once(engine: Engine) -> None:
    """Once committed it is seen by the next query, even on an open connection."""
    people = populate(engine)
    user = people.users[OTHER, "viewer"]
    jti = issue(engine, people.keyring, user, now=NOW).claims.jti
    other = connect(engine.url.render_as_string(hide_password=False))
    with other.connect() as looking:
        assert access_rows(looking, jti, user, None).token_revoked_at is None
        looking.rollback()
        with writing(engine) as connection:
            revoke_token(connection, jti, NOW + 1)
        assert access_rows(looking, jti, user, None).token_revoked_at == NOW + 1
    other.dispose()


def test_a_failing_database_gives_the_usual_error(sqlite: Engine) -> None:
    """The query bypasses SQLAlchemy, and its errors still say what to do."""
    with sqlite.begin() as connection:
        connection.exec_driver_sql("DROP TABLE served")
        connection.exec_driver_sql("ALTER TABLE sessions RENAME TO gone")
    with pytest.raises(AssayError, match="failed"), reading(sqlite) as connection:
        access_rows(connection, "", "", None)


def test_every_access_is_listed_newest_first_with_its_names(engine: Engine) -> None:
    """Accesses can be selected by session and user; an unknown user has no name."""
    people = populate(engine)
    user, session = people.users[OTHER, "candidate"], people.sessions[OTHER, "candidate"]
    own = LOGGED._replace(user_id=user, session=session)
    stranger = LOGGED._replace(user_id=None, session=None, jti=None, status=401, told="Unauthorized")
    with writing(engine) as connection:
        keep_accesses(connection, [own, own._replace(at=NOW + 1, status=403), stranger])
        keep_accesses(connection, [])
    listed = list_accesses(engine)
    assert [(access.status, access.user) for access in listed] == [
        (401, None),
        (403, f"{OTHER}/candidate"),
        (200, f"{OTHER}/candidate"),
    ]
    assert [access.at for access in list_accesses(engine, session=session, limit=1)] == [NOW + 1]
    assert len(list_accesses(engine, user=user)) == 2


@pytest.mark.parametrize("path", ["/\x00", "/\ud800", "/é", "/" + "x" * 9000, "/\n127.0.0.1 GET", "/\x1b[2J"])
def test_a_hostile_address_is_logged_harmlessly(engine: Engine, path: str) -> None:
    """Texts that cannot be stored or would control a terminal are escaped and shortened."""
    with writing(engine) as connection:
        keep_accesses(connection, [LOGGED._replace(path=path, session=path, method="BREW" * 9)])
    (stored,) = list_accesses(engine)
    assert stored.path.isascii() and stored.path.isprintable()
    assert len(stored.path) <= 200 and len(stored.method) == 8


def test_old_accesses_are_deleted_but_those_of_open_sessions(engine: Engine) -> None:
    """Older accesses of all users are deleted, except for those of sessions that are still running."""
    people = populate(engine)
    running, closed = people.sessions[OTHER, "candidate"], people.sessions[OTHER, "closed"]
    with writing(engine) as connection:
        keep_accesses(
            connection,
            [
                LOGGED._replace(at=NOW - 2, session=running, path="/open"),
                LOGGED._replace(at=NOW - 2, session=closed, path="/closed"),
                LOGGED._replace(at=NOW - 2, session=None, path="/none"),
                LOGGED._replace(at=NOW - 1, session=None, path="/at the limit"),
            ],
        )
    with writing(engine) as connection:
        assert delete_accesses(connection, before=NOW - 1, now=NOW, most=10) == 2
    assert [access.path for access in list_accesses(engine)] == ["/at the limit", "/open"]
    with writing(engine) as connection:
        assert delete_accesses(connection, before=NOW - 1, now=NOW + 3601, most=10) == 1
    assert [access.path for access in list_accesses(engine)] == ["/at the limit"]


def test_no_more_accesses_are_deleted_at_once_than_asked(engine: Engine) -> None:
    """The oldest are deleted first."""
    old = [LOGGED._replace(at=NOW - age, session=None, path=f"/{age}") for age in (2, 4, 1, 3)]
    with writing(engine) as connection:
        keep_accesses(connection, old)
        assert delete_accesses(connection, before=NOW, now=NOW, most=3) == 3
    assert [access.path for access in list_accesses(engine)] == ["/1"]
