"""Tokens: JWTs, signed with HMAC-SHA256, that hold the user, expiry, session and permissions."""

from __future__ import annotations

import binascii
import json
import re
from base64 import urlsafe_b64decode, urlsafe_b64encode
from collections.abc import Mapping
from functools import lru_cache
from typing import Any, Final

import jwt

from assay.core.times import DAY_SECONDS
from assay.exam.access import Claims, Refusal, Refused

ALGORITHM: Final = "HS256"
KEY_BYTES: Final = 32
LEEWAY: Final = 30.0
"""Seconds by which the clock of another server may be ahead of this one's."""
LONGEST_LIFE: Final = 31.0 * DAY_SECONDS
MOST_CHARACTERS: Final = 2048
_MOST_HEADER: Final = 160
_HS256: Final = jwt.get_algorithm_by_name(ALGORITHM)
_JWS: Final = jwt.PyJWS(algorithms=[ALGORITHM])
_ID: Final = re.compile(r"[A-Za-z0-9-]{1,36}")
_KID: Final = re.compile(r"[A-Za-z0-9-]{1,16}")
_NOTHING: Final = b""


def sign(claims: Claims, secret: bytes) -> str:
    """Return a token with these claims. `secret` is the signing key, 32 bytes."""
    if len(secret) != KEY_BYTES:
        raise ValueError(f"invalid signing key of {len(secret)} bytes: use {KEY_BYTES} bytes")
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
    """Return the claims of a token after verifying that one of `keys` (by kid) signed it.

    These are the first two checks of Algorithm 1, in its order: Refused as Unauthorized for anything but a
    token that this service signed with complete claims, then as Token Expired if `now` is later than `exp`.
    The signature is verified before any claim is parsed, only HS256 is accepted, and the error text does not
    depend on the fault. Reads no database.
    """
    claims = _verified(text, keys)
    if claims is None or claims.timestamp > now + LEEWAY:
        raise Refused(Refusal.UNAUTHORIZED)
    if now > claims.exp:
        raise Refused(Refusal.EXPIRED, claims=claims)
    return claims


def kid_named(text: str) -> str | None:
    """Return the kid in a token's header, not yet verified; None for anything but a token."""
    if len(text) > MOST_CHARACTERS or not text.isascii():
        return None
    return _kid(text.partition(".")[0])


def _verified(text: str, keys: Mapping[str, bytes]) -> Claims | None:
    kid = kid_named(text)
    secret = _NOTHING if kid is None else keys.get(kid, _NOTHING)
    if kid is None or not secret:
        return None
    signed, _, last = text.rpartition(".")
    signature = _decoded(last)
    # Unlike jwt.decode, this parses only the header's kid before the signature is verified.
    if not signature or not _HS256.verify(signed.encode(), secret, signature):
        return None
    return _claims(_decoded(signed.partition(".")[2]), kid)


@lru_cache(maxsize=256)
def _kid(segment: str) -> str | None:
    """Return the kid of a header; None for any header that `sign` does not write."""
    if len(segment) > _MOST_HEADER:
        return None
    header = _object(_decoded(segment))
    if header is None or header.keys() != {"alg", "kid", "typ"}:
        return None
    kid = header["kid"]
    if header["alg"] != ALGORITHM or header["typ"] != "JWT" or not _matches(_KID, kid):
        return None
    return str(kid)


def _claims(raw: bytes, kid: str) -> Claims | None:
    """Return the claims of a verified payload; None if one is missing or has the wrong type."""
    payload = _object(raw)
    if payload is None:
        return None
    try:
        user, session, jti = payload["user_id"], payload["session_id"], payload["jti"]
        issued, until, permissions = payload["timestamp"], payload["exp"], payload["permissions"]
    except KeyError:
        return None
    if not (_matches(_ID, user) and _matches(_ID, jti) and (session is None or _matches(_ID, session))):
        return None
    if not (_is_time(issued) and _is_time(until) and issued <= until <= issued + LONGEST_LIFE):
        return None
    if type(permissions) is not list or not all(type(permission) is str for permission in permissions):
        return None
    return Claims(user, issued, until, session, tuple(permissions), jti, kid)


def _decoded(segment: str) -> bytes:
    """Return the bytes of a base64url text in the spelling of RFC 7515; no bytes for any other spelling."""
    try:
        raw = urlsafe_b64decode(segment + "=" * (-len(segment) % 4))
    except (binascii.Error, ValueError):
        return _NOTHING
    return raw if urlsafe_b64encode(raw).rstrip(b"=") == segment.encode() else _NOTHING


def _object(raw: bytes) -> dict[str, Any] | None:
    """Return a JSON object without duplicate names; None for anything else."""
    try:
        value = _DECODER.decode(raw.decode())
    except (ValueError, RecursionError):
        return None
    return value if type(value) is dict else None


def _unique_names(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    value = dict(pairs)
    if len(value) != len(pairs):
        raise ValueError("duplicate name")
    return value


def _refuse_constant(name: str) -> float:
    raise ValueError(f"{name} is not JSON")


_DECODER: Final = json.JSONDecoder(object_pairs_hook=_unique_names, parse_constant=_refuse_constant)


def _matches(pattern: re.Pattern[str], value: object) -> bool:
    return type(value) is str and pattern.fullmatch(value) is not None


def _is_time(value: object) -> bool:
    return (type(value) is float or type(value) is int) and 0 <= value < 1e11
