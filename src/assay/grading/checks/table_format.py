"""Flags an answer whose table has not the shape asked for."""

from __future__ import annotations

from typing import ClassVar

from assay.core.ask import Ask, Reply
from assay.core.case import Case, GraderSpec
from assay.core.grade import Grade
from assay.grading.checks.parameters import faults, one_of
from assay.grading.constraint_kinds.kind import count, flag, texts

PARAMETERS = (
    count("rows", required=False),
    count("columns", required=False),
    texts("header", required=False),
    flag("only"),
)


class TableFormat:
    """Flags an answer whose table has not the shape asked for."""

    name: ClassVar[str] = "table_format"
    version: ClassVar[str] = "1"

    def problems(self, spec: GraderSpec) -> tuple[str, ...]:
        """Return what is wrong with the parameters."""
        return tuple(faults(spec, PARAMETERS) + one_of(spec.parameters, "rows", "columns", "header"))

    def asks(self, case: Case, spec: GraderSpec, answer: str) -> tuple[Ask, ...]:
        """Ask nothing: the check is mechanical."""
        return ()

    def read(self, case: Case, spec: GraderSpec, answer: str, replies: tuple[Reply, ...]) -> Grade:
        """Return ungraded: only the parameters are checked in this version."""
        return Grade.ungraded("this check reads no answers yet")
