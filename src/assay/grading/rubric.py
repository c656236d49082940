"""A judge's mark by a rubric, 1 to 5, with a rationale. Whole marks: there are no halves."""

from __future__ import annotations

from typing import ClassVar

from assay.core.ask import ModelAsk, ModelReply
from assay.core.case import Case, GraderSpec
from assay.core.judging import Bench, Mark, Shown
from assay.grading.judging.question import Questions, Sections, task
from assay.grading.judging.texts import text_faults


class Rubric:
    """Marks an answer by the rubric of its use case and the criteria of its case.

    A judge is shown the task, the ideal answer where the case has one, rubric, criteria, what the
    auto-checks flagged, and the answer. It replies with a whole mark from 1 to 5; a half, or anything
    else, is unreadable: one more ask, then no mark.
    """

    name: ClassVar[str] = "rubric"
    version: ClassVar[str] = "2"
    bench: ClassVar[Bench] = "panel"
    scale: ClassVar[tuple[float, float]] = (1.0, 5.0)

    def __init__(self) -> None:
        self._questions = Questions(self.name, (1, 5), sections)

    def problems(self, spec: GraderSpec) -> tuple[str, ...]:
        """Return what is wrong with the parameters: all are texts, and `rubric` must be there."""
        wanted = {"rubric": "give the use case a `rubric` text with an anchor for each mark 1-5"}
        return text_faults(spec.parameters, wanted, ("criteria", "ideal"))

    def metrics(self, spec: GraderSpec) -> tuple[str, ...]:
        """Return the one thing a judge marks."""
        return ("rubric",)

    def essence(self, case: Case, spec: GraderSpec, metric: str) -> str:
        """Return the hash of all that bears on a mark besides judge, answer and flags."""
        return self._questions.essence(case, spec)

    def ask(self, case: Case, spec: GraderSpec, metric: str, shown: Shown) -> ModelAsk:
        """Return the question to a judge about one answer."""
        return self._questions.ask(case, spec, metric, shown)

    def read(
        self, case: Case, spec: GraderSpec, metric: str, shown: Shown, replies: tuple[ModelReply, ...]
    ) -> Mark | ModelAsk:
        """Return the judge's mark, 1-5, or one more ask after an unreadable reply."""
        return self._questions.read(case, spec, metric, shown, replies)


def sections(case: Case, spec: GraderSpec) -> Sections:
    """Return what a judge is shown before the answer."""
    told = spec.parameters
    named = (("IDEAL ANSWER", "ideal"), ("RUBRIC", "rubric"), ("CRITERIA", "criteria"))
    return (*task(case), *((name, str(told[key])) for name, key in named if told.get(key)))
