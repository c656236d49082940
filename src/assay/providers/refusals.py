"""What an endpoint's refusal says about a parameter that was sent; the knowledge is in `quirks.yaml`."""

from __future__ import annotations

import re
from collections.abc import Collection
from dataclasses import dataclass
from functools import cache

from assay.providers.quirks import refusal_data

STATUSES = frozenset({400, 422})


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


def refused_parameter(status: int | None, detail: str | None, sent: Collection[str]) -> Refusal | None:
    """Return the parameter among those `sent` that a reply refuses, or None.

    Of several, the one that the text names first; where it names none, the first in the data. Only
    parameters that an answer can do without are ever returned.
    """
    if status not in STATUSES or not detail:
        return None
    phrase, rules = _rules()
    if not phrase.search(detail):
        return None
    found = [
        (match.start(), order, rule)
        for order, rule in enumerate(rules)
        if rule.parameter in sent and (match := rule.said.search(detail)) is not None
    ]
    if not found:
        return None
    rule = min(found, key=lambda entry: entry[:2])[2]
    if rule.instead is None:
        return Refusal(rule.parameter, along=tuple(name for name in rule.along if name in sent))
    named = rule.wanted is not None and rule.wanted.search(detail) is not None
    return Refusal(rule.parameter, rule.instead) if named else None


@cache
def _rules() -> tuple[re.Pattern[str], tuple[_Rule, ...]]:
    data = refusal_data()
    rules = tuple(
        _Rule(
            rule["parameter"],
            re.compile(rule["said"], re.IGNORECASE),
            rule.get("instead"),
            re.compile(rule["instead"]) if "instead" in rule else None,
            tuple(rule.get("along", ())),
        )
        for rule in data["parameters"]
    )
    return re.compile(data["phrase"], re.IGNORECASE), rules
