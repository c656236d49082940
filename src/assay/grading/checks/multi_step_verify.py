"""Flags an answer that does not conclude with the expected result."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, ClassVar

from assay.core.ask import Ask, Reply
from assay.core.case import Case, GraderSpec
from assay.core.grade import Grade
from assay.grading.checks.parameters import faults
from assay.grading.constraint_kinds.kind import text, texts
from assay.grading.numbers.expected import gold

PARAMETERS = (
    texts("accept", required=False),
    text("kind", choices=("number", "text"), required=False),
)


class MultiStepVerify:
    """Flags an answer that does not conclude with the expected result."""

    name: ClassVar[str] = "multi_step_verify"
    version: ClassVar[str] = "1"

    def problems(self, spec: GraderSpec) -> tuple[str, ...]:
        """Return what is wrong with the parameters."""
        given = spec.parameters
        found = faults(spec, PARAMETERS, also=("expect",))
        expect, kind = given.get("expect"), kind_of(given)
        if isinstance(expect, bool) or not isinstance(expect, int | float | str) or not str(expect).strip():
            found.append(f"expect is {expect!r}: write the number or text that the answer ends up with")
        elif kind == "number" and gold(expect) is None:
            found.append(f"expect is {expect!r}, which is not one number: write it so, or `kind: text`")
        return tuple(found)

    def asks(self, case: Case, spec: GraderSpec, answer: str) -> tuple[Ask, ...]:
        """Ask nothing: the check is mechanical."""
        return ()

    def read(self, case: Case, spec: GraderSpec, answer: str, replies: tuple[Reply, ...]) -> Grade:
        """Return ungraded: only the parameters are checked in this version."""
        return Grade.ungraded("this check reads no answers yet")


def kind_of(given: Mapping[str, Any]) -> str:
    """Return `number` or `text`: as declared, or else by what is expected."""
    if "kind" in given:
        return str(given["kind"])
    return "number" if gold(given.get("expect")) is not None else "text"
