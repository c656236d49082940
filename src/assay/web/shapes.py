"""The bodies of requests and responses. None of them has a field for an answer key."""

from __future__ import annotations

from typing import Annotated, Any, Final, Literal

from pydantic import AfterValidator, BaseModel, BeforeValidator, ConfigDict, Field

from assay.core.exam import AnswerStatus, Prompting, SessionState
from assay.exam.delivery import MOST_CHARACTERS, QuestionView, ReceiptView
from assay.exam.opening import MOST_CHARACTERS as MOST_NAME
from assay.exam.series import HOURS, MOST_HOURS, MOST_MINUTES, QUESTION_MINUTES
from assay.questions.draw import NAMES, TEN_SUBJECTS
from assay.results.exam_service import SessionView
from assay.results.figure import utc

UUID: Final = r"^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$"
ALLOCATION: Final = f"^({'|'.join(NAMES)}|[a-z]+=[0-9]+(,[a-z]+=[0-9]+)*)$"
MOST_COUNT: Final = 2**31 - 1
MOST_SECONDS: Final = 1e7


def _without_nul(text: str) -> str:
    if "\x00" in text:
        raise ValueError("contains the character U+0000, which cannot be stored: leave it out")
    return text


def _whole(value: object) -> object:
    """Return a whole number as int, because JSON does not distinguish 3 from 3.0."""
    return int(value) if isinstance(value, float) and value.is_integer() else value


Id = Annotated[str, Field(pattern=UUID, examples=["5b1c1c50-4c0f-4a8e-8f0b-2b9f2d1f7e11"])]
Name = Annotated[str, Field(min_length=1, max_length=MOST_NAME, pattern="^[ -~]+$")]
Plain = AfterValidator(_without_nul)
Whole = BeforeValidator(_whole)
Count = Annotated[int, Field(ge=0, le=MOST_COUNT), Whole]
Moment = Annotated[str, Field(json_schema_extra={"format": "date-time"})]


class RequestBody(BaseModel):
    """The body of a request: unknown fields are refused, and values are not converted."""

    model_config = ConfigDict(extra="forbid", strict=True, allow_inf_nan=False, regex_engine="python-re")


class ResponseBody(BaseModel):
    """The body of a response: it has only the declared fields."""

    model_config = ConfigDict(extra="forbid", frozen=True)


class LoginBody(RequestBody):
    """A login. A candidate names the session that the token is for."""

    user_id: Id
    secret: Annotated[str, Field(min_length=1, max_length=256)]
    session_id: Id | None = None


class AnswerBody(RequestBody):
    """An answer, with the tokens and seconds that it took, if the client reports them."""

    text: Annotated[str, Field(max_length=MOST_CHARACTERS), Plain]
    prompt_tokens: Count | None = None
    completion_tokens: Count | None = None
    seconds: Annotated[float, Field(ge=0, le=MOST_SECONDS)] | None = None
    finish_reason: Annotated[str, Field(max_length=64), Plain] | None = None


class OpenBody(RequestBody):
    """A session to open for a candidate of the user's organisation."""

    candidate: Id
    model: Name
    n: Annotated[int, Field(ge=1, le=MOST_COUNT), Whole] | None = None
    prompting: Prompting = Prompting.ZERO_SHOT
    allocation: Annotated[str, Field(max_length=400, pattern=ALLOCATION)] = TEN_SUBJECTS
    draw: Name | None = None
    hours: Annotated[float, Field(gt=0, le=MOST_HOURS)] = HOURS
    question_minutes: Annotated[float, Field(gt=0, le=MOST_MINUTES)] = QUESTION_MINUTES
    series: Name | None = None


class TokenBody(ResponseBody):
    """A new token."""

    token: str
    expires_at: Moment


class MessageBody(ResponseBody):
    """One message of the prompt for the model."""

    role: Literal["system", "user", "assistant"]
    content: str


class QuestionBody(ResponseBody):
    """The question to answer now, as the prompt for the model."""

    position: int
    of: int
    messages: list[MessageBody]
    max_answer_characters: int
    seconds_left: float


class ReceiptBody(ResponseBody):
    """The receipt of a recorded answer."""

    receipt: str
    position: int
    status: AnswerStatus
    received_at: Moment


class SessionBody(ResponseBody):
    """The state of a session. Its quota is allocated + pending + completed."""

    id: str
    candidate: str
    model: str
    prompting: Prompting
    state: SessionState
    quota: int
    allocated: int
    pending: int
    completed: int
    revision: int
    simulated: bool
    series: str | None
    opened_at: Moment
    started_at: Moment | None
    closed_at: Moment | None
    deadline: Moment
    question_seconds: float


class SessionsBody(ResponseBody):
    """A page of sessions, newest first. `next` is the value of `after` for the next page."""

    sessions: list[SessionBody]
    next: str | None


class SpreadBody(ResponseBody):
    """The mean of S over `n` sittings with its 95 % interval. `sd` is null for a single sitting."""

    n: int
    mean: float
    sd: float | None
    least: float
    most: float
    interval: list[float]


class RatioBody(ResponseBody):
    """R, per cent of the reference's S, with its 95 % interval, which is null for the reference."""

    value: float
    interval: list[float] | None


class RankBody(ResponseBody):
    """The place by S (1 is the best), with the best and worst rank by significant differences (95 %)."""

    place: int
    low: int
    high: int


class IdentityBody(ResponseBody):
    """A model and its organisation."""

    organisation: str
    model: str


class SubjectBody(ResponseBody):
    """A subject's score, 0-10."""

    subject: str
    score: float
    sittings: int


class ResultBody(ResponseBody):
    """A published model. `score` is S (0-100); `relative` is R, null until the reference is published."""

    organisation: str
    model: str
    prompting: Prompting
    simulated: bool
    sittings: int
    rank: RankBody
    score: SpreadBody
    relative: RatioBody | None
    subjects: list[SubjectBody]


class SeriesBody(ResponseBody):
    """An official series: its rules, its reference, the number of ranked models, and your results."""

    series: str
    n: int
    prompting: Prompting
    sittings: int
    reference: IdentityBody
    ranked: int
    results: list[ResultBody]


class ResultsBody(ResponseBody):
    """The published results of your organisation, from one judge's marks, by series."""

    judge: str
    series: list[SeriesBody]


class HealthBody(ResponseBody):
    """The service and its database respond."""

    status: Literal["ok"]


class ProblemBody(ResponseBody):
    """An error (RFC 9457)."""

    type: Annotated[str, Field(pattern=r"^(about:blank|/api/v1/problems/[a-z-]+)$")]
    title: str
    status: int
    detail: str


def question_body(view: QuestionView) -> QuestionBody:
    """Return the body of a question."""
    return QuestionBody(
        position=view.position,
        of=view.of,
        messages=[MessageBody(role=message.role, content=message.content) for message in view.messages],
        max_answer_characters=view.max_answer_characters,
        seconds_left=view.seconds_left,
    )


def receipt_body(view: ReceiptView) -> ReceiptBody:
    """Return the body of a receipt."""
    return ReceiptBody(
        receipt=view.receipt,
        position=view.position,
        status=view.status,
        received_at=utc(view.received_at, "milliseconds"),
    )


def session_body(view: SessionView) -> SessionBody:
    """Return the body of a session."""
    values: dict[str, Any] = {name: getattr(view, name) for name in SessionBody.model_fields}
    for name in ("opened_at", "started_at", "closed_at", "deadline"):
        values[name] = None if values[name] is None else utc(values[name], "milliseconds")
    return SessionBody(**values)
