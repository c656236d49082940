"""Runs: their kinds, status, counts, cost and outcome."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Annotated, Final

from assay.core.documented import DocumentedStrEnum, HelpText
from assay.core.errors import AssayError
from assay.core.suite import Suite
from assay.results.adaptive_run import AdaptiveResult
from assay.results.figure import Day, Figure, Flat, Hidden, Listed, Timestamp, dollars, utc
from assay.results.table import Column, Table, legend_of


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
SCHEMAS: Final[dict[str, tuple[type | Table, str]]] = {
    "run": (RunOutcome, "assay run --json, assay resume --json, assay grade --json: the outcome of a run"),
    "runs": (RUNS, "assay runs --json: runs, the newest first"),
}
