"""Reading what an endpoint sent back: an answer, no answer, or an error worth trying again or not."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import orjson

from assay.core.ask import CallStatus, ErrorKind, ModelReply, Served
from assay.core.money import Prices, Usage

DETAIL = 500
LARGEST_COUNT = 2**31 - 1
RETRIED = frozenset({408, 409, 425, 429})


@dataclass(frozen=True, slots=True)
class Attempt:
    """One request's outcome.

    `again`: another attempt may succeed. `refused`: the provider says that it is asked too much.
    `retry_after`: the seconds it asks to wait. `fatal`: no request with this key can succeed.
    """

    reply: ModelReply
    again: bool = False
    refused: bool = False
    retry_after: float | None = None
    fatal: bool = False


def read_reply(
    http_status: int,
    headers: Mapping[str, str],
    raw: bytes,
    latency: float,
    prices: Prices | None,
    *,
    recorded: bool = False,
) -> Attempt:
    """Read one HTTP reply. `latency` is in seconds; `prices` give the cost where the reply does not.

    With `recorded` the reply tells the latency that was measured when it was recorded.
    """
    try:
        body = orjson.loads(raw)
    except orjson.JSONDecodeError:
        body = None
    if recorded and isinstance(body, dict):
        latency = _recorded_latency(body, latency)
    if http_status != 200:
        return _error(http_status, headers, body, raw, latency)
    if not isinstance(body, dict):
        return _failed(
            ErrorKind.MALFORMED, _cut(raw.decode("utf-8", "replace")), http_status, latency, again=True
        )
    if body.get("error"):
        return _error(_code(body["error"]), headers, body, raw, latency)
    choices = body.get("choices")
    if not isinstance(choices, list) or not choices or not isinstance(choices[0], dict):
        return _failed(
            ErrorKind.MALFORMED,
            "a reply without choices",
            http_status,
            latency,
            again=True,
            retry_after=_retry_after(headers, None),
        )
    choice = choices[0]
    if choice.get("error"):
        return _error(_code(choice["error"]), headers, choice, raw, latency)
    return Attempt(_answer(body, choice, http_status, latency, prices))


def _answer(
    body: dict[str, Any], choice: dict[str, Any], http_status: int, latency: float, prices: Prices | None
) -> ModelReply:
    message = choice.get("message")
    text = _text(message) if isinstance(message, dict) else None
    finish = choice.get("finish_reason")
    usage = _usage(body.get("usage"))
    status, error = CallStatus.OK, None
    if text is None or not text.strip():
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
        text,
        error,
        None,
        http_status,
        usage,
        _cost(body.get("usage"), usage, prices),
        Served(_name(body.get("provider")), _name(body.get("model")), _name(body.get("system_fingerprint"))),
        _name(finish),
        _name(choice.get("native_finish_reason")),
        latency,
        1,
        choice.get("logprobs"),
    )


def _text(message: dict[str, Any]) -> str | None:
    """Return the visible answer: content, the text parts of it, or a refusal in words."""
    content = message.get("content")
    if isinstance(content, str):
        return storable(content) or _name(message.get("refusal"))
    if isinstance(content, list):
        parts = [part.get("text") for part in content if isinstance(part, dict)]
        return storable("".join(part for part in parts if isinstance(part, str)))
    return _name(message.get("refusal"))


def _recorded_latency(body: dict[str, Any], latency: float) -> float:
    told = body.get("recorded")
    seconds = _not_negative(told.get("latency")) if isinstance(told, dict) else None
    return latency if seconds is None else seconds


def _usage(usage: object) -> Usage:
    if not isinstance(usage, dict):
        return Usage()
    completion_details = usage.get("completion_tokens_details")
    prompt_details = usage.get("prompt_tokens_details")
    return Usage(
        _count(usage.get("prompt_tokens")),
        _count(usage.get("completion_tokens")),
        _count(completion_details.get("reasoning_tokens")) if isinstance(completion_details, dict) else None,
        _count(prompt_details.get("cached_tokens")) if isinstance(prompt_details, dict) else None,
    )


def _cost(reported: object, usage: Usage, prices: Prices | None) -> float | None:
    """Return the cost in US dollars: what the provider charged, plus what one's own key cost upstream.

    Replies without one's own key may repeat the charge as the upstream cost: adding the two would double it.
    Where `is_byok` is not told, only an upstream cost above the charge can come from one's own key.
    """
    charged = _not_negative(reported.get("cost")) if isinstance(reported, dict) else None
    if not isinstance(reported, dict) or charged is None:
        return None if prices is None else prices.cost(usage)
    details = reported.get("cost_details")
    upstream = _not_negative(details.get("upstream_inference_cost")) if isinstance(details, dict) else None
    if upstream is None:
        return charged
    told = reported.get("is_byok")
    own_key = told if isinstance(told, bool) else upstream > charged
    return charged + upstream if own_key else charged


def _error(code: int, headers: Mapping[str, str], body: object, raw: bytes, latency: float) -> Attempt:
    detail = _message(body) or _cut(raw.decode("utf-8", "replace"))
    again = code in RETRIED or code >= 500
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
    return _failed(
        kind,
        detail,
        code,
        latency,
        again=again,
        refused=code == 429,
        retry_after=_retry_after(headers, body),
        fatal=code in (401, 402),
    )


def _unrouted(detail: str) -> bool:
    lowered = detail.lower()
    return (
        "no endpoints" in lowered
        or "no allowed providers" in lowered
        or "available model provider" in lowered
    )


def _failed(
    kind: ErrorKind,
    detail: str,
    http_status: int | None,
    latency: float,
    *,
    again: bool,
    refused: bool = False,
    retry_after: float | None = None,
    fatal: bool = False,
) -> Attempt:
    reply = ModelReply(CallStatus.ERROR, error=kind, detail=detail, http_status=http_status, latency=latency)
    return Attempt(reply, again, refused, retry_after, fatal)


def broken(kind: ErrorKind, detail: str, latency: float, *, again: bool = True) -> Attempt:
    """Return the attempt of a request that got no HTTP reply: a time-out or a broken connection."""
    return _failed(kind, _cut(detail), None, latency, again=again)


def _code(error: object) -> int:
    """Return the status that an `error` object inside an HTTP 200 stands for; 502 when it names none."""
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


def _retry_after(headers: Mapping[str, str], body: object) -> float | None:
    for name in ("retry-after-ms", "Retry-After", "llm_provider-retry-after"):
        value = headers.get(name)
        if value is not None:
            try:
                seconds = float(value) / (1000 if name == "retry-after-ms" else 1)
            except (TypeError, ValueError):
                continue
            return seconds if seconds >= 0 else None
    error = body.get("error") if isinstance(body, dict) else None
    metadata = error.get("metadata") if isinstance(error, dict) else None
    inner = metadata.get("headers") if isinstance(metadata, dict) else None
    return _retry_after(inner, None) if isinstance(inner, dict) and inner is not headers else None


def _count(value: object) -> int | None:
    return value if type(value) is int and 0 <= value <= LARGEST_COUNT else None


def _not_negative(value: object) -> float | None:
    if isinstance(value, bool) or not isinstance(value, int | float) or value < 0:
        return None
    return float(value)


def _name(value: object) -> str | None:
    return storable(value) if isinstance(value, str) and value else None


def _cut(text: str) -> str:
    return storable(text if len(text) <= DETAIL else text[:DETAIL] + "…")


def storable(text: str) -> str:
    """Return a text without NUL, which PostgreSQL cannot hold: the replacement character stands for it."""
    return text.replace("\0", "\ufffd") if "\0" in text else text
