"""Operating characteristics: how often each rule cries wolf on a suite, and how soon it sees a fall.

Everything here is simulated from a `null.Profile`. Three rules are run on the same simulated days: `seed`
(COOKED by the suite's thresholds, adaptive re-runs included), `sequential` (the rank test with a
guarantee) and `cusum` (the chart with a simulated threshold).
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from assay.core.suite import Thresholds
from assay.core.verdict import UseCaseState
from assay.watch import cusum, sequential
from assay.watch.montecarlo import Estimate, quantile, rate, share
from assay.watch.null import Drawn, Profile, Shape, fallen
from assay.watch.same_cases import CaseTable, match_window
from assay.watch.verdict import Bars, read, roll_up

YEAR = sequential.YEAR
RULES = ("seed", "sequential", "cusum")
DROPS = (0.025, 0.05, 0.10, 0.15, 0.20)
SETTLING = 28
"""Simulated days before the counted year of a null, in which every rule may calibrate."""

HISTORY = 60
"""Simulated days before a fall, unless told otherwise."""

HORIZON = 60
"""Simulated days after a fall, unless told otherwise."""

REPLICATES = 250
"""Simulated model-years, and simulated falls of each size, unless told otherwise."""

BLOCK = 250
"""Replicates simulated at a time, to bound the memory."""

BoolArray = npt.NDArray[np.bool_]
FloatArray = npt.NDArray[np.float64]


@dataclass(frozen=True, slots=True)
class FalseAlarms:
    """Alarms of one rule with nothing wrong: episodes a model-year, and the share of years with any."""

    rule: str
    per_year: Estimate
    years_with_any: Estimate
    alarms: int
    model_years: float


@dataclass(frozen=True, slots=True)
class Detection:
    """How soon one rule sees a fall of `drop` (a share). Delay 1 is an alarm on the first fallen day.

    `median` is None in `value` when more than half were not seen within the horizon. `seen[k]` is the
    share seen within k + 1 days; `within` the share seen within the horizon.
    """

    rule: str
    drop: float
    median: Estimate
    within: Estimate
    seen: tuple[float, ...]
    replicates: int


@dataclass(frozen=True, slots=True)
class OperatingReport:
    """What the rules would do on a suite, simulated. `dataclasses.asdict` of it is plain JSON values."""

    false_alarms: tuple[FalseAlarms, ...]
    detections: tuple[Detection, ...]
    days: int
    history: int
    horizon: int
    sequential_target: float
    cusum_threshold: float
    simulated: bool = True


@dataclass(frozen=True, slots=True)
class Rules:
    """The settings of the three rules; `false_alarms` a model-year are the sequential test's."""

    thresholds: Thresholds = Thresholds()
    false_alarms: float = sequential.FALSE_ALARMS
    cusum_threshold: float = cusum.THRESHOLD

    def alarms(self, shape: Shape, drawn: Drawn, rng: np.random.Generator) -> dict[str, BoolArray]:
        """Return where each rule raises an alarm, shape (replicates, days).

        For the seed that is every day on which COOKED begins.
        """
        ties = 1.0 - rng.random((drawn.base.shape[0], drawn.base.shape[2]))
        tested = sequential.follow(drawn.base, shape.use_cases, ties, false_alarms=self.false_alarms)
        charted = cusum.follow(drawn.base, threshold=self.cusum_threshold)
        cooked = begins(seed_cooked(shape, drawn, self.thresholds))
        return {"seed": cooked, "sequential": tested.alarm, "cusum": charted.alarm}


def simulate(
    profile: Profile,
    rules: Rules,
    rng: np.random.Generator,
    *,
    drops: Sequence[float] = DROPS,
    days: int = 365,
    history: int = HISTORY,
    horizon: int = HORIZON,
    replicates: int = REPLICATES,
) -> OperatingReport:
    """Simulate `days` with nothing wrong (after `SETTLING`), and each fall after `history` days."""
    false_alarms = quiet(profile, rules, rng, days=days, replicates=replicates)
    detections = [
        detection
        for drop in drops
        for detection in falling(
            profile, rules, rng, drop=drop, history=history, horizon=horizon, replicates=replicates
        )
    ]
    return OperatingReport(
        false_alarms=false_alarms,
        detections=tuple(detections),
        days=days,
        history=history,
        horizon=horizon,
        sequential_target=rules.false_alarms,
        cusum_threshold=rules.cusum_threshold,
    )


def quiet(
    profile: Profile, rules: Rules, rng: np.random.Generator, *, days: int = 365, replicates: int = REPLICATES
) -> tuple[FalseAlarms, ...]:
    """Return each rule's alarms over simulated days on which nothing is wrong."""
    raised = _simulated(profile, rules, rng, np.ones(SETTLING + days), replicates)
    found = []
    for rule in RULES:
        counted = raised[rule][:, SETTLING:]
        counts, years = counted.sum(axis=1), days / YEAR
        any_ = share(int((counts > 0).sum()), replicates)
        found.append(FalseAlarms(rule, rate(counts, years), any_, int(counts.sum()), replicates * years))
    return tuple(found)


def falling(
    profile: Profile,
    rules: Rules,
    rng: np.random.Generator,
    *,
    drop: float,
    history: int = HISTORY,
    horizon: int = HORIZON,
    replicates: int = REPLICATES,
) -> tuple[Detection, ...]:
    """Return how soon each rule sees a fall of `drop` after `history` simulated days like any other."""
    factors = fallen(history + horizon, history, drop)
    raised = _simulated(profile, rules, rng, factors, replicates)
    return tuple(detection(rule, drop, delays(raised[rule][:, history:]), horizon) for rule in RULES)


def delays(alarms: BoolArray) -> FloatArray:
    """Return the day of the first alarm, counted from 1, for (replicates, days); infinite for none."""
    first: FloatArray = np.where(alarms.any(axis=1), alarms.argmax(axis=1) + 1.0, np.inf)
    return first


def detection(rule: str, drop: float, waits: FloatArray, horizon: int) -> Detection:
    """Return the summary of delays (infinite where the fall was not seen within the horizon)."""
    seen = tuple(float((waits <= day).mean()) for day in range(1, horizon + 1))
    within = share(int(np.isfinite(waits).sum()), len(waits))
    return Detection(rule, drop, quantile(waits, 0.5), within, seen, len(waits))


def seed_cooked(shape: Shape, drawn: Drawn, thresholds: Thresholds) -> BoolArray:
    """Return on which days the seed's rule says COOKED, shape (replicates, days).

    A (model, use case, day) whose base samples read suspicious is scored again on all its samples, as the
    watch does on the same day; what is recorded so then enters later baselines. That changes which
    later days look suspicious, so it is repeated until no more do.
    """
    base, full = drawn.by_use_case(shape.use_cases)
    bars = Bars.of(thresholds, shape.judged)
    powered = np.zeros(base.shape, dtype=bool)
    fit = ~np.isnan(base)
    of_case = np.asarray(shape.use_cases)
    starts = (*np.unique(of_case, return_index=True)[1].tolist(), len(of_case))
    while True:
        cases = np.where(powered[:, of_case], drawn.full, drawn.base)
        table = CaseTable.of(cases, np.where(powered, full, base), fit, starts)
        matched = match_window(table, bars.floor[:, 0], thresholds)
        baseline = matched.baseline
        readings = read(matched.scores, baseline, bars, thresholds, fit=fit, powered=powered)
        if not readings.thin.any():
            break
        powered |= readings.thin
    gap = np.zeros((base.shape[0], base.shape[2]), dtype=bool)
    verdict = roll_up(readings.state, baseline.there, gap, thresholds)
    return np.asarray(verdict == UseCaseState.COOKED)


def begins(holds: BoolArray) -> BoolArray:
    """Return the days on which something begins to hold, for (replicates, days)."""
    first = holds.copy()
    first[:, 1:] &= ~holds[:, :-1]
    return first


def _simulated(
    profile: Profile, rules: Rules, rng: np.random.Generator, factors: FloatArray, replicates: int
) -> dict[str, BoolArray]:
    """Draw replicates block by block and return each rule's alarms, shape (replicates, days)."""
    parts: dict[str, list[BoolArray]] = {rule: [] for rule in RULES}
    for start in range(0, replicates, BLOCK):
        drawn = profile.draw(factors, min(BLOCK, replicates - start), rng)
        for rule, raised in rules.alarms(profile.shape, drawn, rng).items():
            parts[rule].append(raised)
    return {rule: np.concatenate(blocks) for rule, blocks in parts.items()}
