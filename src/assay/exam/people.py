"""Organisations and users: adding and disabling them, and issuing and checking secrets."""

from __future__ import annotations

import re
import secrets
import threading
import uuid
from dataclasses import replace
from functools import cache
from typing import TYPE_CHECKING

from sqlalchemy import Connection, Engine

from assay.core.errors import Conflict, InvalidInput, NotFound
from assay.core.exam import Role
from assay.results.exam_service import NewUser, Organisation, User
from assay.store.bank.reviewers import reviewer_named
from assay.store.engine import reading, writing
from assay.store.exam.people import (
    keep_organisation,
    keep_user,
    list_organisations,
    set_disabled,
    set_secret_hash,
    user_by_id,
    user_by_name,
)
from assay.store.exam.tokens import revoke_tokens_of

if TYPE_CHECKING:
    from argon2 import PasswordHasher

SECRET_BYTES = 32
LONGEST_NAME = 80
MOST_SECRET = 256
_ID = re.compile(r"[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}")
_HASHING = threading.BoundedSemaphore(2)
"""A hash takes 64 MiB of memory, so at most two are computed at a time."""


def add_organisation(engine: Engine, name: str, *, operator: bool = False, now: float) -> Organisation:
    """Add an organisation. Raises Conflict if the name is taken or another organisation is the operator."""
    _check_name("organisation", name)
    with writing(engine) as connection:
        if not keep_organisation(connection, name, operator=operator, now=now):
            raise Conflict(f"organisation {name!r} exists already: choose another name")
        known = list_organisations(connection)
        operators = [other.name for other in known if other.operator and other.name != name]
        if operator and operators:
            raise Conflict(f"{operators[0]!r} is the operator already: add {name!r} without --operator")
        return next(organisation for organisation in known if organisation.name == name)


def add_user(
    engine: Engine, name: str, *, organisation: str, role: Role, reviewer: str | None = None, now: float
) -> NewUser:
    """Add a user to an organisation and return the user with its secret.

    `reviewer` is the name of the bank's reviewer whom a user of that role represents. Raises NotFound for an
    unknown organisation or reviewer, Conflict for a name that is taken, InvalidInput for a reviewer outside
    the operator's organisation.
    """
    _check_name("user", name)
    with reading(engine) as connection:
        owner = organisation_named(connection, organisation)
    if role is Role.REVIEWER and not owner.operator:
        raise InvalidInput(
            f"organisation {organisation!r} is not the operator: reviewers see answer keys, so only the "
            "operator's users can be reviewers; choose another role"
        )
    if reviewer is not None and role is not Role.REVIEWER:
        raise InvalidInput(
            f"reviewer {reviewer!r} given for the role {role}: leave --reviewer out or use --role reviewer"
        )
    with reading(engine) as connection:
        number = None if reviewer is None else reviewer_named(connection, reviewer).id
    secret, user = new_secret(), str(uuid.uuid4())
    hashed = hash_secret(secret)
    with writing(engine) as connection:
        kept = keep_user(
            connection,
            user,
            organisation=owner.id,
            name=name,
            role=role,
            secret_hash=hashed,
            reviewer=number,
            now=now,
        )
        if not kept:
            raise Conflict(f"user {name!r} exists already in {organisation!r}: choose another name")
        return NewUser(_existing(user_by_id(connection, user), user), secret)


def find_user(engine: Engine, named: str) -> User:
    """Return a user by id or ORGANISATION/NAME. Raises NotFound."""
    with reading(engine) as connection:
        return _user_named(connection, named)


def renew_secret(engine: Engine, named: str, *, now: float) -> NewUser:
    """Give a user a new secret; the old one and all tokens become invalid at once."""
    secret = new_secret()
    hashed = hash_secret(secret)
    with writing(engine) as connection:
        user = _user_named(connection, named)
        set_secret_hash(connection, user.id, hashed)
        revoke_tokens_of(connection, user.id, now)
    return NewUser(user, secret)


def disable_user(engine: Engine, named: str, *, now: float) -> tuple[User, int]:
    """Disable a user and revoke its tokens; return the user and the number of revoked tokens."""
    with writing(engine) as connection:
        user = _user_named(connection, named)
        if user.disabled_at is None:
            set_disabled(connection, user.id, now)
        revoked = revoke_tokens_of(connection, user.id, now)
        return _existing(user_by_id(connection, user.id), named), revoked


def enable_user(engine: Engine, named: str) -> User:
    """Enable a disabled user, who keeps the secret and needs new tokens."""
    with writing(engine) as connection:
        user = _user_named(connection, named)
        set_disabled(connection, user.id, None)
        return replace(user, disabled_at=None)


def new_secret() -> str:
    """Return a new secret: 32 random bytes as 43 characters."""
    return secrets.token_urlsafe(SECRET_BYTES)


def hash_secret(secret: str) -> str:
    """Return the argon2id hash of a secret, with the library's parameters and a random salt."""
    with _HASHING:
        return _hasher().hash(secret)


def verify_secret(hashed: str | None, secret: str) -> bool:
    """Whether a secret has this hash. Without one, a dummy hash is checked, so that it takes as long."""
    from argon2.exceptions import InvalidHashError, VerificationError

    dummy = _dummy_hash()
    with _HASHING:
        try:
            matches = _hasher().verify(hashed or dummy, secret[:MOST_SECRET].encode("utf-8", "replace"))
        except (VerificationError, InvalidHashError):
            return False
    return matches and hashed is not None and len(secret) <= MOST_SECRET


def is_user_id(text: str) -> bool:
    """Whether a text has the form of a user's id."""
    return _ID.fullmatch(text) is not None


@cache
def _hasher() -> PasswordHasher:
    from argon2 import PasswordHasher

    return PasswordHasher()


@cache
def _dummy_hash() -> str:
    return _hasher().hash(new_secret())


def _user_named(connection: Connection, named: str) -> User:
    if is_user_id(named):
        return _existing(user_by_id(connection, named), named)
    organisation, _, name = named.partition("/")
    if "\x00" in named:
        return _existing(None, named)
    return _existing(user_by_name(connection, organisation, name), named)


def _existing(user: User | None, named: str) -> User:
    if user is None:
        raise NotFound(f"unknown user {named!r}: give an id or ORGANISATION/NAME from `assay exam user list`")
    return user


def organisation_named(connection: Connection, name: str) -> Organisation:
    """Return an organisation by name. Raises NotFound."""
    known = {organisation.name: organisation for organisation in list_organisations(connection)}
    if name not in known:
        names = f"give one of {', '.join(map(repr, known))}, or " if known else ""
        raise NotFound(f"unknown organisation {name!r}: {names}add it with `assay exam organisation add`")
    return known[name]


def _check_name(kind: str, name: str) -> None:
    if not 0 < len(name) <= LONGEST_NAME or name != name.strip() or not name.isprintable() or "/" in name:
        raise InvalidInput(
            f"invalid {kind} name {name!r}: use 1 to {LONGEST_NAME} visible characters, without `/` "
            "and without spaces around them"
        )
