"""Runs: the plan, the outcome, the samples and the cost."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Annotated, Any, Final, Literal

from assay.core.ask import CallStatus, Message
from assay.core.documented import DocumentedStrEnum, HelpText
from assay.core.errors import AssayError
from assay.core.suite import Suite
from assay.results.adaptive_run import AdaptiveResult
from assay.results.figure import Day, Figure, Flat, Hidden, Listed, Timestamp, dollars, utc
from assay.results.table import Column, Table, legend_of

Sampling = Literal["suite", "provider-default"]
PartName = Literal["samples", "judges", "calibration", "top-ups", "re-asks"]


class RunStatus(DocumentedStrEnum):
    """The progress of a run."""

    RUNNING = (
        "running",
        HelpText("""
            A process is executing the run now. `assay show RUN` names the process and its machine.

            What is finished is already in the database, so the counts grow while you look. Scores of a part
            of the samples can still change.

            Wait, or press Ctrl-C in its terminal: calls in flight are then finished and saved. A second
            process cannot resume the run at the same time.
        """),
    )
    FINISHED = (
        "finished",
        HelpText("""
            Every planned sample was asked for and has a status.

            It does not mean that all of them succeeded: samples that errored are counted, and so are
            answers without a mark. Only finished runs are used as days of the watch and on boards.

            If samples errored, `assay resume RUN` asks for them again. If marks are missing, `assay grade
            RUN --only ungraded` asks the judges again.
        """),
    )
    STOPPED = (
        "stopped",
        HelpText("""
            The run ended before all samples were done. The reason is shown with it, for example an
            interruption, a spent budget, a refused key or a provider's request to wait.

            Everything that was answered is kept and will not be paid for again. The rest is missing, and
            which part is missing depends on the reason, so the scores are not comparable yet.

            Remove the cause and continue with `assay resume RUN`. If the budget was spent, give a higher
            `--max-cost`.
        """),
    )
    DEAD = (
        "dead",
        HelpText("""
            The run is recorded as running, but the process that executed it is gone: it was killed, or its
            machine went down.

            Replies that had been committed are safe. Calls that were in flight at that moment may have been
            charged without being recorded.

            Continue with `assay resume RUN`. If it happens again, look for a memory limit or a time limit
            of your scheduler.
        """),
    )


class RunKind(DocumentedStrEnum):
    """The kind of a run, by the command that made it."""

    RUN = (
        "run",
        HelpText("""
            A suite was run for one or more models with `assay run`.

            Such a run is not a day of the watch: it enters no baseline and gives no verdict, but boards and
            comparisons use it.

            See it with `assay show RUN`, rank its models with `assay board SUITE`, and compare it with
            another by `assay compare RUN RUN`.
        """),
    )
    WATCH = (
        "watch",
        HelpText("""
            A day of the watch, made by `assay watch`.

            Its samples count for one day of each model and enter the baselines of the following days. The
            first samples can be followed by top-ups in the same run.

            See its verdicts with `assay verdict`. `assay resume RUN` asks again for samples that errored
            and judges the day again.
        """),
    )
    IMPORT = (
        "import",
        HelpText("""
            Results that were recorded elsewhere and imported with `assay import`.

            Nothing was asked and nothing paid here. Parameters and providers of imported samples are
            usually unknown, so changes of conditions cannot be detected.

            See it with `assay show RUN`. Imported days are judged by the same rules as watched ones.
        """),
    )
    CALIBRATE = (
        "calibrate",
        HelpText("""
            A judge marked its fixed calibration answers.

            It is how the watch notices that a judge has changed. The run has calls but no samples of a
            model under test.

            `assay judge calibrate` prints the result. If the judge moved, verdicts that depend on it are
            frozen that day.
        """),
    )
    EXPAND = (
        "expand",
        HelpText("""
            `assay bank expand` asked a model for statements, or had them verified, to make new questions.

            Its calls cost money and produce no scores, so it appears in the list of runs for its cost
            alone.

            Continue a stopped one with the same `assay bank expand` command: what was paid for is taken
            from the ledger.
        """),
    )
    SIT = (
        "sit",
        HelpText("""
            `assay sit` answered the questions of an exam session with a model.

            The run holds the calls and what they cost. The examiner's service, which may be elsewhere,
            holds the answers, marks and results.

            After a stop run the same `assay sit` command again: submitted answers are not asked again.
        """),
    )
    MARK = (
        "mark",
        HelpText("""
            `assay exam mark` asked a judge for the stars of a session's answers.

            The judge sees the answer keys, so the ledger keeps only hashes of these calls.

            After a stop run the same command again. Results are in `assay exam results`.
        """),
    )
    CONTAMINATION = (
        "contamination",
        HelpText("""
            `assay study contamination` tested whether a model has seen questions in its training.

            The model is asked for the rest of a question's text, so the run has many calls and no score in
            the usual sense.

            After a stop run the same command again; finished attempts are not repeated.
        """),
    )
    ERRORS = (
        "errors",
        HelpText("""
            `assay study errors` had a judge sort wrong answers into five kinds of errors.

            The run has one call per answer, or two if the first reply could not be read, and no samples of
            its own.

            `assay study errors --resume RUN` continues a stopped one and shows a finished one again, for
            instance with hand labels.
        """),
    )
    PAIRS = (
        "pairs",
        HelpText("""
            `assay judge pairs` had judges compare the stored answers of two models to the same prompts.

            Each pair of answers is put to each judge in both orders, so the run has calls and verdicts, but
            no samples of its own.

            `assay board SUITE --pairwise` ranks the models by these verdicts. Continue a stopped one with
            `assay judge pairs --resume RUN`: verdicts that are stored are not asked for again.
        """),
    )


@dataclass(frozen=True, slots=True)
class SuiteKey:
    """The name, version and digest of a suite in results."""

    suite: Annotated[str, Figure("suite")]
    version: Annotated[str, Figure("version")]
    digest: Annotated[str, Figure("digest", meaning="SHA-256 of its content")]

    @classmethod
    def of(cls, suite: Suite) -> SuiteKey:
        """Return the key of a suite."""
        return cls(suite.name, suite.version, suite.digest)


@dataclass(frozen=True, slots=True)
class StatusCounts:
    """The number of samples with each status."""

    ok: Annotated[int, Figure("ok", meaning="graded answers", of="n")]
    invalid: Annotated[int, Figure("invalid", meaning="answers without visible text; they score 0", of="n")]
    error: Annotated[int, Figure("error", meaning="no answer after retries; left out of every score", of="n")]
    ungraded: Annotated[
        int,
        Figure("ungraded", meaning="answers that could not be graded; left out of every score", of="n"),
    ]

    @property
    def n(self) -> Annotated[int, Figure("n", meaning="all samples: ok + invalid + error + ungraded")]:
        """The number of all samples."""
        return self.ok + self.invalid + self.error + self.ungraded

    @property
    def answered(self) -> int:
        """The number of samples with an answer, which may be graded, empty or ungraded."""
        return self.ok + self.invalid + self.ungraded

    def __str__(self) -> str:
        """Return the text of the counts in a table: `20 (17/1/2/0)`."""
        return f"{self.n} ({self.ok}/{self.invalid}/{self.error}/{self.ungraded})"


@dataclass(frozen=True, slots=True)
class Spend:
    """The cost of calls: the known part in US dollars, and the number of calls whose cost is unknown."""

    known: Annotated[float, Hidden()] = 0.0
    calls: Annotated[
        int,
        Figure("calls", meaning="attempts, including judges', that were or may have been charged"),
    ] = 0
    unknown: Annotated[
        int, Figure("unknown costs", name="unknown_costs", meaning="calls whose cost is unknown", of="calls")
    ] = 0

    @property
    def cost(
        self,
    ) -> Annotated[
        float | None,
        Figure("cost", unit="USD", meaning="the known part; none if no call has a known cost"),
    ]:
        """The known part in US dollars; None if no call has a known cost."""
        return self.known if self.calls > self.unknown else None

    def add(self, cost: float | None) -> Spend:
        """Return this spend with one more call, whose cost may be unknown (None)."""
        return self + Spend(cost or 0.0, 1, int(cost is None))

    def __add__(self, other: Spend) -> Spend:
        return Spend(self.known + other.known, self.calls + other.calls, self.unknown + other.unknown)

    def __sub__(self, other: Spend) -> Spend:
        return Spend(self.known - other.known, self.calls - other.calls, self.unknown - other.unknown)

    def __str__(self) -> str:
        if not self.calls:
            return "nothing spent"
        if self.unknown == self.calls:
            return "cost unknown"
        more = "call" if self.unknown == 1 else "calls"
        return dollars(self.known) + (f" + {self.unknown} {more} of unknown cost" if self.unknown else "")


@dataclass(frozen=True, slots=True)
class RunCounts:
    """The progress and the cost of a run. The spend does not include refused attempts."""

    samples: Annotated[StatusCounts, Flat()]
    spend: Annotated[Spend, Flat()]


@dataclass(frozen=True, slots=True)
class RunOutcome:
    """The outcome of a run. `reason` and `error` say why it stopped; both are None if it finished."""

    run: Annotated[int, Figure("run")]
    status: Annotated[RunStatus, Figure("status")]
    reason: Annotated[str | None, Figure("reason", meaning="why it stopped; none if it finished")]
    error: Annotated[AssayError | None, Hidden()]
    counts: Annotated[StatusCounts, Flat()]
    spend: Annotated[Spend, Flat()]
    remarks: Annotated[
        tuple[str, ...],
        Listed("text"),
        Figure("remarks", meaning="errors that occurred, and parameters that endpoints refused"),
    ] = ()
    unmarked: Annotated[int, Hidden()] = 0
    """Visible answers that no judge of the panel has marked."""
    adaptive: AdaptiveResult | None = None
    """What an adaptive run settled; None for other runs."""


_ESTIMATED: Final = Figure(
    "cost",
    unit="USD",
    meaning="estimate; none if the prices of one model are unknown",
    missing="unknown",
)


@dataclass(frozen=True, slots=True)
class ModelNeeds:
    """One model's share of a part of a plan."""

    model: Annotated[str, Figure("model")]
    calls: Annotated[int, Figure("calls")]
    prompt_tokens: Annotated[int, Figure("tokens in")]
    completion_tokens: Annotated[
        int,
        Figure("tokens out", meaning="tokens of the answers; reasoning tokens cannot be estimated"),
    ]
    cost: Annotated[
        float | None,
        Figure("cost", unit="USD", meaning="none if the model's prices are unknown", missing="unknown"),
    ]


@dataclass(frozen=True, slots=True)
class PlanPart:
    """One part of a plan: samples, judges, calibration, top-ups or re-asks."""

    name: Annotated[PartName, Figure("part", name="part")]
    up_to: Annotated[
        bool, Figure("up to", meaning="whether this is the upper bound of a part that may be added")
    ]
    models: tuple[ModelNeeds, ...]

    @property
    def calls(self) -> Annotated[int, Figure("calls")]:
        """The number of calls of the part."""
        return sum(model.calls for model in self.models)

    @property
    def cost(self) -> Annotated[float | None, _ESTIMATED]:
        """The cost in US dollars; None if one model's prices are unknown."""
        return _sum(model.cost for model in self.models)


@dataclass(frozen=True, slots=True)
class MeasuredModel:
    """A model, by name, and the finished watch run that measured it on the day."""

    model: Annotated[str, Figure("model")]
    run: Annotated[int, Figure("run")]


@dataclass(frozen=True, slots=True)
class PlanEstimate:
    """The calls and cost of a plan: `expected` parts, and upper bounds of `possible` additional parts."""

    suite: Annotated[SuiteKey, Flat()]
    sampling: Annotated[Sampling, Figure("sampling")]
    parts: tuple[PlanPart, ...]
    already_measured: Annotated[
        tuple[MeasuredModel, ...],
        Figure(
            "measured", meaning="models that are left out because a finished run of the day measured them"
        ),
    ] = ()

    @property
    def expected(self) -> tuple[PlanPart, ...]:
        """The parts that are certain."""
        return tuple(part for part in self.parts if not part.up_to)

    @property
    def possible(self) -> tuple[PlanPart, ...]:
        """The parts that may be added."""
        return tuple(part for part in self.parts if part.up_to)

    @property
    def calls(self) -> Annotated[int, Figure("calls", meaning="expected calls")]:
        """The number of expected calls."""
        return sum(part.calls for part in self.expected)

    @property
    def cost(self) -> Annotated[float | None, _ESTIMATED]:
        """The cost of the expected calls in US dollars; None if one model's prices are unknown."""
        return _sum(part.cost for part in self.expected)

    @property
    def most_calls(self) -> Annotated[int, Figure("calls, at most", meaning="with top-ups and re-asks")]:
        """The number of expected calls and of all calls that may be added."""
        return sum(part.calls for part in self.parts)

    @property
    def most_cost(self) -> Annotated[float | None, _ESTIMATED]:
        """The cost of these calls in US dollars; None if one model's prices are unknown."""
        return _sum(part.cost for part in self.parts)


def _sum(costs: Iterable[float | None]) -> float | None:
    known = list(costs)
    return None if None in known else sum(cost or 0.0 for cost in known)


@dataclass(frozen=True, slots=True)
class RunModel:
    """A model of a run."""

    model: Annotated[str, Figure("model")]
    fingerprint: Annotated[
        str, Figure("fingerprint", meaning="SHA-256 of all settings that affect its answers")
    ]


@dataclass(frozen=True, slots=True)
class RunSummary:
    """A run with its kind, status and cost."""

    run: Annotated[int, Figure("run")]
    kind: Annotated[RunKind, Figure("kind")]
    suite: Annotated[SuiteKey, Flat()]
    day: Annotated[Day | None, Figure("day", meaning="the day that its samples count for")]
    status: Annotated[RunStatus, Figure("status")]
    reason: Annotated[str | None, Figure("reason", meaning="why it stopped")]
    simulated: Annotated[bool, Figure("simulated")]
    created_at: Annotated[Timestamp, Figure("started")]
    finished_at: Annotated[Timestamp | None, Figure("ended")]
    holder: Annotated[str | None, Figure("executed by", meaning="the process that executes the run now")]
    resume: Annotated[
        str | None,
        Figure("resume", meaning="the command that continues a run that was stopped or is dead"),
    ]
    models: tuple[RunModel, ...]
    counts: Annotated[RunCounts, Flat()]


@dataclass(frozen=True, slots=True)
class ToppedUp:
    """A use case that a model answers at full count, because its provisional score looked suspicious."""

    model: Annotated[str, Figure("model")]
    use_case: Annotated[str, Figure("use case")]


@dataclass(frozen=True, slots=True)
class RunPlan:
    """The plan of a run."""

    samples: Annotated[int, Figure("samples")]
    cases: Annotated[int, Figure("cases")]
    sampling: Annotated[Sampling, Figure("sampling")]
    epochs: Annotated[Mapping[str, int], Figure("epochs"), Listed("use_case", "epochs")]
    topped: tuple[ToppedUp, ...]
    used_epochs: Annotated[tuple[int, ...], Hidden()]
    """The different numbers of epochs among the planned cases, in ascending order."""
    adaptive: Annotated[
        str | None,
        Figure("adaptive", meaning="how far the rule of an adaptive run has gone; none for other runs"),
    ] = None


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


MOST_NAMES: Final = 4


def _run_models(run: RunSummary) -> str:
    names = [model.model for model in run.models]
    more = len(names) - MOST_NAMES + 1
    return "\n".join(names if more < 2 else [*names[:-more], f"and {more} more"])


def _run_status(run: RunSummary) -> str:
    status = f"{run.status}, simulated" if run.simulated else run.status
    if run.status == "dead":
        status += f": its process ended; continue with\n{run.resume}"
    return f"{run.kind} {run.suite.suite} {run.suite.version}\n{status}"


RUNS: Final = Table(
    RunSummary,
    (
        "run",
        Column("what", _run_status),
        Column("models", _run_models),
        Column("day", lambda run: run.day or utc(run.created_at)[:10]),
        Column(
            "n (ok/inv/err/ungr)\nand cost",
            lambda run: f"{run.counts.samples}\n{run.counts.spend}",
            legend=legend_of(StatusCounts, "n"),
        ),
    ),
    name="runs",
)
NEEDS: Final = Table(ModelNeeds)
SCORES: Final = Table(UseCaseScore, ("use_case", "score", "cases", "n", "ok", "invalid", "error", "ungraded"))
SAMPLES: Final = Table(
    ListedSample, ("id", "model", "case", "epoch", Column("status", _sample_status), "score")
)

SCHEMAS: Final[dict[str, tuple[type | Table, str]]] = {
    "plan": (PlanEstimate, "--dry-run --json: the calls and cost of a run; nothing is sent"),
    "run": (RunOutcome, "assay run --json, assay resume --json, assay grade --json: the outcome of a run"),
    "runs": (RUNS, "assay runs --json: runs, the newest first"),
    "show-run": (RunPage, "assay show RUN --json: a run with its plan, scores and samples"),
    "show-sample": (SamplePage, "assay show RUN.POSITION --json: one sample with its grades and calls"),
}
