"""Flags an answer that is not the JSON asked for."""

from __future__ import annotations

from collections.abc import Mapping
from typing import ClassVar

from assay.core.ask import Ask, Reply
from assay.core.case import Case, GraderSpec
from assay.core.grade import Grade
from assay.grading.checks.parameters import faults
from assay.grading.constraint_kinds.kind import flag, texts
from assay.grading.fields.path import parse_path

TYPES = ("string", "integer", "number", "boolean", "array", "object", "null")

PARAMETERS = (
    flag("bare"),
    texts("keys", required=False),
)


class JsonValid:
    """Flags an answer that is not the JSON asked for."""

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
                    parse_path(part or "$")
                except ValueError as fault:
                    found.append(f"path {path!r}: {fault}")
        return tuple(found)

    def asks(self, case: Case, spec: GraderSpec, answer: str) -> tuple[Ask, ...]:
        """Ask nothing: the check is mechanical."""
        return ()

    def read(self, case: Case, spec: GraderSpec, answer: str, replies: tuple[Reply, ...]) -> Grade:
        """Return ungraded: only the parameters are checked in this version."""
        return Grade.ungraded("this check reads no answers yet")
