"""Parameters that a model refuses or names differently, known beforehand or read from a refusal."""

from __future__ import annotations

import re
from collections.abc import Collection, Mapping
from dataclasses import dataclass
from functools import cache
from importlib.resources import files
from typing import Any

import yaml

SUFFIXES = (":free", ":nitro", ":thinking", ":online", ":extended", ":floor", ":exacto")
REFUSAL_STATUSES = frozenset({400, 404, 422})
UNROUTED = 404


@dataclass(frozen=True, slots=True)
class Quirks:
    """The parameters that a model refuses (`drop`) and those that it names differently (`rename`)."""

    drop: frozenset[str] = frozenset()
    rename: Mapping[str, str] | None = None

    def apply(self, parameters: Mapping[str, Any]) -> dict[str, Any]:
        """Return the parameters in the form that the model accepts."""
        rename = self.rename or {}
        return {rename.get(name, name): value for name, value in parameters.items() if name not in self.drop}


@cache
def _quirk_rules() -> tuple[dict[str, Any], ...]:
    return tuple(_data()["rules"])


@cache
def _data() -> dict[str, Any]:
    text = files("assay.providers").joinpath("quirks.yaml").read_text(encoding="utf-8")
    loaded: dict[str, Any] = yaml.safe_load(text)
    return loaded


def bare_name(upstream: str) -> str:
    """Return an upstream name without organisation and routing suffix: `openai/o3:nitro` becomes `o3`."""
    name = upstream.rsplit("/", 1)[-1].lower()
    for suffix in SUFFIXES:
        name = name.removesuffix(suffix)
    return name


@cache
def quirks(upstream: str, dialect: str) -> Quirks:
    """Return the quirks of a model in a dialect."""
    name = bare_name(upstream)
    drop: frozenset[str] | None = None
    rename: Mapping[str, str] | None = None
    for rule in _quirk_rules():
        if re.match(rule["match"], name):
            drop = frozenset(rule["drop"]) if drop is None and "drop" in rule else drop
            rename = rule["rename"] if rename is None and "rename" in rule else rename
    if dialect in _data()["translating_dialects"]:
        rename = None
    return Quirks(drop or frozenset(), rename)


@dataclass(frozen=True, slots=True)
class ParameterRefusal:
    """A parameter that an endpoint refuses. Leave it out together with `along`, or send it as `instead`."""

    parameter: str
    instead: str | None = None
    along: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class RefusalRule:
    """A rule that recognises the refusal of one parameter in the text of a reply."""

    parameter: str
    said: re.Pattern[str]
    instead: str | None
    wanted: re.Pattern[str] | None
    along: tuple[str, ...]
    phrase: re.Pattern[str] | None


@dataclass(frozen=True, slots=True)
class RefusalRules:
    """The rules that recognise refusals, as loaded from `quirks.yaml`."""

    phrase: re.Pattern[str]
    parameters: tuple[RefusalRule, ...]
    routing: re.Pattern[str]
    routed: str


def refused_parameter(
    status: int | None, detail: str | None, sent: Collection[str]
) -> ParameterRefusal | None:
    """Return the parameter among those `sent` that a reply refuses, or None.

    If the text names several parameters, the first one counts; if it names none, the first rule in the data.
    Only parameters that an answer can do without are returned. If no provider meets the routing (404), the
    text names no parameter: then only the response format is given up, which the prompt also asks for.
    """
    if status not in REFUSAL_STATUSES or not detail:
        return None
    rules = _refusal_rules()
    if status == UNROUTED:
        unrouted = rules.routed in sent and rules.routing.search(detail) is not None
        return ParameterRefusal(rules.routed) if unrouted else None
    refuses = rules.phrase.search(detail) is not None
    matches = [
        (match.start(), order, rule)
        for order, rule in enumerate(rules.parameters)
        if rule.parameter in sent
        and (refuses or (rule.phrase is not None and rule.phrase.search(detail) is not None))
        and (match := rule.said.search(detail)) is not None
    ]
    if not matches:
        return None
    rule = min(matches, key=lambda entry: entry[:2])[2]
    if rule.instead is None:
        return ParameterRefusal(rule.parameter, along=tuple(name for name in rule.along if name in sent))
    named = rule.wanted is not None and rule.wanted.search(detail) is not None
    return ParameterRefusal(rule.parameter, rule.instead) if named else None


@cache
def _refusal_rules() -> RefusalRules:
    data = _data()["refusals"]
    rules = tuple(
        RefusalRule(
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
    return RefusalRules(
        re.compile(data["phrase"], re.IGNORECASE),
        rules,
        re.compile(routing["said"], re.IGNORECASE),
        routing["parameter"],
    )
