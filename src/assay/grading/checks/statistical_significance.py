"""Flags an answer that draws the wrong conclusion about significance, or none."""

from __future__ import annotations

import re
from typing import ClassVar

from assay.core.ask import Ask, Reply
from assay.core.case import Case, GraderSpec
from assay.core.grade import Grade
from assay.grading.checks.flag import flag, graded
from assay.grading.checks.parameters import faults
from assay.grading.constraint_kinds.kind import Parameter, Shape, texts
from assay.grading.text.pattern import compiled
from assay.grading.text.prose import prose
from assay.grading.text.sentence import sentence
from assay.grading.text.significance import conclusion

PARAMETERS = (
    Parameter("significant", Shape.FLAG),
    texts("must", required=False),
)


_DENIED = re.compile(r"(?:\b(?:not|never|no|without)|n't)\s+(?:(?!but\b|rather\b|only\b)\w+\s+){0,2}\Z")
"""Denies the words that follow ("not a matched comparison")."""


class StatisticalSignificance:
    """Flags an answer that concludes the opposite about significance, concludes nothing, or leaves a fact
    out.

    Parameters: `significant` (the right conclusion), `must` (patterns that have to be found and not
    denied). Practical or clinical significance, significance levels, conditions and questions are no
    conclusions. Where no words conclude, a p-value that is the only one does, at 5 %.
    """

    name: ClassVar[str] = "statistical_significance"
    version: ClassVar[str] = "2"

    def problems(self, spec: GraderSpec) -> tuple[str, ...]:
        """Return what is wrong with the parameters."""
        return tuple(faults(spec, PARAMETERS, patterns=("must",)))

    def asks(self, case: Case, spec: GraderSpec, answer: str) -> tuple[Ask, ...]:
        """Ask nothing: the check is mechanical."""
        return ()

    def read(self, case: Case, spec: GraderSpec, answer: str, replies: tuple[Reply, ...]) -> Grade:
        """Return 1, or 0 with the conclusion found and the facts missing."""
        given = spec.parameters
        text = prose(answer, code=True)
        found = conclusion(text)
        flags = []
        if found is None:
            flags.append(flag("NO_CONCLUSION", "concludes nothing about significance"))
        elif found.significant is not given["significant"]:
            where = text.place(*sentence(text.low, found.start, found.end))
            verdict = "significant" if found.significant else "not significant"
            flags.append(flag("OPPOSITE_CONCLUSION", f"concludes that it is {verdict}", **where))
        for source in given.get("must", ()):
            found_there = compiled(source, ignore_case=True).finditer(text.text)
            if all(
                _DENIED.search(text.low[max(0, match.start() - 40) : match.start()]) for match in found_there
            ):
                flags.append(flag("MISSING", f"nothing matches {source!r}", pattern=source))
        return graded(flags, concludes=None if found is None else found.significant)
