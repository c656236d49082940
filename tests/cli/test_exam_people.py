"""`assay exam organisation`, `user`, `candidate`, `token`, `key` and `access`, as an operator uses them."""

from __future__ import annotations

from pathlib import Path

import pytest
from command_line import Assay
from schemas import valid

from assay.exam.access import Refused
from assay.exam.issuing import exchange
from assay.exam.keys import Keyring
from assay.files.sealing import KeySealer, new_key
from assay.store.engine import open_database, writing
from assay.store.exam.access import Access, keep_accesses


@pytest.fixture
def sealed(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A workspace whose sealing key is in the environment."""
    monkeypatch.setenv("ASSAY_BANK_KEY", new_key())


def test_people_are_added_listed_and_disabled(sealed: None, assay: Assay) -> None:
    """A secret is shown once and never in lists; a disabled user's tokens are revoked."""
    assert assay("exam", "organisation", "add", "us", "--operator").status == 0
    added = valid("exam-user", assay("exam", "candidate", "add", "ada", "--organisation", "us", "--json"))
    made = assay("exam", "user", "add", "eve", "--organisation", "us", "--role", "examiner", "--json")
    assert valid("exam-user", made)["role"] == "examiner"
    assert valid("exam-organisations", assay("exam", "organisation", "list", "--json")) == {
        "organisations": [
            {
                "name": "us",
                "operator": True,
                "users": 2,
                "created_at": assay("exam", "organisation", "list", "--json").json["organisations"][0][
                    "created_at"
                ],
            }
        ]
    }
    listed = assay("exam", "candidate", "list", "--json")
    assert [each["id"] for each in valid("exam-users", listed)["users"]] == [added["id"]]
    assert added["secret"] not in listed.out + assay("exam", "user", "list").out
    renewed = valid("exam-user", assay("exam", "user", "renew", "us/ada", "--json"))
    assert renewed["secret"] != added["secret"]
    assert assay("exam", "candidate", "disable", "us/ada").status == 0
    assert "ada" in assay("exam", "user", "list").out
    assert assay("exam", "user", "enable", added["id"]).status == 0


def test_tokens_are_issued_listed_and_revoked(sealed: None, assay: Assay) -> None:
    """A token is printed once, only on stdout; lists show revoked tokens and withdrawn keys as such."""
    assay("exam", "organisation", "add", "us", "--operator")
    assay("exam", "user", "add", "eve", "--organisation", "us", "--role", "examiner")
    first = valid("exam-token", assay("exam", "token", "issue", "us/eve", "--json"))
    assert assay("exam", "token", "issue", "us/eve", "--hours", "2").out.count(".") == 2
    listed = assay("exam", "token", "list", "--json")
    assert {each["state"] for each in valid("exam-tokens", listed)["tokens"]} == {"valid"}
    assert first["token"] not in listed.out
    assert assay("exam", "token", "revoke", first["jti"]).status == 0
    assert "revoked" in assay("exam", "token", "list", "--user", "us/eve").out
    assert assay("exam", "token", "revoke", "--user", "us/eve").status == 0
    assay("exam", "token", "issue", "us/eve")
    (kid,) = (each["kid"] for each in valid("exam-keys", assay("exam", "key", "list", "--json"))["keys"])
    assert assay("exam", "key", "rotate").status == 0
    assert assay("exam", "key", "withdraw", kid).status == 0
    assert "withdrawn" in assay("exam", "key", "list").out
    assert "key withdrawn" in assay("exam", "token", "list").out


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (("user", "add", "x", "--organisation", "nobody", "--role", "viewer"), "'nobody'"),
        (("organisation", "add", "us"), "already"),
        (("token", "revoke"), "--user"),
        (("token", "revoke", "0" * 32), "unknown token"),
        (("token", "issue", "us/nobody"), "us/nobody"),
        (("token", "issue", "us/ada"), "--session"),
        (("token", "issue", "us/ada", "--session", "x"), "'x' is over or does not belong"),
        (("token", "issue", "us/ada", "--session", "x", "--hours", "1000"), "at most 744"),
        (("token", "list", "--user", "nobody"), "'nobody'"),
        (("access", "--user", "us"), "ORGANISATION/NAME"),
        (("organisation", "add", "a/b"), "invalid organisation name 'a/b'"),
        (("user", "add", "ada", "--organisation", "us", "--role", "reviewer"), "not the operator"),
        (("candidate", "add", "ada", "--organisation", "us"), "already"),
        (("candidate", "add", "bob", "--organisation", "us", "--json", "--role", "admin"), "--role"),
        (("user", "add", "bob", "--organisation", "us", "--role", "king"), "'king'"),
        (("key", "withdraw", "k"), "'k'"),
    ],
)
def test_invalid_input_ends_with_one_line(
    sealed: None, assay: Assay, words: tuple[str, ...], message: str
) -> None:
    """The message contains the value, and the status is 2."""
    assay("exam", "organisation", "add", "us")
    assay("exam", "candidate", "add", "ada", "--organisation", "us")
    ended = assay("exam", *words)
    assert (ended.status, message in ended.err, ended.err.count("\n")) == (2, True, 1), ended.err


def test_a_secret_goes_to_stdout_alone(sealed: None, assay: Assay) -> None:
    """A script can take it from there, and no log of notes holds it."""
    assay("exam", "organisation", "add", "us")
    added = assay("exam", "candidate", "add", "ada", "--organisation", "us")
    secret = added.out.split()[-1]
    assert len(secret) == 43 and secret not in added.err
    assert "once" in added.err


def test_without_the_sealing_key_no_token_is_issued(folder: Path, assay: Assay) -> None:
    """The message names the variable to set; without it users can be added and keys withdrawn."""
    assay("exam", "organisation", "add", "us")
    assert assay("exam", "user", "add", "eve", "--organisation", "us", "--role", "viewer").status == 0
    ended = assay("exam", "token", "issue", "us/eve")
    assert (ended.status, ended.out, "ASSAY_BANK_KEY" in ended.err) == (2, "", True)


def test_the_access_log_is_listed(sealed: None, folder: Path, assay: Assay) -> None:
    """The log is empty without requests, and then shows each request's user and reply."""
    assay("exam", "organisation", "add", "us")
    assert valid("exam-access", assay("exam", "access", "--json")) == {"accesses": []}
    user = assay("exam", "candidate", "add", "ada", "--organisation", "us", "--json").json["id"]
    engine = open_database(str(folder / "assay.db"))
    with pytest.raises(Refused):
        exchange(engine, Keyring(engine, KeySealer(bytes(32))), user, "guess", None, now=1_795_176_000.0)
    engine.dispose()
    (seen,) = valid("exam-access", assay("exam", "access", "--user", "us/ada", "--json"))["accesses"]
    assert (seen["user"], seen["user_id"], seen["at"]) == ("us/ada", user, "2026-11-20T12:00:00Z")
    assert (seen["status"], seen["told"]) == (401, "wrong secret")
    shown = assay("exam", "access").out
    assert "us/ada" in shown and "guess" not in shown


def test_the_access_log_is_deleted_by_hand(sealed: None, folder: Path, assay: Assay) -> None:
    """Entries older than a day are deleted for all users; younger ones stay."""
    engine = open_database(str(folder / "assay.db"))
    line = Access(1_795_176_000.0, None, None, None, "GET", "/", 404, None)
    with writing(engine) as connection:
        keep_accesses(connection, [line, line._replace(at=line.at - 86_400, path="/old")])
    engine.dispose()
    ended = assay("exam", "access", "--delete-before", "2026-11-20")
    assert (ended.status, ended.err) == (0, "deleted 1 entry from before 2026-11-20\n")
    assert "/old" not in assay("exam", "access").out
    ended = assay("exam", "access", "--delete-before", "2026-11-20")
    assert (ended.status, ended.err) == (0, "deleted 0 entries from before 2026-11-20\n")


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (("--delete-before", "2999-01-01"), "2999-01-01"),
        (("--delete-before", "soon"), "'soon'"),
        (("--delete-before", "2026-11-20", "--user", "us/ada"), "--user"),
        (("--delete-before", "2026-11-20", "--session", "x"), "--session"),
        (("--delete-before", "2026-11-20", "--limit", "5"), "--limit"),
        (("--delete-before", "2026-11-20", "--json"), "--json"),
    ],
)
def test_a_deletion_that_is_unclear_deletes_nothing(
    sealed: None, assay: Assay, words: tuple[str, ...], message: str
) -> None:
    """A day to come, or an option that only listing has."""
    assay("exam", "organisation", "add", "us")
    ended = assay("exam", "access", *words)
    assert (ended.status, message in ended.err, ended.err.count("\n")) == (2, True, 1), ended.err
