"""Issuing and revoking tokens, and the limit on wrong secrets."""

from __future__ import annotations

import threading

import pytest
from exam_people import NOW, OPERATOR, OTHER, SEALER, Populated, open_session, populate, session_id, user_id
from sqlalchemy import Engine, select

from assay.core.errors import Conflict, InvalidInput, NotFound
from assay.core.exam import Permission, Role
from assay.exam.access import AccessRequest, Allowed, Refusal, Refused
from assay.exam.issuing import (
    LOGIN,
    MOST_FAILURES,
    TOKEN_SECONDS,
    WRONG_SECRET,
    IssuedToken,
    exchange,
    issue,
    revoke,
    revoke_all,
)
from assay.exam.keys import Keyring
from assay.exam.people import add_user, disable_user, renew_secret
from assay.exam.token import LONGEST_LIFE
from assay.results.exam_service import NewUser
from assay.store.engine import connect, reading, writing
from assay.store.exam.access import Access, keep_accesses, list_accesses
from assay.store.exam.tokens import list_tokens
from assay.store.schema_exam import organisations

MINE = session_id(90)
SIT = AccessRequest((Permission.SIT,), MINE, open=True)
RESULTS = AccessRequest((Permission.READ_RESULTS,))
Candidate = tuple[Populated, NewUser]


def seat(engine: Engine) -> Candidate:
    """A database with people, and one candidate of the other organisation whose secret is known."""
    people = populate(engine)
    new = add_user(engine, "ada", organisation=OTHER, role=Role.CANDIDATE, now=NOW)
    with writing(engine) as connection:
        number = connection.execute(select(organisations.c.id).where(organisations.c.name == OTHER)).scalar()
        assert number is not None
        open_session(connection, MINE, number, new.user.id)
    return people, new


@pytest.fixture
def candidate(sqlite: Engine) -> Candidate:
    """A candidate in an SQLite database."""
    return seat(sqlite)


@pytest.fixture
def anywhere(engine: Engine) -> Candidate:
    """A candidate in a database of either kind."""
    return seat(engine)


def login(
    candidate: Candidate, secret: str | None = None, *, session: str | None = MINE, now: float = NOW
) -> IssuedToken:
    """Exchange the candidate's secret, or another."""
    people, new = candidate
    secret = new.secret if secret is None else secret
    return exchange(people.engine, people.keyring, new.user.id, secret, session, now=now)


def refusal(
    candidate: Candidate, secret: str | None = None, *, session: str | None = MINE, now: float = NOW
) -> Refusal:
    """Return the refusal of a login."""
    with pytest.raises(Refused) as caught:
        login(candidate, secret, session=session, now=now)
    return caught.value.refusal


def test_a_candidate_sits_with_the_token_it_got(anywhere: Candidate) -> None:
    """A secret is exchanged for a token that is valid for an hour in that session."""
    people, new = anywhere
    issued = login(anywhere)
    allowed = people.admit(issued.token, SIT)
    assert isinstance(allowed, Allowed)
    assert (allowed.user_id, allowed.session_id, issued.claims.exp) == (
        new.user.id,
        MINE,
        NOW + TOKEN_SECONDS,
    )


def test_a_login_is_logged_with_user_time_and_session(anywhere: Candidate) -> None:
    """Successful and failed logins are in the access log, without the secret."""
    people, new = anywhere
    issued = login(anywhere)
    refusal(anywhere, "guess")
    logged = list_accesses(people.engine, user=new.user.id)
    assert [(each.at, each.session, each.jti, each.status, each.told) for each in logged] == [
        (NOW, MINE, None, 401, "wrong secret"),
        (NOW, MINE, issued.claims.jti, 200, None),
    ]
    assert new.secret not in repr(logged) and "guess" not in repr(logged)


def test_an_unknown_user_is_refused_like_a_wrong_secret(candidate: Candidate) -> None:
    """Unknown id, malformed id and wrong secret give the same text, which repeats nothing that was sent."""
    people, new = candidate
    texts = set()
    for user in (new.user.id, user_id(999), "no id", "\x00", new.user.id.upper()):
        with pytest.raises(Refused, match="Unauthorized") as caught:
            exchange(people.engine, people.keyring, user, "guess", MINE, now=NOW)
        texts.add(str(caught.value))
    assert len(texts) == 1 and "guess" not in texts.pop()


@pytest.mark.parametrize("secret", ["", "\x00", "\ud800", "é", "x" * 100_000])
def test_a_malformed_secret_is_refused_as_a_wrong_one(candidate: Candidate, secret: str) -> None:
    """No text causes another error than Unauthorized."""
    assert refusal(candidate, secret) is Refusal.UNAUTHORIZED


def test_a_disabled_user_with_its_secret_is_forbidden(candidate: Candidate) -> None:
    """Only a user with the right secret learns of being disabled, before the session is checked."""
    people, new = candidate
    disable_user(people.engine, new.user.id, now=NOW)
    assert refusal(candidate, session=None) is Refusal.FORBIDDEN
    assert refusal(candidate, "guess") is Refusal.UNAUTHORIZED


@pytest.mark.parametrize(
    "which", [(OTHER, "candidate"), (OTHER, "closed"), (OPERATOR, "candidate"), None, "", "\x00"]
)
def test_a_candidate_gets_a_token_for_its_own_open_session_only(candidate: Candidate, which: object) -> None:
    """Another candidate's, a closed, a foreign, a missing or a malformed session is refused."""
    people, _ = candidate
    session = people.sessions[which] if isinstance(which, tuple) else which
    assert session is None or isinstance(session, str)
    assert refusal(candidate, session=session) is Refusal.SESSION


def test_a_session_whose_time_is_over_gets_no_token(candidate: Candidate) -> None:
    """After the deadline a login is Session Invalid, although the session is still stored as open."""
    assert refusal(candidate, now=NOW + 3601) is Refusal.SESSION


@pytest.mark.slow
def test_after_ten_wrong_secrets_a_minute_the_right_one_is_refused_too(anywhere: Candidate) -> None:
    """The user is blocked with the same text until a minute has passed."""
    people, _ = anywhere
    for _ in range(MOST_FAILURES):
        assert refusal(anywhere, "guess") is Refusal.UNAUTHORIZED
    assert refusal(anywhere) is Refusal.UNAUTHORIZED
    assert list_accesses(people.engine, limit=1)[0].told == "too many wrong secrets"
    assert login(anywhere, now=NOW + 61).claims.session_id == MINE


def test_refused_attempts_do_not_lengthen_the_wait(candidate: Candidate) -> None:
    """Attempts during the block are not counted: it ends a minute after the tenth wrong secret."""
    people, new = candidate
    guess = Access(NOW, new.user.id, MINE, None, *LOGIN, 401, WRONG_SECRET)
    with writing(people.engine) as connection:
        keep_accesses(connection, [guess] * MOST_FAILURES)
    for _ in range(MOST_FAILURES):
        assert refusal(candidate, now=NOW + 59) is Refusal.UNAUTHORIZED
    assert login(candidate, now=NOW + 61).claims.session_id == MINE


@pytest.mark.slow
def test_parallel_guesses_are_counted_too(anywhere: Candidate) -> None:
    """Of forty simultaneous guesses only ten are checked, on both databases."""
    people, _ = anywhere
    threads = [threading.Thread(target=refusal, args=(anywhere, f"guess {n}")) for n in range(40)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    told = [each.told for each in list_accesses(people.engine)]
    assert (told.count("wrong secret"), told.count("too many wrong secrets")) == (MOST_FAILURES, 30)


def test_a_renewed_secret_invalidates_the_old_one_and_every_token(candidate: Candidate) -> None:
    """The old secret is refused at once and its tokens are Forbidden; the new secret works."""
    people, new = candidate
    issued = login(candidate)
    newer = renew_secret(people.engine, f"{OTHER}/ada", now=NOW)
    assert newer.secret != new.secret and newer.secret not in repr(newer)
    assert people.admit(issued.token, SIT) is Refusal.FORBIDDEN
    assert refusal(candidate) is Refusal.UNAUTHORIZED
    assert isinstance(people.admit(login(candidate, newer.secret).token, SIT), Allowed)


def test_a_secret_renewed_during_a_login_refuses_it(candidate: Candidate) -> None:
    """If the secret is replaced between its check and the token, no token is issued."""
    people, new = candidate

    class Interrupted(Keyring):
        def signing(self, *, now: float) -> tuple[str, bytes]:
            renew_secret(people.engine, new.user.id, now=now)
            return super().signing(now=now)

    with pytest.raises(Refused, match="Unauthorized"):
        exchange(people.engine, Interrupted(people.engine, SEALER), new.user.id, new.secret, MINE, now=NOW)
    assert list_tokens(people.engine, now=NOW) == []


def test_a_revoked_token_is_forbidden_at_once_in_every_process(anywhere: Candidate) -> None:
    """A second process with its own connections and keys sees the revocation on its next request."""
    people, _ = anywhere
    other = connect(people.engine.url.render_as_string(hide_password=False))
    elsewhere = Populated(other)
    issued = login(anywhere)
    ring = elsewhere.keyring
    assert isinstance(elsewhere.admit(issued.token, SIT, ring=ring), Allowed)
    revoke(people.engine, issued.claims.jti, now=NOW)
    assert elsewhere.admit(issued.token, SIT, ring=ring) is Refusal.FORBIDDEN
    other.dispose()


def test_disabling_a_user_revokes_its_tokens_at_once(candidate: Candidate) -> None:
    """Tokens that were issued before are Forbidden."""
    people, new = candidate
    issued = login(candidate)
    _, revoked = disable_user(people.engine, new.user.id, now=NOW)
    assert (revoked, people.admit(issued.token, SIT)) == (1, Refusal.FORBIDDEN)


def test_the_operator_issues_tokens_without_a_secret(candidate: Candidate) -> None:
    """An examiner's token needs no session, and all its tokens can be revoked together."""
    people, _ = candidate
    issued = [issue(people.engine, people.keyring, f"{OTHER}/examiner", now=NOW) for _ in range(2)]
    assert all(isinstance(people.admit(each.token, RESULTS), Allowed) for each in issued)
    assert revoke_all(people.engine, f"{OTHER}/examiner", now=NOW) == 2
    assert [people.admit(each.token, RESULTS) for each in issued] == [Refusal.FORBIDDEN] * 2


def test_impossible_tokens_are_refused_with_a_reason(candidate: Candidate) -> None:
    """Unknown user, missing or foreign session, invalid life, disabled user, unknown token."""
    people, new = candidate
    with pytest.raises(NotFound, match="Acme/nobody"):
        issue(people.engine, people.keyring, "Acme/nobody", now=NOW)
    with pytest.raises(InvalidInput, match="--session"):
        issue(people.engine, people.keyring, "Acme/ada", now=NOW)
    with pytest.raises(Conflict, match="over or does not belong"):
        issue(people.engine, people.keyring, "Acme/ada", people.sessions[OTHER, "candidate"], now=NOW)
    for life in (0, -1, LONGEST_LIFE + 1, float("nan")):
        with pytest.raises(InvalidInput, match="hours"):
            issue(people.engine, people.keyring, "Acme/ada", MINE, now=NOW, life=life)
    disable_user(people.engine, new.user.id, now=NOW)
    with pytest.raises(Conflict, match="disabled"):
        issue(people.engine, people.keyring, "Acme/ada", MINE, now=NOW)
    with pytest.raises(NotFound, match="token list"):
        revoke(people.engine, "f" * 32, now=NOW)


@pytest.mark.parametrize("asking", (OPERATOR, OTHER))
def test_no_issued_token_reaches_another_organisations_session(sqlite: Engine, asking: str) -> None:
    """Tokens of every role are tried on every session with every permission."""
    people = populate(sqlite)
    ring = people.keyring
    reached = set()
    for role in Role:
        own = people.sessions[asking, "candidate"] if role is Role.CANDIDATE else None
        token = issue(sqlite, ring, f"{asking}/{role.value}", own, now=NOW).token
        for (organisation, what), session in people.sessions.items():
            for permission in Permission:
                if isinstance(people.admit(token, AccessRequest((permission,), session), ring=ring), Allowed):
                    reached.add((role.value, organisation, what, permission.value))
    assert {organisation for _, organisation, _, _ in reached} == {asking}
    assert {entry for entry in reached if entry[0] == "candidate"} == {
        ("candidate", asking, "candidate", "sit")
    }


def test_a_token_is_stored_nowhere(candidate: Candidate) -> None:
    """No column holds the token's signature, and no repr shows it."""
    people, _ = candidate
    issued = login(candidate)
    with reading(people.engine) as connection:
        rows = connection.exec_driver_sql("SELECT * FROM tokens").all()
    signature = issued.token.rpartition(".")[2]
    assert signature not in repr(rows) and signature not in repr(issued)
