"""Pages of `assay show`: a run with its scores and samples, and one sample with its grades and calls."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Annotated, Any, Final

from assay.core.ask import CallStatus, Message
from assay.results.figure import Figure, Flat, Timestamp
from assay.results.plans import RunPlan
from assay.results.runs import RunSummary, StatusCounts, SuiteKey
from assay.results.table import Column, Table


@dataclass(frozen=True, slots=True)
class UseCaseScore:
    """One use case of one model in one run."""

    model: Annotated[str, Figure("model")]
    use_case: Annotated[str, Figure("use case")]
    score: Annotated[
        float | None,
        Figure(
            "score",
            meaning="0-100, the mean over cases of the mean over their scored samples; none without a score",
            digits=1,
            least=0,
            most=100,
        ),
    ]
    cases: Annotated[int, Figure("cases", meaning="cases with a scored sample")]
    counts: Annotated[StatusCounts, Flat()]


_SAMPLE_COST: Final = Figure("cost", unit="USD", missing="unknown")
_LATENCY: Final = Figure("latency", unit="seconds", digits=2)


@dataclass(frozen=True, slots=True)
class SampleHead:
    """One sample of a run with its status and score."""

    id: Annotated[str, Figure("sample", meaning="run and position, such as 12.345")]
    model: Annotated[str, Figure("model")]
    use_case: Annotated[str, Figure("use case")]
    case: Annotated[str, Figure("case")]
    epoch: Annotated[int, Figure("epoch")]
    status: Annotated[CallStatus, Figure("status")]
    score: Annotated[
        float | None, Figure("score", meaning="0-100; none without a score", digits=1, least=0, most=100)
    ]
    routing_changed: Annotated[
        bool, Figure("routing changed", meaning="whether another provider than the pin answered")
    ]
    finished_at: Annotated[Timestamp, Figure("finished")]


@dataclass(frozen=True, slots=True)
class LastAttempt:
    """The last attempt of the last call for a sample to its model; all fields are None without a call.

    The cost is that of all attempts for the sample.
    """

    error: Annotated[str | None, Figure("error")]
    provider: Annotated[str | None, Figure("provider", meaning="the provider that served it")]
    attempts: Annotated[
        int | None, Figure("attempts", meaning="attempts that the last call to the model took")
    ]
    prompt_tokens: Annotated[int | None, Figure("tokens in")]
    completion_tokens: Annotated[int | None, Figure("tokens out")]
    cost: Annotated[float | None, _SAMPLE_COST]
    latency: Annotated[float | None, _LATENCY]


@dataclass(frozen=True, slots=True)
class ListedSample:
    """One sample in the list of a run's page."""

    sample: Annotated[SampleHead, Flat()]
    last: Annotated[LastAttempt, Flat()]


@dataclass(frozen=True, slots=True)
class RunPage:
    """A run with its plan, scores and samples."""

    run: Annotated[RunSummary, Flat()]
    plan: Annotated[
        RunPlan | None, Figure("plan", meaning="none for runs without cases, such as imported ones")
    ]
    scores: tuple[UseCaseScore, ...]
    samples: Annotated[
        tuple[ListedSample, ...], Figure("samples", meaning="at most --limit of them, in order of position")
    ]


@dataclass(frozen=True, slots=True)
class SampleGrade:
    """One grader's mark on a sample."""

    grader: Annotated[str, Figure("grader")]
    value: Annotated[
        float | None,
        Figure("value", meaning="0-1; none if ungraded, see `reason`", digits=2, least=0, most=1),
    ]
    reason: Annotated[str | None, Figure("reason")]
    evidence: Annotated[
        Mapping[str, Any] | None, Figure("evidence", meaning="values whose names the grader defines")
    ]


@dataclass(frozen=True, slots=True)
class SampleCall:
    """One attempt of a call that was made for a sample. Unknown fields are None."""

    purpose: Annotated[str, Figure("purpose")]
    status: Annotated[CallStatus, Figure("status")]
    error: Annotated[str | None, Figure("error")]
    detail: Annotated[str | None, Figure("detail")]
    http_status: Annotated[int | None, Figure("HTTP status")]
    attempt: Annotated[
        int, Figure("attempt", meaning="number of the attempt in its call; the last one counts", least=1)
    ]
    started_at: Annotated[Timestamp, Figure("started")]
    latency: Annotated[float | None, _LATENCY]
    prompt_tokens: Annotated[int | None, Figure("tokens in")]
    completion_tokens: Annotated[int | None, Figure("tokens out")]
    reasoning_tokens: Annotated[int | None, Figure("reasoning tokens", of="completion_tokens")]
    cached_tokens: Annotated[int | None, Figure("cached tokens", of="prompt_tokens")]
    cost: Annotated[float | None, _SAMPLE_COST]
    provider: Annotated[str | None, Figure("provider")]
    served_model: Annotated[str | None, Figure("served model")]
    fingerprint: Annotated[str | None, Figure("fingerprint")]
    finish_reason: Annotated[str | None, Figure("finish reason")]
    native_finish_reason: Annotated[str | None, Figure("native finish reason")]


@dataclass(frozen=True, slots=True)
class SamplePage:
    """One sample with its messages, grades and calls. Texts of a private suite are shown on request only."""

    sample: Annotated[SampleHead, Flat()]
    run: Annotated[int, Figure("run")]
    position: Annotated[int, Figure("position")]
    suite: Annotated[SuiteKey, Flat(only=("suite", "version"))]
    simulated: Annotated[bool, Figure("simulated")]
    hidden: Annotated[
        bool, Figure("hidden", meaning="whether the suite is private: texts are none without --reveal")
    ]
    messages: tuple[Message, ...] | None
    answer: Annotated[str | None, Figure("answer", meaning="the visible answer that was graded")]
    grades: tuple[SampleGrade, ...]
    calls: tuple[SampleCall, ...]


def _sample_status(listed: ListedSample) -> str:
    sample = listed.sample
    status = f"{sample.status}: {listed.last.error}" if listed.last.error else sample.status
    if sample.status == "ok":
        status = "ok" if sample.score is not None else "ungraded"
    return f"{status}, routed to {listed.last.provider}" if sample.routing_changed else status


SCORES: Final = Table(UseCaseScore, ("use_case", "score", "cases", "n", "ok", "invalid", "error", "ungraded"))
SAMPLES: Final = Table(
    ListedSample, ("id", "model", "case", "epoch", Column("status", _sample_status), "score")
)

SCHEMAS: Final[dict[str, tuple[type | Table, str]]] = {
    "show-run": (RunPage, "assay show RUN --json: a run with its plan, scores and samples"),
    "show-sample": (SamplePage, "assay show RUN.POSITION --json: one sample with its grades and calls"),
}
