"""Organisations, users and their secrets."""

from __future__ import annotations

import pytest
from exam_people import NOW, OPERATOR, OTHER, populate, user_id
from sqlalchemy import Engine, insert, text

from assay.core.errors import Conflict, InvalidInput, NotFound
from assay.core.exam import Role
from assay.exams.people import (
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
    """A second operator and a second organisation of a name are refused, and neither is kept."""
    add_organisation(engine, OPERATOR, operator=True, now=NOW)
    with pytest.raises(Conflict, match=f"'{OPERATOR}' is the operator already"):
        add_organisation(engine, OTHER, operator=True, now=NOW)
    with pytest.raises(Conflict, match="already"):
        add_organisation(engine, OPERATOR, now=NOW)
    with engine.connect() as connection:
        assert [each.name for each in list_organisations(connection)] == [OPERATOR]


@pytest.mark.parametrize("name", ["", " ", " a", "a ", "a/b", "a\nb", "a\x00b", "a\x1b[2J", "x" * 81])
def test_a_name_is_short_and_visible(sqlite: Engine, name: str) -> None:
    """What could not be shown, or named on the command line as ORGANISATION/NAME, is no name."""
    add_organisation(sqlite, OTHER, now=NOW)
    with pytest.raises(InvalidInput, match="no name"):
        add_organisation(sqlite, name, now=NOW)
    with pytest.raises(InvalidInput, match="no name"):
        add_user(sqlite, name, organisation=OTHER, role=Role.VIEWER, now=NOW)


def test_a_name_may_be_of_any_script(sqlite: Engine) -> None:
    """A Chinese organisation with a user of the same script is found again."""
    add_organisation(sqlite, "复旦大学", now=NOW)
    made = add_user(sqlite, "小王", organisation="复旦大学", role=Role.CANDIDATE, now=NOW)
    assert find_user(sqlite, "复旦大学/小王") == made.user


def test_only_the_operators_people_review(sqlite: Engine) -> None:
    """A reviewer sees keys: another organisation has none, and only a reviewer is one of the bank's."""
    populate(sqlite)
    with sqlite.begin() as connection:
        row = {"name": "rev", "disciplines": "[]", "daily_cap": 10, "created_at": NOW}
        connection.execute(insert(reviewers).values(row))
    made = add_user(sqlite, "r", organisation=OPERATOR, role=Role.REVIEWER, reviewer="rev", now=NOW)
    assert made.user.reviewer == 1
    with pytest.raises(InvalidInput, match="not the operator"):
        add_user(sqlite, "r", organisation=OTHER, role=Role.REVIEWER, now=NOW)
    with pytest.raises(InvalidInput, match="leave one out"):
        add_user(sqlite, "v", organisation=OPERATOR, role=Role.VIEWER, reviewer="rev", now=NOW)
    with pytest.raises(NotFound, match="'nobody'"):
        add_user(sqlite, "s", organisation=OPERATOR, role=Role.REVIEWER, reviewer="nobody", now=NOW)


def test_a_secret_is_stored_as_an_argon2id_hash_only(sqlite: Engine) -> None:
    """Nothing in the database holds the secret; the hash says how it was made, with a salt of its own."""
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
    """The right one is, any other is not, and nobody's never is."""
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


def test_a_long_secret_is_not_cut_to_a_right_one() -> None:
    """Only the beginning of a long text is hashed, and that is never enough."""
    long = "x" * 256
    hashed = hash_secret(long)
    assert (verify_secret(hashed, long), verify_secret(hashed, long + "y")) == (True, False)


def test_disabling_twice_keeps_the_first_time(sqlite: Engine) -> None:
    """A user that is disabled stays so since then, until it is enabled."""
    populate(sqlite)
    named = f"{OTHER}/viewer"
    disable_user(sqlite, named, now=NOW + 1)
    again, revoked = disable_user(sqlite, named, now=NOW + 2)
    assert (again.disabled_at, revoked) == (NOW + 1, 0)
    assert enable_user(sqlite, named).disabled_at is None
    assert find_user(sqlite, named).disabled_at is None


def test_who_is_not_there_is_told(engine: Engine) -> None:
    """With the text as it was given and how to name a user, whatever the text."""
    for named in ("", "/", "Acme", "Acme/", "/viewer", "Acme/nobody", user_id(999), "a/\x00", "é/é"):
        with pytest.raises(NotFound, match="ORGANISATION/NAME") as caught:
            find_user(engine, named)
        assert repr(named) in str(caught.value)


def test_what_a_user_id_looks_like() -> None:
    """A lower-case UUID and nothing else."""
    texts = (user_id(1), user_id(1).upper().replace("0", "A"), user_id(1) + "\n", "", "x" * 36)
    assert [is_user_id(each) for each in texts] == [True, False, False, False, False]
