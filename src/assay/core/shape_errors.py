"""Errors of values that were checked against a shape, in plain words: the field, its value, what to write.

A shape is a pydantic model. Its errors have a kind, such as `int_parsing`, and a context, such as
`{"ge": 1}`; pydantic's own sentences are written for programmers and are never shown.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Mapping
from typing import Any, Final

_KINDS: Final = {
    **dict.fromkeys(("int_type", "int_parsing", "int_from_float", "int_parsing_size"), "a whole number"),
    **dict.fromkeys(("float_type", "float_parsing", "decimal_type", "decimal_parsing"), "a number"),
    "finite_number": "a finite number",
    "multiple_of": "a multiple of {multiple_of}",
    "greater_than": "a number above {gt}",
    "greater_than_equal": "a number of at least {ge}",
    "less_than": "a number below {lt}",
    "less_than_equal": "a number of at most {le}",
    **dict.fromkeys(("bool_type", "bool_parsing"), "true or false"),
    **dict.fromkeys(("string_type", "string_unicode"), "text"),
    "string_too_short": "text of at least {min_length} characters",
    "string_too_long": "text of at most {max_length} characters",
    "string_pattern_mismatch": "text that matches {pattern}",
    "string_not_ascii": "text in ASCII",
    **dict.fromkeys(("literal_error", "enum"), "{expected}"),
    **dict.fromkeys(("list_type", "tuple_type", "set_type", "frozen_set_type", "iterable_type"), "a list"),
    "too_short": "at least {min_length} elements",
    "too_long": "at most {max_length} elements",
    **dict.fromkeys(
        ("dict_type", "mapping_type", "model_type", "model_attributes_type", "dataclass_type"),
        "a mapping of names to values",
    ),
    **dict.fromkeys(
        ("date_type", "date_parsing", "date_from_datetime_parsing", "date_from_datetime_inexact"),
        "a date such as 2026-11-20",
    ),
    **dict.fromkeys(
        ("datetime_type", "datetime_parsing", "datetime_object_invalid", "datetime_from_date_parsing"),
        "a time such as 2026-11-20T06:00:00Z",
    ),
    "timezone_aware": "a time with its time zone, such as 2026-11-20T06:00:00Z",
    **dict.fromkeys(("url_type", "url_parsing", "url_scheme", "url_syntax_violation"), "a web address"),
    **dict.fromkeys(("uuid_type", "uuid_parsing", "uuid_version"), "a UUID"),
    "none_required": "nothing",
}
_POSITION: Final = re.compile(r"line (\d+) column (\d+)")


def what_to_write(error: Mapping[str, Any]) -> str:
    """Return what to write instead of a wrong value, as in `a whole number`."""
    form = _KINDS.get(error["type"], "another value")
    return form.format_map(error.get("ctx") or {})


def explain_shape_errors(
    errors: Iterable[Mapping[str, Any]],
    *,
    shown: Callable[[object], str] | None = None,
    labels: Iterable[str] = (),
) -> list[str]:
    """Return one sentence per error: the field, its value as `shown` writes it, and what to write instead.

    Values are left out without `shown`. `labels` are parts of an error's place that are not in the input,
    such as the name of a union's branch.
    """
    hidden = set(labels)
    return [_explain(error, shown, hidden) for error in errors]


def _explain(error: Mapping[str, Any], shown: Callable[[object], str] | None, hidden: Iterable[str]) -> str:
    kind, place = error["type"], ".".join(str(part) for part in error["loc"] if part not in hidden)
    subject = repr(place) if place else "the value"
    if kind == "missing":
        return f"{subject} is missing: add it"
    if kind in ("extra_forbidden", "unexpected_keyword_argument"):
        return f"unknown field {subject}: remove it"
    if kind == "json_invalid":
        return f"invalid JSON{_position(error)}: correct it"
    if kind in ("value_error", "assertion_error"):
        return f"{subject} {error['msg'].partition(', ')[2]}"
    value = "is not valid" if shown is None else f"is {shown(error['input'])}"
    return f"{subject} {value}: write {what_to_write(error)}"


def _position(error: Mapping[str, Any]) -> str:
    found = _POSITION.search(error["msg"])
    return "" if found is None else f" at line {found[1]}, column {found[2]}"
