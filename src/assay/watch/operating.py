"""Operating characteristics: each rule's false alarms on a suite, and its delay in detecting a fall.

Three rules are run on the same days, simulated from a `null.Profile`: `seed` (COOKED by the suite's
thresholds, with adaptive re-runs), `sequential` (the rank test with a guarantee) and `cusum` (the chart with
a simulated threshold).
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt
import scipy

from assay.core.suite import Thresholds
from assay.core.verdict import UseCaseState
from assay.results.operating import Detection, FalseAlarms, MonteCarloEstimate, OperatingReport, Rule
from assay.stats.intervals import clopper_pearson
from assay.watch import cusum, sequential
from assay.watch.null import Profile, SimulatedScores, SuiteShape, fallen
from assay.watch.same_cases import CaseTable, match_window
from assay.watch.verdict import BoundColumns, evaluate, roll_up

YEAR = sequential.YEAR
RULES: tuple[Rule, ...] = ("seed", "sequential", "cusum")
DROPS = (0.025, 0.05, 0.10, 0.15, 0.20)
SETTLING = 28
"""Simulated days before the counted year, in which every rule can calibrate."""

HISTORY = 60
"""Simulated days before a fall, by default."""

HORIZON = 60
"""Simulated days after a fall, by default."""

REPLICATES = 250
"""Simulated model-years, and simulated falls of each size, by default."""

BLOCK = 250
"""Replicates simulated at a time, to limit the memory."""

BoolArray = npt.NDArray[np.bool_]
FloatArray = npt.NDArray[np.float64]
LEVEL = 0.95


@dataclass(frozen=True, slots=True)
class Rules:
    """The settings of the three rules. `false_alarms` a model-year is that of the sequential test."""

    thresholds: Thresholds = Thresholds()
    false_alarms: float = sequential.FALSE_ALARMS
    cusum_threshold: float = cusum.THRESHOLD

    def alarms(
        self, shape: SuiteShape, drawn: SimulatedScores, rng: np.random.Generator
    ) -> dict[str, BoolArray]:
        """Return the days on which each rule raises an alarm, shape (replicates, days).

        The seed's alarms are the days on which COOKED begins.
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
    """Simulate `days` without a fall (after `SETTLING`), and each fall after `history` days."""
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
    """Return each rule's alarms over simulated days without a fall."""
    raised = _simulated(profile, rules, rng, np.ones(SETTLING + days), replicates)
    results = []
    for rule in RULES:
        counted = raised[rule][:, SETTLING:]
        counts, years = counted.sum(axis=1), days / YEAR
        any_ = share(int((counts > 0).sum()), replicates)
        results.append(FalseAlarms(rule, rate(counts, years), any_, int(counts.sum()), replicates * years))
    return tuple(results)


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
    """Return each rule's delay in detecting a fall of `drop` after `history` normal simulated days."""
    factors = fallen(history + horizon, history, drop)
    raised = _simulated(profile, rules, rng, factors, replicates)
    return tuple(detection(rule, drop, delays(raised[rule][:, history:]), horizon) for rule in RULES)


def delays(alarms: BoolArray) -> FloatArray:
    """Return the day of the first alarm of each replicate, from 1; infinite without an alarm."""
    first: FloatArray = np.where(alarms.any(axis=1), alarms.argmax(axis=1) + 1.0, np.inf)
    return first


def detection(rule: Rule, drop: float, waits: FloatArray, horizon: int) -> Detection:
    """Return the summary of delays (infinite if the fall was not detected within the horizon)."""
    seen = tuple(float((waits <= day).mean()) for day in range(1, horizon + 1))
    within = share(int(np.isfinite(waits).sum()), len(waits))
    return Detection(rule, drop, quantile(waits, 0.5), within, seen, len(waits))


def seed_cooked(shape: SuiteShape, drawn: SimulatedScores, thresholds: Thresholds) -> BoolArray:
    """Return the days that are COOKED by the seed's rule, shape (replicates, days).

    A (model, use case, day) with suspicious base samples is scored again on all its samples, as in the watch,
    and enters later baselines with that score. This changes which later days look suspicious, so it is
    repeated until there are no more of them.
    """
    base, full = drawn.by_use_case(shape.use_cases)
    bounds = BoundColumns.of(thresholds, shape.judged)
    powered = np.zeros(base.shape, dtype=bool)
    fit = ~np.isnan(base)
    of_case = np.asarray(shape.use_cases)
    starts = (*np.unique(of_case, return_index=True)[1].tolist(), len(of_case))
    while True:
        cases = np.where(powered[:, of_case], drawn.full, drawn.base)
        table = CaseTable.of(cases, np.where(powered, full, base), fit, starts)
        matched = match_window(table, bounds.floor[:, 0], thresholds)
        baseline = matched.baseline
        evidence = evaluate(matched.scores, baseline, bounds, thresholds, fit=fit, powered=powered)
        if not evidence.underpowered.any():
            break
        powered |= evidence.underpowered
    gap = np.zeros((base.shape[0], base.shape[2]), dtype=bool)
    verdict = roll_up(evidence.state, baseline.exists, gap, thresholds)
    return np.asarray(verdict == UseCaseState.COOKED)


def begins(holds: BoolArray) -> BoolArray:
    """Return the first days of consecutive true days, shape (replicates, days)."""
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


def share(hits: int, trials: int) -> MonteCarloEstimate:
    """Return the share of trials with a hit, with the Clopper-Pearson interval."""
    interval = clopper_pearson(hits, trials, level=LEVEL)
    return MonteCarloEstimate(hits / trials, interval.low, interval.high)


def rate(counts: npt.ArrayLike, exposure: float) -> MonteCarloEstimate:
    """Return events per unit of exposure, from the counts of replicates with this exposure each.

    The interval is the exact Poisson interval (Garwood 1936) for counts divided by their dispersion (variance
    over mean, at least 1), because the alarms of a badly calibrated model come in clusters.
    """
    events = np.asarray(counts, dtype=np.float64)
    total, spread = float(events.sum()), 1.0
    if total and len(events) > 1:
        spread = max(1.0, float(events.var(ddof=1) / events.mean()))
    tail = (1.0 - LEVEL) / 2.0
    low = float(scipy.special.gammaincinv(total / spread, tail)) if total else 0.0
    high = float(scipy.special.gammaincinv(total / spread + 1.0, 1.0 - tail))
    scale = spread / (exposure * len(events))
    return MonteCarloEstimate(total / (exposure * len(events)), low * scale, high * scale)


def quantile(values: npt.ArrayLike, probability: float) -> MonteCarloEstimate:
    """Return a quantile with its distribution-free interval from order statistics.

    Infinite values lie beyond the simulated horizon; an infinite estimate or end becomes None.
    """
    ordered = np.sort(np.asarray(values, dtype=np.float64))
    count, tail = len(ordered), (1.0 - LEVEL) / 2.0
    low = int(np.floor(scipy.special.bdtrik(tail, count, probability)))
    high = int(np.ceil(scipy.special.bdtrik(1.0 - tail, count, probability)))
    middle = int(np.ceil(probability * count)) - 1
    at = (middle, low, high)
    chosen = [float(ordered[min(max(index, 0), count - 1)]) for index in at]
    return MonteCarloEstimate(*(figure if np.isfinite(figure) else None for figure in chosen))
