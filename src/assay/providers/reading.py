"""Reading an endpoint's reply: an answer, no visible answer, or an error that may be worth a retry."""

from __future__ import annotations

import json
import math
import re
from collections.abc import Mapping
from datetime import UTC
from email.utils import parsedate_to_datetime
from typing import Any, Final, NamedTuple

import orjson

from assay.core.ask import CallStatus, ErrorKind, ModelReply, Served
from assay.core.money import Prices
from assay.providers.usages import UNKNOWN_HOST, Bill, HostRule, read_bill

DETAIL = 500
NAME = 200
BROKEN_OFF = "the provider ended the answer with an error (finish_reason 'error')"
RETRIED = frozenset({408, 409, 425, 429})
_UNSEEN = re.compile(
    r"[\s\x00-\x1f\x7f-\x9f\xad\u034f\u061c\u115f\u1160\u17b4\u17b5\u180b-\u180f\u200b-\u200f\u2028-\u202e"
    r"\u2060-\u206f\u2800\u3164\ufe00-\ufe0f\ufeff\uffa0\ufff0-\ufffb\U0001bca0-\U0001bca3"
    r"\U0001d173-\U0001d17a\U000e0000-\U000e0fff]*"
)
"""Invisible text: whitespace, controls, Unicode's default-ignorable characters, blank braille."""
LEAST_LOGPROB: Final = -9999.0
"""The number that OpenAI writes for the logarithm of a probability of 0."""
_SURROGATE: Final = re.compile("[\ud800-\udfff]")
_COMMENTS: Final = re.compile(r"(?:\s|:[^\n]*(?:\n|\Z))*")
_REPLACEMENT: Final = "\ufffd"
_DIGITS: Final = 30


class Attempt(NamedTuple):
    """The outcome of one request.

    `again`: another attempt may succeed; with `once`, only one more is worth its cost. `refused`: the
    provider reports too many requests. `retry_after`: the seconds that it asks to wait. `fatal`: no request
    with this key can succeed.
    """

    reply: ModelReply
    again: bool = False
    refused: bool = False
    retry_after: float | None = None
    fatal: bool = False
    once: bool = False


class _Exchange(NamedTuple):
    """One HTTP reply with its tokens, its cost, and the provider and model that served it."""

    http_status: int | None
    headers: Mapping[str, str]
    raw: bytes
    latency: float
    bill: Bill = Bill()
    served: Served = Served()
    repairs: str | None = None
    now: float | None = None

    def detail(self, text: str | None = None) -> str | None:
        """Return the text of an error with notes on repairs and doubtful counts, or None without any."""
        if self.repairs is None and self.bill.doubt is None:
            return text
        parts = [part for part in (text, self.repairs, self.bill.doubt) if part]
        return "; ".join(parts) if parts else None


def read_reply(
    http_status: int,
    headers: Mapping[str, str],
    raw: bytes,
    latency: float,
    prices: Prices | None,
    *,
    recorded: bool = False,
    rule: HostRule = UNKNOWN_HOST,
    now: float | None = None,
) -> Attempt:
    """Read one HTTP reply. `latency` is in seconds; `prices` give the cost if the reply does not state it.

    With `recorded` the reply contains the latency that was measured when it was recorded. `rule` defines the
    meaning of the host's token counts. An error reply keeps the tokens and the cost that it states. A date in
    Retry-After is compared with `now` (UTC seconds since 1970) if the reply has no Date.
    """
    decoded = decode(raw)
    body = decoded.body
    if not isinstance(body, dict):
        exchange = _Exchange(http_status, headers, raw, latency, now=now)
        if not 200 <= http_status < 300:
            return _error(http_status, exchange, body)
        text = _cut(raw.decode("utf-8", "replace"))
        return _malformed(exchange, text if text.strip() else "the reply is empty", once=True)
    if recorded:
        latency = _recorded_latency(body, latency)
    bill = read_bill(body, headers, prices, rule)
    exchange = _Exchange(http_status, headers, raw, latency, bill, _served(body), decoded.note, now)
    if not 200 <= http_status < 300:
        return _error(http_status, exchange, body)
    if body.get("error"):
        return _error(_code(body["error"]), exchange, body)
    choices = body.get("choices")
    if not isinstance(choices, list) or not choices or not isinstance(choices[0], dict):
        return _malformed(exchange, "the reply has no choices")
    choice = choices[0]
    if choice.get("error"):
        return _error(_code(choice["error"]), exchange, choice)
    if choice.get("finish_reason") == "error":
        reply = _failed(ErrorKind.SERVER, BROKEN_OFF, exchange, choice, http_status)
        return Attempt(reply, again=True, retry_after=_retry_after(headers, None, now))
    return Attempt(_answer(choice, exchange))


def _answer(choice: dict[str, Any], exchange: _Exchange) -> ModelReply:
    message = choice.get("message")
    text = _text(message) if isinstance(message, dict) else None
    finish = choice.get("finish_reason")
    status, error = CallStatus.OK, None
    if text is None or _UNSEEN.fullmatch(text):
        status, text = CallStatus.INVALID, None
        error = (
            ErrorKind.TRUNCATED
            if finish == "length"
            else ErrorKind.FILTERED
            if finish == "content_filter"
            else ErrorKind.EMPTY
        )
    return ModelReply(
        status,
        None if text is None else storable(text),
        error,
        exchange.detail(),
        exchange.http_status,
        exchange.bill.usage,
        exchange.bill.cost,
        exchange.served,
        _name(finish),
        _name(choice.get("native_finish_reason")),
        exchange.latency,
        1,
        choice.get("logprobs"),
    )


def _served(body: dict[str, Any]) -> Served:
    return Served(
        _name(body.get("provider")), _name(body.get("model")), _name(body.get("system_fingerprint"))
    )


def _text(message: dict[str, Any]) -> str | None:
    """Return the visible answer: the content, its text parts, or a refusal in words."""
    content = message.get("content")
    if isinstance(content, str):
        return content or _string(message.get("refusal"))
    if isinstance(content, list):
        parts = [part.get("text") for part in content if isinstance(part, dict)]
        return "".join(part for part in parts if isinstance(part, str))
    return _string(message.get("refusal"))


def _string(value: object) -> str | None:
    return value if isinstance(value, str) else None


def _recorded_latency(body: dict[str, Any], latency: float) -> float:
    recorded = body.get("recorded")
    seconds = _not_negative(recorded.get("latency")) if isinstance(recorded, dict) else None
    return latency if seconds is None else seconds


def _error(code: int, exchange: _Exchange, body: object) -> Attempt:
    """Return the attempt of an error with its status `code` and the object `body` that explains it."""
    detail = _message(body) or _cut(exchange.raw.decode("utf-8", "replace"))
    if code == 429:
        kind = ErrorKind.RATE_LIMITED
    elif code in (408, 504):
        kind = ErrorKind.TIMEOUT
    elif code in (401, 402):
        kind = ErrorKind.UNAUTHORISED
    elif code in (404, 503) and _unrouted(detail):
        kind = ErrorKind.NO_ROUTE
    elif code >= 500:
        kind = ErrorKind.SERVER
    else:
        kind = ErrorKind.REFUSED
    return Attempt(
        _failed(kind, detail, exchange, body, code),
        again=code in RETRIED or code >= 500,
        refused=code == 429,
        retry_after=_retry_after(exchange.headers, body, exchange.now),
        fatal=code in (401, 402),
    )


def _malformed(exchange: _Exchange, detail: str, *, once: bool = False) -> Attempt:
    """Return the attempt of a success without an answer; `once` if it is probably charged."""
    reply = _failed(ErrorKind.MALFORMED, detail, exchange, None, exchange.http_status)
    return Attempt(
        reply, again=True, once=once, retry_after=_retry_after(exchange.headers, None, exchange.now)
    )


def _unrouted(detail: str) -> bool:
    lowered = detail.lower()
    return (
        "no endpoints" in lowered
        or "no allowed providers" in lowered
        or "available model provider" in lowered
    )


def _failed(
    kind: ErrorKind, detail: str, exchange: _Exchange, body: object, status: int | None
) -> ModelReply:
    """Return a failed call with the tokens and cost that its reply states, as it may have been charged."""
    bill = exchange.bill
    finish = body.get("finish_reason") if isinstance(body, dict) else None
    return ModelReply(
        CallStatus.ERROR,
        error=kind,
        detail=exchange.detail(detail),
        http_status=status,
        usage=bill.usage,
        cost=bill.cost,
        served=exchange.served,
        finish_reason=_name(finish),
        latency=exchange.latency,
    )


def broken(kind: ErrorKind, detail: str, latency: float, *, again: bool = True, sent: bool = True) -> Attempt:
    """Return the attempt of a request without an HTTP reply, after a time-out or a broken connection.

    The cost is 0 if the request was not `sent`, and unknown otherwise.
    """
    reply = _failed(kind, _cut(detail), _Exchange(None, {}, b"", latency), None, None)
    return Attempt(reply if sent else reply._replace(cost=0.0), again=again)


def _code(error: object) -> int:
    """Return the status of an `error` object inside an HTTP 200; 502 if it names none."""
    code = error.get("code") if isinstance(error, dict) else None
    if isinstance(code, str) and code.isdecimal():
        code = int(code)
    if isinstance(code, int) and 400 <= code <= 599:
        return code
    return 429 if isinstance(error, dict) and "rate" in str(error.get("type", "")) else 502


def _message(body: object) -> str | None:
    error = body.get("error") if isinstance(body, dict) else None
    if isinstance(error, str):
        return _cut(error)
    if not isinstance(error, dict):
        return None
    metadata = error.get("metadata")
    raw = metadata.get("raw") if isinstance(metadata, dict) else None
    parts = [str(part) for part in (error.get("message"), raw) if part]
    return _cut(": ".join(parts)) if parts else None


def _retry_after(headers: Mapping[str, str], body: object, now: float | None) -> float | None:
    """Return the seconds that a provider asks to wait, given as a number or as an HTTP date.

    A date is compared with the reply's own Date, or with `now` (UTC seconds since 1970) without one.
    """
    for name in ("retry-after-ms", "Retry-After", "llm_provider-retry-after"):
        value = headers.get(name)
        if value is None:
            continue
        try:
            seconds = float(value) / (1000 if name == "retry-after-ms" else 1)
        except (TypeError, ValueError):
            until, sent = _http_date(value), _http_date(headers.get("Date"))
            start = now if sent is None else sent
            if until is None or start is None:
                continue
            return max(0.0, until - start)
        if math.isfinite(seconds):
            return seconds if seconds >= 0 else None
    error = body.get("error") if isinstance(body, dict) else None
    metadata = error.get("metadata") if isinstance(error, dict) else None
    inner = metadata.get("headers") if isinstance(metadata, dict) else None
    return _retry_after(inner, None, now) if isinstance(inner, dict) and inner is not headers else None


def _http_date(value: object) -> float | None:
    """Return an HTTP date as UTC seconds since 1970; None for anything else."""
    if not isinstance(value, str):
        return None
    try:
        moment = parsedate_to_datetime(value)
        return (moment if moment.tzinfo is not None else moment.replace(tzinfo=UTC)).timestamp()
    except (TypeError, ValueError, OverflowError):
        return None


def _not_negative(value: object) -> float | None:
    if isinstance(value, bool) or not isinstance(value, int | float) or value < 0:
        return None
    return float(value)


def _name(value: object) -> str | None:
    if not isinstance(value, str) or not value:
        return None
    return value if len(value) <= NAME and "\0" not in value else _cut(value, NAME)


def _cut(text: str, most: int = DETAIL) -> str:
    return storable(text if len(text) <= most else text[:most] + "…")


def storable(text: str) -> str:
    """Return a text in which U+FFFD replaces NUL, because PostgreSQL cannot store NUL."""
    return text.replace("\0", "\ufffd") if "\0" in text else text


class Decoded(NamedTuple):
    """A reply's JSON, or None if there is none, and the repairs that were needed to read it."""

    body: Any
    repairs: tuple[str, ...] = ()

    @property
    def note(self) -> str | None:
        """A sentence on the repairs, or None if there were none."""
        return f"the reply was repaired: {', '.join(self.repairs)}" if self.repairs else None


def decode(raw: bytes) -> Decoded:
    """Decode a reply.

    A byte order mark, and blank lines and comments (`: ...`) around the JSON, are accepted. Invalid bytes and
    lone surrogates are replaced by U+FFFD. `NaN` and `Infinity` are read. Text after the JSON is left out.
    The log-probability `-Infinity` becomes -9999; a log-probability that is not a number is left out.
    """
    try:
        return Decoded(orjson.loads(raw))
    except orjson.JSONDecodeError:
        pass
    try:
        return _repaired(raw)
    except (ValueError, RecursionError):
        return Decoded(None)


def _repaired(raw: bytes) -> Decoded:
    """Decode a reply that is not strict JSON. Raises ValueError or RecursionError if it is not JSON."""
    encoding = json.detect_encoding(raw)
    text = raw.decode(encoding, "replace")
    repairs = []
    if _REPLACEMENT in text and not _decodes(raw, encoding):
        repairs.append("invalid bytes were replaced")
    start = _match_end(text, 0)
    body, end = json.JSONDecoder(strict=False, parse_int=_number).raw_decode(text, start)
    if _match_end(text, end) != len(text):
        repairs.append("text after the JSON was left out")
    replacements: set[str] = set()
    body = _cleaned(body, replacements)
    return Decoded(body, (*repairs, *sorted(replacements)))


def _number(digits: str) -> int | float:
    """Read a whole number. Python cannot read one of thousands of digits, which becomes a float."""
    return int(digits) if len(digits) <= _DIGITS else float(digits)


def _match_end(text: str, start: int) -> int:
    match = _COMMENTS.match(text, start)
    return start if match is None else match.end()


def _decodes(raw: bytes, encoding: str) -> bool:
    try:
        raw.decode(encoding)
    except UnicodeDecodeError:
        return False
    return True


def _cleaned(value: Any, replacements: set[str]) -> Any:
    """Return a value without lone surrogates and without log-probabilities that are not finite.

    Adds a sentence about each kind of replacement to `replacements`.
    """
    if isinstance(value, str):
        return _without_surrogates(value, replacements)
    if isinstance(value, dict):
        cleaned = {
            _without_surrogates(key, replacements): _cleaned(inner, replacements)
            for key, inner in value.items()
        }
        if isinstance(number := cleaned.get("logprob"), float) and not math.isfinite(number):
            replacements.add("log-probabilities that are not finite were replaced")
            cleaned["logprob"] = LEAST_LOGPROB if number < 0 else None
        if isinstance(alternatives := cleaned.get("top_logprobs"), list):
            cleaned["top_logprobs"] = [entry for entry in alternatives if not _lacks_logprob(entry)]
        return cleaned
    if isinstance(value, list):
        return [_cleaned(inner, replacements) for inner in value]
    return value


def _lacks_logprob(alternative: Any) -> bool:
    """Return whether an alternative has lost its log-probability."""
    return isinstance(alternative, dict) and alternative.get("logprob", 0) is None


def _without_surrogates(text: str, replacements: set[str]) -> str:
    if _SURROGATE.search(text) is None:
        return text
    replacements.add("lone surrogates were replaced")
    return _SURROGATE.sub(_REPLACEMENT, text)
