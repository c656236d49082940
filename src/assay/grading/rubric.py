"""A judge's mark by a rubric, 1 to 5. Without a judge every answer is ungraded, never guessed."""

from __future__ import annotations

from typing import ClassVar

from assay.core.ask import Ask, Reply
from assay.core.case import Case, GraderSpec
from assay.core.grade import Grade


class Rubric:
    """Marks an answer by the rubric of its use case and the criteria of its case.

    Judges are not wired in yet, so the grade is `ungraded` with that reason. The rubric's text and the
    calibration exemplars already enter the suite's digest, so that grading later needs no new version.
    """

    name: ClassVar[str] = "rubric"
    version: ClassVar[str] = "1"

    def problems(self, spec: GraderSpec) -> tuple[str, ...]:
        """Return what is wrong with the parameters: the rubric and criteria must be text."""
        known = {"rubric", "criteria"}
        unknown = sorted(set(spec.parameters) - known)
        found = [f"unknown parameter {name!r}: write one of {sorted(known)}" for name in unknown]
        if not str(spec.parameters.get("rubric") or "").strip():
            found.append("no rubric: give the use case a `rubric` text with an anchor for each mark 1-5")
        return tuple(found)

    def asks(self, case: Case, spec: GraderSpec, answer: str) -> tuple[Ask, ...]:
        """Ask nothing while no judge is wired in."""
        return ()

    def read(self, case: Case, spec: GraderSpec, answer: str, replies: tuple[Reply, ...]) -> Grade:
        """Return `ungraded`, with the reason."""
        return Grade.ungraded("no judge: judged grading is not available in this version")
