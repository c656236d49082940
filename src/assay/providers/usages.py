"""The token counts and cost that a reply states, in any dialect. The rules are in `usages.yaml`."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from importlib.resources import files
from itertools import product
from typing import Any, Final, Literal, NamedTuple

import yaml

from assay.core.money import LARGEST_COUNT, Prices, Usage, credible_cost

Counted = Literal["inside", "beside", "by total"]

_QUOTED: Final = 300
_STORED: Final = 2**31 - 1
_DIGITS: Final = 15
_MISSING: Final = object()


class Bill(NamedTuple):
    """The tokens and the cost of a call as its reply states them: US dollars, or None if unknown.

    `doubt` explains why a count or a cost cannot be right, with the received values, or is None.
    """

    usage: Usage = Usage()
    cost: float | None = None
    doubt: str | None = None


class Path(NamedTuple):
    """The place of a value: a field, or a field of a nested object."""

    name: str
    inner: str | None


class UsageField(NamedTuple):
    """The place of a count, and whether the prompt's or the completion's count includes it."""

    path: Path
    counted: Counted


@dataclass(frozen=True, slots=True)
class Family:
    """One way of counting tokens."""

    name: str
    object: str
    prompt: Path
    completion: Path
    total: Path | None
    reasoning: tuple[UsageField, ...]
    cached: tuple[UsageField, ...]
    written: tuple[UsageField, ...]


@dataclass(frozen=True, slots=True)
class HostRule:
    """The meaning of a host's counts, where the family leaves it open."""

    reasoning: Counted = "by total"
    rest: Literal["reasoning"] | None = None


@dataclass(frozen=True, slots=True)
class _Costs:
    reported: tuple[tuple[Path, float], ...]
    header: str
    charge: Path
    own_key: str
    fees: tuple[Path, ...]


class _PlainNames(NamedTuple):
    """The names of the first family's counts, and all `others` that affect tokens or cost."""

    object: str
    prompt: str
    completion: str
    total: str
    others: frozenset[str]


class _Received(NamedTuple):
    """The counts of a reply, before they are converted to a common meaning."""

    prompt: int | None
    completion: int | None
    total: int | None
    reasoning: int | None
    cached: int | None
    written: int | None
    reasoning_counted: Counted
    cache_counted: Counted


UNKNOWN_HOST: Final = HostRule()


class _Unreadable(Exception):
    """A count that is not a whole number, with its name and value."""


def host_rule(host: str | None) -> HostRule:
    """Return the rule for a host's counts."""
    name = (host or "").lower()
    for ending, rule in _hosts():
        if name == ending or name.endswith("." + ending) or name.endswith("-" + ending):
            return rule
    return UNKNOWN_HOST


def read_bill(
    body: Mapping[str, Any],
    headers: Mapping[str, str],
    prices: Prices | None,
    rule: HostRule = UNKNOWN_HOST,
) -> Bill:
    """Return the tokens and cost that a reply states.

    A cost that the provider reports is used as it is; otherwise `prices` give it. If the counts or the
    reported cost cannot be right, the cost is unknown and `doubt` explains why.
    """
    plain = _plain_usage(body)
    if plain is not None:
        return Bill(plain, _header_cost(headers) if prices is None else prices.cost(plain))
    family, stated = _stated(body)
    if family is None:
        usage, doubt = Usage(), None
    else:
        usage, doubt = _usage(family, stated, rule)
    try:
        reported = _reported_cost(stated)
    except ValueError as error:
        return Bill(usage, None, f"cost unknown: {error}")
    if reported is not None:
        return Bill(usage, reported, doubt and f"token counts are wrong: {doubt}")
    if doubt is not None:
        return Bill(usage, None, f"cost unknown: {doubt}")
    if prices is None:
        return Bill(usage, _header_cost(headers))
    fees = _costs().fees
    fee = next((path for path in fees if path.name in stated and _above_zero(_at(stated, path))), None)
    if fee is not None:
        return Bill(usage, None, f"cost unknown: prices for tokens do not cover {_named(fee)}")
    cost = prices.cost(usage)
    if cost is None and usage.written and prices.cache_write is None:
        return Bill(usage, None, f"cost unknown: no price `cache_write` for {usage.written} tokens")
    return Bill(usage, cost)


def _plain_usage(body: Mapping[str, Any]) -> Usage | None:
    """Return the counts of a plain reply: prompt and completion that add up to the total, and nothing else.

    Returns None for other replies. Most replies are plain and need no rule.
    """
    names = _plain_names()
    stated = body.get(names.object)
    if type(stated) is not dict or not names.others.isdisjoint(stated):
        return None
    prompt, completion = stated.get(names.prompt), stated.get(names.completion)
    if type(prompt) is not int or type(completion) is not int:
        return None
    total = stated.get(names.total)
    if (total is None or total == prompt + completion) and (
        0 <= prompt <= LARGEST_COUNT and 0 <= completion <= LARGEST_COUNT
    ):
        return Usage(prompt, completion)
    return None


def _stated(body: Mapping[str, Any]) -> tuple[Family | None, Mapping[str, Any]]:
    """Return the reply's family, and the object with its counts, which is empty if there are none."""
    for family in _families():
        stated = body.get(family.object)
        if isinstance(stated, dict) and (
            (family.prompt.name in stated and _at(stated, family.prompt) is not _MISSING)
            or (family.completion.name in stated and _at(stated, family.completion) is not _MISSING)
        ):
            return family, stated
    usage = body.get("usage")
    return None, usage if isinstance(usage, dict) else {}


def _usage(family: Family, stated: Mapping[str, Any], rule: HostRule) -> tuple[Usage, str | None]:
    """Return the counts in a common meaning; if they cannot be right, as received and with the reason."""
    try:
        received = _received(family, stated, rule)
    except _Unreadable as error:
        return _readable(family, stated), f"{error}, received {_quoted(stated)}"
    settled = _settled(received, rule)
    if settled is not None:
        usage, doubt = settled, settled.contradiction()
    else:
        usage = Usage(
            received.prompt, received.completion, received.reasoning, received.cached, received.written
        )
        doubt = usage.contradiction() or (
            f"{received.prompt:,} prompt and {received.completion:,} completion tokens "
            f"do not make {received.total:,} in total"
        )
    if doubt is None:
        return usage, None
    return _storable(usage), f"{doubt}, received {_quoted(stated)}"


def _received(family: Family, stated: Mapping[str, Any], rule: HostRule) -> _Received:
    reasoning, reasoning_counted = _first(stated, family.reasoning)
    cached, cached_counted = _first(stated, family.cached)
    written, written_counted = _first(stated, family.written)
    total = (None if family.total is None else _count(stated, family.total)) or None
    if total is None and reasoning_counted == "by total":
        reasoning_counted = rule.reasoning
    return _Received(
        _count(stated, family.prompt),
        _count(stated, family.completion),
        total,
        reasoning,
        cached,
        written,
        reasoning_counted,
        cached_counted if cached else written_counted,
    )


def _settled(received: _Received, rule: HostRule) -> Usage | None:
    """Return the counts with reasoning and cached tokens included; None if they do not add up in any way."""
    prompt, completion, total = received.prompt, received.completion, received.total
    reasoning = received.reasoning or 0
    cache = (received.cached or 0) + (received.written or 0)
    if prompt is None or completion is None:
        return Usage(prompt, completion, received.reasoning, received.cached, received.written)
    if total in (None, prompt + completion) and not cache and not reasoning:
        return Usage(prompt, completion, received.reasoning, received.cached, received.written)
    for more_prompt, more_completion in product(
        _extra(cache, received.cache_counted), _extra(reasoning, received.reasoning_counted)
    ):
        whole_prompt, whole_completion = prompt + more_prompt, completion + more_completion
        adds_up = total is None or whole_prompt + whole_completion == total
        if adds_up and cache <= whole_prompt and reasoning <= whole_completion:
            return Usage(
                whole_prompt, whole_completion, received.reasoning, received.cached, received.written
            )
    if rule.rest == "reasoning" and total is not None and total > prompt + completion and cache <= prompt:
        return Usage(
            prompt, total - prompt, reasoning + total - prompt - completion, received.cached, received.written
        )
    return None


def _extra(tokens: int, counted: Counted) -> tuple[int, ...]:
    """Return the numbers that may have to be added so that the tokens are included."""
    if tokens == 0 or counted == "inside":
        return (0,)
    return (tokens,) if counted == "beside" else (0, tokens)


def _first(stated: Mapping[str, Any], places: tuple[UsageField, ...]) -> tuple[int | None, Counted]:
    """Return the first count above 0 and how it is counted; otherwise a count of 0, or None."""
    zero: int | None = None
    for path, counted in places:
        if path.name not in stated:
            continue
        count = _count(stated, path)
        if count:
            return count, counted
        zero = zero if count is None else count
    return zero, "inside"


def _at(stated: Mapping[str, Any], path: Path) -> Any:
    """Return the value at a path; a null counts as missing."""
    value = stated.get(path.name)
    if path.inner is not None:
        value = value.get(path.inner) if isinstance(value, dict) else None
    return _MISSING if value is None else value


def _count(stated: Mapping[str, Any], path: Path) -> int | None:
    value = stated.get(path.name) if path.inner is None else _at(stated, path)
    if type(value) is int:
        return value
    if value is None or value is _MISSING:
        return None
    if isinstance(value, float) and value.is_integer() and abs(value) <= LARGEST_COUNT:
        return int(value)
    if isinstance(value, str) and value.isascii() and value.isdigit() and len(value) <= _DIGITS:
        return int(value)
    raise _Unreadable(f"{_named(path)} is {_quoted(value)}")


def _readable(family: Family, stated: Mapping[str, Any]) -> Usage:
    """Return the readable counts of a reply in which another count cannot be read."""

    def count(path: Path) -> int | None:
        try:
            return _count(stated, path)
        except _Unreadable:
            return None

    return _storable(Usage(count(family.prompt), count(family.completion)))


def _storable(usage: Usage) -> Usage:
    """Return the counts that the ledger can store; those below 0 or beyond 32 bits are left out."""
    counts = (usage.prompt, usage.completion, usage.reasoning, usage.cached, usage.written)
    return Usage(*(None if count is None or not 0 <= count <= _STORED else count for count in counts))


def _reported_cost(stated: Mapping[str, Any]) -> float | None:
    """Return the cost that the provider reports, or None without one. Raises ValueError if it is invalid.

    A reply to a call with the user's own upstream key also states the upstream cost, which is added. Other
    replies may repeat the charge as the upstream cost, and adding it would double the cost. If the reply does
    not state whose key was used, only an upstream cost above the charge is taken for the user's own key.
    """
    costs = _costs()
    for path, per_dollar in costs.reported:
        if path.name not in stated:
            continue
        value = _at(stated, path)
        if value is not _MISSING:
            charged = _dollars(path, value, per_dollar)
            break
    else:
        return None
    upstream = _at(stated, costs.charge) if costs.charge.name in stated else _MISSING
    own_key = stated.get(costs.own_key)
    if upstream is _MISSING or own_key is False:
        return charged
    upstream = _dollars(costs.charge, upstream, 1.0)
    return charged + upstream if own_key is True or upstream > charged else charged


def _dollars(path: Path, value: object, per_dollar: float) -> float:
    dollars = None
    if isinstance(value, int | float | str) and not isinstance(value, bool):
        try:
            dollars = credible_cost(float(value) / per_dollar)
        except (ValueError, OverflowError):
            dollars = None
    if dollars is None:
        raise ValueError(f"the reported {_named(path)} is {_quoted(value)}")
    return dollars


def _header_cost(headers: Mapping[str, str]) -> float | None:
    value = headers.get(_costs().header)
    if value is None:
        return None
    try:
        return credible_cost(float(value)) or None
    except ValueError:
        return None


def _above_zero(value: object) -> bool:
    return isinstance(value, int | float) and value > 0


def _named(path: Path) -> str:
    return path.name if path.inner is None else f"{path.name}.{path.inner}"


def _quoted(stated: object) -> str:
    try:
        return _cut(json.dumps(stated, ensure_ascii=False))
    except ValueError:
        return "a number of thousands of digits"


def _cut(text: str) -> str:
    return text if len(text) <= _QUOTED else text[:_QUOTED] + "…"


def _path(dotted: str) -> Path:
    name, _, inner = dotted.partition(".")
    return Path(name, inner or None)


@cache
def usage_data() -> dict[str, Any]:
    """Return the content of `usages.yaml`."""
    text = files("assay.providers").joinpath("usages.yaml").read_text(encoding="utf-8")
    loaded: dict[str, Any] = yaml.safe_load(text)
    return loaded


@cache
def _families() -> tuple[Family, ...]:
    def places(entries: list[dict[str, Any]]) -> tuple[UsageField, ...]:
        return tuple(UsageField(_path(entry["at"]), entry["counted"]) for entry in entries)

    return tuple(
        Family(
            entry["name"],
            entry["object"],
            _path(entry["prompt"]),
            _path(entry["completion"]),
            _path(entry["total"]) if "total" in entry else None,
            places(entry.get("reasoning", [])),
            places(entry.get("cached", [])),
            places(entry.get("written", [])),
        )
        for entry in usage_data()["families"]
    )


@cache
def _plain_names() -> _PlainNames:
    family, costs = _families()[0], _costs()
    assert family.total is not None
    places = (*family.reasoning, *family.cached, *family.written)
    others = {place.path.name for place in places} | {path.name for path, _ in costs.reported}
    others |= {path.name for path in costs.fees}
    return _PlainNames(
        family.object, family.prompt.name, family.completion.name, family.total.name, frozenset(others)
    )


@cache
def _hosts() -> tuple[tuple[str, HostRule], ...]:
    return tuple(
        (entry["host"], HostRule(entry.get("reasoning", "by total"), entry.get("rest")))
        for entry in usage_data()["hosts"]
    )


@cache
def _costs() -> _Costs:
    data = usage_data()
    return _Costs(
        tuple((_path(entry["at"]), float(entry.get("per_dollar", 1))) for entry in data["costs"]),
        data["cost_header"],
        _path(data["own_key"]["charge"]),
        data["own_key"]["said"],
        tuple(_path(fee) for fee in data["fees"]),
    )
