"""Keys of a JSON document that nobody declared."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from assay.grading.fields.path import parse_path

EVERY = "[]"
Shape = dict[str, "Shape | None"]
"""Declared keys by level; None where a value may hold anything. `[]` is every element of a list."""


def shape_of(fields: Mapping[str, Any]) -> Shape:
    """Return the shape that declared fields give a document."""
    root: Shape = {}
    for path, declared in fields.items():
        here = root
        steps = [step if isinstance(step, str) else EVERY for step in parse_path(str(path))]
        inner = _inner(declared)
        if not steps:
            _merge(root, inner)
            continue
        open_below = False
        for step in steps[:-1]:
            below = here.setdefault(step, {})
            if below is None:
                open_below = True
                break
            here = below
        if open_below:
            continue
        there = here.setdefault(steps[-1], inner)
        if there is not None and inner is not None:
            _merge(there, inner)
    return root


def extra_keys(root: Any, shape: Shape) -> list[str]:
    """Return the paths of undeclared keys, in the document's order; nothing below a leaf is looked at."""
    return list(_extras(root, shape, ""))


def _extras(value: Any, shape: Shape | None, path: str) -> Iterator[str]:
    if shape is None:
        return
    if isinstance(value, list):
        if EVERY in shape:
            for at, item in enumerate(value):
                yield from _extras(item, shape[EVERY], f"{path}[{at}]")
    elif isinstance(value, Mapping):
        for key, item in value.items():
            below = f"{path}.{key}" if path else str(key)
            if key not in shape:
                yield below
            else:
                yield from _extras(item, shape[key], below)


def _inner(declared: Any) -> Shape | None:
    """The shape below a declared field: known for objects and lists of objects, else anything."""
    if not isinstance(declared, Mapping) or declared.get("type") not in ("list", "object"):
        return None
    members = declared.get("fields")
    if declared["type"] == "object":
        members = members or declared.get("expect")
        return {str(name): _inner(member) for name, member in members.items()} if members else None
    if members:
        return {EVERY: {str(name): _inner(member) for name, member in members.items()}}
    if isinstance(declared.get("of"), Mapping):
        return {EVERY: _inner(declared["of"])}
    expect = declared.get("expect")
    if not isinstance(expect, list | tuple) or not all(isinstance(item, Mapping) for item in expect):
        return None
    return {EVERY: {str(name): None for item in expect for name in item}}


def _merge(into: Shape, more: Shape | None) -> None:
    for key, below in (more or {}).items():
        there = into.setdefault(key, below)
        if there is not None and below is not None:
            _merge(there, below)
