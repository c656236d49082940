"""Values of records as texts and options, whatever form a file gives them."""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Mapping
from typing import Any

from assay.questions.keys import LETTERS
from assay.questions.refusal import Reason, Refused

Value = Callable[[Mapping[str, Any]], Any]
_OPTION_LINES = re.compile(r"\s*(?:\n|\||｜|(?<=[;；\s])\s*(?=[(（]?[B-J][)）.．、:：]))\s*")


def way_to(key: str, below: str) -> Value:
    """Return how to read a key of a record, or the key `below` of the object there."""
    if not below:
        return lambda record: record.get(key)
    return lambda record: found.get(below) if isinstance(found := record.get(key), dict) else None


def first_of(record: Mapping[str, Any], ways: tuple[Value, ...]) -> Any:
    """Return the first value that is there and not empty; None without one."""
    for way in ways:
        value = way(record)
        if value is not None and value != "" and value != []:
            return value
    return None


def text_of(value: Any) -> str:
    """Return a value as a text, an empty one for None; a number without a needless `.0`."""
    if isinstance(value, str):
        return value
    if value is None:
        return ""
    if isinstance(value, float) and value.is_integer():
        return str(int(value))
    return str(value) if isinstance(value, int | float) else json.dumps(value, ensure_ascii=False)


def columns_of(found: list[str]) -> list[str]:
    """Return options from columns of their own, without the empty ones at the end."""
    while found and not found[-1].strip():
        found.pop()
    return found


def options_of(value: Any) -> list[str] | Refused:
    """Return the options that a value holds: a list, an object by letters, texts in one text."""
    if value is None:
        return []
    if isinstance(value, str):
        text = value.strip()
        if text.startswith(("[", "{")):
            try:
                return options_of(json.loads(text))
            except json.JSONDecodeError:
                pass
        parts = [part for part in _OPTION_LINES.split(text) if part]
        return [part.rstrip(";；") for part in parts] if len(parts) > 1 else Refused(Reason.OPTIONS_FORM)
    if isinstance(value, dict):
        if isinstance(value.get("text"), list):
            return [text_of(each) for each in value["text"]]
        letters = [str(key).strip().upper() for key in value]
        if letters != list(LETTERS[: len(letters)]):
            return Refused(Reason.OPTION_GAP if sorted(set(letters)) == letters else Reason.OPTION_ORDER)
        return [text_of(each) for each in value.values()]
    if isinstance(value, list):
        return [text_of(each.get("text")) if isinstance(each, dict) else text_of(each) for each in value]
    return Refused(Reason.OPTIONS_FORM)
