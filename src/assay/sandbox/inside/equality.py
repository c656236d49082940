"""Comparisons that the classes of the code under test cannot decide for themselves."""

from __future__ import annotations

import builtins
import types
from collections import Counter, deque
from collections.abc import Callable
from fractions import Fraction
from typing import Any

# Functions find builtins in this dictionary, not in the module that the code under test can change.
PRISTINE: dict[str, Any] = dict(vars(builtins))
globals()["__builtins__"] = PRISTINE

HEAP_TYPE = 1 << 9
IMMUTABLE_TYPE = 1 << 8
SHOWN = 100

type_flags = type.__dict__["__flags__"].__get__
type_mro = type.__dict__["__mro__"].__get__
type_name = type.__dict__["__name__"].__get__

ATOMS = frozenset({type(None), bool, int, float, complex, str, bytes, bytearray, type(Ellipsis), type})
CONTAINERS = (list, tuple, set, frozenset, dict, deque)
VIEWS: tuple[type, ...] = (type({}.keys()), type({}.items()))
# Built in and compared by what they hold: how to look inside, or None where that would run other code.
HOLDERS: dict[type, Callable[[Any], list[Any]] | None] = {
    slice: lambda value: [value.start, value.stop, value.step],
    types.SimpleNamespace: lambda value: [*vars(value).values()],
    types.MappingProxyType: None,
    types.GenericAlias: None,
}
# Python classes of the standard library, trusted while they are as they were at the start.
LIBRARY = {made: dict(vars(made)) for made in (Fraction, Counter)}
UNWRAP: dict[type, Callable[[Any], Any]] = {
    int: int.__pos__,
    float: float.__pos__,
    complex: complex.__pos__,
    str: str.__str__,
    bytes: lambda value: bytes.__getitem__(value, slice(None)),
    bytearray: lambda value: bytearray.__getitem__(value, slice(None)),
}
OPERATORS: dict[str, Callable[[Any, Any], Any]] = {
    "==": lambda left, right: left == right,
    "!=": lambda left, right: left != right,
    "<": lambda left, right: left < right,
    "<=": lambda left, right: left <= right,
    ">": lambda left, right: left > right,
    ">=": lambda left, right: left >= right,
    "in": lambda left, right: left in right,
    "not in": lambda left, right: left not in right,
    "is": lambda left, right: left is right,
    "is not": lambda left, right: left is not right,
}


class Foreign(Exception):
    """A value is, or holds, an object of a class that Python code made."""


def comparison(own_equality: bool) -> tuple[Callable[..., Any], Callable[[str], str]]:
    """Return `compare(operators, *operands)`, for chains too, and `explain(source)` for a failed assertion.

    Comparing an object of a class that the code made with a plain value raises AssertionError, since
    that class would decide the outcome; with `own_equality` the class may.
    """
    last: list[str] = []

    def compare(operators: tuple[str, ...], *operands: Any) -> Any:
        last.clear()
        result: Any = True
        for operator, left, right in zip(operators, operands, operands[1:], strict=False):
            if not own_equality and operator not in ("is", "is not"):
                left, right = settled(operator, left, right)
            result = OPERATORS[operator](left, right)
            if result is False:
                last.append(f"{show(left)} {operator} {show(right)} does not hold")
                return False
        return result

    def explain(source: str) -> str:
        return f"{source} ({last[0]})" if last else source

    return compare, explain


def settled(operator: str, left: Any, right: Any) -> tuple[Any, Any]:
    """Return both sides as plain values, or untouched when both are of the code's own classes."""
    if operator in ("in", "not in"):
        if hasattr(type(right), "__next__"):
            right = [*right]
        elif not any(base in CONTAINERS for base in type_mro(type(right))) and python_class(type(right)):
            return left, right  # `__contains__` of the code's class is what is tested
    plain_left, plain_right = plain_or_none(left), plain_or_none(right)
    if plain_left is None and plain_right is None:
        return left, right
    for side, found in ((left, plain_left), (right, plain_right)):
        if found is None:
            kind = type_name(type(side))
            raise AssertionError(
                f"a plain value was compared with one of, or holding, a class of its own ({kind})"
            )
    assert plain_left is not None and plain_right is not None
    return plain_left[0], plain_right[0]


def plain_or_none(value: Any) -> tuple[Any] | None:
    """Return the plain form of the value in a tuple, or None when it has none."""
    try:
        return (plain(value),)
    except Foreign:
        return None


def plain(value: Any) -> Any:
    """Return the value with every subclass of a built-in replaced by the built-in it derives from.

    What is plain already is returned as it is. Raises Foreign for an object of a class made in Python
    that derives from no built-in, and for what holds one.
    """
    kind = type(value)
    if kind in ATOMS:
        return value
    for base in type_mro(kind):
        if base in CONTAINERS:
            return plain_container(value, base)
        if base in UNWRAP:
            return UNWRAP[base](value) if python_class(kind) else value
    if kind in VIEWS:
        return {plain(item) for item in value}
    if kind is Fraction and is_library(kind) and type(value._numerator) is type(value._denominator) is int:
        return value
    if kind in HOLDERS:
        inside = HOLDERS[kind]
        if inside is None or unchanged(inside(value)) is None:
            raise Foreign
    elif python_class(kind):
        raise Foreign
    return value


def plain_container(value: Any, base: Any) -> Any:
    """Return a container of plain values; the same one when nothing in it had to be replaced."""
    trusted = not python_class(type(value)) or is_library(type(value))
    if base is dict:
        pairs = [*dict.items(value)]
        keys, values = [key for key, _ in pairs], [item for _, item in pairs]
        if trusted and unchanged(keys) is not None and unchanged(values) is not None:
            return value
        return {plain(key): plain(item) for key, item in pairs}
    items = [*base.__iter__(value)]
    if trusted and unchanged(items) is not None:
        return value
    return base([plain(item) for item in items])


def unchanged(items: list[Any]) -> list[Any] | None:
    """Return the items when all are plain as they stand, else None. Raises Foreign as `plain` does."""
    if ATOMS.issuperset(map(type, items)):
        return items
    return items if all(plain(item) is item for item in items) else None


def python_class(kind: type) -> bool:
    """Tell whether Python code made the class (a C class cannot be changed, nor made at run time)."""
    flags = type_flags(kind)
    return bool(flags & HEAP_TYPE) and not flags & IMMUTABLE_TYPE


def is_library(kind: type) -> bool:
    """Tell whether it is a class of the standard library that nobody has changed."""
    return kind in LIBRARY and all(vars(kind).get(name) is was for name, was in LIBRARY[kind].items())


def show(value: Any) -> str:
    """Return a short text for an error line that runs no code of the value's own class."""
    found = plain_or_none(value)
    if found is None:
        return f"a {type_name(type(value))}"
    try:
        text = repr(found[0])
    except ValueError:
        return "a number too long to show"
    return text if len(text) <= SHOWN else text[:SHOWN] + "..."
