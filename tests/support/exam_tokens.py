"""A token, the keys behind it, and tokens made by hand with hashlib alone."""

from __future__ import annotations

import base64
import hashlib
import json

from assay.exam.access import Claims, Refusal, Refused
from assay.exam.token import KEY_BYTES, read_token, sign

SECRET = bytes(range(KEY_BYTES))
KEYS = {"k1": SECRET, "k2": bytes(KEY_BYTES)}
NOW = 1_795_176_000.0
CLAIMS = Claims(
    user_id="4f0e7c52-7a3c-4a3c-9a43-0d6f3f6a9d10",
    timestamp=NOW,
    exp=NOW + 3600,
    session_id="5b1c1c50-4c0f-4a8e-8f0b-2b9f2d1f7e11",
    permissions=("sit",),
    jti="0123456789abcdef0123456789abcdef",
    kid="k1",
)
TOKEN = sign(CLAIMS, SECRET)
HEADER = {"alg": "HS256", "kid": "k1", "typ": "JWT"}
PAYLOAD = {
    "user_id": CLAIMS.user_id,
    "timestamp": NOW,
    "exp": NOW + 3600,
    "session_id": CLAIMS.session_id,
    "permissions": ["sit"],
    "jti": CLAIMS.jti,
}


def encoded(raw: bytes | str) -> str:
    """Base64url without padding."""
    return base64.urlsafe_b64encode(raw.encode() if isinstance(raw, str) else raw).rstrip(b"=").decode()


def hmac_sha256(secret: bytes, message: bytes) -> bytes:
    """RFC 2104 written out, so that neither PyJWT nor hmac is believed."""
    block = secret.ljust(64, b"\0")
    inner = hashlib.sha256(bytes(byte ^ 0x36 for byte in block) + message).digest()
    return hashlib.sha256(bytes(byte ^ 0x5C for byte in block) + inner).digest()


def forged(header: object, payload: object, secret: bytes = SECRET) -> str:
    """A token with any header and payload (objects, or JSON text) that is rightly signed with `secret`."""
    texts = [each if isinstance(each, str) else json.dumps(each) for each in (header, payload)]
    signed = f"{encoded(texts[0])}.{encoded(texts[1])}"
    return f"{signed}.{encoded(hmac_sha256(secret, signed.encode()))}"


def refusal(text: str, *, now: float = NOW) -> Refusal | None:
    """Why a token is refused; None where it is believed."""
    try:
        read_token(text, KEYS, now=now)
    except Refused as refused:
        return refused.refusal
    return None
