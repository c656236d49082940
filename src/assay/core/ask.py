"""What rules ask the outside for, and the replies they read. Carried out in `assay.calls`."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from enum import StrEnum
from typing import Any, Literal

from assay.core.money import Usage


@dataclass(frozen=True, slots=True)
class Message:
    """One turn of a conversation."""

    role: Literal["system", "user", "assistant"]
    content: str


class CallStatus(StrEnum):
    """How an attempt of an upstream call ended; of a call, how its last attempt did."""

    OK = "ok"
    INVALID = "invalid"
    ERROR = "error"


class ErrorKind(StrEnum):
    """Why a call is an `error`, or an answer `invalid`."""

    RATE_LIMITED = "rate limited"
    SERVER = "server error"
    TIMEOUT = "time-out"
    CONNECTION = "connection"
    REFUSED = "refused by the provider"
    UNAUTHORISED = "unauthorised"
    NO_ROUTE = "no provider meets the routing"
    MALFORMED = "malformed reply"
    EMPTY = "empty answer"
    TRUNCATED = "no visible answer before the token limit"
    FILTERED = "filtered by the provider"


@dataclass(frozen=True, slots=True)
class ModelAsk:
    """A question to a model.

    `purpose` names why it is asked (`subject`, `judge`, `geval`, `calibration`, ...). `parameters` are
    generation parameters in the protocol's words (temperature, max_tokens, reasoning, seed, ...).
    `response_schema` is a JSON Schema for endpoints that enforce one. A `sealed` ask carries an
    answer key: the ledger keeps its hash only. `about` tells what is asked about (case, subject, metric): it
    is sent to simulated and recorded providers alone, never to a real one.
    """

    purpose: str
    model: str
    messages: tuple[Message, ...]
    parameters: Mapping[str, Any] = field(default_factory=dict)
    response_schema: Mapping[str, Any] | None = None
    sealed: bool = False
    about: Mapping[str, str] = field(default_factory=dict)


# After so many tests that used up their limits the rest are not run.
MOST_EXHAUSTED = 3


@dataclass(frozen=True, slots=True)
class UnitTests:
    """Tests to put to a program from a room of their own, where the program never runs.

    `source` is their source, made ready for that room; `tests` the functions to run, in order; `names` what
    they take from the program; `modules` what they import. With `own_equality` the program's classes decide
    comparisons of their objects with plain values.
    """

    source: str
    tests: tuple[str, ...]
    names: tuple[str, ...]
    modules: tuple[str, ...] = ()
    own_equality: bool = False


@dataclass(frozen=True, slots=True)
class CodeAsk:
    """A Python program to run in the sandbox.

    `program` is the whole source: exit without an exception is success. `seconds` bounds wall time,
    `megabytes` memory; output beyond `output_bytes` is cut. `packages` names native packages that the
    standard library does not hold (they need the bubblewrap or Docker sandbox). With `unit_tests` the
    program is loaded for each of them, `seconds` bounds each test, and `megabytes` each of the two rooms.
    """

    program: str
    seconds: float = 10.0
    megabytes: int = 256
    output_bytes: int = 65_536
    packages: tuple[str, ...] = ()
    unit_tests: UnitTests | None = None


Ask = ModelAsk | CodeAsk


@dataclass(frozen=True, slots=True)
class Served:
    """Who really served a reply, as far as the provider tells."""

    provider: str | None = None
    model: str | None = None
    fingerprint: str | None = None


@dataclass(frozen=True, slots=True)
class ModelReply:
    """What came of a `ModelAsk`. `text` is None unless the status is `ok`.

    `latency` and `cost` (US dollars, None when unknown) are those of the last attempt, `attempts` how many
    requests were sent. `logprobs` is the protocol's `choices[0].logprobs`.
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
        """Whether the provider may have charged for this although it tells no cost.

        An HTTP error is a refusal. A time-out, a broken connection and an unreadable reply may cost.
        """
        answered = self.status is not CallStatus.ERROR or self.http_status is None
        return answered or (self.http_status or 0) < 300


class CodeStatus(StrEnum):
    """How a program in the sandbox ended."""

    PASSED = "passed"
    FAILED = "failed"
    TIMEOUT = "time-out"
    MEMORY = "out of memory"
    UNAVAILABLE = "no sandbox"


@dataclass(frozen=True, slots=True)
class UnitResult:
    """What came of one unit test: it passed when `error` is empty."""

    test: str
    error: str = ""


@dataclass(frozen=True, slots=True)
class CodeReply:
    """What came of a `CodeAsk`: the outcome, captured output, the exception's last lines, seconds taken.

    `UNAVAILABLE` means that the program was never run; `error` says why. Unit tests have `results`, in the
    order asked for; they end early after too many that used up their limits (the status is then the last such
    limit). Without any results the tests did not load, and `error` says why.
    """

    status: CodeStatus
    stdout: str = ""
    error: str = ""
    seconds: float = 0.0
    sandbox: str = ""
    results: tuple[UnitResult, ...] = ()


Reply = ModelReply | CodeReply
