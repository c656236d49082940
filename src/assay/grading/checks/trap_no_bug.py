"""Flags an answer that claims a bug in correct code."""

from __future__ import annotations

from typing import ClassVar

from assay.core.ask import Ask, Reply
from assay.core.case import Case, GraderSpec
from assay.core.grade import Grade
from assay.grading.checks.flag import flag, graded
from assay.grading.checks.parameters import faults
from assay.grading.constraint_kinds.kind import texts
from assay.grading.text.bug_claim import bug_claim, elsewhere
from assay.grading.text.claim import claims
from assay.grading.text.pattern import compiled
from assay.grading.text.prose import prose

PARAMETERS = (texts("bugs", required=False),)


class TrapNoBug:
    """Flags an answer that claims a bug in correct code.

    Parameters: `bugs` (patterns of bugs that are not there, besides the built-in wordings of
    `text/bug_claim.py` and `lexicon/bugs.txt`). Suggestions, minor issues, bugs that are denied, supposed,
    taken back or placed elsewhere (in another language) are no claims. Where nothing says that the code is
    correct, a fault told without the word and a change that is prescribed claim a bug too.
    """

    name: ClassVar[str] = "trap_no_bug"
    version: ClassVar[str] = "2"

    def problems(self, spec: GraderSpec) -> tuple[str, ...]:
        """Return what is wrong with the parameters."""
        return tuple(faults(spec, PARAMETERS, patterns=("bugs",)))

    def asks(self, case: Case, spec: GraderSpec, answer: str) -> tuple[Ask, ...]:
        """Ask nothing: the check is mechanical."""
        return ()

    def read(self, case: Case, spec: GraderSpec, answer: str, replies: tuple[Reply, ...]) -> Grade:
        """Return 1, or 0 with the words that claim a bug."""
        text = prose(answer)
        patterns = (compiled(source, ignore_case=True) for source in spec.parameters.get("bugs", ()))
        found = claims(text, patterns)
        span = found.asserted.span() if found.asserted else None
        if span is not None and elsewhere(text, *span):
            span = None
        if span is None and (claim := bug_claim(text)):
            span = (claim.start, claim.end)
        if span is None:
            return graded((), denied=found.dismissed)
        where = text.place(*span)
        return graded((flag("CLAIMS_BUG", f"claims a bug: {where['words']!r}", **where),))
