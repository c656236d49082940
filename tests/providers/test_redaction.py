"""Striking an API key out of replies."""

from __future__ import annotations

import base64
import html
import json
import string
from collections.abc import Callable
from typing import Any
from urllib.parse import quote, unquote

import orjson
import pytest
from every_row import every_row
from hypothesis import given, settings
from hypothesis import strategies as st

from assay.core.ask import CallStatus, ModelReply
from assay.providers.reading import read_reply
from assay.providers.redaction import PIECE, STRUCK, Redactor

KEY = "sk-or-v1-3f9A2c7e41B8d06f5a93Ce71"
ALPHABETS = (
    string.ascii_letters + string.digits,
    string.ascii_letters + string.digits + "-_",
    "0123456789abcdef",
    string.ascii_letters + string.digits + "+/",
)


def backslashed(key: str) -> str:
    return "".join(f"\\u{ord(character):04x}" for character in key)


FORMS: dict[str, Callable[[str], str]] = {
    "plain": str,
    "upper": str.upper,
    "lower": str.lower,
    "reversed": lambda key: key[::-1],
    "bearer": lambda key: f"Authorization: Bearer {key}",
    "basic": lambda key: "Basic " + base64.b64encode(f":{key}".encode()).decode(),
    "basic with a user": lambda key: "Basic " + base64.b64encode(f"me:{key}".encode()).decode(),
    "header in base64": lambda key: base64.b64encode(f"Authorization: Bearer {key}".encode()).decode(),
    "base64": lambda key: base64.b64encode(key.encode()).decode(),
    "base64 without padding": lambda key: base64.b64encode(key.encode()).decode().rstrip("="),
    "base64 for addresses": lambda key: base64.urlsafe_b64encode(key.encode()).decode(),
    "base64 in lines": lambda key: base64.encodebytes(key.encode() * 3).decode(),
    "hexadecimal": lambda key: key.encode().hex(),
    "hexadecimal, upper, apart": lambda key: key.encode().hex(" ").upper(),
    "percent": lambda key: "".join(f"%{ord(character):02X}" for character in key),
    "percent where needed": lambda key: quote(key, safe=""),
    "every other in percent": lambda key: "".join(
        f"%{ord(character):02x}" if place % 2 else character for place, character in enumerate(key)
    ),
    "backslashes": backslashed,
    "short backslashes": lambda key: "".join(f"\\x{ord(character):02x}" for character in key),
    "HTML": lambda key: "".join(f"&#{ord(character)};" for character in key),
    "HTML in hexadecimal": lambda key: "".join(f"&#x{ord(character):x};" for character in key),
    "dots between": ".".join,
    "blanks between": " ".join,
    "lines between": "\n".join,
    "zero-width between": "\u200b".join,
    "first half": lambda key: key[: len(key) // 2] + "...",
    "ends": lambda key: f"{key[:PIECE]}...{key[-PIECE:]}",
    "in parts": lambda key: " ... ".join(key[start : start + 9] for start in range(0, len(key), 9)),
}


def leaks(text: str, key: str) -> list[str]:
    """Return the pieces of a key that can be had back from a text, by trying every reading of it."""
    readings = {text, html.unescape(text), unquote(text), text.replace("\\x", "%")}
    readings |= {unquote(reading) for reading in readings}
    readings |= {json.loads(f'"{reading}"') for reading in readings if _is_json(reading)}
    squeezed = {"".join(c for c in reading if not c.isspace() and c not in ".\u200b") for reading in readings}
    readings |= squeezed
    for reading in squeezed:
        for start in range(4):
            run = "".join(c for c in reading if c in ALPHABETS[3] + "-_=")[start:]
            run = run.replace("-", "+").replace("_", "/").replace("=", "")
            readings.add(base64.b64decode(run[: len(run) & -4]).decode("latin-1"))
        codes = "".join(c for c in reading if c in string.hexdigits)
        readings |= {bytes.fromhex(codes[s : s + (len(codes) - s & -2)]).decode("latin-1") for s in (0, 1)}
    lowered = [reading.lower() for reading in readings]
    lowered += [reading[::-1] for reading in lowered]
    pieces = [key[start : start + PIECE] for start in range(len(key) - PIECE + 1)]
    return [piece for piece in pieces if any(piece.lower() in reading for reading in lowered)]


def _is_json(text: str) -> bool:
    try:
        json.loads(f'"{text}"')
    except ValueError:
        return False
    return True


def received(raw: bytes, key: str) -> ModelReply:
    """Read a reply as an endpoint does."""
    return Redactor(key).clean(read_reply(200, {}, raw, 0.1, None).reply)


def fields(reply: ModelReply) -> list[str]:
    """Return every text that a reply carries."""
    served = reply.served
    texts = (reply.text, reply.detail, served.provider, served.model, served.fingerprint)
    texts += (reply.finish_reason, reply.native_finish_reason)
    return [text for text in texts if text] + [json.dumps(reply.logprobs, ensure_ascii=False)]


def echo(repeated: str) -> dict[str, Any]:
    """Return a reply that repeats a text in every field."""
    return {
        "provider": repeated,
        "model": repeated,
        "system_fingerprint": repeated,
        "usage": {"prompt_tokens": -1, "note": repeated},
        "choices": [
            {
                "message": {"content": f"The answer is 4. {repeated}, and so on."},
                "finish_reason": repeated,
                "native_finish_reason": repeated,
                "logprobs": {"content": [{"token": repeated, "logprob": -0.1}]},
            }
        ],
    }


KEYS = st.sampled_from(ALPHABETS).flatmap(
    lambda alphabet: st.text(alphabet, min_size=24, max_size=80).filter(
        lambda key: len(set(key)) >= 10 and any(c.isdigit() for c in key) and any(c.isalpha() for c in key)
    )
)


@every_row("form", FORMS)
def test_each_form_of_a_key_is_struck_out(form: str) -> None:
    """In the answer and every other field; the rest of the answer stays."""
    reply = received(orjson.dumps(echo(FORMS[form](KEY))), KEY)
    assert [leaks(text, KEY) for text in fields(reply)] == [[]] * len(fields(reply))
    assert reply.status is CallStatus.OK
    assert str(reply.text).startswith("The answer is 4. ")
    assert STRUCK in str(reply.text)


@settings(deadline=None)
@given(KEYS, st.sampled_from(sorted(FORMS)), st.booleans())
def test_no_piece_of_any_key_survives_in_any_form(key: str, form: str, escaped: bool) -> None:
    """Eight characters in a row are a piece; the JSON itself may be escaped too."""
    raw = json.dumps(echo(FORMS[form](key)), ensure_ascii=escaped).encode()
    for text in fields(received(raw, key)):
        assert leaks(text, key) == []


@given(KEYS, st.sampled_from(sorted(FORMS)))
@settings(deadline=None)
def test_an_error_never_repeats_the_key(key: str, form: str) -> None:
    """The detail is the error's message, or the whole body without one."""
    repeated = FORMS[form](key)
    for raw in (orjson.dumps({"error": {"message": repeated}}), f"<html>{repeated}</html>".encode()):
        reply = Redactor(key).clean(read_reply(500, {}, raw, 0.1, None).reply)
        assert leaks(str(reply.detail), key) == []


@given(st.text(max_size=300))
def test_a_text_without_the_key_stays_as_it_is(text: str) -> None:
    """Escapes and all."""
    assert Redactor(KEY).strike(text) == text


def test_a_reply_without_the_key_is_the_same_object() -> None:
    """The names of a provider are looked at once, and a changed one again."""
    redactor = Redactor(KEY)
    for provider in ("one", "one", f"two {KEY[-12:]}", "one"):
        raw = orjson.dumps({"provider": provider, "choices": [{"message": {"content": "hi"}}]})
        reply = read_reply(200, {}, raw, 0.1, None).reply
        assert (redactor.clean(reply) is reply) == (provider == "one")


def test_logprobs_that_only_python_can_write_are_looked_at_too() -> None:
    """Whole numbers of more than 64 bits come from replies that had to be repaired."""
    raw = json.dumps(echo("fine")).replace("-0.1", f'NaN, "n": {10**25}').encode()
    assert received(raw, KEY).logprobs is not None
    raw = json.dumps(echo(KEY)).replace("-0.1", f'NaN, "n": {10**25}').encode()
    assert received(raw, KEY).logprobs is None


def test_what_stands_around_the_key_stays() -> None:
    """Only the piece goes."""
    struck = Redactor(KEY).detail(f"Incorrect API key provided: {KEY}. See the manual.")
    assert struck == f"Incorrect API key provided: {STRUCK}. See the manual."


@pytest.mark.parametrize("key", ["EMPTY", "none", "ollama", ""])
def test_a_word_in_the_place_of_a_key_is_no_secret_in_an_answer(key: str) -> None:
    """Local servers take any key: an answer that holds the word must not change."""
    reply = ModelReply(CallStatus.OK, f"install {key} first", detail=f"{key} refused")
    cleaned = Redactor(key).clean(reply)
    assert cleaned.text == reply.text
    assert not key or cleaned.detail == f"{STRUCK} refused"


def test_a_long_word_in_the_place_of_a_key_is_struck_out_whole_only() -> None:
    """`no-key-required` in pieces is plain English."""
    redactor = Redactor("sk-no-key-required")
    assert redactor.strike("No key required? Use sk-no-key-required.") == f"No key required? Use {STRUCK}."


def test_a_key_among_escapes_leaves_the_rest_unescaped() -> None:
    """A key of which every other character is escaped is found in what the text stands for."""
    repeated = f"key {FORMS['every other in percent'](KEY)} &lt;refused&gt;"
    assert Redactor(KEY).strike(repeated) == f"key {STRUCK} <refused>"


@every_row("form", FORMS)
def test_the_readings_that_these_tests_try_find_each_form(form: str) -> None:
    """A key that is not struck out is found, so that the tests above can fail."""
    assert leaks(f"The answer is 4. {FORMS[form](KEY)}", KEY)
