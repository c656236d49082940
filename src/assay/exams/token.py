"""Tokens: HMAC-SHA256 JWTs that say who asks, until when, in which session, and what may be asked."""

from __future__ import annotations

import binascii
import json
import re
from base64 import urlsafe_b64decode, urlsafe_b64encode
from collections.abc import Mapping
from dataclasses import dataclass
from functools import lru_cache
from typing import Any, Final

import jwt

from assay.exams.refused import Refusal, Refused

ALGORITHM: Final = "HS256"
KEY_BYTES: Final = 32
LEEWAY: Final = 30.0
"""How many seconds the clock of another server may be ahead of ours."""
LONGEST_LIFE: Final = 31 * 86400.0
MOST_CHARACTERS: Final = 2048
_MOST_HEADER: Final = 160
_HS256: Final = jwt.get_algorithm_by_name(ALGORITHM)
_JWS: Final = jwt.PyJWS(algorithms=[ALGORITHM])
_ID: Final = re.compile(r"[A-Za-z0-9-]{1,36}")
_KID: Final = re.compile(r"[A-Za-z0-9-]{1,16}")
_NOTHING: Final = b""


@dataclass(frozen=True, slots=True)
class Claims:
    """What a token says. `timestamp` (issued) and `exp` are UTC seconds; `jti` names the token itself.

    `session_id` is None for a token that is bound to no session. `kid` names the key that signs it and
    stands in the header, the rest is the payload of Algorithm 1 (seed 003, appendix F).
    """

    user_id: str
    timestamp: float
    exp: float
    session_id: str | None
    permissions: tuple[str, ...]
    jti: str
    kid: str


def sign(claims: Claims, secret: bytes) -> str:
    """Return the token that says `claims`. `secret` is the signing key's 32 bytes."""
    if len(secret) != KEY_BYTES:
        raise ValueError(f"a signing key has {KEY_BYTES} bytes")
    payload = {
        "user_id": claims.user_id,
        "timestamp": claims.timestamp,
        "exp": claims.exp,
        "session_id": claims.session_id,
        "permissions": list(claims.permissions),
        "jti": claims.jti,
    }
    raw = json.dumps(payload, separators=(",", ":"), allow_nan=False).encode()
    return _JWS.encode(raw, secret, algorithm=ALGORITHM, headers={"kid": claims.kid})


def read_token(text: str, keys: Mapping[str, bytes], *, now: float) -> Claims:
    """Return what a token says after proving that one of `keys` (by kid) signed it.

    The checks are Algorithm 1's first two, in its order: Refused as Unauthorized for anything but a
    token that this service signed and whose claims are whole, then as Token Expired where `now` is later
    than `exp`. The signature is proven before a claim is looked at, only HS256 is known, and the text of an
    error is the same whatever is wrong. Reads no database.
    """
    claims = _proven(text, keys)
    if claims is None or claims.timestamp > now + LEEWAY:
        raise Refused(Refusal.UNAUTHORIZED)
    if now > claims.exp:
        raise Refused(Refusal.EXPIRED, claims=claims)
    return claims


def kid_named(text: str) -> str | None:
    """Return the key that a token claims to be signed with, before anything is proven; None for no token."""
    if len(text) > MOST_CHARACTERS or not text.isascii():
        return None
    return _kid(text.partition(".")[0])


def _proven(text: str, keys: Mapping[str, bytes]) -> Claims | None:
    kid = kid_named(text)
    secret = _NOTHING if kid is None else keys.get(kid, _NOTHING)
    if kid is None or not secret:
        return None
    signed, _, last = text.rpartition(".")
    signature = _decoded(last)
    # Unlike jwt.decode, nothing but the header's kid is parsed before the signature is known to be right.
    if not signature or not _HS256.verify(signed.encode(), secret, signature):
        return None
    return _claims(_decoded(signed.partition(".")[2]), kid)


@lru_cache(maxsize=256)
def _kid(segment: str) -> str | None:
    """Return the kid of a header; None for any header but the one that `sign` writes."""
    if len(segment) > _MOST_HEADER:
        return None
    header = _object(_decoded(segment))
    if header is None or header.keys() != {"alg", "kid", "typ"}:
        return None
    kid = header["kid"]
    if header["alg"] != ALGORITHM or header["typ"] != "JWT" or not _named(_KID, kid):
        return None
    return str(kid)


def _claims(raw: bytes, kid: str) -> Claims | None:
    """Return the claims of a payload whose signature was proven; None where one is missing or ill-typed."""
    payload = _object(raw)
    if payload is None:
        return None
    try:
        user, session, jti = payload["user_id"], payload["session_id"], payload["jti"]
        issued, until, permissions = payload["timestamp"], payload["exp"], payload["permissions"]
    except KeyError:
        return None
    if not (_named(_ID, user) and _named(_ID, jti) and (session is None or _named(_ID, session))):
        return None
    if not (_moment(issued) and _moment(until) and issued <= until <= issued + LONGEST_LIFE):
        return None
    if type(permissions) is not list or not all(type(each) is str for each in permissions):
        return None
    return Claims(user, issued, until, session, tuple(permissions), jti, kid)


def _decoded(segment: str) -> bytes:
    """Return the bytes of a base64url text as RFC 7515 writes it; nothing for any other spelling of them."""
    try:
        raw = urlsafe_b64decode(segment + "=" * (-len(segment) % 4))
    except (binascii.Error, ValueError):
        return _NOTHING
    return raw if urlsafe_b64encode(raw).rstrip(b"=") == segment.encode() else _NOTHING


def _object(raw: bytes) -> dict[str, Any] | None:
    """Return a JSON object in which no name stands twice; None for anything else."""
    try:
        found = _DECODER.decode(raw.decode())
    except (ValueError, RecursionError):
        return None
    return found if type(found) is dict else None


def _single(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    found = dict(pairs)
    if len(found) != len(pairs):
        raise ValueError("a name stands twice")
    return found


def _constant(name: str) -> float:
    raise ValueError(f"{name} is not JSON")


_DECODER: Final = json.JSONDecoder(object_pairs_hook=_single, parse_constant=_constant)


def _named(pattern: re.Pattern[str], value: object) -> bool:
    return type(value) is str and pattern.fullmatch(value) is not None


def _moment(value: object) -> bool:
    return (type(value) is float or type(value) is int) and 0 <= value < 1e11
