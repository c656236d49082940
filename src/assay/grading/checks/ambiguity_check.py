"""Flags an answer to an unclear request that neither asks back nor says what it assumed."""

from __future__ import annotations

from typing import ClassVar

from assay.core.ask import Ask, Reply
from assay.core.case import Case, GraderSpec
from assay.core.grade import Grade
from assay.grading.checks.parameters import faults
from assay.grading.constraint_kinds.kind import flag, texts

PARAMETERS = (
    texts("about", required=False),
    flag("accept_assumptions"),
)


class AmbiguityCheck:
    """Flags an answer to an unclear request that neither asks back nor says what it assumed."""

    name: ClassVar[str] = "ambiguity_check"
    version: ClassVar[str] = "1"

    def problems(self, spec: GraderSpec) -> tuple[str, ...]:
        """Return what is wrong with the parameters."""
        return tuple(faults(spec, PARAMETERS))

    def asks(self, case: Case, spec: GraderSpec, answer: str) -> tuple[Ask, ...]:
        """Ask nothing: the check is mechanical."""
        return ()

    def read(self, case: Case, spec: GraderSpec, answer: str, replies: tuple[Reply, ...]) -> Grade:
        """Return ungraded: only the parameters are checked in this version."""
        return Grade.ungraded("this check reads no answers yet")
