"""Organisations and the people in them, without their secrets' hashes except where one is checked."""

from __future__ import annotations

from typing import NamedTuple

from sqlalchemy import Connection, Engine, Select, func, select, update

from assay.core.exam import Role
from assay.store.engine import insert_new, reading
from assay.store.schema_bank import reviewers
from assay.store.schema_exam import organisations, users


class Organisation(NamedTuple):
    """Whoever takes part; the `operator` is the one that runs this service. `users` counts the enabled."""

    id: int
    name: str
    operator: bool
    users: int
    created_at: float


class User(NamedTuple):
    """Somebody, a person or a program, and what it is to its organisation. None: not disabled."""

    id: str
    name: str
    role: Role
    organisation: int
    organisation_name: str
    operator: bool
    reviewer: int | None
    created_at: float
    disabled_at: float | None


def keep_organisation(connection: Connection, name: str, *, operator: bool, now: float) -> bool:
    """Write an organisation down; False where one has that name."""
    row = {"name": name, "operator": int(operator), "created_at": now}
    return insert_new(connection, organisations, row)


def list_organisations(connection: Connection) -> list[Organisation]:
    """Return all organisations by name."""
    enabled = func.count(users.c.id).filter(users.c.disabled_at.is_(None))
    query = (
        select(
            organisations.c.id,
            organisations.c.name,
            organisations.c.operator,
            enabled,
            organisations.c.created_at,
        )
        .join(users, users.c.organisation == organisations.c.id, isouter=True)
        .group_by(organisations.c.id)
        .order_by(organisations.c.name)
    )
    rows = connection.execute(query)
    return [Organisation(number, name, bool(operator), *rest) for number, name, operator, *rest in rows]


def keep_user(
    connection: Connection,
    user: str,
    *,
    organisation: int,
    name: str,
    role: Role,
    secret_hash: str,
    reviewer: int | None,
    now: float,
) -> bool:
    """Write a user down under a new id; False where the organisation has one of that name."""
    row = {
        "id": user,
        "organisation": organisation,
        "name": name,
        "role": role.value,
        "secret_hash": secret_hash,
        "reviewer": reviewer,
        "created_at": now,
    }
    return insert_new(connection, users, row)


def reviewer_named(connection: Connection, name: str) -> int | None:
    """Return the number of the bank's reviewer of that name, None where there is none."""
    return connection.execute(select(reviewers.c.id).where(reviewers.c.name == name)).scalar()


def _users() -> Select[tuple[object, ...]]:
    return select(
        users.c.id,
        users.c.name,
        users.c.role,
        users.c.organisation,
        organisations.c.name,
        organisations.c.operator,
        users.c.reviewer,
        users.c.created_at,
        users.c.disabled_at,
    ).join(organisations, organisations.c.id == users.c.organisation)


def _read(connection: Connection, query: Select[tuple[object, ...]]) -> list[User]:
    return [
        User(number, name, Role(role), organisation, called, bool(operator), *rest)
        for number, name, role, organisation, called, operator, *rest in connection.execute(query)
    ]


def user_by_id(connection: Connection, user: str) -> User | None:
    """Return the user with this id, disabled or not."""
    found = _read(connection, _users().where(users.c.id == user))
    return found[0] if found else None


def user_by_name(connection: Connection, organisation: str, name: str) -> User | None:
    """Return the user of this name in the organisation of that name."""
    query = _users().where(organisations.c.name == organisation, users.c.name == name)
    found = _read(connection, query)
    return found[0] if found else None


def list_users(engine: Engine, *, organisation: str | None = None, role: Role | None = None) -> list[User]:
    """Return users by organisation and name; of one organisation, of one role."""
    query = _users().order_by(organisations.c.name, users.c.name)
    if organisation is not None:
        query = query.where(organisations.c.name == organisation)
    if role is not None:
        query = query.where(users.c.role == role.value)
    with reading(engine) as connection:
        return _read(connection, query)


def secret_hash(connection: Connection, user: str) -> str | None:
    """Return the hash of a user's secret; None for nobody.

    On PostgreSQL the row is locked until the transaction ends: attempts to log in come one after another.
    On SQLite, begin by writing something to the same end.
    """
    query = select(users.c.secret_hash).where(users.c.id == user).with_for_update()
    return connection.execute(query).scalar()


def set_secret_hash(connection: Connection, user: str, hashed: str) -> None:
    """Replace the hash of a user's secret."""
    connection.execute(update(users).where(users.c.id == user).values(secret_hash=hashed))


def set_disabled(connection: Connection, user: str, at: float | None) -> None:
    """Disable a user from `at`, or enable it again with None."""
    connection.execute(update(users).where(users.c.id == user).values(disabled_at=at))
