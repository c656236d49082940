"""The bodies of the reviewing routes. Only these have answer keys; only the operator's reviewers get them."""

from __future__ import annotations

from typing import Annotated, Final

from pydantic import Field

from assay.core.question import Language, QuestionKind, QuestionState
from assay.core.times import DAY_SECONDS
from assay.questions.screen import Decision
from assay.questions.taxonomy import disciplines
from assay.results.exam_marking import ToMark
from assay.results.review import Severity
from assay.web.shapes import MOST_COUNT, Plain, RequestBody, ResponseBody, Whole

LONGEST_REASON: Final = 2000
LONGEST_TEXT: Final = 100_000
CODES: Final = f"^({'|'.join(discipline.code for discipline in disciplines())})$"

Number = Annotated[int, Field(ge=1, le=MOST_COUNT), Whole]
Seconds = Annotated[float, Field(ge=0, le=DAY_SECONDS)]
Text = Annotated[str, Field(max_length=LONGEST_TEXT), Plain]
Reason = Annotated[str, Field(min_length=1, max_length=LONGEST_REASON), Plain]


class ReviewDecision(RequestBody):
    """A reviewer's decision on the version that was read. `seconds` is the reading time."""

    version: Number
    decision: Decision
    reason: Annotated[str, Field(max_length=LONGEST_REASON), Plain] = ""
    seconds: Seconds | None = None


class ReviewEdit(RequestBody):
    """A corrected question: all editable fields, changed or not, and the reason.

    `version` is the version that was read.
    """

    version: Number
    stem: Annotated[Text, Field(min_length=1)]
    options: Annotated[list[Text], Field(max_length=26)]
    key: Annotated[list[Text], Field(min_length=1, max_length=100)]
    explanation: Text
    discipline: Annotated[str, Field(pattern=CODES)]
    reason: Reason


class ReviewMark(RequestBody):
    """An expert's stars for an answer, with the reason."""

    stars: Annotated[int, Field(ge=0, le=3), Whole]
    reason: Reason
    seconds: Seconds | None = None


class ReviewerBody(ResponseBody):
    """A reviewer with the work of today (UTC). An empty list of disciplines means all of them.

    `to_mark` is the number of answers to mark. The daily cap applies to questions and to answers separately.
    """

    name: str
    disciplines: list[str]
    daily_cap: int
    read_today: int
    to_mark: int
    marked_today: int


class ReviewFinding(ResponseBody):
    """One problem of a question, found by the mechanical screening."""

    kind: str
    severity: Severity
    text: str


class ReviewTwin(ResponseBody):
    """A near-duplicate of the question under review; `similarity` is 0-1."""

    id: str
    similarity: float
    stem: str
    options: list[str]
    state: QuestionState


class ReviewQuestion(ResponseBody):
    """A question with its key, for a reviewer. `number` is its row in the bank."""

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


class ReviewNext(ResponseBody):
    """The next question; null if none is left for this reviewer or the daily cap is reached."""

    reviewer: ReviewerBody
    question: ReviewQuestion | None


class ReviewOutcome(ResponseBody):
    """The state of a question after a decision."""

    state: QuestionState
    reviewer: ReviewerBody


class ReviewPast(ResponseBody):
    """One of the reviewer's decisions; `number` names it. `state` is the question's state now.

    `refusal` says why it cannot be undone; null if it can.
    """

    number: int
    id: str
    kind: QuestionKind
    discipline: str
    stem: str
    decision: Decision
    reason: str
    at: str
    state: QuestionState
    refusal: str | None


class ReviewDecisions(ResponseBody):
    """The reviewer's last decisions, the last one first."""

    reviewer: ReviewerBody
    decisions: list[ReviewPast]


class ReviewUndone(ResponseBody):
    """The question of an undone decision; null if it does not wait for this reviewer now."""

    reviewer: ReviewerBody
    question: ReviewQuestion | None


class ReviewAnswer(ResponseBody):
    """An answer to mark blindly, without its author and other marks."""

    code: str
    discipline: str
    question: str
    key: str
    answer: str


class ReviewToMark(ResponseBody):
    """The next answer to mark; null if none is left for this reviewer or the daily cap is reached."""

    reviewer: ReviewerBody
    answer: ReviewAnswer | None


class ReviewMarked(ResponseBody):
    """The reviewer's work after a recorded mark."""

    reviewer: ReviewerBody


class ReviewDiscipline(ResponseBody):
    """A primary discipline by its code and English name."""

    code: str
    name: str


class ReviewStart(ResponseBody):
    """The data that the page starts with: the reviewer, all primary disciplines and kinds of questions."""

    reviewer: ReviewerBody
    all_disciplines: list[ReviewDiscipline]
    all_kinds: list[QuestionKind]


def answer_body(to_mark: ToMark) -> ReviewAnswer:
    """Return the body of an answer to mark."""
    return ReviewAnswer(
        code=to_mark.code,
        discipline=to_mark.discipline,
        question=to_mark.question,
        key=to_mark.key,
        answer=to_mark.answer,
    )
