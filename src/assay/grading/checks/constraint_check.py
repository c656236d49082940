"""Flags an answer that breaks a format constraint, lacks a pattern, or holds a forbidden one."""

from __future__ import annotations

import re
from typing import ClassVar

from assay.core.ask import Ask, Reply
from assay.core.case import Case, GraderSpec
from assay.core.grade import Grade
from assay.grading.checks.flag import flag, graded
from assay.grading.checks.parameters import faults, one_of
from assay.grading.constraint_kinds.kind import texts
from assay.grading.constraints import check
from assay.grading.constraints import problems as constraint_faults
from assay.grading.text import pattern
from assay.grading.text.answer import visible
from assay.grading.text.prose import marked_down

PARAMETERS = (
    texts("must", required=False),
    texts("must_not", required=False),
)


class ConstraintCheck:
    """Flags an answer that breaks one of several constraints.

    Parameters: `constraints` (as in the `constraints` grader), `must` and `must_not` (patterns).
    Patterns are looked for in the answer as it is, and without Markdown's marks and with ASCII
    quotes; either will do for both lists.
    """

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
        """Return 1, or 0 with each constraint broken and each pattern missing or found."""
        given = spec.parameters
        shown = visible(answer)
        flags = []
        for constraint in given.get("constraints", ()):
            parameters = {name: value for name, value in constraint.items() if name != "kind"}
            found = check(constraint["kind"], parameters, shown)
            if not found.followed:
                says = f"{found.kind}: counted {_short(found.finding.counted)}, wanted {found.finding.wanted}"
                flags.append(flag("CONSTRAINT_BROKEN", says, kind=found.kind, counted=found.finding.counted))
        text = shown[: pattern.LONGEST]
        plain = marked_down(text).text
        for source in given.get("must", ()):
            if not _find(source, text, plain):
                flags.append(flag("MISSING", f"nothing matches {source!r}", pattern=source))
        for source in given.get("must_not", ()):
            if match := _find(source, text, plain):
                line = match.string.count("\n", 0, match.start()) + 1
                words = match[0][:120]
                flags.append(flag("FORBIDDEN", f"holds {words!r}", pattern=source, words=words, line=line))
        return graded(flags)


def _find(source: str, text: str, plain: str) -> re.Match[str] | None:
    compiled = pattern.compiled(source, ignore_case=True)
    return compiled.search(text) or compiled.search(plain)


def _short(counted: object) -> str:
    return str(counted)[:80]
