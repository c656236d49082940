"""What goes over the wire: bodies that are read, and bodies that are sent. None has a field for a key."""

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
        raise ValueError("holds the character U+0000, which cannot be kept: leave it out")
    return text


def _whole(value: object) -> object:
    """Return 3 for 3.0: to JSON they are one number."""
    return int(value) if isinstance(value, float) and value.is_integer() else value


Id = Annotated[str, Field(pattern=UUID, examples=["5b1c1c50-4c0f-4a8e-8f0b-2b9f2d1f7e11"])]
Name = Annotated[str, Field(min_length=1, max_length=MOST_NAME, pattern="^[ -~]+$")]
Plain = AfterValidator(_without_nul)
Whole = BeforeValidator(_whole)
Count = Annotated[int, Field(ge=0, le=MOST_COUNT), Whole]
Moment = Annotated[str, Field(json_schema_extra={"format": "date-time"})]


class RequestBody(BaseModel):
    """A body that a client sends: what is not known is refused, and nothing is guessed."""

    model_config = ConfigDict(extra="forbid", strict=True, allow_inf_nan=False, regex_engine="python-re")


class Sent(BaseModel):
    """A body that a client gets: it has these fields and no others."""

    model_config = ConfigDict(extra="forbid", frozen=True)


class LoginBody(RequestBody):
    """Who wants a token. A candidate names the session that it holds for."""

    user_id: Id
    secret: Annotated[str, Field(min_length=1, max_length=256)]
    session_id: Id | None = None


class AnswerBody(RequestBody):
    """An answer, and what it took as far as the client tells."""

    text: Annotated[str, Field(max_length=MOST_CHARACTERS), Plain]
    prompt_tokens: Count | None = None
    completion_tokens: Count | None = None
    seconds: Annotated[float, Field(ge=0, le=MOST_SECONDS)] | None = None
    finish_reason: Annotated[str, Field(max_length=64), Plain] | None = None


class OpenBody(RequestBody):
    """A session to open for a candidate of the own organisation."""

    candidate: Id
    model: Name
    n: Annotated[int, Field(ge=1, le=MOST_COUNT), Whole] | None = None
    prompting: Prompting = Prompting.ZERO_SHOT
    allocation: Annotated[str, Field(max_length=400, pattern=ALLOCATION)] = TEN_SUBJECTS
    draw: Name | None = None
    hours: Annotated[float, Field(gt=0, le=MOST_HOURS)] = HOURS
    question_minutes: Annotated[float, Field(gt=0, le=MOST_MINUTES)] = QUESTION_MINUTES
    series: Name | None = None


class TokenBody(Sent):
    """A fresh token."""

    token: str
    expires_at: Moment


class MessageBody(Sent):
    """One message to put to the model."""

    role: Literal["system", "user", "assistant"]
    content: str


class QuestionBody(Sent):
    """The question to answer now."""

    position: int
    of: int
    messages: list[MessageBody]
    max_answer_characters: int
    seconds_left: float


class ReceiptBody(Sent):
    """That an answer is kept."""

    receipt: str
    position: int
    status: AnswerStatus
    received_at: Moment


class SessionBody(Sent):
    """How a session stands; allocated + pending + completed is its quota."""

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


class SessionsBody(Sent):
    """A page of sessions, the newest first. `next` is what to give as `after` for the next page."""

    sessions: list[SessionBody]
    next: str | None


class SpreadBody(Sent):
    """S over `n` sittings with its 95 % interval; `sd` is None for a single one."""

    n: int
    mean: float
    sd: float | None
    least: float
    most: float
    interval: list[float]


class RatioBody(Sent):
    """R, percent of the reference's S, with its 95 % interval; None for the reference itself."""

    value: float
    interval: list[float] | None


class RankBody(Sent):
    """A place by S, 1 the best, with the best and the worst that significance (95 %) allows."""

    place: int
    low: int
    high: int


class IdentityBody(Sent):
    """A model and the organisation whose it is."""

    organisation: str
    model: str


class SubjectBody(Sent):
    """A subject's score, 0-10."""

    subject: str
    score: float
    sittings: int


class ResultBody(Sent):
    """A published model. `score` is S (0-100), `relative` is R; None while the reference is not published."""

    organisation: str
    model: str
    prompting: Prompting
    simulated: bool
    sittings: int
    rank: RankBody
    score: SpreadBody
    relative: RatioBody | None
    subjects: list[SubjectBody]


class SeriesBody(Sent):
    """An official series: its rules, whom R divides by, how many models it ranks, and the own ones."""

    series: str
    n: int
    prompting: Prompting
    sittings: int
    reference: IdentityBody
    ranked: int
    results: list[ResultBody]


class ResultsBody(Sent):
    """The published results of the own organisation under one judge, series by series."""

    judge: str
    series: list[SeriesBody]


class HealthBody(Sent):
    """That the service and its database answer."""

    status: Literal["ok"]


class ProblemBody(Sent):
    """What went wrong (RFC 9457)."""

    type: Annotated[str, Field(pattern=r"^(about:blank|/api/v1/problems/[a-z-]+)$")]
    title: str
    status: int
    detail: str


def question_body(view: QuestionView) -> QuestionBody:
    """Return a question as it is sent."""
    return QuestionBody(
        position=view.position,
        of=view.of,
        messages=[MessageBody(role=each.role, content=each.content) for each in view.messages],
        max_answer_characters=view.max_answer_characters,
        seconds_left=view.seconds_left,
    )


def receipt_body(view: ReceiptView) -> ReceiptBody:
    """Return a receipt as it is sent."""
    return ReceiptBody(
        receipt=view.receipt,
        position=view.position,
        status=view.status,
        received_at=utc(view.received_at, "milliseconds"),
    )


def session_body(view: SessionView) -> SessionBody:
    """Return a session as it is sent."""
    values: dict[str, Any] = {name: getattr(view, name) for name in SessionBody.model_fields}
    for name in ("opened_at", "started_at", "closed_at", "deadline"):
        values[name] = None if values[name] is None else utc(values[name], "milliseconds")
    return SessionBody(**values)
