"""Requests to models and sandboxes as values, and the replies. `assay.calls` carries them out."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from enum import StrEnum
from typing import Any, Literal, NamedTuple

from assay.core.documented import DocumentedStrEnum, HelpText
from assay.core.money import Usage


@dataclass(frozen=True, slots=True)
class Message:
    """One turn of a conversation."""

    role: Literal["system", "user", "assistant"]
    content: str


class CallStatus(StrEnum):
    """The outcome of an attempt of an upstream call; a call has the outcome of its last attempt."""

    OK = "ok"
    INVALID = "invalid"
    ERROR = "error"


class ErrorKind(DocumentedStrEnum):
    """The reason why a call is an `error` or an answer is `invalid`."""

    RATE_LIMITED = (
        "rate limited",
        HelpText("""
            The provider answered with HTTP 429: too many requests or tokens for this key, and repeating did
            not help.

            The call is an `error`, which is left out of every score. A limit hits the busiest moment and
            not the hardest questions, so leaving these samples out biases little, but with more than 20 %
            of them a day of the watch is a GAP.

            `assay resume RUN` asks again. If it happens every day, set a smaller `concurrency` for the
            provider in the workspace, or ask the provider for a higher limit. Free models often have a
            limit per day.
        """),
    )
    SERVER = (
        "server error",
        HelpText("""
            The provider failed: it answered with HTTP 5xx, or it ended an answer with an error of its own.
            Repeating did not help.

            The failure says nothing about the model, so the sample is left out of every score and counted.
            The provider may have charged for the attempts; if it stated a cost, the ledger has it.

            `assay show RUN --only error` gives the samples, and `assay show RUN.SAMPLE` the provider's
            message. Check the provider's status page, then ask again with `assay resume RUN`.
        """),
    )
    TIMEOUT = (
        "time-out",
        HelpText("""
            No whole reply arrived in time: within the `timeout` of the provider in the workspace, or before
            the provider itself gave up (HTTP 408 or 504).

            Answers that need long reasoning time out first, and these are often the hardest questions.
            Leaving many of them out would make the score too high, unlike other errors.

            Raise `timeout` for the provider (in seconds), or give the model less to write, and ask again
            with `assay resume RUN`. An attempt whose reply never arrived may still have been charged: its
            cost counts as unknown.
        """),
    )
    CONNECTION = (
        "connection",
        HelpText("""
            There was no connection to the provider, or it broke before the whole reply was there. The
            message names the cause: an unknown host, a refused connection, a certificate that is not
            trusted.

            Nothing was measured. Behind a proxy or firewall, or with a local server that is not running,
            every sample of a run ends like this, and the run ends with exit status 3.

            `assay doctor` tests the connection to each provider of the workspace. Check `base_url` and
            `HTTPS_PROXY`, start the local server, then `assay resume RUN`.
        """),
    )
    REFUSED = (
        "refused by the provider",
        HelpText("""
            The provider rejected the request itself, with HTTP 400, 403, 404 or another status below 500.

            The same request would be rejected again, so it is not repeated (except after 409 and 425).
            Usual causes are a model name that the provider does not have, a prompt longer than the context
            window, and content that its rules forbid. A parameter that the provider does not accept is left
            out automatically and is no error.

            Read the provider's message in `assay show RUN.SAMPLE`. Correct the model with `assay model add`
            or its parameters in the workspace, then run the suite again.
        """),
    )
    UNAUTHORISED = (
        "unauthorised",
        HelpText("""
            The provider refused the key: HTTP 401 (wrong or missing key) or 402 (no credit left).

            No other request with this key can succeed, so nothing more is sent to this provider. Models of
            other providers are finished, and the run stops with exit status 3; what was answered is kept.

            Put a valid key into the environment variable that the message names, or into `.env`, or add
            credit to the account. `assay doctor` checks the keys. Then `assay resume RUN`.
        """),
    )
    NO_ROUTE = (
        "no provider meets the routing",
        HelpText("""
            The router has no provider that may serve the request, given the model's `pin` and the
            parameters that the request needs.

            A pinned model is never sent to another provider, because its scores would not be comparable. So
            when the pinned provider drops the model or is down, there is no answer at all.

            Check on the router's page whether the pinned provider still has the model. If it does not,
            choose another one: `assay model add PROVIDER/MODEL --pin NAME`. The watch then measures another
            service, and its history does not carry over.
        """),
    )
    MALFORMED = (
        "malformed reply",
        HelpText("""
            The provider reported success (HTTP 2xx), but no answer can be read from the reply: it is empty,
            is not JSON, or has no `choices`.

            The endpoint is probably not an OpenAI-compatible chat API at this address: a web page, a
            proxy's notice, or an API of another kind. Such a reply may have been charged, so a request
            whose reply is not even JSON is repeated only once.

            `assay show RUN.SAMPLE` shows the beginning of the reply. Check `base_url`, which ends before
            `/chat/completions`, then `assay resume RUN`.
        """),
    )
    EMPTY = (
        "empty answer",
        HelpText("""
            The call succeeded, and the answer contains nothing visible: no text, or only spaces and
            invisible characters.

            The model had its chance and a user would have seen nothing, so the sample is `invalid` and
            scores 0. It is not asked again: repeating only the failures would make the score too high.

            One such answer is part of the result. If there are many, look at one with `assay show
            RUN.SAMPLE`: an unusual chat template of a local server is a common cause.
        """),
    )
    TRUNCATED = (
        "no visible answer before the token limit",
        HelpText("""
            The model used up the case's token limit before it wrote anything visible. Usually hidden
            reasoning took all of it.

            The sample is `invalid` and scores 0, although the model might have answered well with more
            room. Boards count these samples as `truncated`, apart from other invalid ones.

            Compare the reasoning tokens in `assay show RUN.SAMPLE` with the case's `max_tokens`. In your
            own suite raise `max_tokens` (the suite's digest changes); otherwise lower the model's reasoning
            effort under `parameters` in the workspace.
        """),
    )
    FILTERED = (
        "filtered by the provider",
        HelpText("""
            The provider's content filter removed the whole answer: finish reason `content_filter` and no
            text.

            To a user of this service the answer does not exist, so the sample is `invalid` and scores 0.
            The cause is the provider's filter and not the model's skill: the same model can score higher
            elsewhere.

            Read the prompt with `assay show RUN.SAMPLE`. If harmless prompts are filtered, use another
            provider for the model, or adjust the filter if your contract allows it.
        """),
    )


@dataclass(frozen=True, slots=True)
class ModelAsk:
    """A question to a model.

    `purpose` is the reason for the call (`subject`, `judge`, `geval`, `calibration`, ...). `parameters` are
    generation parameters under the protocol's names (temperature, max_tokens, reasoning, seed, ...).
    `response_schema` is a JSON Schema for endpoints that enforce one. A `sealed` ask contains an answer key:
    the ledger keeps only its hash. `about` identifies the case, subject and metric for simulated and recorded
    providers; it is never sent to a real one.
    """

    purpose: str
    model: str
    messages: tuple[Message, ...]
    parameters: Mapping[str, Any] = field(default_factory=dict)
    response_schema: Mapping[str, Any] | None = None
    sealed: bool = False
    about: Mapping[str, str] = field(default_factory=dict)


# After this number of tests that exceeded a limit, the rest are not run.
MOST_EXHAUSTED = 3


@dataclass(frozen=True, slots=True)
class UnitTests:
    """Unit tests of a program, which run in a separate sandbox instance.

    `source` is the tests' source, prepared for that instance; `tests` are the functions to run, in order;
    `names` are the objects they take from the program; `modules` are their imports. With `own_equality`,
    comparisons of the program's objects with plain values use the `__eq__` of the program's classes.
    """

    source: str
    tests: tuple[str, ...]
    names: tuple[str, ...]
    modules: tuple[str, ...] = ()
    own_equality: bool = False


@dataclass(frozen=True, slots=True)
class CodeAsk:
    """A Python program to run in the sandbox.

    `program` is the whole source: exit without an exception is success. `seconds` limits wall time and
    `megabytes` memory; output beyond `output_bytes` is cut. `packages` are native packages outside the
    standard library (they need the bubblewrap or Docker sandbox). With `unit_tests` the program is loaded
    for each test, `seconds` limits each test, and `megabytes` each of the two sandbox instances.
    """

    program: str
    seconds: float = 10.0
    megabytes: int = 256
    output_bytes: int = 65_536
    packages: tuple[str, ...] = ()
    unit_tests: UnitTests | None = None


Ask = ModelAsk | CodeAsk


class Served(NamedTuple):
    """The provider and model that served a reply, as far as the provider reports them."""

    provider: str | None = None
    model: str | None = None
    fingerprint: str | None = None


class ModelReply(NamedTuple):
    """The reply to a `ModelAsk`. `text` is None unless the status is `ok`.

    `latency` (seconds) and `cost` (US dollars, None when unknown) are those of the last attempt; `attempts`
    is the number of requests sent. `logprobs` is the protocol's `choices[0].logprobs`.
    """

    status: CallStatus
    text: str | None = None
    error: ErrorKind | None = None
    detail: str | None = None
    http_status: int | None = None
    usage: Usage = Usage()
    cost: float | None = None
    served: Served = Served()
    finish_reason: str | None = None
    native_finish_reason: str | None = None
    latency: float = 0.0
    attempts: int = 1
    logprobs: Mapping[str, Any] | None = None

    @property
    def chargeable(self) -> bool:
        """Whether the provider may have charged for this although it reports no cost.

        An HTTP error is not charged. A time-out, a broken connection and an unreadable reply may be.
        """
        answered = self.status is not CallStatus.ERROR or self.http_status is None
        return answered or (self.http_status or 0) < 300


class CodeStatus(StrEnum):
    """The outcome of a program in the sandbox."""

    PASSED = "passed"
    FAILED = "failed"
    TIMEOUT = "time-out"
    MEMORY = "out of memory"
    UNAVAILABLE = "no sandbox"


@dataclass(frozen=True, slots=True)
class UnitResult:
    """The result of one unit test, which passed if `error` is empty."""

    test: str
    error: str = ""


@dataclass(frozen=True, slots=True)
class CodeReply:
    """The reply to a `CodeAsk`: the outcome, captured output, the exception's last lines, seconds taken.

    `UNAVAILABLE` means that the program was not run; `error` gives the reason. `results` are those of the
    unit tests, in the requested order; they stop after `MOST_EXHAUSTED` tests that exceeded a limit (the
    status is then the last such limit). If there are none, the tests did not load, and `error` gives the
    reason.
    """

    status: CodeStatus
    stdout: str = ""
    error: str = ""
    seconds: float = 0.0
    sandbox: str = ""
    results: tuple[UnitResult, ...] = ()


Reply = ModelReply | CodeReply
