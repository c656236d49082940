"""Flags an edited text that is not short enough, or too short."""

from __future__ import annotations

from typing import ClassVar

from assay.core.ask import Ask, Reply
from assay.core.case import Case, GraderSpec
from assay.core.grade import Grade
from assay.grading.checks.parameters import amount, faults, in_order
from assay.grading.constraint_kinds.kind import count

PARAMETERS = (
    count("max_words", required=False),
    count("min_words", required=False),
)


class WordCountReduction:
    """Flags an edited text that is not short enough, or too short."""

    name: ClassVar[str] = "word_count_reduction"
    version: ClassVar[str] = "1"

    def problems(self, spec: GraderSpec) -> tuple[str, ...]:
        """Return what is wrong with the parameters."""
        given = spec.parameters
        found = faults(spec, PARAMETERS, also=("original", "share"))
        found += in_order(given, "min_words", "max_words")
        original = given.get("original")
        if isinstance(original, bool) or not isinstance(original, int | str) or not original:
            found.append(f"original is {original!r}: write the original text, or its number of words")
        if ("max_words" in given) == ("share" in given):
            found.append("give one of max_words and share (most words as a share of the original)")
        if "share" in given:
            found += amount(given, "share", 0.01, 1)
        return tuple(found)

    def asks(self, case: Case, spec: GraderSpec, answer: str) -> tuple[Ask, ...]:
        """Ask nothing: the check is mechanical."""
        return ()

    def read(self, case: Case, spec: GraderSpec, answer: str, replies: tuple[Reply, ...]) -> Grade:
        """Return ungraded: only the parameters are checked in this version."""
        return Grade.ungraded("this check reads no answers yet")
