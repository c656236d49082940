"""Comparisons of lists and objects in JSON, element by element with partial credit."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from datetime import date
from typing import Any

from assay.grading.fields.document import DuplicateValues
from assay.grading.fields.typed import (
    ABSENT_OPTION,
    EQUAL,
    OPTIONS,
    RIGHT_TYPE,
    Comparison,
    FieldOutcome,
    kind_of,
    scalar,
    shown,
    wrong_type,
)

GENERAL = frozenset({"type", "expect", "weight", ABSENT_OPTION})
ALL_OPTIONS = {
    **OPTIONS,
    "list": frozenset({"of", "fields", "by", "ordered", "partial"}),
    "object": frozenset({"fields", "partial"}),
}
MOST_ELEMENTS = 300


def comparison(field: Mapping[str, Any]) -> Comparison:
    """Return the comparison that a field declares. Raises ValueError for a wrong declaration."""
    kind = field.get("type")
    if kind not in ALL_OPTIONS:
        raise ValueError(f"unknown type {kind!r}: write one of {', '.join(ALL_OPTIONS)}")
    known = GENERAL | ALL_OPTIONS[kind]
    if unknown := sorted(set(map(str, field)) - known):
        options = ", ".join(sorted(known))
        raise ValueError(f"unknown option {unknown[0]!r} of {kind}: write one of {options}")
    if kind in OPTIONS or field.get("expect", 0) is None:
        compare = scalar(kind if kind in OPTIONS else "null", field)
    else:
        compare = _list(field) if kind == "list" else _object(field)
    duplicated = FieldOutcome(0.0, "the key is given several times with different values")
    return lambda got: duplicated if isinstance(got, DuplicateValues) else compare(got)


def inferred(value: Any) -> dict[str, Any]:
    """Return a field declaration inferred from the type of an expected value."""
    if isinstance(value, Mapping):
        return {"type": "object", "fields": {str(key): inferred(item) for key, item in value.items()}}
    if isinstance(value, date):
        return {"type": "date"}
    return {"type": kind_of(list(value) if isinstance(value, tuple) else value)}


def _object(field: Mapping[str, Any]) -> Comparison:
    partial = field.get("partial", True)
    if "expect" not in field and "fields" not in field:
        return lambda got: RIGHT_TYPE if isinstance(got, Mapping) else wrong_type("an object", got)
    expect = field.get("expect", {})
    if not isinstance(expect, Mapping):
        raise ValueError(f"expect must be an object, not {expect!r}")
    declared = field.get("fields") or inferred(expect)["fields"]
    if not isinstance(declared, Mapping):
        raise ValueError("fields must map names to their declarations")
    if undeclared := sorted(set(map(str, expect)) - set(map(str, declared))):
        raise ValueError(f"expect has the key {undeclared[0]!r}: declare it in fields")
    members = {}
    for name, member in declared.items():
        if not isinstance(member, Mapping):
            raise ValueError(f"field {name!r} must be declared as {{type: ...}}")
        full = {**member, "expect": expect[name]} if name in expect else member
        weight = float(member.get("weight", 1))
        members[str(name)] = (comparison(full), weight, bool(member.get(ABSENT_OPTION)))
    total = sum(weight for _, weight, _ in members.values())

    def compare(got: Any) -> FieldOutcome:
        if not isinstance(got, Mapping):
            return wrong_type("an object", got)
        score, wrong = 0.0, []
        for name, (member, weight, absent_is_null) in members.items():
            if name not in got and not absent_is_null:
                outcome = FieldOutcome(0.0, "absent")
            else:
                outcome = member(got.get(name))
            score += weight * outcome.score
            if outcome.score < 1:
                wrong.append(f"{name}: {outcome.verdict}")
        if not wrong:
            return EQUAL
        return FieldOutcome(score / total if partial else 0.0, "; ".join(wrong)[:200])

    return compare


def _list(field: Mapping[str, Any]) -> Comparison:
    for name in ("ordered", "partial"):
        if not isinstance(field.get(name, True), bool):
            raise ValueError(f"{name} must be true or false, not {field[name]!r}")
    if "of" in field and "fields" in field:
        raise ValueError("give a list either `of` or `fields`, not both")
    if "expect" not in field:
        return _elements_only(field)
    expect = field["expect"]
    if not isinstance(expect, list | tuple):
        raise ValueError(f"expect must be a list, not {expect!r}")
    by = field.get("by")
    elements = [_element(field, item, by) for item in expect]
    match = by_key(str(by)) if by is not None else in_order if field.get("ordered", True) else in_any_order
    partial = field.get("partial", True)

    def compare(got: Any) -> FieldOutcome:
        if not isinstance(got, list):
            return wrong_type("a list", got)
        score, wrong = match(elements, got[:MOST_ELEMENTS])
        if len(got) > len(elements):
            wrong.append(f"{len(got) - len(elements)} more than the {len(elements)} expected")
        if not wrong:
            return EQUAL
        share = score / max(len(elements), len(got)) if got or elements else 1.0
        return FieldOutcome(share if partial else 0.0, "; ".join(wrong)[:200])

    return compare


def _declaration(field: Mapping[str, Any], item: Any) -> dict[str, Any]:
    if "fields" in field:
        return {"type": "object", "fields": field["fields"]}
    of = field.get("of")
    if of is None:
        return inferred(item)
    if not isinstance(of, Mapping):
        raise ValueError("of must declare the elements, like {type: text}")
    return dict(of)


def _elements_only(field: Mapping[str, Any]) -> Comparison:
    """Return the comparison of a list without expected elements: each must be of the declared type."""
    element = comparison(_declaration(field, None)) if "of" in field or "fields" in field else None

    def compare(got: Any) -> FieldOutcome:
        if not isinstance(got, list):
            return wrong_type("a list", got)
        bad = [at for at, item in enumerate(got) if element is not None and element(item).score < 1]
        if not bad:
            return RIGHT_TYPE
        return FieldOutcome(1 - len(bad) / len(got), f"{len(bad)} of {len(got)} elements are not as declared")

    return compare


def _element(field: Mapping[str, Any], item: Any, by: Any) -> MatchedElement:
    declared = _declaration(field, item)
    key = None
    if by is not None:
        if not isinstance(item, Mapping) or by not in item:
            raise ValueError(f"expected elements lack the key {by!r} of `by`: add it to every element")
        member = declared.get("fields", {}).get(by) or inferred(item[by])
        key = comparison({**member, "expect": item[by]})
    shown_key = f"{by} = {shown(item[by], 30)}" if by is not None else str(shown(item, 30))
    return MatchedElement(comparison({**declared, "expect": item}), key, shown_key)


@dataclass(frozen=True, slots=True)
class MatchedElement:
    """One expected element: its comparison, and the comparison of its key if elements are matched by key."""

    compare: Comparison
    key: Comparison | None
    shown: str


Matching = Callable[[Sequence[MatchedElement], Sequence[Any]], tuple[float, list[str]]]


def in_order(elements: Sequence[MatchedElement], got: Sequence[Any]) -> tuple[float, list[str]]:
    """Pair elements by position."""
    score, wrong = 0.0, []
    for at, element in enumerate(elements):
        outcome = element.compare(got[at]) if at < len(got) else FieldOutcome(0.0, "absent")
        score += outcome.score
        if outcome.score < 1:
            wrong.append(f"[{at}]: {outcome.verdict}")
    return score, wrong


def in_any_order(elements: Sequence[MatchedElement], got: Sequence[Any]) -> tuple[float, list[str]]:
    """Pair elements in the order of their scores; each element of the answer is used once."""
    outcomes = [[element.compare(item) for item in got] for element in elements]
    pairs = sorted(
        (
            (outcome.score, -row, -column)
            for row, line in enumerate(outcomes)
            for column, outcome in enumerate(line)
        ),
        reverse=True,
    )
    rows: dict[int, float] = {}
    columns: set[int] = set()
    for score, row, column in pairs:
        if score > 0 and -row not in rows and -column not in columns:
            rows[-row] = score
            columns.add(-column)
    wrong = []
    for row, element in enumerate(elements):
        if row not in rows:
            wrong.append(f"{element.shown}: absent")
        elif rows[row] < 1:
            wrong.append(f"{element.shown}: in part")
    return sum(rows.values()), wrong


def by_key(by: str) -> Matching:
    """Return the matching that pairs elements by one of their keys."""

    def match(elements: Sequence[MatchedElement], got: Sequence[Any]) -> tuple[float, list[str]]:
        score, wrong = 0.0, []
        for element in elements:
            assert element.key is not None
            fitting = [
                item
                for item in got
                if isinstance(item, Mapping) and by in item and element.key(item[by]).score == 1
            ]
            if len(fitting) != 1:
                wrong.append(f"{element.shown}: {'absent' if not fitting else f'{len(fitting)} times'}")
                continue
            outcome = element.compare(fitting[0])
            score += outcome.score
            if outcome.score < 1:
                wrong.append(f"{element.shown}: {outcome.verdict}")
        return score, wrong

    return match
