"""Organisations, users and their secrets."""

from __future__ import annotations

import pytest
from exam_people import NOW, OPERATOR, OTHER, populate, user_id
from sqlalchemy import Engine, insert, text

from assay.core.errors import Conflict, InvalidInput, NotFound
from assay.core.exam import Role
from assay.exam.people import (
    add_organisation,
    add_user,
    disable_user,
    enable_user,
    find_user,
    hash_secret,
    is_user_id,
    new_secret,
    verify_secret,
)
from assay.store.exam.people import list_organisations
from assay.store.schema_bank import reviewers


def test_there_is_one_operator(engine: Engine) -> None:
    """A second operator and a second organisation of the same name are refused."""
    add_organisation(engine, OPERATOR, operator=True, now=NOW)
    with pytest.raises(Conflict, match=f"'{OPERATOR}' is the operator already"):
        add_organisation(engine, OTHER, operator=True, now=NOW)
    with pytest.raises(Conflict, match="already"):
        add_organisation(engine, OPERATOR, now=NOW)
    with engine.connect() as connection:
        assert [each.name for each in list_organisations(connection)] == [OPERATOR]


@pytest.mark.parametrize("name", ["", " ", " a", "a ", "a/b", "a\nb", "a\x00b", "a\x1b[2J", "x" * 81])
def test_an_invalid_name_is_refused(sqlite: Engine, name: str) -> None:
    """A name must be visible and usable as ORGANISATION/NAME."""
    add_organisation(sqlite, OTHER, now=NOW)
    with pytest.raises(InvalidInput, match="invalid organisation name"):
        add_organisation(sqlite, name, now=NOW)
    with pytest.raises(InvalidInput, match="invalid user name"):
        add_user(sqlite, name, organisation=OTHER, role=Role.VIEWER, now=NOW)


def test_a_name_may_be_of_any_script(sqlite: Engine) -> None:
    """A Chinese organisation with a user of the same script is found again."""
    add_organisation(sqlite, "复旦大学", now=NOW)
    made = add_user(sqlite, "小王", organisation="复旦大学", role=Role.CANDIDATE, now=NOW)
    assert find_user(sqlite, "复旦大学/小王") == made.user


def test_only_the_operators_users_can_be_reviewers(sqlite: Engine) -> None:
    """Another organisation has no reviewers, and only users of that role are linked to the bank's."""
    populate(sqlite)
    with sqlite.begin() as connection:
        row = {"name": "rev", "disciplines": "[]", "daily_cap": 10, "created_at": NOW}
        connection.execute(insert(reviewers).values(row))
    made = add_user(sqlite, "r", organisation=OPERATOR, role=Role.REVIEWER, reviewer="rev", now=NOW)
    assert made.user.reviewer == 1
    with pytest.raises(InvalidInput, match="not the operator"):
        add_user(sqlite, "r", organisation=OTHER, role=Role.REVIEWER, now=NOW)
    with pytest.raises(InvalidInput, match="leave --reviewer out"):
        add_user(sqlite, "v", organisation=OPERATOR, role=Role.VIEWER, reviewer="rev", now=NOW)
    with pytest.raises(NotFound, match="'nobody'"):
        add_user(sqlite, "s", organisation=OPERATOR, role=Role.REVIEWER, reviewer="nobody", now=NOW)


def test_a_secret_is_stored_as_an_argon2id_hash_only(sqlite: Engine) -> None:
    """The database does not contain the secret; every hash has its own salt."""
    add_organisation(sqlite, OTHER, now=NOW)
    first = add_user(sqlite, "a", organisation=OTHER, role=Role.VIEWER, now=NOW)
    second = add_user(sqlite, "b", organisation=OTHER, role=Role.VIEWER, now=NOW)
    assert len(first.secret) == 43 and first.secret != second.secret and first.secret not in repr(first)
    with sqlite.connect() as connection:
        rows = connection.execute(text("SELECT * FROM users")).all()
        hashes = connection.execute(text("SELECT secret_hash FROM users")).scalars().all()
    assert first.secret not in repr(rows)
    assert all(each.startswith("$argon2id$v=19$m=65536,t=3,p=4$") for each in hashes)


def test_a_secret_is_verified() -> None:
    """Only the right secret matches; a missing or invalid hash matches nothing."""
    secret = new_secret()
    hashed = hash_secret(secret)
    assert hash_secret(secret) != hashed
    outcomes = [
        verify_secret(hashed, secret),
        verify_secret(hashed, secret[:-1]),
        verify_secret(hashed, ""),
        verify_secret(None, secret),
        verify_secret("no hash", secret),
    ]
    assert outcomes == [True, False, False, False, False]


def test_a_secret_with_a_right_beginning_is_refused() -> None:
    """Only the beginning of a long text is hashed, but a longer text never matches."""
    long = "x" * 256
    hashed = hash_secret(long)
    assert (verify_secret(hashed, long), verify_secret(hashed, long + "y")) == (True, False)


def test_disabling_twice_keeps_the_first_time(sqlite: Engine) -> None:
    """The first time stays until the user is enabled."""
    populate(sqlite)
    named = f"{OTHER}/viewer"
    disable_user(sqlite, named, now=NOW + 1)
    again, revoked = disable_user(sqlite, named, now=NOW + 2)
    assert (again.disabled_at, revoked) == (NOW + 1, 0)
    assert enable_user(sqlite, named).disabled_at is None
    assert find_user(sqlite, named).disabled_at is None


def test_an_unknown_user_is_refused(engine: Engine) -> None:
    """The message shows the text and the form of a user's name."""
    for named in ("", "/", "Acme", "Acme/", "/viewer", "Acme/nobody", user_id(999), "a/\x00", "é/é"):
        with pytest.raises(NotFound, match="ORGANISATION/NAME") as caught:
            find_user(engine, named)
        assert repr(named) in str(caught.value)


def test_the_form_of_a_user_id() -> None:
    """A lower-case UUID and nothing else."""
    texts = (user_id(1), user_id(1).upper().replace("0", "A"), user_id(1) + "\n", "", "x" * 36)
    assert [is_user_id(each) for each in texts] == [True, False, False, False, False]
