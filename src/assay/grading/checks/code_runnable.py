"""Flags an answer whose Python code does not run."""

from __future__ import annotations

from typing import ClassVar

from assay.core.ask import Ask, Reply
from assay.core.case import Case, GraderSpec
from assay.core.grade import Grade
from assay.grading.checks.parameters import amount, faults
from assay.grading.code_tests import LONGEST
from assay.grading.constraint_kinds.kind import text, texts
from assay.grading.programs.suite import test_problems

PARAMETERS = (
    text("entry", required=False),
    text("tests", required=False),
    texts("banned", required=False),
)


class CodeRunnable:
    """Flags an answer whose Python code does not run."""

    name: ClassVar[str] = "code_runnable"
    version: ClassVar[str] = "1"

    def problems(self, spec: GraderSpec) -> tuple[str, ...]:
        """Return what is wrong with the parameters."""
        given = spec.parameters
        found = faults(spec, PARAMETERS, also=("seconds",))
        found += amount(given, "seconds", 0.1, LONGEST)
        entry, tests = given.get("entry"), given.get("tests")
        if entry is not None and not (isinstance(entry, str) and entry.isidentifier()):
            found.append(f"entry is {entry!r}: write the name of the function or class")
        elif isinstance(tests, str):
            found += (
                test_problems(tests, entry, ()) if entry else ["tests need `entry`: the name that they call"]
            )
        return tuple(found)

    def asks(self, case: Case, spec: GraderSpec, answer: str) -> tuple[Ask, ...]:
        """Ask nothing: the check is mechanical."""
        return ()

    def read(self, case: Case, spec: GraderSpec, answer: str, replies: tuple[Reply, ...]) -> Grade:
        """Return ungraded: only the parameters are checked in this version."""
        return Grade.ungraded("this check reads no answers yet")
