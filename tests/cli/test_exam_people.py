"""`assay exam organisation`, `user`, `candidate`, `token`, `key` and `access`, as an operator uses them."""

from __future__ import annotations

from pathlib import Path

import pytest
from command_line import Assay
from schemas import valid

from assay.files.sealing import new_bank_key


@pytest.fixture
def sealed(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A workspace whose sealing key is in the environment."""
    monkeypatch.setenv("ASSAY_BANK_KEY", new_bank_key())


def test_people_are_added_listed_and_disabled(sealed: None, assay: Assay) -> None:
    """A secret is told once, to nobody who lists; a disabled user's tokens go with it."""
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
    """A token is printed once, on stdout alone; revoked ones are told as such, and so are withdrawn keys."""
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
    ("words", "told"),
    [
        (("user", "add", "x", "--organisation", "nobody", "--role", "viewer"), "'nobody'"),
        (("organisation", "add", "us"), "already"),
        (("token", "revoke"), "--user"),
        (("token", "revoke", "0" * 32), "no token"),
        (("token", "issue", "us/nobody"), "us/nobody"),
        (("key", "withdraw", "k"), "'k'"),
    ],
)
def test_what_cannot_be_is_told_in_one_line(
    sealed: None, assay: Assay, words: tuple[str, ...], told: str
) -> None:
    """With the value, and status 2."""
    assay("exam", "organisation", "add", "us")
    ended = assay("exam", *words)
    assert (ended.status, told in ended.err, ended.err.count("\n")) == (2, True, 1), ended.err


def test_the_access_log_is_listed(sealed: None, assay: Assay) -> None:
    """Empty where nobody has asked for anything yet."""
    assay("exam", "organisation", "add", "us")
    assert valid("exam-access", assay("exam", "access", "--json")) == {"accesses": []}
    assert assay("exam", "access").status == 0
