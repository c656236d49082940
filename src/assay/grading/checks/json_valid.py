"""Flags an answer that is not the JSON asked for."""

from __future__ import annotations

import json
from collections.abc import Mapping
from decimal import Decimal
from typing import Any, ClassVar

from assay.core.ask import Ask, Reply
from assay.core.case import Case, GraderSpec
from assay.core.grade import Grade
from assay.grading.checks.flag import flag, graded
from assay.grading.checks.parameters import faults
from assay.grading.constraint_kinds.kind import flag as switch
from assay.grading.constraint_kinds.kind import texts
from assay.grading.fields.document import Document, find_document
from assay.grading.fields.path import Absent, look_up, parse_path
from assay.grading.text.answer import cut, visible

TYPES = ("string", "integer", "number", "boolean", "array", "object", "null")

PARAMETERS = (
    switch("bare"),
    texts("keys", required=False),
)

MOST = 20


class JsonValid:
    """Flags an answer that is not the JSON asked for.

    Parameters: `bare` (default true: no fence, no prose), `keys` (dotted paths that must be there),
    `types` (path to `string`, `integer`, `number`, `boolean`, `array`, `object` or `null`;
    `string|null` allows either; `items[*].price` means every element). The JSON is strict: no
    comments, trailing commas, single quotes or NaN.
    """

    name: ClassVar[str] = "json_valid"
    version: ClassVar[str] = "1"

    def problems(self, spec: GraderSpec) -> tuple[str, ...]:
        """Return what is wrong with the parameters."""
        given = spec.parameters
        found = faults(spec, PARAMETERS, also=("types",))
        types = given.get("types", {})
        if not isinstance(types, Mapping):
            return (*found, f"types is {types!r}: map each path to one of {', '.join(TYPES)}")
        for path, kind in types.items():
            if unknown := sorted({part.strip() for part in str(kind).split("|")} - {*TYPES}):
                found.append(f"types: {path!r} is {unknown[0]!r}: write one of {', '.join(TYPES)}")
        keys = given.get("keys", ())
        for path in (*(keys if isinstance(keys, list | tuple) else ()), *types):
            for part in str(path).split("[*]"):
                try:
                    parse_path(part.removeprefix(".") or "$")
                except ValueError as fault:
                    found.append(f"path {path!r}: {fault}")
        return tuple(found)

    def asks(self, case: Case, spec: GraderSpec, answer: str) -> tuple[Ask, ...]:
        """Ask nothing: the check is mechanical."""
        return ()

    def read(self, case: Case, spec: GraderSpec, answer: str, replies: tuple[Reply, ...]) -> Grade:
        """Return 1, or 0 with what is around the JSON, missing from it, or of another type."""
        given = spec.parameters
        text = visible(answer).strip().removeprefix("\ufeff").strip()
        document = _document(text)
        if document.error:
            return graded((flag("NOT_JSON", document.error),), where=document.where)
        flags = []
        if given.get("bare", True) and document.where != "the whole answer":
            fenced = text.startswith("```") and text.endswith("```") and text.count("```") == 2
            code, says = (
                ("FENCED", "the JSON is in a fence")
                if fenced
                else ("PROSE_AROUND", "text stands around the JSON")
            )
            flags.append(flag(code, says, words=cut(text, 120)))
        types = given.get("types", {})
        for path in dict.fromkeys((*given.get("keys", ()), *types)):
            for where, value in _at(document.root, path, path.split("[*]")):
                if isinstance(value, Absent):
                    flags.append(flag("MISSING_KEY", f"{where}: {value.why}", path=where))
                elif path in types and not _fits(value, types[path]):
                    flags.append(
                        flag("WRONG_TYPE", f"{where} is {_kind(value)}, not {types[path]}", path=where)
                    )
        extra = {"duplicates": document.duplicates} if document.duplicates else {}
        return graded(flags[:MOST], where=document.where, **extra)


def _document(text: str) -> Document:
    """The whole answer where it is JSON of any kind, else the object or array in it."""
    array = text.startswith("[")
    found = find_document(text, array=array)
    if found.where == "the whole answer":
        return found
    try:
        root = json.loads(text, parse_float=Decimal, parse_constant=_refuse)
    except (ValueError, RecursionError):
        pass
    else:
        return Document(root, "the whole answer", "", [], 1)
    if not found.error:
        return found
    other = find_document(text, array=not array)
    return found if other.error else other


def _refuse(constant: str) -> Any:
    raise ValueError(f"{constant} is not JSON")


def _at(root: Any, path: str, parts: list[str]) -> list[tuple[str, Any]]:
    """Return each place that a path names, with its value; `[*]` names every element."""
    first, rest = parts[0], parts[1:]
    value = look_up(root, parse_path(first.removeprefix(".") or "$"))
    if not rest or isinstance(value, Absent):
        return [(path, value)]
    if not isinstance(value, list):
        return [(path, Absent(f"{_kind(value)} where a list should be"))]
    return [
        (f"{first}[{number}]{where if where.startswith(('.', '[')) or not where else '.' + where}", found)
        for number, element in enumerate(value)
        for where, found in _at(element, "[*]".join(rest), rest)
    ]


def _fits(value: Any, kinds: str) -> bool:
    kind = _kind(value)
    return any(
        kind == (one := each.strip()) or (one == "number" and kind == "integer") for each in kinds.split("|")
    )


def _kind(value: Any) -> str:
    if isinstance(value, bool):
        return "boolean"
    if isinstance(value, Decimal):
        return "integer" if value == value.to_integral_value() else "number"
    names = {str: "string", int: "integer", list: "array", dict: "object", type(None): "null"}
    return names.get(type(value), "several values")
