"""Who takes part: organisations and users are added, get their secrets, and are disabled."""

from __future__ import annotations

import re
import secrets
import threading
import uuid
from dataclasses import dataclass, field
from functools import cache
from typing import TYPE_CHECKING

from sqlalchemy import Connection, Engine

from assay.core.errors import Conflict, InvalidInput, NotFound
from assay.core.exam import Role
from assay.store.engine import reading, writing
from assay.store.exam.people import (
    Organisation,
    User,
    keep_organisation,
    keep_user,
    list_organisations,
    reviewer_named,
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
"""A hash takes 64 MiB: no flood of logins may take more than two."""


@dataclass(frozen=True, slots=True)
class NewUser:
    """A user with the secret that is told once and stored nowhere."""

    user: User
    secret: str = field(repr=False)


def add_organisation(engine: Engine, name: str, *, operator: bool = False, now: float) -> Organisation:
    """Add an organisation; at most one is the operator's. Raises Conflict where there is one already."""
    _check_name("organisation", name)
    with writing(engine) as connection:
        if not keep_organisation(connection, name, operator=operator, now=now):
            raise Conflict(f"there is an organisation {name!r} already: give another name")
        known = list_organisations(connection)
        operators = [each.name for each in known if each.operator and each.name != name]
        if operator and operators:
            raise Conflict(f"{operators[0]!r} is the operator already: add {name!r} without --operator")
        return next(each for each in known if each.name == name)


def add_user(
    engine: Engine, name: str, *, organisation: str, role: Role, reviewer: str | None = None, now: float
) -> NewUser:
    """Add a user to an organisation and return it with its secret.

    `reviewer` names the bank's reviewer that a user of that role is. Raises NotFound for an unknown
    organisation or reviewer, Conflict for a name it has already, InvalidInput for a reviewer of another
    organisation than the operator's.
    """
    _check_name("user", name)
    with reading(engine) as connection:
        place = _organisation(connection, organisation)
        number = None if reviewer is None else reviewer_named(connection, reviewer)
    if role is Role.REVIEWER and not place.operator:
        raise InvalidInput(
            f"{organisation!r} is not the operator: only the operator's people review, as they see the keys; "
            "choose another role"
        )
    if reviewer is not None and role is not Role.REVIEWER:
        raise InvalidInput(f"reviewer is {reviewer!r}, but {name!r} is to be a {role}: leave one out")
    if reviewer is not None and number is None:
        raise NotFound(f"the bank has no reviewer {reviewer!r}: leave it out, or add that reviewer first")
    secret, user = new_secret(), str(uuid.uuid4())
    hashed = hash_secret(secret)
    with writing(engine) as connection:
        kept = keep_user(
            connection,
            user,
            organisation=place.id,
            name=name,
            role=role,
            secret_hash=hashed,
            reviewer=number,
            now=now,
        )
        if not kept:
            raise Conflict(f"{organisation!r} has a user {name!r} already: give another name")
        return NewUser(_there(user_by_id(connection, user), user), secret)


def find_user(engine: Engine, named: str) -> User:
    """Return the user with an id, or named ORGANISATION/NAME. Raises NotFound."""
    with reading(engine) as connection:
        return _found(connection, named)


def renew_secret(engine: Engine, named: str, *, now: float) -> NewUser:
    """Give a user another secret; the old one and all tokens stop working at once."""
    secret = new_secret()
    hashed = hash_secret(secret)
    with writing(engine) as connection:
        user = _found(connection, named)
        set_secret_hash(connection, user.id, hashed)
        revoke_tokens_of(connection, user.id, now)
    return NewUser(user, secret)


def disable_user(engine: Engine, named: str, *, now: float) -> tuple[User, int]:
    """Disable a user at once; return it, and how many of its tokens were revoked with it."""
    with writing(engine) as connection:
        user = _found(connection, named)
        if user.disabled_at is None:
            set_disabled(connection, user.id, now)
        revoked = revoke_tokens_of(connection, user.id, now)
        return _there(user_by_id(connection, user.id), named), revoked


def enable_user(engine: Engine, named: str) -> User:
    """Let a disabled user take part again, with its old secret and new tokens."""
    with writing(engine) as connection:
        user = _found(connection, named)
        set_disabled(connection, user.id, None)
        return user._replace(disabled_at=None)


def new_secret() -> str:
    """Return a fresh secret: 32 random bytes as 43 letters."""
    return secrets.token_urlsafe(SECRET_BYTES)


def hash_secret(secret: str) -> str:
    """Return the argon2id hash of a secret, with the library's parameters and a salt of its own."""
    with _HASHING:
        return _hasher().hash(secret)


def verify_secret(hashed: str | None, secret: str) -> bool:
    """Whether a secret has that hash. Without a hash another is checked: nobody takes as long as somebody."""
    from argon2.exceptions import InvalidHashError, VerificationError

    shape = _nobody()
    with _HASHING:
        try:
            right = _hasher().verify(hashed or shape, secret[:MOST_SECRET].encode("utf-8", "replace"))
        except (VerificationError, InvalidHashError):
            return False
    return right and hashed is not None and len(secret) <= MOST_SECRET


def is_user_id(text: str) -> bool:
    """Whether a text has the form of a user's id."""
    return _ID.fullmatch(text) is not None


@cache
def _hasher() -> PasswordHasher:
    from argon2 import PasswordHasher

    return PasswordHasher()


@cache
def _nobody() -> str:
    return _hasher().hash(new_secret())


def _found(connection: Connection, named: str) -> User:
    if is_user_id(named):
        return _there(user_by_id(connection, named), named)
    organisation, _, name = named.partition("/")
    plain = "\x00" not in named
    return _there(user_by_name(connection, organisation, name) if plain else None, named)


def _there(user: User | None, named: str) -> User:
    if user is None:
        raise NotFound(
            f"there is no user {named!r}: give an id or ORGANISATION/NAME; `assay exam user list` shows them"
        )
    return user


def _organisation(connection: Connection, name: str) -> Organisation:
    known = {each.name: each for each in list_organisations(connection)}
    if name not in known:
        told = f"there are {', '.join(map(repr, known))}" if known else "there is none yet"
        raise NotFound(f"there is no organisation {name!r}: {told}; `assay exam organisation add` adds one")
    return known[name]


def _check_name(what: str, name: str) -> None:
    if not 0 < len(name) <= LONGEST_NAME or name != name.strip() or not name.isprintable() or "/" in name:
        raise InvalidInput(
            f"{what} {name!r} is no name: give 1 to {LONGEST_NAME} visible characters without `/`, "
            "no space before or after"
        )
