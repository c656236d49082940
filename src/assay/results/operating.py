"""The watch's rules in simulation: false alarms, days until a fall is seen, and proposed thresholds."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Annotated, Final, Literal

from assay.core.suite import Thresholds
from assay.results.figure import Figure, Flat
from assay.results.table import Column, Table

Rule = Literal["seed", "sequential", "cusum"]
RULE_NAMES: Final[dict[Rule, str]] = {
    "seed": "the suite's thresholds",
    "sequential": "sequential test (guaranteed)",
    "cusum": "CUSUM (simulated)",
}


@dataclass(frozen=True, slots=True)
class MonteCarloEstimate:
    """A simulated figure and its 95 % Monte-Carlo interval; None for a value beyond the simulated range."""

    value: Annotated[float | None, Figure("value")]
    low: Annotated[float | None, Figure("low", meaning="lower end of the 95 % interval")]
    high: Annotated[float | None, Figure("high", meaning="upper end of the 95 % interval")]

    def __str__(self) -> str:
        """Return the text of the value in a table."""
        return "-" if self.value is None else f"{self.value:.3g}"

    @property
    def interval(self) -> str:
        """The text of the interval in a table; an end beyond the simulated range is `…`."""
        return "-".join("…" if end is None else f"{end:.3g}" for end in (self.low, self.high))


@dataclass(frozen=True, slots=True)
class FalseAlarms:
    """Alarms of one rule although the model did not change."""

    rule: Annotated[Rule, Figure("rule")]
    per_year: Annotated[MonteCarloEstimate, Figure("alarms", meaning="alarms that begin in one model-year")]
    years_with_any: Annotated[
        MonteCarloEstimate, Figure("with any", meaning="share of model-years with any alarm")
    ]
    alarms: Annotated[int, Figure("alarms")]
    model_years: Annotated[float, Figure("model-years", meaning="simulated model-years")]


@dataclass(frozen=True, slots=True)
class Detection:
    """The delay until one rule sees a fall. Delay 1 is an alarm on the first day of the fall."""

    rule: Annotated[Rule, Figure("rule")]
    drop: Annotated[float, Figure("fall", meaning="the fall as a fraction of the score")]
    median: Annotated[
        MonteCarloEstimate,
        Figure(
            "median",
            unit="days",
            meaning="days until the fall is seen; no value if more than half of the falls were not seen "
            "within the horizon",
        ),
    ]
    within: Annotated[MonteCarloEstimate, Figure("within", meaning="share of falls seen within the horizon")]
    seen: Annotated[
        tuple[float, ...],
        Figure("seen", meaning="share of falls seen within 1, 2, ... days, up to the horizon"),
    ]
    replicates: Annotated[int, Figure("replicates")]


@dataclass(frozen=True, slots=True)
class OperatingReport:
    """The simulated false alarms and detections of the rules on a suite."""

    false_alarms: tuple[FalseAlarms, ...]
    detections: tuple[Detection, ...]
    days: Annotated[int, Figure("days", meaning="days without a change, on which false alarms are counted")]
    history: Annotated[int, Figure("history", meaning="days before a fall")]
    horizon: Annotated[int, Figure("horizon", meaning="days after a fall")]
    sequential_target: Annotated[
        float,
        Figure("target", unit="a model-year", meaning="rate that the sequential test is set to"),
    ]
    cusum_threshold: Annotated[float, Figure("CUSUM height", meaning="height at which the chart alarms")]
    simulated: Annotated[Literal[True], Figure("simulated")] = True


@dataclass(frozen=True, slots=True)
class RuleSettings:
    """Settings of the three rules; `false_alarms` is the sequential test's rate per model-year."""

    thresholds: Thresholds
    false_alarms: Annotated[float, Figure("false alarms", unit="a model-year")]
    cusum_threshold: Annotated[float, Figure("CUSUM height")]


@dataclass(frozen=True, slots=True)
class BoundTrial:
    """One scale of the seed's bounds that the search tried, and its false COOKED verdicts per model-year."""

    scale: Annotated[float, Figure("scale")]
    per_year: Annotated[float, Figure("alarms", unit="a model-year")]


@dataclass(frozen=True, slots=True)
class Proposal:
    """Thresholds for at most `target` false alarms a model-year, with the evidence.

    `before` and `after` are simulated on fresh days, so that the search does not bias them.
    """

    target: Annotated[float, Figure("target", unit="a model-year", meaning="largest number of false alarms")]
    rules: Annotated[RuleSettings, Figure("rules", meaning="the proposed settings")]
    scale: Annotated[
        float | None,
        Figure(
            "scale",
            meaning="factor on the seed's z and drop bounds; none if no factor that was tried meets the "
            "target: `rules` then has the largest one",
        ),
    ]
    trials: tuple[BoundTrial, ...]
    before: OperatingReport
    after: OperatingReport


_SOURCE: Final = Figure("source", meaning="source of the variance of the cases")
_SEED: Final = Figure("seed", meaning="seed of the simulation")


@dataclass(frozen=True, slots=True)
class SimulatedRules:
    """The simulated rules on a workspace's own suite."""

    source: Annotated[str, _SOURCE]
    seed: Annotated[int, _SEED]
    report: Annotated[OperatingReport, Flat()]


@dataclass(frozen=True, slots=True)
class TunedRules:
    """Thresholds proposed for a workspace's own suite."""

    source: Annotated[str, _SOURCE]
    seed: Annotated[int, _SEED]
    proposal: Annotated[Proposal, Flat()]


def _rule(row: FalseAlarms | Detection) -> str:
    return RULE_NAMES[row.rule]


def _median(row: Detection) -> str:
    return f"over {len(row.seen)}" if row.median.value is None else str(row.median)


def _per_cent(share: MonteCarloEstimate, digits: int) -> str:
    return f"{100 * (share.value or 0):.{digits}f} %"


FALSE_ALARMS: Final = Table(
    FalseAlarms,
    (
        Column("rule", _rule),
        Column("alarms a model-year", lambda row: row.per_year, right=True),
        Column("95 %", lambda row: row.per_year.interval, right=True),
        Column("model-years with any", lambda row: _per_cent(row.years_with_any, 1), right=True),
    ),
)
DETECTIONS: Final = Table(
    Detection,
    (
        Column("fall", lambda row: f"{100 * row.drop:g} %", right=True),
        Column("rule", _rule),
        Column("median days", _median, right=True),
        Column("95 %", lambda row: row.median.interval, right=True),
        Column("seen", lambda row: _per_cent(row.within, 0), right=True),
    ),
)
SCHEMAS: Final[dict[str, tuple[type | Table, str]]] = {
    "watch-simulate": (
        SimulatedRules,
        "assay watch simulate --json: false alarms of each rule, and the delay until it sees a fall",
    ),
    "watch-tune": (TunedRules, "assay watch tune --json: proposed thresholds"),
}
