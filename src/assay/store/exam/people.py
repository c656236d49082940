"""Organisations and users. A secret's hash is read only to check it."""

from __future__ import annotations

from sqlalchemy import Connection, Engine, Select, func, select, update

from assay.core.exam import Role
from assay.results.exam_service import Organisation, User
from assay.store.engine import insert_new, reading
from assay.store.schema_exam import organisations, users


def keep_organisation(connection: Connection, name: str, *, operator: bool, now: float) -> bool:
    """Store an organisation; return False if the name is taken."""
    row = {"name": name, "operator": int(operator), "created_at": now}
    return insert_new(connection, organisations, row)


def organisation_name(connection: Connection, number: int) -> str:
    """Return the name of an existing organisation."""
    query = select(organisations.c.name).where(organisations.c.id == number)
    return str(connection.execute(query).scalar_one())


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
    """Store a user under a new id; return False if the name is taken in the organisation."""
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


def _select_users() -> Select[tuple[object, ...]]:
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
        User(number, name, Role(role), organisation, organisation_name, bool(operator), *rest)
        for number, name, role, organisation, organisation_name, operator, *rest in connection.execute(query)
    ]


def user_by_id(connection: Connection, user: str) -> User | None:
    """Return a user by id, disabled or not."""
    return next(iter(_read(connection, _select_users().where(users.c.id == user))), None)


def user_by_name(connection: Connection, organisation: str, name: str) -> User | None:
    """Return a user by the names of organisation and user."""
    query = _select_users().where(organisations.c.name == organisation, users.c.name == name)
    return next(iter(_read(connection, query)), None)


def list_users(engine: Engine, *, organisation: str | None = None, role: Role | None = None) -> list[User]:
    """Return users by organisation and name; of one organisation or role."""
    query = _select_users().order_by(organisations.c.name, users.c.name)
    if organisation is not None:
        query = query.where(organisations.c.name == organisation)
    if role is not None:
        query = query.where(users.c.role == role.value)
    with reading(engine) as connection:
        return _read(connection, query)


def secret_hash(connection: Connection, user: str) -> str | None:
    """Return the hash of a user's secret; None for an unknown user.

    On PostgreSQL the row is locked until the transaction ends, so that attempts to log in are serialised. On
    SQLite a preceding write in the transaction has the same effect.
    """
    query = select(users.c.secret_hash).where(users.c.id == user).with_for_update()
    return connection.execute(query).scalar()


def set_secret_hash(connection: Connection, user: str, hashed: str) -> None:
    """Replace the hash of a user's secret."""
    connection.execute(update(users).where(users.c.id == user).values(secret_hash=hashed))


def set_disabled(connection: Connection, user: str, at: float | None) -> None:
    """Disable a user from `at` on, or enable it again with None."""
    connection.execute(update(users).where(users.c.id == user).values(disabled_at=at))
