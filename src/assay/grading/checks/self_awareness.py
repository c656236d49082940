"""Flags an answer that does not acknowledge a limit, or claims what is not so."""

from __future__ import annotations

from typing import ClassVar

from assay.core.ask import Ask, Reply
from assay.core.case import Case, GraderSpec
from assay.core.grade import Grade
from assay.grading.checks.parameters import faults
from assay.grading.constraint_kinds.kind import texts

PARAMETERS = (
    texts("limitation", required=False),
    texts("claims", required=False),
)


class SelfAwareness:
    """Flags an answer that does not acknowledge a limit, or claims what is not so."""

    name: ClassVar[str] = "self_awareness"
    version: ClassVar[str] = "1"

    def problems(self, spec: GraderSpec) -> tuple[str, ...]:
        """Return what is wrong with the parameters."""
        return tuple(
            faults(
                spec,
                PARAMETERS,
                patterns=(
                    "limitation",
                    "claims",
                ),
            )
        )

    def asks(self, case: Case, spec: GraderSpec, answer: str) -> tuple[Ask, ...]:
        """Ask nothing: the check is mechanical."""
        return ()

    def read(self, case: Case, spec: GraderSpec, answer: str, replies: tuple[Reply, ...]) -> Grade:
        """Return ungraded: only the parameters are checked in this version."""
        return Grade.ungraded("this check reads no answers yet")
