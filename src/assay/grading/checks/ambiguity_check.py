"""Flags an answer to an unclear request that neither asks back nor says what it assumed."""

from __future__ import annotations

import re
from typing import ClassVar

from assay.core.ask import Ask, Reply
from assay.core.case import Case, GraderSpec
from assay.core.grade import Grade
from assay.grading.checks.flag import flag, graded
from assay.grading.checks.parameters import faults
from assay.grading.constraint_kinds.kind import flag as switch
from assay.grading.constraint_kinds.kind import texts
from assay.grading.prepared import Prepared
from assay.grading.text.assumption import assumption
from assay.grading.text.prose import prose
from assay.grading.text.question import requests

PARAMETERS = (
    texts("about", required=False),
    switch("accept_assumptions"),
)


class AmbiguityCheck:
    """Flags an answer to an unclear request that neither asks back nor says what it assumed.

    Parameters: `about` (words of which a question to the user must hold one, in any form),
    `accept_assumptions` (default true: a stated assumption, or the several readings that are
    answered, will do).
    """

    name: ClassVar[str] = "ambiguity_check"
    version: ClassVar[str] = "2"

    def problems(self, spec: GraderSpec) -> tuple[str, ...]:
        """Return what is wrong with the parameters."""
        return tuple(faults(spec, PARAMETERS))

    def asks(self, case: Case, spec: GraderSpec, answer: str) -> tuple[Ask, ...]:
        """Ask nothing: the check is mechanical."""
        return ()

    def read(self, case: Case, spec: GraderSpec, answer: str, replies: tuple[Reply, ...]) -> Grade:
        """Return 1 with the question or assumption found, or 0."""
        text = prose(answer)
        about = _PREPARED(spec)
        asked = 0
        for first, last in requests(text):
            asked += 1
            if about is None or about.search(text.low, first, last):
                return graded((), asked=text.place(first, last))
        if spec.parameters.get("accept_assumptions", True) and (stated := assumption(text)):
            return graded((), assumed=text.place(*stated))
        if asked:
            listed = ", ".join(map(str, spec.parameters["about"]))
            return graded(
                (
                    flag(
                        "ASKS_OF_ANOTHER_MATTER",
                        f"asks the user, but about none of: {listed}",
                        questions=asked,
                    ),
                )
            )
        says = "neither asks the user nor says what it assumes"
        if not spec.parameters.get("accept_assumptions", True):
            says = "asks the user nothing"
        return graded((flag("NOTHING_ASKED", says),))


def _about(spec: GraderSpec) -> re.Pattern[str] | None:
    words = spec.parameters.get("about")
    if not words:
        return None
    stems = "|".join(r"[\s-]+".join(map(re.escape, str(word).lower().split())) for word in words)
    return re.compile(rf"\b(?:{stems})")


_PREPARED: Prepared[re.Pattern[str] | None] = Prepared(_about)
