"""Lists and objects inside JSON, compared element by element with partial credit."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import date
from typing import Any

from assay.grading.fields.document import Duplicated
from assay.grading.fields.list_matching import Element, by_key, in_any_order, in_order
from assay.grading.fields.typed import (
    ABSENT_OPTION,
    EQUAL,
    OPTIONS,
    RIGHT_TYPE,
    Comparison,
    Outcome,
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
    """Return the comparison that a field declares; ValueError says what is wrong with it."""
    kind = field.get("type")
    if kind not in ALL_OPTIONS:
        raise ValueError(f"type {kind!r} is unknown: write one of {', '.join(ALL_OPTIONS)}")
    known = GENERAL | ALL_OPTIONS[kind]
    if unknown := sorted(set(map(str, field)) - known):
        options = ", ".join(sorted(known))
        raise ValueError(f"option {unknown[0]!r} is unknown for {kind}: write one of {options}")
    if kind in OPTIONS or field.get("expect", 0) is None:
        compare = scalar(kind if kind in OPTIONS else "null", field)
    else:
        compare = _list(field) if kind == "list" else _object(field)
    return _single(compare)


def _single(compare: Comparison) -> Comparison:
    """Refuse a key that stands several times with different values before comparing."""
    doubled = Outcome(0.0, "the key stands several times with different values")
    return lambda got: doubled if isinstance(got, Duplicated) else compare(got)


def inferred(value: Any) -> dict[str, Any]:
    """Return the field declaration that an expected value suggests by its own type."""
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
    if strange := sorted(set(map(str, expect)) - set(map(str, declared))):
        raise ValueError(f"expect holds {strange[0]!r}, which fields does not declare")
    members = {}
    for name, member in declared.items():
        if not isinstance(member, Mapping):
            raise ValueError(f"field {name!r} must be declared as {{type: ...}}")
        full = {**member, "expect": expect[name]} if name in expect else member
        weight = float(member.get("weight", 1))
        members[str(name)] = (comparison(full), weight, bool(member.get(ABSENT_OPTION)))
    total = sum(weight for _, weight, _ in members.values())

    def compare(got: Any) -> Outcome:
        if not isinstance(got, Mapping):
            return wrong_type("an object", got)
        score, wrong = 0.0, []
        for name, (member, weight, absent_is_null) in members.items():
            if name not in got and not absent_is_null:
                outcome = Outcome(0.0, "absent")
            else:
                outcome = member(got.get(name))
            score += weight * outcome.score
            if outcome.score < 1:
                wrong.append(f"{name}: {outcome.verdict}")
        if not wrong:
            return EQUAL
        return Outcome(score / total if partial else 0.0, "; ".join(wrong)[:200])

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

    def compare(got: Any) -> Outcome:
        if not isinstance(got, list):
            return wrong_type("a list", got)
        score, wrong = match(elements, got[:MOST_ELEMENTS])
        if len(got) > len(elements):
            wrong.append(f"{len(got) - len(elements)} more than the {len(elements)} expected")
        if not wrong:
            return EQUAL
        share = score / max(len(elements), len(got)) if got or elements else 1.0
        return Outcome(share if partial else 0.0, "; ".join(wrong)[:200])

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
    """Every element must be of the declared type; how many there are is free."""
    each = comparison(_declaration(field, None)) if "of" in field or "fields" in field else None

    def compare(got: Any) -> Outcome:
        if not isinstance(got, list):
            return wrong_type("a list", got)
        bad = [at for at, item in enumerate(got) if each is not None and each(item).score < 1]
        if not bad:
            return RIGHT_TYPE
        return Outcome(1 - len(bad) / len(got), f"{len(bad)} of {len(got)} elements are not as declared")

    return compare


def _element(field: Mapping[str, Any], item: Any, by: Any) -> Element:
    declared = _declaration(field, item)
    key = None
    if by is not None:
        if not isinstance(item, Mapping) or by not in item:
            raise ValueError(f"by {by!r} needs that key in every expected element")
        member = declared.get("fields", {}).get(by) or inferred(item[by])
        key = comparison({**member, "expect": item[by]})
    shown_key = f"{by} = {shown(item[by], 30)}" if by is not None else str(shown(item, 30))
    return Element(comparison({**declared, "expect": item}), key, shown_key)
