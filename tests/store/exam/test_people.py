"""Storing organisations and users."""

from __future__ import annotations

from exam_people import NOW, OPERATOR, OTHER, populate, user_id
from sqlalchemy import Engine

from assay.core.exam import Role
from assay.store.engine import reading, writing
from assay.store.exam.people import (
    keep_organisation,
    keep_user,
    list_organisations,
    list_users,
    set_disabled,
    user_by_id,
    user_by_name,
)


def test_an_organisation_is_kept_once(engine: Engine) -> None:
    """A second organisation with the same name is refused."""
    with writing(engine) as connection:
        stored = [keep_organisation(connection, "Acme", operator=False, now=NOW) for _ in range(2)]
    with reading(engine) as connection:
        assert (stored, len(list_organisations(connection))) == ([True, False], 1)


def test_a_name_is_one_users_within_an_organisation(engine: Engine) -> None:
    """Two organisations may each have an `ada`; within one the second is refused."""

    def keep(number: int, organisation: int) -> bool:
        return keep_user(
            connection,
            user_id(100 + number),
            organisation=organisation,
            name="ada",
            role=Role.VIEWER,
            secret_hash="none",
            reviewer=None,
            now=NOW,
        )

    populate(engine)
    with writing(engine) as connection:
        numbers = [organisation.id for organisation in list_organisations(connection)]
        assert [keep(0, numbers[0]), keep(1, numbers[0]), keep(2, numbers[1])] == [True, False, True]


def test_users_are_found_by_id_and_by_name(engine: Engine) -> None:
    """Both ways return the same user; the name in another organisation returns None."""
    people = populate(engine)
    with reading(engine) as connection:
        user = user_by_name(connection, OTHER, "viewer")
        assert user is not None and user == user_by_id(connection, people.users[OTHER, "viewer"])
        assert (user.role, user.organisation_name, user.operator) == (Role.VIEWER, OTHER, False)
        assert user_by_name(connection, OTHER, "nobody") is None
        assert user_by_id(connection, user_id(999)) is None


def test_lists_are_by_organisation_and_role(engine: Engine) -> None:
    """Candidates of one organisation are listed by name; disabled ones are listed but not counted."""
    people = populate(engine)
    with writing(engine) as connection:
        set_disabled(connection, people.users[OTHER, "second"], NOW)
    listed = list_users(engine, organisation=OTHER, role=Role.CANDIDATE)
    assert [(user.name, user.disabled_at) for user in listed] == [("candidate", None), ("second", NOW)]
    with reading(engine) as connection:
        counts = {entry.name: (entry.operator, entry.users) for entry in list_organisations(connection)}
    assert counts == {OPERATOR: (True, 6), OTHER: (False, 5)}
