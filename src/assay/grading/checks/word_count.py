"""Flags a text whose number of words is off its target."""

from __future__ import annotations

from typing import ClassVar

from assay.core.ask import Ask, Reply
from assay.core.case import Case, GraderSpec
from assay.core.grade import Grade
from assay.grading.checks.flag import flag, graded
from assay.grading.checks.parameters import faults
from assay.grading.constraint_kinds.kind import count
from assay.grading.text.count import words, words_of
from assay.grading.text.draft import readings

PARAMETERS = (
    count("target"),
    count("tolerance", required=False),
)

TOLERANCE = 0.1


class WordCount:
    """Flags a text whose number of words is off its target.

    Parameters: `target`, `tolerance` (words either way; default 10 % of the target). `text/count.py`
    says what a word is. The answer passes when any reading of it fits: whole, or without what
    stands around the text (`text/draft.py`).
    """

    name: ClassVar[str] = "word_count"
    version: ClassVar[str] = "1"

    def problems(self, spec: GraderSpec) -> tuple[str, ...]:
        """Return what is wrong with the parameters."""
        return tuple(faults(spec, PARAMETERS))

    def asks(self, case: Case, spec: GraderSpec, answer: str) -> tuple[Ask, ...]:
        """Ask nothing: the check is mechanical."""
        return ()

    def read(self, case: Case, spec: GraderSpec, answer: str, replies: tuple[Reply, ...]) -> Grade:
        """Return 1, or 0 with the counts of all readings."""
        target = spec.parameters["target"]
        tolerance = spec.parameters.get("tolerance", target * TOLERANCE)
        count = words(answer)
        counts = {"the whole answer": count}
        if abs(count - target) > tolerance:
            counts |= {name: words_of(text) for name, text in readings(answer)}
        if any(abs(each - target) <= tolerance for each in counts.values()):
            return graded((), words=count, target=target, readings=counts)
        says = f"{count} words, {target} wanted, {tolerance:g} either way"
        return graded((flag("WORD_COUNT", says, words=count),), words=count, target=target, readings=counts)
