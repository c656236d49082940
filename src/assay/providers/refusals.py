"""What an endpoint's refusal says about a parameter that was sent; the knowledge is in `quirks.yaml`."""

from __future__ import annotations

import re
from collections.abc import Collection
from dataclasses import dataclass
from functools import cache

from assay.providers.quirks import refusal_data

STATUSES = frozenset({400, 404, 422})
UNROUTED = 404


@dataclass(frozen=True, slots=True)
class Refusal:
    """A parameter that an endpoint refuses: to be left out with those `along`, or sent as `instead`."""

    parameter: str
    instead: str | None = None
    along: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class _Rule:
    parameter: str
    said: re.Pattern[str]
    instead: str | None
    wanted: re.Pattern[str] | None
    along: tuple[str, ...]
    phrase: re.Pattern[str] | None


@dataclass(frozen=True, slots=True)
class _Rules:
    phrase: re.Pattern[str]
    parameters: tuple[_Rule, ...]
    routing: re.Pattern[str]
    routed: str


def refused_parameter(status: int | None, detail: str | None, sent: Collection[str]) -> Refusal | None:
    """Return the parameter among those `sent` that a reply refuses, or None.

    Of several, the one that the text names first; where it names none, the first in the data. Only
    parameters that an answer can do without are ever returned. A routing that nobody meets (404) names none:
    then only the form of a reply is given up, which the question asks for in words too.
    """
    if status not in STATUSES or not detail:
        return None
    rules = _rules()
    if status == UNROUTED:
        given_up = rules.routed in sent and rules.routing.search(detail) is not None
        return Refusal(rules.routed) if given_up else None
    refuses = rules.phrase.search(detail) is not None
    found = [
        (match.start(), order, rule)
        for order, rule in enumerate(rules.parameters)
        if rule.parameter in sent
        and (refuses or (rule.phrase is not None and rule.phrase.search(detail) is not None))
        and (match := rule.said.search(detail)) is not None
    ]
    if not found:
        return None
    rule = min(found, key=lambda entry: entry[:2])[2]
    if rule.instead is None:
        return Refusal(rule.parameter, along=tuple(name for name in rule.along if name in sent))
    named = rule.wanted is not None and rule.wanted.search(detail) is not None
    return Refusal(rule.parameter, rule.instead) if named else None


@cache
def _rules() -> _Rules:
    data = refusal_data()
    rules = tuple(
        _Rule(
            rule["parameter"],
            re.compile(rule["said"], re.IGNORECASE),
            rule.get("instead"),
            re.compile(rule["instead"]) if "instead" in rule else None,
            tuple(rule.get("along", ())),
            re.compile(rule["phrase"], re.IGNORECASE) if "phrase" in rule else None,
        )
        for rule in data["parameters"]
    )
    routing = data["routing"]
    return _Rules(
        re.compile(data["phrase"], re.IGNORECASE),
        rules,
        re.compile(routing["said"], re.IGNORECASE),
        routing["parameter"],
    )
