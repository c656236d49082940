"""Tokens: what is believed, what is refused, and that nothing but the signature is looked at first."""

from __future__ import annotations

import base64
import hashlib
import json
from dataclasses import replace
from typing import Any

import jwt
import pytest
from hypothesis import given
from hypothesis import strategies as st

from assay.exams.refused import Refusal, Refused
from assay.exams.token import KEY_BYTES, LEEWAY, LONGEST_LIFE, Claims, kid_named, read_token, sign

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
SIGNATURE_CHARACTERS = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_"


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


def test_what_was_signed_is_read_back() -> None:
    """Every claim comes back as it was signed, the bound session and the permissions too."""
    assert read_token(TOKEN, KEYS, now=NOW) == CLAIMS


def test_a_token_bound_to_no_session_says_so() -> None:
    """A null session_id is a token without a session, not a broken one."""
    free = replace(CLAIMS, session_id=None, permissions=("sessions:open", "results:read"))
    assert read_token(sign(free, SECRET), KEYS, now=NOW) == free


def test_the_signature_is_hmac_sha256_over_header_and_payload() -> None:
    """The signature equals HMAC-SHA256 worked out from RFC 2104 with hashlib alone."""
    signed, _, signature = TOKEN.rpartition(".")
    assert signature == encoded(hmac_sha256(SECRET, signed.encode()))


def test_a_token_made_by_hand_is_believed() -> None:
    """A token assembled here from JSON, base64 and hashlib reads as the same claims."""
    assert read_token(forged(HEADER, PAYLOAD), KEYS, now=NOW) == CLAIMS


def test_any_jwt_library_reads_our_tokens() -> None:
    """PyJWT proves a token and finds Algorithm 1's payload in it."""
    options: Any = {"verify_exp": False, "verify_iat": False}
    assert jwt.decode(TOKEN, SECRET, algorithms=["HS256"], options=options) == PAYLOAD


@pytest.mark.parametrize(
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


@pytest.mark.parametrize("end", ["", ".", ".AAAA", "." + TOKEN.rpartition(".")[2]])
@pytest.mark.parametrize("algorithm", ["none", "NONE", "nOnE", "", "HS256"])
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
    with pytest.raises(Refused, match="^Unauthorized"):
        read_token(forged(HEADER, PAYLOAD, b""), {"k1": b""}, now=NOW)


@pytest.mark.parametrize(
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


@pytest.mark.parametrize(
    "text",
    [
        "",
        ".",
        "..",
        "...",
        "Bearer",
        "a.b.c",
        TOKEN + ".",
        "." + TOKEN,
        TOKEN + "=",
        " " + TOKEN,
        TOKEN + "\n",
    ]
    + ["A" * 100_000, TOKEN + "A" * 100_000, "é" + TOKEN, TOKEN.replace("e", "е"), "\ud800", "\x00"],
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
        for letter in SIGNATURE_CHARACTERS + "."
        if letter != own and refusal(TOKEN[:place] + letter + TOKEN[place + 1 :]) is not Refusal.UNAUTHORIZED
    ]
    assert kept == []


@given(place=st.integers(0, len(TOKEN) - 1), letter=st.characters(), cut=st.integers(0, 2))
def test_no_foreign_letter_is_passed_over(place: int, letter: str, cut: int) -> None:
    """A letter put in, put over one, or over two never leaves a token that is believed."""
    text = TOKEN[:place] + letter + TOKEN[place + cut :]
    assert text == TOKEN or refusal(text) is Refusal.UNAUTHORIZED


@given(
    user=st.from_regex(r"[a-f0-9-]{36}", fullmatch=True),
    issued=st.floats(0, 1e10),
    life=st.floats(0, LONGEST_LIFE),
    permissions=st.lists(st.sampled_from(["sit", "sessions:open", "results:read"]), max_size=4),
)
def test_any_claims_survive_the_round_trip(
    user: str, issued: float, life: float, permissions: list[str]
) -> None:
    """Times keep every bit: what is stored beside a token can be compared with what it says."""
    until = min(issued + life, issued + LONGEST_LIFE)
    claims = Claims(user, issued, until, None, tuple(permissions), CLAIMS.jti, "k2")
    assert read_token(sign(claims, KEYS["k2"]), KEYS, now=issued) == claims


def test_a_token_holds_until_its_last_instant() -> None:
    """A token is expired when the time is later than `exp`, not at `exp`."""
    assert refusal(TOKEN, now=CLAIMS.exp) is None
    assert refusal(TOKEN, now=CLAIMS.exp + 1e-3) is Refusal.EXPIRED


def test_the_signature_is_looked_at_before_the_time() -> None:
    """An expired token with a bad signature is Unauthorized: it says nothing about time."""
    assert refusal(forged(HEADER, PAYLOAD, KEYS["k2"]), now=CLAIMS.exp + 9) is Refusal.UNAUTHORIZED


def test_a_token_from_the_future_is_unauthorized() -> None:
    """Another server's clock may be a little ahead of ours, no more."""
    assert refusal(TOKEN, now=NOW - LEEWAY) is None
    assert refusal(TOKEN, now=NOW - LEEWAY - 1) is Refusal.UNAUTHORIZED


def test_a_refusal_says_one_thing_and_never_the_token() -> None:
    """Whatever is wrong, the text is the same, and no part of the token stands in it."""
    texts = set()
    for text in (TOKEN[:-2] + "AA", forged({**HEADER, "kid": "k9"}, PAYLOAD), "", forged(HEADER, {})):
        with pytest.raises(Refused) as caught:
            read_token(text, KEYS, now=NOW)
        texts.add((str(caught.value), caught.value.status))
    assert texts == {
        ("Unauthorized: this needs a valid token: get one with your user id and secret", 401),
    }


def test_an_expired_token_names_whose_it_was_for_the_log() -> None:
    """The refusal carries the proven claims: the access log says who came too late."""
    with pytest.raises(Refused, match="^Token Expired") as caught:
        read_token(TOKEN, KEYS, now=CLAIMS.exp + 1)
    assert (caught.value.claims, caught.value.status) == (CLAIMS, 401)


def test_a_token_names_its_key() -> None:
    """The kid can be read to look for a key that another process made; garbage names none."""
    assert (kid_named(TOKEN), kid_named("a.b.c"), kid_named("é"), kid_named("A" * 9999)) == ("k1",) + (
        None,
    ) * 3


def test_a_short_key_signs_nothing() -> None:
    """A signing key has 32 bytes: anything else is a defect of the caller."""
    with pytest.raises(ValueError, match="32 bytes"):
        sign(CLAIMS, b"short")
