"""Tokens: what is believed, until when, and in which order it is checked."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import jwt
import pytest
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

from assay.exam.access import Claims, Refusal, Refused
from assay.exam.token import LEEWAY, LONGEST_LIFE, kid_named, read_token, sign


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


@pytest.mark.slow
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
        ("Unauthorized: no valid token: get one with your user id and secret", 401),
    }


def test_an_expired_token_names_whose_it_was_for_the_log() -> None:
    """The refusal carries the proven claims: the access log says who came too late."""
    with pytest.raises(Refused, match=r"^Token Expired") as caught:
        read_token(TOKEN, KEYS, now=CLAIMS.exp + 1)
    assert (caught.value.claims, caught.value.status) == (CLAIMS, 401)


def test_a_token_names_its_key() -> None:
    """The kid can be read to look for a key that another process made; garbage names none."""
    assert [kid_named(text) for text in (TOKEN, "a.b.c", "é", "A" * 9999)] == ["k1", None, None, None]


def test_a_short_key_signs_nothing() -> None:
    """A signing key has 32 bytes: anything else is a defect of the caller."""
    with pytest.raises(ValueError, match="32 bytes"):
        sign(CLAIMS, b"short")
