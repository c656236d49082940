"""What reviewers send and get. These bodies alone hold keys; the operator's reviewers alone get them."""

from __future__ import annotations

from typing import Annotated, Final

from pydantic import Field

from assay.core.question import Language, QuestionKind, QuestionState
from assay.core.times import DAY_SECONDS
from assay.questions.screen import Decision
from assay.questions.taxonomy import disciplines
from assay.results.exam_marking import ToMark
from assay.results.review import Severity
from assay.web.shapes import MOST_COUNT, Plain, RequestBody, Sent, Whole

LONGEST_REASON: Final = 2000
LONGEST_TEXT: Final = 100_000
CODES: Final = f"^({'|'.join(each.code for each in disciplines())})$"

Number = Annotated[int, Field(ge=1, le=MOST_COUNT), Whole]
Seconds = Annotated[float, Field(ge=0, le=DAY_SECONDS)]
Text = Annotated[str, Field(max_length=LONGEST_TEXT), Plain]
Told = Annotated[str, Field(min_length=1, max_length=LONGEST_REASON), Plain]


class ReviewDecision(RequestBody):
    """A reviewer's decision on the version that was read. `seconds` is how long reading took."""

    version: Number
    decision: Decision
    reason: Annotated[str, Field(max_length=LONGEST_REASON), Plain] = ""
    seconds: Seconds | None = None


class ReviewEdit(RequestBody):
    """A question put right: all that can be edited, changed or not, and why. `version` is what was read."""

    version: Number
    stem: Annotated[Text, Field(min_length=1)]
    options: Annotated[list[Text], Field(max_length=26)]
    key: Annotated[list[Text], Field(min_length=1, max_length=100)]
    explanation: Text
    discipline: Annotated[str, Field(pattern=CODES)]
    reason: Told


class ReviewMark(RequestBody):
    """An expert's stars for an answer, with the reason."""

    stars: Annotated[int, Field(ge=0, le=3), Whole]
    reason: Told
    seconds: Seconds | None = None


class ReviewerBody(Sent):
    """Who reviews, and how much today (UTC). No disciplines mean all of them.

    `to_mark` answers wait for this reviewer's stars; the daily cap holds for questions and for answers.
    """

    name: str
    disciplines: list[str]
    daily_cap: int
    read_today: int
    to_mark: int
    marked_today: int


class ReviewFinding(Sent):
    """One thing that the mechanical screening finds wrong with a question."""

    kind: str
    severity: Severity
    text: str


class ReviewTwin(Sent):
    """A question that reads nearly like the one under review; `similarity` is 0-1."""

    id: str
    similarity: float
    stem: str
    options: list[str]
    state: QuestionState


class ReviewQuestion(Sent):
    """A question with its key, as a reviewer sees it. `number` is its row in the bank."""

    id: str
    number: int
    version: int
    state: QuestionState
    kind: QuestionKind
    discipline: str
    secondary: str | None
    language: Language
    passage: str | None
    stem: str
    options: list[str]
    key: list[str]
    explanation: str
    place: str
    made_from: str | None
    findings: list[ReviewFinding]
    near: list[ReviewTwin]


class ReviewNext(Sent):
    """The next question, None where none is left for this reviewer or the cap is reached."""

    reviewer: ReviewerBody
    question: ReviewQuestion | None


class ReviewOutcome(Sent):
    """The state that a question has by a decision."""

    state: QuestionState
    reviewer: ReviewerBody


class ReviewAnswer(Sent):
    """An answer to mark blind, without its author and the marks of others."""

    code: str
    discipline: str
    question: str
    key: str
    answer: str


class ReviewToMark(Sent):
    """The next answer to mark, None where none is left for this reviewer or the cap is reached."""

    reviewer: ReviewerBody
    answer: ReviewAnswer | None


class ReviewMarked(Sent):
    """That a mark is kept."""

    reviewer: ReviewerBody


class ReviewDiscipline(Sent):
    """A primary discipline by its code and English name."""

    code: str
    name: str


class ReviewStart(Sent):
    """What the page needs to begin with: who reviews, and all primary disciplines."""

    reviewer: ReviewerBody
    all_disciplines: list[ReviewDiscipline]


def answer_body(found: ToMark) -> ReviewAnswer:
    """Return an answer as it is sent."""
    return ReviewAnswer(
        code=found.code,
        discipline=found.discipline,
        question=found.question,
        key=found.key,
        answer=found.answer,
    )
