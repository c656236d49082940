"""Decoding replies that are not quite JSON."""

from __future__ import annotations

import contextlib
import json
from typing import Any

import orjson
import pytest
from hypothesis import given
from hypothesis import strategies as st

from assay.providers.decoding import LEAST_LOGPROB, decode


@pytest.mark.parametrize(
    "raw",
    [
        b'{"a": 1}',
        b'\xef\xbb\xbf{"a": 1}',
        b' \r\n\n{"a": 1}\n\n',
        b': OPENROUTER PROCESSING\n\n: OPENROUTER PROCESSING\n\n{"a": 1}',
        '{"a": 1}'.encode("utf-16"),
    ],
)
def test_marks_blank_lines_and_comments_around_json_are_no_faults(raw: bytes) -> None:
    """They change nothing, so nothing is noted."""
    decoded = decode(raw)
    assert (decoded.body, decoded.note) == ({"a": 1}, None)


@pytest.mark.parametrize(
    ("raw", "value", "note"),
    [
        (b'"x\\ud800y"', "x\ufffdy", "lone surrogates were replaced"),
        (b'"\\ud83d\\ude00 \\ud83d"', "\U0001f600 \ufffd", "lone surrogates were replaced"),
        (b'"caf\xe9"', "caf\ufffd", "invalid bytes were replaced"),
        (b'"right" and more', "right", "what followed the JSON was left out"),
        (b'"two\nlines"', "two\nlines", None),
        (b'"\xef\xbf\xbd\\ud800"', "\ufffd\ufffd", "lone surrogates were replaced"),
    ],
)
def test_text_is_kept_as_far_as_it_can_be_decoded(raw: bytes, value: str, note: str | None) -> None:
    """What cannot be is replaced by U+FFFD, and the note says so."""
    decoded = decode(raw)
    assert decoded.body == value
    assert decoded.note == (note and f"the reply was repaired: {note}")


def test_log_probabilities_that_are_not_finite_harm_nothing_else() -> None:
    """An impossible alternative is very improbable, one that is no number is left out, tokens stay."""
    raw = (
        b'{"content": [{"token": "7", "logprob": NaN, "top_logprobs": ['
        b'{"token": "7", "logprob": -0.1}, {"token": "8", "logprob": -Infinity}, '
        b'{"token": "9", "logprob": NaN}, {"token": "1", "logprob": Infinity}]}]}'
    )
    decoded = decode(raw)
    alternatives = [{"token": "7", "logprob": -0.1}, {"token": "8", "logprob": LEAST_LOGPROB}]
    assert decoded.body == {"content": [{"token": "7", "logprob": None, "top_logprobs": alternatives}]}
    assert "log-probabilities" in str(decoded.note)


@pytest.mark.parametrize(
    "raw", [b"", b"<html>502</html>", b"[" * 100_000, b'{"a": ', b"\xff\xfe\x00", b": only a comment"]
)
def test_what_is_no_json_decodes_to_nothing(raw: bytes) -> None:
    """Nor does deep nesting break the decoder."""
    assert decode(raw).body is None


def test_a_number_of_thousands_of_digits_does_not_lose_the_reply() -> None:
    """Python refuses to read it as a whole number."""
    assert decode(b'{"a": "x", "b": NaN, "n": ' + b"1" * 9000 + b"}").body["a"] == "x"


JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(st.characters(codec=None), max_size=5),
    lambda inner: (
        st.lists(inner, max_size=3) | st.dictionaries(st.sampled_from(["a", "logprob"]), inner, max_size=2)
    ),
    max_leaves=10,
)


@given(JSON)
def test_any_json_that_python_writes_is_decoded_and_can_be_stored(value: Any) -> None:
    """Surrogates and numbers that are not finite included; the texts are then valid UTF-8."""
    body = decode(json.dumps([value]).encode()).body
    assert isinstance(body, list)
    json.dumps(body, ensure_ascii=False).encode("utf-8")


@given(st.binary())
def test_no_bytes_break_the_decoder(raw: bytes) -> None:
    """What orjson reads comes out as it reads it."""
    decoded = decode(raw)
    with contextlib.suppress(orjson.JSONDecodeError):
        assert decoded.body == orjson.loads(raw)
