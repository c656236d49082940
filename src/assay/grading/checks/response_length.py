"""Flags an answer that is too long or too short."""

from __future__ import annotations

from typing import ClassVar

from assay.core.ask import Ask, Reply
from assay.core.case import Case, GraderSpec
from assay.core.grade import Grade
from assay.grading.checks.parameters import faults, in_order, one_of
from assay.grading.constraint_kinds.kind import count

PARAMETERS = (
    count("max_words", required=False),
    count("min_words", required=False),
    count("max_sentences", required=False),
)


class ResponseLength:
    """Flags an answer that is too long or too short."""

    name: ClassVar[str] = "response_length"
    version: ClassVar[str] = "1"

    def problems(self, spec: GraderSpec) -> tuple[str, ...]:
        """Return what is wrong with the parameters."""
        return tuple(
            faults(spec, PARAMETERS)
            + in_order(spec.parameters, "min_words", "max_words")
            + one_of(spec.parameters, "max_words", "min_words", "max_sentences")
        )

    def asks(self, case: Case, spec: GraderSpec, answer: str) -> tuple[Ask, ...]:
        """Ask nothing: the check is mechanical."""
        return ()

    def read(self, case: Case, spec: GraderSpec, answer: str, replies: tuple[Reply, ...]) -> Grade:
        """Return ungraded: only the parameters are checked in this version."""
        return Grade.ungraded("this check reads no answers yet")
