"""Checks of marked documents against pydantic models: every problem in plain words, with its line."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from difflib import get_close_matches
from typing import Any, TypeVar, get_args, get_origin

from pydantic import BaseModel, ConfigDict, ValidationError
from pydantic.fields import FieldInfo

from assay.core.canonical import canonical
from assay.core.shape_errors import what_to_write
from assay.files.marked_yaml import Marked, Place

KEY_LIKE = re.compile(
    r"(sk-|xox[a-z]-|gh[pousr]_|hf_|AIza|key-|Bearer )[\w./+-]{8,}"
    r"|(?=[A-Za-z]*\d)[A-Za-z0-9]{24,}|[A-Za-z0-9+_-]{40,}"
)


class StrictShape(BaseModel):
    """A mapping in a file that users write: no unknown keys, no silent conversions, immutable."""

    model_config = ConfigDict(extra="forbid", strict=True, frozen=True, allow_inf_nan=False)


ShapeT = TypeVar("ShapeT", bound=StrictShape)


def check(marked: Marked, shape: type[ShapeT]) -> ShapeT | None:
    """Return a document as its shape; if it does not fit, None, with its problems added to the document.

    A message ends with the field's `description`, which says what to write.
    """
    if marked.value is None and marked.problems:
        return None
    return check_part(marked, (), marked.value, shape)


def check_part(marked: Marked, place: Place, value: object, shape: type[ShapeT]) -> ShapeT | None:
    """Return the part of a document at a place as its shape; if it does not fit, add the problems."""
    if not isinstance(value, dict):
        fault = "is empty" if value is None else f"is {shown(value)}"
        subject = repr(_dotted(place)) if place else "the file"
        marked.refuse(f"{subject} {fault}: write a mapping with {_required(shape)}", place)
        return None
    try:
        return shape.model_validate(value)
    except ValidationError as error:
        for details in error.errors(include_url=False):
            _add_problem(marked, place, shape, dict(details))
        return None


def check_parameters(parameters: Mapping[str, Any], place: Place, marked: Marked) -> None:
    """Refuse generation parameters that cannot be sent to a model."""
    try:
        canonical(parameters)
    except ValueError as error:
        marked.refuse(f"'parameters': {error}: write finite numbers", place)
    reasoning = parameters.get("reasoning")
    if isinstance(reasoning, dict) and {"effort", "max_tokens"} <= set(reasoning):
        text = "'parameters.reasoning' has both `effort` and `max_tokens`: keep one"
        marked.refuse(text, (*place, "reasoning"))


def shown(value: object) -> str:
    """Return a value for a message: its `repr`, cut at 60 characters, unless it looks like a key."""
    return "a value that looks like a secret (not shown)" if KEY_LIKE.search(repr(value)) else cut(value)


def cut(value: object) -> str:
    """Return the `repr` of a value, cut at 60 characters."""
    text = repr(value)
    return text if len(text) <= 60 else f"{text[:57]}..."


def near(name: str, known: Iterable[str]) -> str:
    """Return the advice for an unknown name: the closest known name, or all of them."""
    known = sorted(known)
    close = get_close_matches(name, known, n=1, cutoff=0.6)
    if close:
        return f"did you mean {close[0]!r}?"
    return f"write one of {', '.join(known)}" if known else "remove it"


def _required(shape: type[BaseModel]) -> str:
    return ", ".join(
        f"`{field.alias or name}`" for name, field in shape.model_fields.items() if field.is_required()
    )


def _add_problem(marked: Marked, above: Place, shape: type[BaseModel], error: Mapping[str, Any]) -> None:
    kind = str(error["type"])
    owner, field, inner = _locate(shape, tuple(error["loc"]))
    place = (*above, *inner)
    name = _dotted(place)
    write = (field.description if field is not None else None) or what_to_write(error)
    if kind == "extra_forbidden":
        known = [field.alias or key for key, field in owner.model_fields.items()]
        text = f"unknown key {name!r}: {near(str(place[-1]), known)}"
    elif kind == "missing":
        text = f"{name!r} is missing: write {write}"
    elif kind == "value_error":
        text = f"{name!r} {str(error['msg']).removeprefix('Value error, ')}"
    else:
        text = f"{name!r} is {shown(error['input'])}: write {write}"
    marked.refuse(text, place)


def _dotted(place: Place) -> str:
    text = ""
    for part in place:
        text += f"[{part}]" if isinstance(part, int) else f".{part}" if text else part
    return text


def _locate(shape: type[BaseModel], place: Place) -> tuple[type[BaseModel], FieldInfo | None, Place]:
    """Return the innermost shape and field of a place, and the place without pydantic's own labels."""
    owner = shape
    field: FieldInfo | None = None
    annotation: Any = shape
    path: list[str | int] = []
    for part in place:
        annotation = _without_none(annotation)
        if isinstance(annotation, type) and issubclass(annotation, BaseModel):
            owner = annotation
            path.append(part)
            fields = {field.alias or key: field for key, field in annotation.model_fields.items()}
            field = fields.get(str(part))
            annotation = None if field is None else field.annotation
        elif isinstance(part, int) or get_origin(annotation) in (dict, Mapping):
            path.append(part)
            annotation = (*get_args(annotation), None)[1 if get_origin(annotation) in (dict, Mapping) else 0]
    return owner, field, tuple(path)


def _without_none(annotation: Any) -> Any:
    """Return the annotation without its `| None`."""
    parts = [part for part in get_args(annotation) if part is not type(None)]
    return parts[0] if type(None) in get_args(annotation) and parts else annotation
