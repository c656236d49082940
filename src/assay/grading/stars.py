"""A judge's stars for an examination answer, 0 to 3, by conclusion and explanation (seed 003, appendix B)."""

from __future__ import annotations

from typing import ClassVar

from assay.core.ask import ModelAsk, ModelReply
from assay.core.case import Case, GraderSpec
from assay.core.judging import Bench, Mark, Shown
from assay.grading.judging.question import Questions, Sections, task
from assay.grading.judging.texts import text_faults


class Stars:
    """Gives 0 to 3 stars: at most 1 for a wrong conclusion, at least 2 for a correct one, by its explanation.

    The parameter `reference` is the correct answer, which is binding. `question` takes the task's place
    where the candidate saw it in another form; `criteria` and `rubric` say more exactly what counts.
    The asks are sealed, since they carry the key.
    """

    name: ClassVar[str] = "stars"
    version: ClassVar[str] = "2"
    bench: ClassVar[Bench] = "panel"
    scale: ClassVar[tuple[float, float]] = (0.0, 3.0)

    def __init__(self) -> None:
        self._questions = Questions(self.name, (0, 3), sections, sealed=True)

    def problems(self, spec: GraderSpec) -> tuple[str, ...]:
        """Return what is wrong with the parameters: `reference`, and where given the others, are texts."""
        wanted = {"reference": "give the correct answer, with what its explanation must hold"}
        return text_faults(spec.parameters, wanted, ("question", "criteria", "rubric"))

    def metrics(self, spec: GraderSpec) -> tuple[str, ...]:
        """Return the one thing a judge marks."""
        return ("stars",)

    def essence(self, case: Case, spec: GraderSpec, metric: str) -> str:
        """Return the hash of all that bears on a mark besides judge, answer and flags."""
        return self._questions.essence(case, spec)

    def ask(self, case: Case, spec: GraderSpec, metric: str, shown: Shown) -> ModelAsk:
        """Return the question to a judge about one answer."""
        return self._questions.ask(case, spec, metric, shown)

    def read(
        self, case: Case, spec: GraderSpec, metric: str, shown: Shown, replies: tuple[ModelReply, ...]
    ) -> Mark | ModelAsk:
        """Return the judge's stars, 0-3, or one more ask after an unreadable reply."""
        return self._questions.read(case, spec, metric, shown, replies)


def sections(case: Case, spec: GraderSpec) -> Sections:
    """Return what a judge is shown before the answer."""
    told = spec.parameters
    asked: Sections = (("TASK", str(told["question"])),) if told.get("question") else task(case)
    named = (("CORRECT ANSWER", "reference"), ("RUBRIC", "rubric"), ("CRITERIA", "criteria"))
    return (*asked, *((name, str(told[key])) for name, key in named if told.get(key)))
