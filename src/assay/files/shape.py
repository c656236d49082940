"""Checks a marked document against a pydantic model and says every problem in plain words, with its line."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from difflib import get_close_matches
from typing import Any, TypeVar, get_args, get_origin

from pydantic import BaseModel, ConfigDict, ValidationError
from pydantic.fields import FieldInfo

from assay.files.marked import Marked, Place

KEY_LIKE = re.compile(
    r"(sk-|xox[a-z]-|gh[pousr]_|hf_|AIza|key-|Bearer )[\w./+-]{8,}"
    r"|(?=[A-Za-z]*\d)[A-Za-z0-9]{24,}|[A-Za-z0-9+_-]{40,}"
)


class Shape(BaseModel):
    """A mapping in a file that users write: no unknown keys, no silent conversions, immutable."""

    model_config = ConfigDict(extra="forbid", strict=True, frozen=True, allow_inf_nan=False)


ShapeT = TypeVar("ShapeT", bound=Shape)


def check(marked: Marked, shape: type[ShapeT]) -> ShapeT | None:
    """Return a document as its shape, or None with every reason added to its problems.

    Each field's `description` in the shape says what to write; it ends the message.
    """
    if marked.value is None and marked.problems:
        return None
    return check_part(marked, (), marked.value, shape)


def check_part(marked: Marked, place: Place, value: object, shape: type[ShapeT]) -> ShapeT | None:
    """Return the part of a document at a place as its shape, or None with every reason added."""
    if not isinstance(value, dict):
        found = "is empty" if value is None else f"is {shown(value)}"
        marked.refuse(f"{_named(place)}{found}: write a mapping with {_fields(shape)}", place)
        return None
    try:
        return shape.model_validate(value)
    except ValidationError as error:
        for one in error.errors(include_url=False):
            _tell(marked, place, shape, dict(one))
        return None


def shown(value: object) -> str:
    """Return a value as messages show it: `repr`, cut at 60 characters, and never something like a key."""
    return "a value that looks like a secret (not shown)" if KEY_LIKE.search(repr(value)) else cut(value)


def cut(value: object) -> str:
    """Return the `repr` of a value, cut at 60 characters."""
    text = repr(value)
    return text if len(text) <= 60 else f"{text[:57]}..."


def near(name: str, known: Iterable[str]) -> str:
    """Return what to write instead of an unknown name: the closest known one, or all of them."""
    known = sorted(known)
    close = get_close_matches(name, known, n=1, cutoff=0.6)
    if close:
        return f"did you mean {close[0]!r}?"
    return f"write one of {', '.join(known)}" if known else "remove it"


def _fields(shape: type[BaseModel]) -> str:
    return ", ".join(
        f"`{field.alias or name}`" for name, field in shape.model_fields.items() if field.is_required()
    )


def _tell(marked: Marked, above: Place, shape: type[BaseModel], error: Mapping[str, Any]) -> None:
    kind = str(error["type"])
    owner, field, inner = _follow(shape, tuple(error["loc"]))
    place = (*above, *inner)
    name = _dotted(place)
    write = (field.description if field is not None else None) or str(error["msg"])
    if kind == "extra_forbidden":
        known = [field.alias or key for key, field in owner.model_fields.items()] if owner else []
        text = f"unknown key {name!r}: {near(str(place[-1]), known)}"
    elif kind == "missing":
        text = f"{name!r} is missing: write {write}"
    elif kind == "value_error":
        text = f"{_named(place)}{str(error['msg']).removeprefix('Value error, ')}"
    else:
        text = f"{name!r} is {shown(error['input'])}: write {write}"
    marked.refuse(text, place)


def _named(place: Place) -> str:
    return f"{_dotted(place)!r} " if place else ""


def _dotted(place: Place) -> str:
    text = ""
    for part in place:
        text += f"[{part}]" if isinstance(part, int) else f".{part}" if text else part
    return text


def _follow(shape: type[BaseModel], place: Place) -> tuple[type[BaseModel] | None, FieldInfo | None, Place]:
    """Return the innermost shape and field of a place, and the place without pydantic's own labels."""
    owner: type[BaseModel] | None = shape
    field: FieldInfo | None = None
    inside: Any = shape
    real: list[str | int] = []
    for part in place:
        inside = _present(inside)
        if isinstance(inside, type) and issubclass(inside, BaseModel):
            owner = inside
            real.append(part)
            named = {found.alias or key: found for key, found in inside.model_fields.items()}
            field = named.get(str(part))
            inside = None if field is None else field.annotation
        elif isinstance(part, int) or get_origin(inside) in (dict, Mapping):
            real.append(part)
            inside = (*get_args(inside), None)[1 if get_origin(inside) in (dict, Mapping) else 0]
    return owner, field, tuple(real)


def _present(annotation: Any) -> Any:
    """Return the annotation without its `| None`."""
    parts = [part for part in get_args(annotation) if part is not type(None)]
    return parts[0] if type(None) in get_args(annotation) and parts else annotation
