"""The watch: a day's verdict on each model with the evidence, and the tests beside the verdict.

Scores are 0-100. All days are UTC.
"""

from __future__ import annotations

from dataclasses import dataclass
from datetime import date
from typing import Annotated, Final

from assay.core.case import Grading
from assay.core.documented import DocumentedStrEnum, HelpText
from assay.core.notification import DeliveryStatus
from assay.core.verdict import ModelState, StateReason, UseCaseState, VerdictMark
from assay.core.wording import counted
from assay.results.figure import Figure, Flat, Hidden, Listed, Timestamp, utc
from assay.results.judges import Calibration
from assay.results.plans import MeasuredModel, PartName
from assay.results.runs import RunOutcome, Spend, StatusCounts
from assay.results.table import Table
from assay.stats.intervals import Interval

_LEVEL: Final = Figure("level", meaning="evidence as a share of the evidence that raises an alarm")
_SINCE: Final = Figure("since", meaning="first day of the fall; none without an alarm")
_REASON: Final = Figure(
    "reason", meaning="why the evidence does not change the state, or why there is no evidence"
)


@dataclass(frozen=True, slots=True)
class BaselineComparison:
    """The comparison of a score with a baseline, both over the same `cases`.

    Score, z and drop are None on a day without a score, or with too few cases in common.
    """

    mean: Annotated[float, Figure("mean", digits=1)]
    deviation: Annotated[float, Figure("deviation", meaning="sample standard deviation")]
    spread: Annotated[float, Figure("spread", meaning="the deviation with its floor")]
    days: Annotated[int, Figure("days", meaning="days that were used")]
    score: Annotated[
        float | None, Figure("score", meaning="the day's score on the same cases", least=0, most=100)
    ]
    cases: Annotated[int, Figure("cases", meaning="cases that the day and the baseline have in common")]
    z: Annotated[float | None, Figure("z", meaning="distance from the mean in spreads", digits=1)]
    drop: Annotated[
        float | None, Figure("drop", meaning="fall as a fraction of the mean; none if the mean is 0")
    ]


@dataclass(frozen=True, slots=True)
class DayFlip:
    """A case whose mean (0-1) moved by at least a half since the previous scored day."""

    case: Annotated[str, Figure("case")]
    before: Annotated[float, Figure("before")]
    after: Annotated[float, Figure("after")]


@dataclass(frozen=True, slots=True)
class PairedTest:
    """The case-level test of a day against the window of its baseline.

    `p` is one-sided. `least_p` is the smallest p that these days allow (with today 0 on every case).
    `difference` is the mean over cases of today's score minus the window's score.
    """

    p: Annotated[float, Figure("p", meaning="one-sided")]
    least_p: Annotated[float, Figure("least p", meaning="the smallest p that these days allow")]
    difference: Annotated[
        float, Figure("difference", unit="points of 0-100", meaning="mean over cases of day minus window")
    ]
    cases: Annotated[int, Figure("cases")]
    days: Annotated[int, Figure("days")]


@dataclass(frozen=True, slots=True)
class Fall:
    """The recovery from a COOKED fall by the baseline from before it, shown beside the seed's verdict."""

    down: Annotated[bool, Figure("down", meaning="whether the fall has not recovered")]
    since: Annotated[date | None, Figure("since", meaning="the fall's first day, while down")]
    mean: Annotated[float | None, Figure("mean", meaning="mean of the baseline of that day")]
    spread: Annotated[float | None, Figure("spread", meaning="spread of the baseline of that day")]
    within: Annotated[
        int, Figure("within", meaning="scored days in a row that are back in the baseline's band")
    ]
    recovered: Annotated[date | None, Figure("recovered", meaning="the day on which the last fall ended")]


@dataclass(frozen=True, slots=True)
class UseCaseVerdict:
    """One use case of one model on one day.

    `state` is the seed's verdict, and `reading` is the state by the day's numbers alone. The two differ if
    the evidence may not change the state. `reason` then says why, and also if there is nothing to judge.
    `baseline` is None while calibrating (`days_used` still counts), and `golden` is None until its window is
    full.
    """

    use_case: Annotated[str, Figure("use case")]
    grading: Annotated[Grading, Figure("grading")]
    state: Annotated[UseCaseState, Figure("state", meaning="the seed's verdict")]
    held: Annotated[
        bool, Figure("held", meaning="whether the state was only carried over from the last day that counted")
    ]
    reading: Annotated[UseCaseState, Figure("reading", meaning="the state by this day's numbers alone")]
    reason: Annotated[str | None, _REASON]
    score: Annotated[
        float | None,
        Figure(
            "score",
            meaning="over the cases in common with the baseline (all of the day's while calibrating); "
            "none without a score, or with too few cases in common",
            digits=1,
            least=0,
            most=100,
        ),
    ]
    cases: Annotated[int, Figure("cases", meaning="cases that the score is computed over")]
    missing: Annotated[
        tuple[str, ...], Figure("missing", meaning="cases of the baseline without a score this day")
    ]
    new: Annotated[
        tuple[str, ...], Figure("new", meaning="cases scored this day that are not in the baseline")
    ]
    interval: Annotated[Interval | None, Figure("interval", meaning="interval of the score")]
    counts: StatusCounts
    days_used: Annotated[int, Figure("days used", meaning="days of the window that count")]
    baseline: BaselineComparison | None
    flips: Annotated[
        tuple[DayFlip, ...],
        Figure("flips", meaning="cases that moved by a half or more since the previous scored day"),
    ]
    full_power: Annotated[
        bool, Figure("full power", meaning="whether every case has its full number of samples")
    ]
    barred: Annotated[bool, Figure("barred", meaning="whether judge drift prevents a change of state")]
    golden: Annotated[
        BaselineComparison | None, Figure("golden", meaning="comparison with the golden baseline")
    ]
    golden_state: Annotated[
        UseCaseState | None,
        Figure("golden state", meaning="state by the same rule against the golden baseline"),
    ]
    paired: PairedTest | None
    fall: Fall
    reason_kind: Annotated[StateReason | None, Hidden()] = None


class ConditionKind(DocumentedStrEnum):
    """The conditions that can change."""

    PARAMETERS = (
        "parameters",
        HelpText("""
            The generation parameters that were really sent differ from those of the baseline's days, for
            example because the endpoint began to refuse one of them.

            A model that is asked differently answers differently. This is a change on our side, so the
            state is carried over until five days under the new parameters make a baseline.

            Compare the two sets in the sentence. If the workspace or the suite changed by mistake, change
            it back before the next run. If the endpoint refuses a parameter now, the change is permanent:
            wait five days.
        """),
    )
    JUDGE = (
        "judge",
        HelpText("""
            Another judge marked the judged use cases than on the baseline's days.

            Judges differ in strictness by more than most models fall. Judged use cases keep their state
            until five days with the new judge make a baseline; deterministic ones are judged as usual.

            Use the same judge every day: pin it in the suite, and pass `--judge` to `assay watch` only to
            replace it for good. One day with another judge changes the verdict of no other day.
        """),
    )
    MODEL = (
        "served model",
        HelpText("""
            The endpoint names another model in its replies than it did on the baseline's days, although the
            request has the same name.

            Providers move an alias such as `latest` to a new version without notice. The watch exists to
            show the effect of that, so the day is judged as usual and the change is shown with it.

            Read the paired test in the same sentence: it covers the samples that the old model still
            answered. If you need a fixed version, add the model under its dated name with `assay model
            add`.
        """),
    )
    FINGERPRINT = (
        "fingerprint",
        HelpText("""
            The endpoint reports a `system_fingerprint` that it did not report in the 14 days before.

            The fingerprint identifies the provider's software and hardware behind the model. A new one
            shows that something was deployed, often without any effect on quality. The day is judged as
            usual.

            If the scores fell on the same day, this is the likely cause; the sentence has the result of the
            samples with the old fingerprint. Some providers rotate among a few fingerprints: known ones are
            not reported.
        """),
    )


@dataclass(frozen=True, slots=True)
class ConditionChange:
    """A condition that changed since the baseline's days: a value never seen in the window before `since`.

    Parameters are those that were really sent. The values before are in order of frequency.
    """

    kind: Annotated[ConditionKind, Figure("kind")]
    before: Annotated[
        tuple[str, ...],
        Figure("before", meaning="values in the window before the change, most frequent first"),
    ]
    after: Annotated[str, Figure("after")]
    since: Annotated[date, Figure("since", meaning="first day of the new value")]
    samples: Annotated[int, Figure("samples", meaning="samples of the day with the new value", of="known")]
    known: Annotated[int, Figure("known", meaning="samples of the day whose value is known")]
    unchanged: Annotated[
        PairedTest | None,
        Figure("unchanged", meaning="the paired test on the other samples; none without other samples"),
    ]


@dataclass(frozen=True, slots=True)
class ProviderFall:
    """Models behind one provider that fell on the same day, and the probability of it by chance."""

    provider: Annotated[str, Figure("provider")]
    fell: Annotated[tuple[str, ...], Figure("fell")]
    at_risk: Annotated[int, Figure("at risk", meaning="models behind the provider that could fall")]
    elsewhere_fell: Annotated[int, Figure("fell elsewhere", of="elsewhere_at_risk")]
    elsewhere_at_risk: Annotated[int, Figure("at risk elsewhere")]
    chance: Annotated[
        float, Figure("chance", meaning="probability of so many falls if models fell independently")
    ]


@dataclass(frozen=True, slots=True)
class ModelVerdict:
    """One model on one day, with the verdicts of its use cases in the suite's order."""

    model: Annotated[str, Figure("model")]
    day: Annotated[date, Figure("day")]
    suite: Annotated[str, Figure("suite")]
    version: Annotated[str, Figure("version")]
    state: Annotated[ModelState, Figure("state")]
    reason: Annotated[str | None, _REASON]
    cooked: Annotated[tuple[str, ...], Figure("cooked", meaning="use cases that are COOKED")]
    suspicious: Annotated[tuple[str, ...], Figure("suspicious", meaning="use cases that are SUSPICIOUS")]
    held: Annotated[tuple[str, ...], Figure("held", meaning="use cases whose state was only carried over")]
    cases: Annotated[int, Figure("cases", meaning="cases compared with their baselines", of="known_cases")]
    known_cases: Annotated[int, Figure("known cases", meaning="cases scored this day or in a baseline")]
    counts: Annotated[StatusCounts, Figure("n", meaning="the samples that were judged")]
    attempted: Annotated[
        int,
        Figure("attempted", meaning="all samples of the day, including runs that the gap rule left out"),
    ]
    errored: Annotated[int, Figure("errored", of="attempted")]
    runs_left_out: Annotated[int, Figure("runs left out", meaning="runs that the gap rule left out")]
    routing_changed: Annotated[
        int,
        Figure(
            "routing changed",
            meaning="answers from another provider than the pin, which are left out of everything else",
        ),
    ]
    judge_moved: Annotated[bool, Figure("judge moved")]
    paired: Annotated[PairedTest | None, Figure("paired", meaning="the paired test over all cases")]
    fell_overnight: Annotated[
        float,
        Figure(
            "fell overnight",
            meaning="McNemar's p for more falls than rises of cases since the previous scored day",
        ),
    ]
    down: Annotated[
        bool,
        Figure("down", meaning="true from a COOKED day until every use case of the fall has recovered"),
    ]
    provider_fall: ProviderFall | None
    conditions_changed: Annotated[
        tuple[ConditionChange, ...],
        Figure("conditions", meaning="conditions that have changed since the baseline's days"),
    ]
    use_cases: tuple[UseCaseVerdict, ...]
    reason_kind: Annotated[StateReason | None, Hidden()] = None


@dataclass(frozen=True, slots=True)
class LagCorrelation:
    """Lag-1 correlation of day scores, corrected for the length of the history, with its 95 % interval."""

    value: Annotated[float, Figure("correlation", digits=2, least=-1, most=1)]
    low: Annotated[float, Figure("low")]
    high: Annotated[float, Figure("high")]
    pairs: Annotated[int, Figure("pairs", meaning="pairs of consecutive days", least=1)]
    models: Annotated[int, Figure("models", meaning="models whose days were pooled", least=1)]


@dataclass(frozen=True, slots=True)
class Promise:
    """The sequential test's rate of false alarms a model-year, with the condition on which it holds."""

    false_alarms: Annotated[
        float, Figure("false alarms", unit="a model-year", meaning="while days are independent")
    ]
    correlation: Annotated[
        LagCorrelation | None,
        Figure("correlation", meaning="of one day's score with the next day's, over the whole history"),
    ]
    expected: Annotated[
        float | None,
        Figure(
            "expected",
            unit="a model-year",
            meaning="false alarms at this correlation; none if it could not be measured",
        ),
    ]
    low: Annotated[float | None, Figure("low", meaning="lower end of the expected rate")]
    high: Annotated[float | None, Figure("high", meaning="upper end of the expected rate")]
    reason: Annotated[
        str | None, Figure("reason", meaning="why the rate is withheld; none if it is not withheld")
    ]

    @property
    def explanation(self) -> str:
        """The rate with its condition, and the rate at the measured correlation of days."""
        stated = f"at most {self.false_alarms:g} false alarms a model-year while days are independent"
        lag = self.correlation
        if lag is None or self.expected is None:
            return f"{stated}; it is not known yet whether they are: {self.reason}"
        assert self.low is not None and self.high is not None
        models = "" if lag.models == 1 else f" of {lag.models} models"
        measured = (
            f"the correlation of one day with the next is {lag.value:.2f} ({lag.low:.2f} to "
            f"{lag.high:.2f}, {lag.pairs} pairs of days{models})"
        )
        if self.high <= self.false_alarms:
            return f"{stated}, and they are: {measured}"
        shown = "they are not" if lag.low > 0.0 else "it cannot be excluded that they are not"
        expected = f"{self.expected:.2g} ({self.low:.2g} to {self.high:.2g})"
        return f"{stated}; {shown}: {measured}, so expect {expected}"


@dataclass(frozen=True, slots=True)
class SequentialState:
    """The sequential test on one day, beside the seed's verdict."""

    level: Annotated[float, _LEVEL]
    alarm: Annotated[bool, Figure("alarm")]
    since: Annotated[date | None, _SINCE]
    false_alarms: Annotated[
        float,
        Figure("false alarms", unit="a model-year", meaning="rate that the test is set to; see `promise`"),
    ]
    days: Annotated[int, Figure("days", meaning="scored days so far")]
    least_days: Annotated[int, Figure("least days", meaning="scored days before the first bet")]
    promise: Promise


@dataclass(frozen=True, slots=True)
class FleetState:
    """The fleet-adjusted test on one day, beside the seed's verdict. The other models are its controls."""

    level: Annotated[float, _LEVEL]
    alarm: Annotated[bool, Figure("alarm")]
    since: Annotated[date | None, _SINCE]
    controls: Annotated[int, Figure("controls", meaning="other models that it was compared with")]
    days: Annotated[int, Figure("days", meaning="days in common with them")]
    least_days: Annotated[int, Figure("least days", meaning="days in common before the first bet")]
    difference: Annotated[
        float | None,
        Figure(
            "difference",
            unit="points of 0-100",
            meaning="its change minus that of the controls on the same cases since the baseline's window",
        ),
    ]
    reason: Annotated[str | None, Figure("reason", meaning="why there is no test on this day")]

    @property
    def explanation(self) -> str:
        """The result of the test with the number of controls, or the reason why there is none."""
        if self.reason is not None:
            return f"withheld, {self.reason}"
        since = f"{VerdictMark.ALARM}, first day of the fall about {self.since}"
        alarm = since if self.alarm else "no alarm"
        share = f"{100 * min(self.level, 9.99):.2g} %"
        change = (
            "" if self.difference is None else f"; {self.difference:+.1f} points relative to their change"
        )
        controls = counted(self.controls, "control")
        return f"{alarm}; {controls}, {self.days} days in common, evidence {share} of an alarm{change}"


@dataclass(frozen=True, slots=True)
class VerdictRecord:
    """The record of a day's verdict as it was issued."""

    state: Annotated[ModelState, Figure("state", meaning="as issued last")]
    at: Annotated[Timestamp, Figure("issued")]
    first_state: Annotated[ModelState, Figure("first state", meaning="as issued first")]
    first_at: Annotated[Timestamp, Figure("first issued")]
    issues: Annotated[int, Figure("issues", least=1)]
    differs: Annotated[
        tuple[str, ...],
        Figure("differs", meaning="why the day is judged differently now; empty if it is not"),
    ]

    @property
    def explanation(self) -> str:
        """The state that was issued, and the reason why the day is judged differently now."""
        differs = "; ".join(self.differs)
        return f"issued as {self.state} on {utc(self.at)}; computed again it differs: {differs}"


@dataclass(frozen=True, slots=True)
class DayReport:
    """One model on one day: the seed's verdict as computed now, with both tests and the issued verdict."""

    verdict: Annotated[ModelVerdict, Flat()]
    sequential: SequentialState
    fleet: FleetState
    simulated: Annotated[bool, Figure("simulated")]
    issued: Annotated[
        VerdictRecord | None,
        Figure("issued", meaning="the record of the day's verdict; none if none was issued"),
    ] = None


@dataclass(frozen=True, slots=True)
class Snapshots:
    """A history of a few days that are too far apart for a baseline, with a run of each day.

    A baseline needs `least_days` scored days within `window_days`.
    """

    model: Annotated[str, Figure("model")]
    days: Annotated[tuple[tuple[date, int], ...], Listed("day", "run"), Figure("days")]
    least_days: Annotated[int, Hidden()]
    window_days: Annotated[int, Hidden()]

    @property
    def compare(
        self,
    ) -> Annotated[str, Figure("compare", meaning="the command that compares the first day with the last")]:
        """The command that compares the first day with the last, case by case."""
        return f"assay compare {self.days[0][1]} {self.days[-1][1]} --model {self.model}"

    @property
    def explanation(self) -> str:
        """The reason in one sentence why there is no verdict on these days."""
        *days, last = (str(day) for day, _ in self.days)
        return (
            f"{len(self.days)} days ({', '.join(days)} and {last}) can have no baseline, which needs "
            f"{self.least_days} scored days within {self.window_days}"
        )


@dataclass(frozen=True, slots=True)
class VerdictReports:
    """Verdicts of a suite's models: of one day, or of all days."""

    suite: Annotated[str, Figure("suite")]
    verdicts: tuple[DayReport, ...]
    snapshots: Annotated[
        tuple[Snapshots, ...],
        Figure("snapshots", meaning="models with a few days that are too far apart for a baseline"),
    ]


@dataclass(frozen=True, slots=True)
class SpentPart:
    """The spend of one part of a day."""

    name: Annotated[PartName, Figure("part", name="part")]
    spend: Annotated[Spend, Flat()]


@dataclass(frozen=True, slots=True)
class DaySpending:
    """The spend of all runs of a suite on a day, including calibrations, by part."""

    parts: tuple[SpentPart, ...] = ()

    @property
    def total(self) -> Annotated[Spend, Flat()]:
        """The sum of all rows of the ledger that belong to the day's runs."""
        return sum((part.spend for part in self.parts), Spend())


@dataclass(frozen=True, slots=True)
class StateChange:
    """A change of a model's state since the state that was recorded last."""

    before: Annotated[ModelState | None, Figure("before", meaning="none if it was never judged before")]
    verdict: Annotated[ModelVerdict, Hidden()]

    @property
    def model(self) -> Annotated[str, Figure("model")]:
        """The model."""
        return self.verdict.model

    @property
    def after(self) -> Annotated[ModelState, Figure("after")]:
        """The state of this day."""
        return self.verdict.state


@dataclass(frozen=True, slots=True)
class NotificationDelivery:
    """One notification for one webhook in the delivery log. Times are UTC seconds since 1970.

    `body` is the text that is sent. `error` says in plain words why the delivery failed; it never holds an
    address, a secret or the receiver's reply.
    """

    event: Annotated[str, Figure("event")]
    hook: Annotated[str, Figure("hook")]
    body: Annotated[str, Hidden()]
    status: Annotated[DeliveryStatus, Figure("status")]
    attempts: Annotated[int, Figure("attempts")]
    created_at: Annotated[Timestamp, Figure("written")]
    http_status: Annotated[
        int | None, Figure("HTTP", meaning="HTTP status of the last answer; none without one")
    ] = None
    error: Annotated[str | None, Figure("error", missing="")] = None
    finished_at: Annotated[Timestamp | None, Figure("finished")] = None

    @property
    def simulated(self) -> bool:
        """Whether the notification says that its model is simulated."""
        return '"simulated":true' in self.body or "[simulated" in self.body


@dataclass(frozen=True, slots=True)
class VerdictTests:
    """The tests beside a model's verdict."""

    model: Annotated[str, Figure("model")]
    sequential: SequentialState
    fleet: FleetState


@dataclass(frozen=True, slots=True)
class WatchDay:
    """A watched day. Verdicts and changes are empty if the run stopped before it was complete.

    If all models had been measured on the day already, `outcome` is that of the last run that did so, and
    nothing was sent. `calibrations` are the calibrations of judges before this run.
    """

    outcome: Annotated[RunOutcome, Figure("run", name="run")]
    day: Annotated[date, Figure("day")]
    topped: Annotated[
        tuple[tuple[str, str], ...],
        Listed("model", "use_case"),
        Figure("topped up", name="topped_up", meaning="use cases re-run at full count before the verdict"),
    ]
    verdicts: Annotated[
        tuple[ModelVerdict, ...],
        Figure("verdicts", meaning="empty if the run stopped before it was complete"),
    ]
    changes: Annotated[
        tuple[StateChange, ...], Figure("changes", meaning="changes since the last recorded state")
    ]
    simulated: Annotated[bool, Figure("simulated")]
    deliveries: tuple[NotificationDelivery, ...] = ()
    calibrations: Annotated[tuple[Calibration, ...], Hidden()] = ()
    measured: Annotated[
        tuple[MeasuredModel, ...],
        Figure(
            "measured",
            name="already_measured",
            meaning="models that a finished run of the day has measured, which are left out",
        ),
    ] = ()
    spent: Annotated[
        DaySpending,
        Figure("spent", meaning="spend of all runs of the suite on the day, including calibrations"),
    ] = DaySpending()
    beside: Annotated[
        tuple[VerdictTests, ...],
        Figure("beside", meaning="the tests beside each verdict; empty if the day was measured before"),
    ] = ()

    @property
    def asked(self) -> bool:
        """Whether this watch asked any model; false if the day was measured already."""
        return not self.measured or self.outcome.run not in {known.run for known in self.measured}


DELIVERIES: Final = Table(
    NotificationDelivery,
    ("created_at", "hook", "status", "attempts", "http_status", "event", "error"),
    "deliveries",
)
SCHEMAS: Final[dict[str, tuple[type | Table, str]]] = {
    "notify": (DELIVERIES, "assay notify list --json, assay notify retry --json: the delivery log"),
    "verdict": (VerdictReports, "assay verdict --json: verdicts with their evidence"),
    "watch": (WatchDay, "assay watch --json (one document a day), assay resume --json of a watch"),
}
