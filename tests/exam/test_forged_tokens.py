"""Tokens that nobody signed, or that say what no token says: each is refused alike."""

from __future__ import annotations

import json
import string

import pytest
from every_row import every_row
from exam_tokens import (
    CLAIMS,
    HEADER,
    KEYS,
    NOW,
    PAYLOAD,
    SECRET,
    TOKEN,
    encoded,
    forged,
    hmac_sha256,
    refusal,
)
from hypothesis import given
from hypothesis import strategies as st

from assay.exam.access import Refusal, Refused
from assay.exam.token import LONGEST_LIFE, read_token

LETTERS = string.ascii_letters + string.digits + "-_."


@every_row(
    "header",
    [
        {**HEADER, "alg": "none"},
        {**HEADER, "alg": "None"},
        {**HEADER, "alg": "RS256"},
        {**HEADER, "alg": "HS512"},
        {**HEADER, "alg": ["HS256"]},
        {"alg": "HS256", "typ": "JWT"},
        {**HEADER, "kid": None},
        {**HEADER, "kid": 1},
        {**HEADER, "kid": "k9"},
        {**HEADER, "kid": "../k1"},
        {**HEADER, "crit": ["b64"], "b64": False},
        {**HEADER, "jwk": {"kty": "oct", "k": encoded(SECRET)}},
        '{"alg":"none","alg":"HS256","kid":"k1","typ":"JWT"}',
        '{"alg":"HS256","kid":"k9","kid":"k1","typ":"JWT"}',
        "[]",
        "{",
        "[" * 90,
    ],
)
def test_another_header_is_unauthorized_though_rightly_signed(header: object) -> None:
    """Another algorithm, a missing or unknown kid, or a header with anything more is refused."""
    assert refusal(forged(header, PAYLOAD)) is Refusal.UNAUTHORIZED


@every_row("end", ["", ".", ".AAAA", "." + TOKEN.rpartition(".")[2]])
@every_row("algorithm", ["none", "NONE", "nOnE", "", "HS256"])
def test_an_unsigned_token_is_unauthorized(algorithm: str, end: str) -> None:
    """A handmade `alg: none` token is refused with no signature, an empty one, or a borrowed one."""
    admin = {**PAYLOAD, "permissions": ["users:manage"]}
    head, body = encoded(json.dumps({**HEADER, "alg": algorithm})), encoded(json.dumps(admin))
    assert refusal(f"{head}.{body}{end}") is Refusal.UNAUTHORIZED


@pytest.mark.parametrize("secret", [b"", b"k1", KEYS["k2"], SECRET[:-1]])
def test_another_key_proves_nothing(secret: bytes) -> None:
    """A token signed with anything but the key that its kid names is refused, other keys of ours too."""
    assert refusal(forged(HEADER, PAYLOAD, secret)) is Refusal.UNAUTHORIZED


def test_an_empty_key_proves_nothing() -> None:
    """A key that is empty by mistake is no key."""
    with pytest.raises(Refused, match=r"^Unauthorized"):
        read_token(forged(HEADER, PAYLOAD, b""), {"k1": b""}, now=NOW)


@every_row(
    "wrong",
    [
        *({name: ...} for name in PAYLOAD),
        {"user_id": 7},
        {"user_id": None},
        {"user_id": ""},
        {"user_id": "a\x00b"},
        {"user_id": "x" * 37},
        {"user_id": CLAIMS.user_id + "\n"},
        {"timestamp": str(NOW)},
        {"timestamp": True},
        {"timestamp": -1.0},
        {"exp": str(NOW + 60)},
        {"exp": True},
        {"exp": None},
        {"exp": [NOW + 60]},
        {"exp": float("nan")},
        {"exp": float("inf")},
        {"exp": 10**400},
        {"exp": 1e300},
        {"exp": NOW + LONGEST_LIFE + 1},
        {"exp": NOW - 1},
        {"session_id": 3},
        {"session_id": ""},
        {"permissions": "sit"},
        {"permissions": [1]},
        {"permissions": None},
        {"permissions": {"sit": True}},
        {"jti": None},
        {"jti": 12},
    ],
    ids=repr,
)
def test_a_missing_or_ill_typed_claim_is_unauthorized(wrong: dict[str, object]) -> None:
    """A rightly signed token whose claims are not whole is refused, never half believed."""
    payload = {name: value for name, value in {**PAYLOAD, **wrong}.items() if value is not ...}
    assert refusal(forged(HEADER, payload)) is Refusal.UNAUTHORIZED


@pytest.mark.parametrize(
    "payload",
    [
        json.dumps(PAYLOAD)[:-1] + f', "exp": {NOW + 7200}}}',
        json.dumps(PAYLOAD)[:-1] + ', "permissions": ["users:manage"]}',
        "[]",
        "null",
        "[" * 1200,
        json.dumps(PAYLOAD).replace("sit", "\ud800"),
    ],
)
def test_a_payload_that_is_no_plain_object_is_unauthorized(payload: str) -> None:
    """A name that stands twice, another JSON value, or bytes that are not UTF-8 are refused."""
    raw = payload.encode("utf-8", "surrogatepass")
    signed = f"{encoded(json.dumps(HEADER))}.{encoded(raw)}"
    text = f"{signed}.{encoded(hmac_sha256(SECRET, signed.encode()))}"
    assert refusal(text) is Refusal.UNAUTHORIZED


@every_row(
    "text",
    [
        *("", ".", "..", "...", "Bearer", "a.b.c", TOKEN + ".", "." + TOKEN, TOKEN + "=", " " + TOKEN),
        *(TOKEN + "\n", "A" * 100_000, TOKEN + "A" * 100_000, "é" + TOKEN, TOKEN.replace("e", "е")),
        *("\ud800", "\x00"),
    ],
    ids=lambda text: ascii(text[:12]) + str(len(text)),
)
def test_what_is_no_token_is_unauthorized(text: str) -> None:
    """Garbage, 100 kB of it, look-alike letters and padding are refused like a wrong signature."""
    assert refusal(text) is Refusal.UNAUTHORIZED


def test_no_single_changed_byte_is_believed() -> None:
    """Each byte of a token, put to each other letter of its alphabet, is refused; the last one too."""
    kept = [
        (place, letter)
        for place, own in enumerate(TOKEN)
        for letter in LETTERS
        if letter != own and refusal(TOKEN[:place] + letter + TOKEN[place + 1 :]) is not Refusal.UNAUTHORIZED
    ]
    assert kept == []


@given(place=st.integers(0, len(TOKEN) - 1), letter=st.characters(), cut=st.integers(0, 2))
def test_no_foreign_letter_is_passed_over(place: int, letter: str, cut: int) -> None:
    """A letter put in, put over one, or over two never leaves a token that is believed."""
    text = TOKEN[:place] + letter + TOKEN[place + cut :]
    assert text == TOKEN or refusal(text) is Refusal.UNAUTHORIZED
