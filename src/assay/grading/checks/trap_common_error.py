"""Flags an answer that states a common error, or lacks the right fact."""

from __future__ import annotations

from typing import ClassVar

from assay.core.ask import Ask, Reply
from assay.core.case import Case, GraderSpec
from assay.core.grade import Grade
from assay.grading.checks.flag import flag, graded
from assay.grading.checks.parameters import faults, one_of
from assay.grading.constraint_kinds.kind import texts
from assay.grading.text.claim import claims
from assay.grading.text.pattern import compiled
from assay.grading.text.prose import prose

PARAMETERS = (
    texts("wrong", required=False),
    texts("right", required=False),
)


class TrapCommonError:
    """Flags an answer that states a common error, or lacks the right fact.

    Parameters: `wrong` (patterns of the error; naming it to reject it is not stating it), `right`
    (patterns of which any gives the right fact). Errors are looked for in the prose, facts in the
    code too.
    """

    name: ClassVar[str] = "trap_common_error"
    version: ClassVar[str] = "2"

    def problems(self, spec: GraderSpec) -> tuple[str, ...]:
        """Return what is wrong with the parameters."""
        return tuple(
            faults(
                spec,
                PARAMETERS,
                patterns=(
                    "wrong",
                    "right",
                ),
            )
            + one_of(spec.parameters, "wrong", "right")
        )

    def asks(self, case: Case, spec: GraderSpec, answer: str) -> tuple[Ask, ...]:
        """Ask nothing: the check is mechanical."""
        return ()

    def read(self, case: Case, spec: GraderSpec, answer: str, replies: tuple[Reply, ...]) -> Grade:
        """Return 1, or 0 with the error stated or the fact missing."""
        given = spec.parameters
        text = prose(answer)
        flags = []
        found = claims(text, (compiled(source, ignore_case=True) for source in given.get("wrong", ())))
        if found.asserted:
            where = text.place(*found.asserted.span())
            flags.append(
                flag("STATES_ERROR", f"states {where['words']!r}", pattern=found.asserted.re.pattern, **where)
            )
        if "right" in given:
            whole = prose(answer, code=True).text if "```" in answer or "~~~" in answer else text.text
            if not any(compiled(source, ignore_case=True).search(whole) for source in given["right"]):
                flags.append(
                    flag(
                        "LACKS_FACT",
                        "says nothing that matches the right fact",
                        patterns=list(given["right"]),
                    )
                )
        return graded(flags, rejected=found.dismissed)
