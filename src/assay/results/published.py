"""The JSON document of a published result, and its JSON Schema."""

from __future__ import annotations

import dataclasses
from collections import Counter
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from datetime import UTC, date, datetime
from enum import Enum, IntEnum
from functools import cache, cached_property
from pathlib import PurePath
from types import NoneType, UnionType
from typing import Annotated, Any, Final, TypeVar, Union, get_args, get_origin, get_type_hints

from pydantic import TypeAdapter

from assay.results.figure import Figure, Flat, FromEpoch, Hidden, Listed, utc

DIALECT = "https://json-schema.org/draft/2020-12/schema"
_LEAVES: Final = (str, int, float, bool, NoneType)
Mark = TypeVar("Mark")


@dataclass(frozen=True)
class Field:
    """One field of a result's document: its name there, its type, its figure, and its path of attributes."""

    name: str
    hint: Any
    figure: Figure | None
    path: tuple[str, ...]
    optional: bool

    def of(self, result: Any) -> Any:
        """Return the field's value, or None if a flat part of the result is None."""
        for attribute in self.path:
            if result is None:
                return None
            result = getattr(result, attribute)
        return datetime.fromtimestamp(result, UTC) if self._from_epoch and result is not None else result

    def document(self, result: Any) -> Any:
        """Return the field's value in the document."""
        value = self.of(result)
        return document(value if self._listed is None else _objects(value, self._listed))

    @cached_property
    def _from_epoch(self) -> bool:
        return _mark(self.hint, FromEpoch) is not None

    @cached_property
    def _listed(self) -> Listed | None:
        return _mark(self.hint, Listed)


def document(result: Any) -> Any:
    """Return a result as a JSON document, with its fields in the order of their declaration.

    A member of an enum is published by its value, and a member of an `IntEnum` by its name.
    """
    if isinstance(result, Enum):
        return result.name if isinstance(result, IntEnum) else result.value
    if isinstance(result, _LEAVES):
        return result
    if dataclasses.is_dataclass(result):
        return {field.name: field.document(result) for field in fields(result.__class__)}
    if isinstance(result, (tuple, list)):
        return [document(part) for part in result]
    if isinstance(result, Mapping):
        return {str(name): document(part) for name, part in result.items()}
    if isinstance(result, datetime):
        return utc(result)
    if isinstance(result, date):
        return result.isoformat()
    if isinstance(result, PurePath):
        return str(result)
    raise TypeError(f"{type(result).__name__} cannot be published: {result!r}")


def kinds_of(hint: Any) -> set[type]:
    """Return the classes of the values that a field publishes: `{float, NoneType}` for `float | None`."""
    if _mark(hint, FromEpoch) is not None:
        return {datetime}
    bare, _ = _unwrapped(hint)
    inner = [_unwrapped(option)[0] for option in _options(bare)]
    return {get_origin(option) or option for option in inner}


def elements_of(hint: Any) -> set[Any]:
    """Return the types of a list's elements: `{str}` for `tuple[str, ...] | None`, none for other fields."""
    options = [_unwrapped(option)[0] for option in _options(_unwrapped(hint)[0])]
    lists = [option for option in options if get_origin(option) in (tuple, list)]
    return {_unwrapped(part)[0] for option in lists for part in get_args(option) if part is not Ellipsis}


@cache
def fields(kind: Any) -> tuple[Field, ...]:
    """Return the fields of the document of a kind of result; a flat part is replaced by its fields.

    Properties that are annotated with a Figure, or as flat parts, come after the fields.
    """
    return tuple(_fields(kind))


def schema(kind: type, title: str) -> dict[str, Any]:
    """Return the JSON Schema of a kind of result: every field is required, and no other is allowed."""
    parts: dict[str, Any] = {}
    top = {"$schema": DIALECT, "title": title, **_object(kind, parts)}
    return {**top, "$defs": dict(sorted(parts.items()))} if parts else top


def _fields(kind: type) -> Iterator[Field]:
    hints = get_type_hints(kind, include_extras=True)
    for declared in dataclasses.fields(kind):
        if not any(isinstance(mark, Hidden) for mark in _unwrapped(hints[declared.name])[1]):
            yield from _published(declared.name, hints[declared.name])
    for name, attribute in vars(kind).items():
        if isinstance(attribute, property):
            hint = get_type_hints(attribute.fget, include_extras=True)["return"]
            if any(isinstance(mark, (Figure, Flat)) for mark in _unwrapped(hint)[1]):
                yield from _published(name, hint)


def _published(name: str, hint: Any) -> Iterator[Field]:
    """Yield the fields that an attribute has in the document: one, or those of a flat part."""
    bare, marks = _unwrapped(hint)
    flat = next((mark for mark in marks if isinstance(mark, Flat)), None)
    figure = next((mark for mark in marks if isinstance(mark, Figure)), None)
    if flat is None:
        yield Field(
            (figure.name if figure is not None else "") or name, hint, figure, (name,), optional=False
        )
        return
    options = [part for part in _options(bare) if part is not NoneType]
    optional = len(options) < len(_options(bare))
    for inner in fields(options[0]):
        if not flat.only or inner.name in flat.only:
            yield Field(
                flat.named(inner.name),
                inner.hint,
                inner.figure if figure is None else figure,
                (name, *inner.path),
                optional=optional or inner.optional,
            )


def _mark(hint: Any, kind: type[Mark]) -> Mark | None:
    """Return the mark of a kind in a field's annotation, or in the annotation of one of its options."""
    bare, marks = _unwrapped(hint)
    inside = [mark for option in _options(bare) for mark in _unwrapped(option)[1]]
    return next((mark for mark in (*marks, *inside) if isinstance(mark, kind)), None)


def _objects(values: Any, listed: Listed) -> list[dict[str, Any]]:
    if not listed.value:
        return [{listed.name: value} for value in values]
    if isinstance(values, Mapping):
        values = values.most_common() if isinstance(values, Counter) else values.items()
    return [{listed.name: first, listed.value: second} for first, second in values]


def _unwrapped(hint: Any) -> tuple[Any, tuple[Any, ...]]:
    if get_origin(hint) is Annotated:
        inner, *marks = get_args(hint)
        return inner, tuple(marks)
    return hint, ()


def _options(hint: Any) -> tuple[Any, ...]:
    return get_args(hint) if get_origin(hint) in (Union, UnionType) else (hint,)


def _object(kind: type, parts: dict[str, Any]) -> dict[str, Any]:
    properties = {}
    for field in fields(kind):
        shape = _shape(field.hint, parts)
        if field.optional:
            shape = _any_of([shape, {"type": "null"}])
        if field.figure is not None:
            shape = {**shape, **field.figure.bounds, "description": field.figure.explanation}
        properties[field.name] = shape
    return _closed(properties)


def _closed(properties: dict[str, Any]) -> dict[str, Any]:
    return {
        "type": "object",
        "properties": properties,
        "required": list(properties),
        "additionalProperties": False,
    }


def _shape(hint: Any, parts: dict[str, Any]) -> dict[str, Any]:
    bare, marks = _unwrapped(hint)
    options = _options(bare)
    if len(options) > 1:
        return _any_of([_shape(option, parts) for option in options])
    if dataclasses.is_dataclass(bare) and isinstance(bare, type):
        if bare.__name__ not in parts:
            parts[bare.__name__] = {}
            parts[bare.__name__] = _object(bare, parts)
        return {"$ref": f"#/$defs/{bare.__name__}"}
    if isinstance(bare, type) and issubclass(bare, IntEnum):
        return {"enum": [member.name for member in bare]}
    origin, inside = get_origin(bare), get_args(bare)
    listed = _mark(hint, Listed)
    if listed is not None:
        pair = inside[:1]
        if listed.value and issubclass(origin, Mapping):
            pair = (inside[0], int if origin is Counter else inside[1])
        elif listed.value:
            pair = get_args(inside[0])
        entry = {
            name: _shape(part, parts) for name, part in zip((listed.name, listed.value), pair, strict=False)
        }
        return {"type": "array", "items": _closed(entry)}
    if origin in (tuple, list) or (isinstance(origin, type) and issubclass(origin, (tuple, list))):
        if len(inside) == 2 and inside[1] is not Ellipsis:
            items = [_shape(part, parts) for part in inside]
            return {"type": "array", "prefixItems": items, "minItems": 2, "maxItems": 2}
        return {"type": "array", "items": _shape(inside[0], parts)}
    if isinstance(origin, type) and issubclass(origin, Mapping):
        return {"type": "object", "additionalProperties": _shape(inside[1], parts)}
    leaf = TypeAdapter(hint if marks else bare).json_schema(mode="serialization")
    for keyword in ("title", "$defs"):
        leaf.pop(keyword, None)
    return leaf


def _any_of(shapes: list[dict[str, Any]]) -> dict[str, Any]:
    """Return a schema that any of the shapes satisfies; plain types are merged into one list of types."""
    flat = [part for shape in shapes for part in shape.get("anyOf", [shape])]
    if all(set(part) == {"type"} for part in flat):
        types = [
            name
            for part in flat
            for name in ([part["type"]] if isinstance(part["type"], str) else part["type"])
        ]
        return {"type": list(dict.fromkeys(types))}
    return {"anyOf": flat}
