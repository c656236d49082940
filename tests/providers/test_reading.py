"""Reading replies."""

from __future__ import annotations

import contextlib
import json
from datetime import UTC, datetime
from typing import Any

import orjson
import pytest
from every_row import every_row
from hypothesis import given
from hypothesis import strategies as st

from assay.core.ask import CallStatus, ErrorKind
from assay.core.money import LARGEST_COST, Prices, Usage
from assay.providers.reading import LEAST_LOGPROB, Attempt, decode, read_reply

DATE = "Wed, 21 Oct 2026 07:28:00 GMT"
NOW = datetime(2026, 10, 21, 7, 27, tzinfo=UTC).timestamp()
USED = {"prompt_tokens": 100, "completion_tokens": 50, "cost": 0.5}
JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False) | st.text(),
    lambda inner: (
        st.lists(inner, max_size=3)
        | st.dictionaries(
            st.sampled_from(
                ["choices", "message", "content", "error", "code", "usage", "cost", "metadata", "x"]
            ),
            inner,
            max_size=4,
        )
    ),
    max_leaves=20,
)
JSON_TEXTS = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(st.characters(codec=None), max_size=5),
    lambda inner: (
        st.lists(inner, max_size=3) | st.dictionaries(st.sampled_from(["a", "logprob"]), inner, max_size=2)
    ),
    max_leaves=10,
)


def reply(**parts: Any) -> dict[str, Any]:
    """Return a reply like OpenRouter's."""
    return {
        "provider": "DeepInfra",
        "model": "a/b",
        "system_fingerprint": "fp_1",
        "choices": [{"message": {"content": "42"}, "finish_reason": "stop", "native_finish_reason": "STOP"}],
        "usage": {
            "prompt_tokens": 100,
            "completion_tokens": 50,
            "completion_tokens_details": {"reasoning_tokens": 30},
            "prompt_tokens_details": {"cached_tokens": 40},
            "cost": 0.001,
        },
        **parts,
    }


def read(
    body: object, *, status: int = 200, headers: dict[str, str] | None = None, prices: Prices | None = None
) -> Attempt:
    """Read a reply."""
    raw = body if isinstance(body, bytes) else orjson.dumps(body)
    return read_reply(status, headers or {}, raw, 0.5, prices)


def choice(**parts: Any) -> list[dict[str, Any]]:
    """Return one choice."""
    return [{"message": {"content": "x"}, "finish_reason": "stop", **parts}]


def test_a_recorded_latency_counts_for_the_recorded_provider_alone() -> None:
    """Any other endpoint that sends one is timed as it was; so is a recorded reply with an odd one."""
    raw_recorded = orjson.dumps(reply(recorded={"latency": 12.5}))
    odd = orjson.dumps(reply(recorded={"latency": "slow"}))
    latencies = [
        read_reply(200, {}, raw, 0.5, None, recorded=recorded).reply.latency
        for raw, recorded in (
            (raw_recorded, True),
            (raw_recorded, False),
            (odd, True),
            (orjson.dumps(reply()), True),
        )
    ]
    assert latencies == [12.5, 0.5, 0.5, 0.5]


def test_every_field_of_a_whole_reply_is_read() -> None:
    """Text, tokens of each kind, cost, who served, and both finish reasons."""
    found = read(reply()).reply
    assert found.status is CallStatus.OK
    assert found.text == "42"
    assert found.usage == Usage(100, 50, 30, 40)
    assert found.cost == 0.001
    assert (found.served.provider, found.served.model, found.served.fingerprint) == (
        "DeepInfra",
        "a/b",
        "fp_1",
    )
    assert (found.finish_reason, found.native_finish_reason) == ("stop", "STOP")


@pytest.mark.parametrize(
    ("usage", "cost"),
    [
        ({"cost": 0.0, "is_byok": True, "cost_details": {"upstream_inference_cost": 0.03}}, 0.03),
        ({"cost": 0.002, "is_byok": True, "cost_details": {"upstream_inference_cost": 0.03}}, 0.032),
        ({"cost": 0.03, "is_byok": False, "cost_details": {"upstream_inference_cost": 0.03}}, 0.03),
        ({"cost": 0.03, "cost_details": {"upstream_inference_cost": 0.03}}, 0.03),
        ({"cost": 0.002, "cost_details": {"upstream_inference_cost": 0.03}}, 0.032),
        ({"cost": 0.03, "cost_details": {"upstream_inference_cost": None}}, 0.03),
        ({"prompt_tokens": 10}, None),
    ],
)
def test_ones_own_keys_cost_is_added_and_never_counted_twice(
    usage: dict[str, Any], cost: float | None
) -> None:
    """OpenRouter's fee and the upstream cost add up with one's own key only."""
    assert read(reply(usage=usage)).reply.cost == pytest.approx(cost)


def test_without_a_reported_cost_the_prices_give_it_and_without_prices_it_is_unknown() -> None:
    """60 uncached prompt tokens at 1, 40 cached at 0.5 and 50 completion tokens at 2 dollars a million."""
    usage = {
        "prompt_tokens": 100,
        "completion_tokens": 50,
        "prompt_tokens_details": {"cached_tokens": 40},
    }
    assert read(reply(usage=usage), prices=Prices(1.0, 2.0, 0.5)).reply.cost == pytest.approx(180e-6)
    assert read(reply(usage=usage)).reply.cost is None
    assert read(reply(usage=None), prices=Prices(1.0, 2.0)).reply.cost is None


@pytest.mark.parametrize(
    ("choices", "kind"),
    [
        (choice(message={"content": ""}), ErrorKind.EMPTY),
        (choice(message={"content": None}), ErrorKind.EMPTY),
        (choice(message={"content": " \n"}), ErrorKind.EMPTY),
        (choice(message={"content": None}, finish_reason="length"), ErrorKind.TRUNCATED),
        (
            choice(message={"content": "", "reasoning": "I think"}, finish_reason="length"),
            ErrorKind.TRUNCATED,
        ),
        (choice(message={"content": None}, finish_reason="content_filter"), ErrorKind.FILTERED),
    ],
)
def test_a_success_without_a_visible_answer_is_invalid(choices: Any, kind: ErrorKind) -> None:
    """Reasoning alone is no answer; it is not tried again, and it is not an error."""
    attempt = read(reply(choices=choices))
    assert attempt.reply.status is CallStatus.INVALID
    assert attempt.reply.error is kind
    assert attempt.reply.text is None
    assert not attempt.again


@every_row(
    "text",
    [
        "\u200b",
        "\ufeff\u2060 \n",
        "\x00\x1b",
        "\u3164\u115f",
        "\u2800" * 3,
        "\ufe0f",
        "\u00ad\u202e",
        "\U000e0041",
    ],
)
def test_text_that_shows_nothing_is_no_answer(text: str) -> None:
    """Zero-width, control and format characters, fillers, variation selectors and blank braille cells."""
    attempt = read(reply(choices=choice(message={"content": text})))
    assert (attempt.reply.status, attempt.reply.error) == (CallStatus.INVALID, ErrorKind.EMPTY)


@pytest.mark.parametrize("text", ["\u200b.", "\u0301", "\ufffd", "\ue000", "\u2803", "👍\ufe0f", "ㅤa"])
def test_text_of_which_a_character_shows_is_an_answer(text: str) -> None:
    """It is kept unchanged."""
    assert read(reply(choices=choice(message={"content": text}))).reply.text == text


@pytest.mark.parametrize("status", [200, 201, 203, 206])
def test_any_success_with_an_answer_is_one(status: int) -> None:
    """Some gateways answer 201."""
    found = read(reply(), status=status).reply
    assert (found.status, found.text, found.http_status) == (CallStatus.OK, "42", status)


def test_an_answer_that_ended_in_an_error_is_an_error_worth_trying_again() -> None:
    """Its partial text is no answer; what it cost is kept."""
    attempt = read(reply(choices=choice(finish_reason="error", message={"content": "The answer"})))
    assert (attempt.reply.status, attempt.reply.error, attempt.again) == (
        CallStatus.ERROR,
        ErrorKind.SERVER,
        True,
    )
    assert (attempt.reply.text, attempt.reply.cost, attempt.reply.finish_reason) == (None, 0.001, "error")


def test_names_and_details_are_bounded() -> None:
    """A megabyte in each field leaves a few hundred characters; the answer itself is kept whole."""
    long = "x" * 2**20
    body = reply(provider=long, model=long, system_fingerprint=long)
    body["choices"] = choice(finish_reason=long, native_finish_reason=long, message={"refusal": long})
    found = read(body).reply
    names = (*found.served, found.finish_reason, found.native_finish_reason)
    assert all(len(str(name)) <= 201 for name in names)
    assert found.text == long
    assert len(str(read({"error": {"message": long}}, status=500).reply.detail)) <= 501


def test_text_cut_at_the_limit_is_an_answer() -> None:
    """A visible answer that ran into the token limit stays an answer, with its finish reason."""
    found = read(reply(choices=choice(finish_reason="length"))).reply
    assert (found.status, found.finish_reason) == (CallStatus.OK, "length")


@pytest.mark.parametrize(
    "message",
    [{"content": [{"type": "text", "text": "fo"}, {"type": "text", "text": "ur"}]}, {"refusal": "four"}],
)
def test_text_parts_and_refusals_are_visible_answers(message: Any) -> None:
    """Content in parts is joined; a refusal in words is what the user sees."""
    assert read(reply(choices=choice(message=message))).reply.text == "four"


@every_row(
    "status, again, refused, kind",
    [
        (408, True, False, ErrorKind.TIMEOUT),
        (409, True, False, ErrorKind.REFUSED),
        (429, True, True, ErrorKind.RATE_LIMITED),
        (500, True, False, ErrorKind.SERVER),
        (529, True, False, ErrorKind.SERVER),
        (400, False, False, ErrorKind.REFUSED),
        (403, False, False, ErrorKind.REFUSED),
        (422, False, False, ErrorKind.REFUSED),
    ],
)
def test_errors_are_tried_again_where_that_may_help(
    status: int, again: bool, refused: bool, kind: ErrorKind
) -> None:
    """The same holds for an HTTP status and for the code of an error inside an HTTP 200."""
    error = {"error": {"code": status, "message": "no"}}
    for attempt in (read(error, status=status), read(error)):
        assert (attempt.again, attempt.refused, attempt.reply.error) == (again, refused, kind)
        assert attempt.reply.status is CallStatus.ERROR
        assert attempt.reply.detail == "no"


@pytest.mark.parametrize(
    ("body", "status"),
    [
        ({"error": {"code": 502, "message": "upstream broke off"}, "usage": USED}, 200),
        ({"error": {"message": "bad request"}, "usage": USED}, 400),
        ({"choices": [], "usage": USED}, 200),
        ({"choices": [{"error": {"code": 500}, "finish_reason": "error"}], "usage": USED}, 200),
    ],
)
def test_a_failed_call_keeps_what_it_was_charged(body: dict[str, Any], status: int) -> None:
    """Tokens, cost and who served stand in the reply of an error too."""
    found = read({"provider": "DeepInfra", "model": "a/b", **body}, status=status).reply
    assert found.status is CallStatus.ERROR
    assert (found.usage, found.cost) == (Usage(100, 50), 0.5)
    assert (found.served.provider, found.served.model) == ("DeepInfra", "a/b")


def test_a_doubtful_usage_is_told_beside_the_answer() -> None:
    """The answer stays `ok`, its cost is unknown, and the detail says why."""
    usage = {"prompt_tokens": 10, "completion_tokens": 5, "prompt_tokens_details": {"cached_tokens": 10**6}}
    found = read(reply(usage=usage), prices=Prices(1.0, 1.0, 0.1)).reply
    assert (found.status, found.text, found.cost) == (CallStatus.OK, "42", None)
    assert found.usage == Usage(10, 5, cached=10**6)
    assert str(found.detail).startswith(
        "cost unknown: 1,000,000 tokens read from or written to a cache, of 10"
    )


@pytest.mark.parametrize("status", [401, 402])
def test_a_refused_key_is_fatal(status: int) -> None:
    """No request with this key can succeed."""
    assert read({"error": {"message": "no"}}, status=status).fatal


def test_no_route_is_told_apart_from_a_fault() -> None:
    """A 503 that says that no provider meets the routing is a gap, not a fault of the model."""
    body = {"error": {"code": 503, "message": "There is no available model provider that meets the routing"}}
    assert read(body, status=503).reply.error is ErrorKind.NO_ROUTE


@pytest.mark.parametrize(
    ("body", "once"),
    [
        (b"", True),
        (b"<html>502</html>", True),
        (b"[]", True),
        (b'{"choices": []}', False),
        (b'{"choices": [null]}', False),
        (b"{}", False),
    ],
)
def test_garbage_in_a_success_is_an_error_worth_trying_again(body: bytes, once: bool) -> None:
    """A reply without choices is a cold start; one that is no JSON was probably paid, so one more will do."""
    attempt = read(body)
    assert attempt.reply.error is ErrorKind.MALFORMED
    assert (attempt.again, attempt.once) == (True, once)


def test_an_empty_success_says_that_it_is_empty() -> None:
    """The error has a reason."""
    assert read(b"").reply.detail == "the reply is empty"


def test_an_answer_that_had_to_be_repaired_says_so() -> None:
    """It is an answer, which is kept and not requested again."""
    attempt = read(orjson.dumps(reply()).replace(b'"42"', b'"4\\ud8002"'))
    assert (attempt.reply.status, attempt.reply.text, attempt.again) == (CallStatus.OK, "4\ufffd2", False)
    assert attempt.reply.detail == "the reply was repaired: lone surrogates were replaced"


def test_an_unbounded_cost_is_not_taken_for_a_missing_one() -> None:
    """`Infinity` is not JSON, but it was sent: the cost is unknown although there are prices."""
    raw = orjson.dumps(reply()).replace(b"0.001", b"Infinity")
    found = read(raw, prices=Prices(1.0, 1.0)).reply
    assert (found.text, found.cost) == ("42", None)
    assert found.usage == Usage(100, 50, 30, 40)


@every_row(
    "headers, seconds",
    [
        ({"Retry-After": "7"}, 7.0),
        ({"retry-after-ms": "250"}, 0.25),
        ({"llm_provider-retry-after": "3"}, 3.0),
        ({"Retry-After": DATE}, 60.0),
        ({"Retry-After": DATE, "Date": "Wed, 21 Oct 2026 07:18:00 GMT"}, 600.0),
        ({"Retry-After": DATE, "Date": "Wed, 21 Oct 2026 07:29:00 GMT"}, 0.0),
        ({"Retry-After": "tomorrow"}, None),
        ({"Retry-After": "inf"}, None),
        ({"Retry-After": "-1"}, None),
        ({}, None),
    ],
)
def test_what_the_provider_asks_to_wait_is_read(headers: dict[str, str], seconds: float | None) -> None:
    """Seconds, milliseconds, a proxy's own header, and a date, held against the reply's own or the clock."""
    raw = orjson.dumps({"error": {"message": "slow down"}})
    assert read_reply(429, headers, raw, 0.5, None, now=NOW).retry_after == seconds


@given(JSON | st.binary(), st.sampled_from([200, 404, 429, 500]))
def test_nothing_that_comes_back_breaks_the_reader(body: object, status: int) -> None:
    """Any bytes and any JSON give an attempt, and only a visible text is `ok`."""
    try:
        raw = body if isinstance(body, bytes) else orjson.dumps(body)
    except (TypeError, orjson.JSONEncodeError):
        return
    attempt = read(raw, status=status)
    assert (attempt.reply.status is CallStatus.OK) == bool(attempt.reply.text and attempt.reply.text.strip())
    assert attempt.reply.cost is None or 0 <= attempt.reply.cost <= 2 * LARGEST_COST


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
    """They change nothing, so there is no note."""
    decoded = decode(raw)
    assert (decoded.body, decoded.note) == ({"a": 1}, None)


@pytest.mark.parametrize(
    ("raw", "value", "note"),
    [
        (b'"x\\ud800y"', "x\ufffdy", "lone surrogates were replaced"),
        (b'"\\ud83d\\ude00 \\ud83d"', "\U0001f600 \ufffd", "lone surrogates were replaced"),
        (b'"caf\xe9"', "caf\ufffd", "invalid bytes were replaced"),
        (b'"right" and more', "right", "text after the JSON was left out"),
        (b'"two\nlines"', "two\nlines", None),
        (b'"\xef\xbf\xbd\\ud800"', "\ufffd\ufffd", "lone surrogates were replaced"),
    ],
)
def test_text_is_kept_as_far_as_it_can_be_decoded(raw: bytes, value: str, note: str | None) -> None:
    """Invalid text is replaced by U+FFFD, and the note says so."""
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


@given(JSON_TEXTS)
def test_any_json_that_python_writes_is_decoded_and_can_be_stored(value: Any) -> None:
    """Surrogates and numbers that are not finite included; the texts are then valid UTF-8."""
    body = decode(json.dumps([value]).encode()).body
    assert isinstance(body, list)
    json.dumps(body, ensure_ascii=False).encode("utf-8")


@given(st.binary())
def test_no_bytes_break_the_decoder(raw: bytes) -> None:
    """JSON that orjson can read is decoded as orjson reads it."""
    decoded = decode(raw)
    with contextlib.suppress(orjson.JSONDecodeError):
        assert decoded.body == orjson.loads(raw)
