"""The judged graders `rubric` (marks 1 to 5) and `stars` (0 to 3)."""

from __future__ import annotations

from typing import ClassVar

from assay.core.documented import HelpText
from assay.grading.judging.question import PromptGrader


class Rubric(PromptGrader):
    """A judge's mark by the rubric of the use case and the criteria of the case, 1 to 5.

    The judge is shown the task, the ideal answer if the case has one, rubric, criteria, the flags of the
    auto-checks, and the answer. It replies with a whole mark; after a half mark or another unreadable reply
    it is asked once more.
    """

    name = "rubric"
    version = "2"
    help: ClassVar[HelpText] = HelpText("""
        A judge's whole mark from 1 to 5 for the answer, by the use case's rubric and the case's criteria.
        As a score, 1 becomes 0 and 5 becomes 1.

        It grades what no rule can: a poem, an apology, an analysis. Judges differ in strictness and can be
        wrong, so boards use several, and the watch calibrates its judge daily.

        The rationale is in `assay show RUN.SAMPLE`. A reply without a readable whole mark is asked once
        more; if that fails too, the mark is missing, and `assay grade RUN --only ungraded` asks again
        later.
    """)
    scale = (1.0, 5.0)
    required: ClassVar = {"rubric": "give the use case a `rubric` text with an anchor for each mark 1-5"}
    optional = ("criteria", "ideal")
    parameter_sections = (("IDEAL ANSWER", "ideal"), ("RUBRIC", "rubric"), ("CRITERIA", "criteria"))


class Stars(PromptGrader):
    """A judge's stars for an exam answer, 0 to 3, by conclusion and explanation (seed 003, appendix B).

    A wrong conclusion gets at most 1, a right one at least 2. The parameter `reference` is the correct
    answer, which is binding. `question` replaces the task if the candidate saw it in another form; `criteria`
    and `rubric` define more exactly what counts. The questions are sealed, since they contain the key.
    """

    name = "stars"
    version = "2"
    help: ClassVar[HelpText] = HelpText("""
        A judge's 0 to 3 stars for an exam answer, by its conclusion and its explanation: at most 1 for a
        wrong conclusion, at least 2 for a right one.

        It separates knowing from guessing: a right answer without reasons does not get all stars. The
        question to the judge contains the correct answer, so the ledger keeps only its hash.

        Stars count as thirds in scores. `assay exam experts agreement` measures how far human experts agree
        with the judge.
    """)
    scale = (0.0, 3.0)
    required: ClassVar = {"reference": "give the correct answer, with what its explanation must contain"}
    optional = ("question", "criteria", "rubric")
    parameter_sections = (("CORRECT ANSWER", "reference"), ("RUBRIC", "rubric"), ("CRITERIA", "criteria"))
    sealed = True
