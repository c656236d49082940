"""Dotted paths into a JSON document: `vendor.name`, `items[0].price`, `items[sku=A-1].price`."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from assay.grading.fields.document import DuplicateValues

_STEP = re.compile(
    r'\.?(?:"((?:[^"\\]|\\.)*)"|((?:[^.\[\]"\\]|\\.)+))|\[\s*(-?\d+)\s*\]|\[\s*([^\[\]=]+?)\s*=\s*([^\[\]]*?)\s*\]'
)
_ESCAPE = re.compile(r"\\(.)")


@dataclass(frozen=True, slots=True)
class ElementWith:
    """A step to the one element of a list whose `key` has this `value`."""

    key: str
    value: str


Step = str | int | ElementWith


@dataclass(frozen=True, slots=True)
class Absent:
    """The result for a path without a value, with the reason."""

    why: str


def parse_path(path: str) -> tuple[Step, ...]:
    """Return the steps of a path; `$` is the document itself. Raises ValueError for an invalid path.

    A key with dots or brackets is written in double quotes or with backslashes: `"a.b".c`, `a\\.b.c`.
    """
    if path == "$":
        return ()
    rest = path.removeprefix("$")
    steps: list[Step] = []
    at = 0
    while at < len(rest):
        match = _STEP.match(rest, at)
        if match is None or (at == 0 and rest.startswith(".") and rest is path):
            raise ValueError(f"invalid path {path!r} at {rest[at:]!r}: write keys, [index] or [key=value]")
        if at and match[0][0] not in ".[":
            raise ValueError(f"invalid path {path!r}: write a dot before {rest[at:]!r}")
        quoted, name, index, key, value = match.groups()
        if index is not None:
            steps.append(int(index))
        elif key is not None:
            steps.append(ElementWith(key, value.strip("\"'")))
        else:
            steps.append(_ESCAPE.sub(r"\1", quoted if quoted is not None else name))
        at = match.end()
    if not steps:
        raise ValueError("a path must not be empty: write a key, or '$' for the whole document")
    return tuple(steps)


def look_up(root: Any, steps: Sequence[Step]) -> Any:
    """Return the value at a path, or `Absent` with the reason."""
    here = root
    for step in steps:
        if isinstance(here, DuplicateValues):
            return here
        if isinstance(step, str):
            if not isinstance(here, Mapping):
                return Absent(f"{_kind(here)} where an object with {step!r} should be")
            if step not in here:
                return Absent(f"no key {step!r}")
            here = here[step]
        elif not isinstance(here, list):
            return Absent(f"{_kind(here)} where a list should be")
        elif isinstance(step, int):
            if not -len(here) <= step < len(here):
                return Absent(f"no element [{step}] in a list of {len(here)}")
            here = here[step]
        else:
            fitting = [item for item in here if _fits(item, step)]
            if len(fitting) != 1:
                number = "no element" if not fitting else f"{len(fitting)} elements"
                return Absent(f"{number} with {step.key} = {step.value!r}")
            here = fitting[0]
    return here


def _fits(item: Any, step: ElementWith) -> bool:
    """Return whether an element has the step's key and value, ignoring case and outer spaces."""
    if not isinstance(item, Mapping) or step.key not in item:
        return False
    value, text = item[step.key], step.value
    if isinstance(value, bool) or value is None:
        return {True: "true", False: "false", None: "null"}[value] == text
    return not isinstance(value, list | Mapping) and str(value).strip().casefold() == text.casefold()


def _kind(value: Any) -> str:
    names = {dict: "an object", list: "a list", str: "a text", bool: "a boolean", type(None): "null"}
    return names.get(type(value), "a number")
