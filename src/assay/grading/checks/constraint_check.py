"""Flags an answer that breaks a format constraint, lacks a pattern, or holds a forbidden one."""

from __future__ import annotations

from typing import ClassVar

from assay.core.ask import Ask, Reply
from assay.core.case import Case, GraderSpec
from assay.core.grade import Grade
from assay.grading.checks.parameters import faults, one_of
from assay.grading.constraint_kinds.kind import texts
from assay.grading.constraints import problems as constraint_faults

PARAMETERS = (
    texts("must", required=False),
    texts("must_not", required=False),
)


class ConstraintCheck:
    """Flags an answer that breaks a format constraint, lacks a pattern, or holds a forbidden one."""

    name: ClassVar[str] = "constraint_check"
    version: ClassVar[str] = "1"

    def problems(self, spec: GraderSpec) -> tuple[str, ...]:
        """Return what is wrong with the parameters."""
        found = faults(spec, PARAMETERS, patterns=("must", "must_not"), also=("constraints",))
        found += one_of(spec.parameters, "constraints", "must", "must_not")
        if "constraints" in spec.parameters:
            found += constraint_faults(spec.parameters["constraints"])
        return tuple(found)

    def asks(self, case: Case, spec: GraderSpec, answer: str) -> tuple[Ask, ...]:
        """Ask nothing: the check is mechanical."""
        return ()

    def read(self, case: Case, spec: GraderSpec, answer: str, replies: tuple[Reply, ...]) -> Grade:
        """Return ungraded: only the parameters are checked in this version."""
        return Grade.ungraded("this check reads no answers yet")
