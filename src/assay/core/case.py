"""Cases: prompts with the graders that mark their answers."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from enum import StrEnum
from typing import Any, Final

from assay.core.ask import Message
from assay.core.documented import DocumentedStrEnum, HelpText

RUNGS: Final = ("association", "intervention", "counterfactual")
"""The rungs of the ladder of causation on which a causal case can stand, lowest first."""
LETTERS: Final = "ABCD"
"""The default letters of the options of a multiple-choice case."""
LEVELS: Final = (1, 2, 3, 4)
"""The levels of depth of a causal case."""


class TwinKind(StrEnum):
    """The kind of a twin of a question.

    RENAMED: placeholders instead of names. PRESSURED: a speaker insists on a wrong option. UNDETERMINABLE:
    options say that the answer cannot be told without a fact that is missing.
    """

    RENAMED = "renamed"
    PRESSURED = "pressured"
    UNDETERMINABLE = "undeterminable"


class Grading(StrEnum):
    """The kind of grading of a use case, which selects the floor and the thresholds of the watch."""

    DETERMINISTIC = "deterministic"
    HYBRID = "hybrid"
    JUDGE = "judge"

    @property
    def judged(self) -> bool:
        """Whether a judge takes part: hybrid counts as judged (DESIGN section 7)."""
        return self is not Grading.DETERMINISTIC


@dataclass(frozen=True, slots=True)
class GraderSpec:
    """One grader of a case: its registered name, its parameters, and its weight in the case's score.

    A check of weight 0 only flags. `judged` is true if the grader asks judges.
    """

    name: str
    parameters: Mapping[str, Any] = field(default_factory=dict)
    weight: float = 1.0
    judged: bool = False


@dataclass(frozen=True, slots=True)
class Exemplar:
    """A hand-made answer to a case with its correct score (0-1).

    Exemplars test the graders and are the simulated provider's answers. Those with `marks` (1-5, given by an
    expert who follows the rubric) calibrate the judge.
    """

    answer: str
    score: float
    marks: float | None = None
    note: str = ""


@dataclass(frozen=True, slots=True)
class Case:
    """One prompt, its graders, and its exemplars. `max_tokens` leaves room for reasoning.

    `weights` are the shares of checks and judge if the case overrides those of its use case, else None.
    """

    id: str
    use_case: str
    messages: tuple[Message, ...]
    graders: tuple[GraderSpec, ...]
    max_tokens: int = 4096
    exemplars: tuple[Exemplar, ...] = ()
    tags: tuple[str, ...] = ()
    metadata: Mapping[str, Any] = field(default_factory=dict)
    weights: tuple[float, float] | None = None


@dataclass(frozen=True, slots=True)
class SampleKey:
    """Positions of the case in the suite and of the model in the run; the epoch counts from 0."""

    case: int
    model: int
    epoch: int


class SampleStatus(DocumentedStrEnum):
    """What became of a sample. An `ok` one has a score; the ledger calls an ungraded answer `ok` too."""

    OK = (
        "ok",
        HelpText("""
            The model gave a visible answer, and it was graded.

            It does not mean that the answer is right: a wrong answer is `ok` with a low score. The status
            says that the sample is a fair measurement, which `error` and `ungraded` samples are not.

            Nothing. `assay show RUN --only ok` lists these samples with their scores, `assay show
            RUN.SAMPLE` one of them with prompt, answer, grades and calls.
        """),
    )
    INVALID = (
        "invalid",
        HelpText("""
            The call succeeded, but the answer contains no visible text. The call's error says why: an empty
            answer, a token limit reached during hidden reasoning, or the provider's content filter.

            A user would have received nothing, so the sample counts as the model's failure and scores 0.
            Many invalid samples can make a good model look bad for a reason that has nothing to do with its
            answers.

            `assay show RUN --only invalid` lists them. If reasoning used up the token limit, give the case
            more `max_tokens` or the model less reasoning effort; the suite's digest or the model's
            conditions change then.
        """),
    )
    ERROR = (
        "error",
        HelpText("""
            There is no answer, because the call failed after all its attempts: rate limit, time-out, broken
            connection, refusal by the provider.

            It is not the model's fault, so the sample is left out of every score and counted. If more than
            20 % of a model's samples in a run of the watch are errors, the run is left out as an outage.

            `assay show RUN --only error` lists them with the kind of error, which has a page of its own.
            `assay resume RUN` asks for exactly these samples again.
        """),
    )
    UNGRADED = (
        "ungraded",
        HelpText("""
            There is a visible answer, but no grade. The judge failed or gave no readable mark, there was no
            sandbox for the code, or the suite's grader could not decide.

            A missing mark is not a bad mark, so the sample is left out of means and counted. If more than
            20 % of a use case's answers are ungraded, the watch gives it no score that day.

            `assay show RUN.SAMPLE` gives the reason beside the grader. Then `assay grade RUN --only
            ungraded` asks for the missing marks again; the stored answers are used, so the model is not
            paid twice.
        """),
    )


@dataclass(frozen=True, slots=True)
class WrittenCase:
    """A multiple-choice case as written in a suite's file; missing parts are None or empty.

    `keys` are the answers that its `choice` graders expect; `letters` are the letters that they declare.
    """

    id: str | None
    use_case: str | None
    subcategory: str | None
    prompt: str | None
    keys: tuple[str, ...]
    letters: str
    file: str
    line: int | None
