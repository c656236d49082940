"""Flags an answer that claims a bug in correct code."""

from __future__ import annotations

from typing import ClassVar

from assay.core.ask import Ask, Reply
from assay.core.case import Case, GraderSpec
from assay.core.grade import Grade
from assay.grading.checks.parameters import faults
from assay.grading.constraint_kinds.kind import texts

PARAMETERS = (texts("bugs", required=False),)


class TrapNoBug:
    """Flags an answer that claims a bug in correct code."""

    name: ClassVar[str] = "trap_no_bug"
    version: ClassVar[str] = "1"

    def problems(self, spec: GraderSpec) -> tuple[str, ...]:
        """Return what is wrong with the parameters."""
        return tuple(faults(spec, PARAMETERS, patterns=("bugs",)))

    def asks(self, case: Case, spec: GraderSpec, answer: str) -> tuple[Ask, ...]:
        """Ask nothing: the check is mechanical."""
        return ()

    def read(self, case: Case, spec: GraderSpec, answer: str, replies: tuple[Reply, ...]) -> Grade:
        """Return ungraded: only the parameters are checked in this version."""
        return Grade.ungraded("this check reads no answers yet")
