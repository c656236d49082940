"""Thresholds for a target rate of false alarms, found by simulation and measured on other simulated days."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import numpy as np
import numpy.typing as npt

from assay.core.errors import InvalidInput
from assay.core.suite import Bounds, Thresholds
from assay.results.operating import BoundTrial, Proposal, RuleSettings
from assay.watch import cusum
from assay.watch.null import Profile, SimulatedScores
from assay.watch.operating import (
    BLOCK,
    DROPS,
    REPLICATES,
    SETTLING,
    YEAR,
    Rules,
    begins,
    seed_cooked,
    simulate,
)

LARGEST_DROP = 0.99
LEAST_HEIGHT, MOST_HEIGHT = 3.0, 200.0
"""The bounds of a proposed chart height. Below the first, one day 2.5 deviations low raises an alarm."""

SCALES = tuple(float(scale) for scale in np.round(np.geomspace(0.6, 2.0, 22), 3))
"""The factors to try on the seed's z and drop bounds."""


def tune(
    profile: Profile,
    rules: Rules,
    rng: np.random.Generator,
    *,
    false_alarms: float = 0.05,
    drops: Sequence[float] = DROPS,
    replicates: int = REPLICATES,
) -> Proposal:
    """Propose settings of all three rules for `false_alarms` a model-year on a suite.

    The seed's z and drop bounds are multiplied by the smallest of `SCALES` that meets the target; floors,
    window and counts do not change. The chart's height is found by bisection. The sequential test takes the
    target itself, which it guarantees. Raises InvalidInput for a target that is not positive.
    """
    if not false_alarms > 0.0:
        raise InvalidInput(
            f"invalid rate of false alarms {false_alarms!r}: give a number above 0, such as 0.05"
        )
    factors = np.ones(SETTLING + YEAR)
    blocks = [
        profile.draw(factors, min(BLOCK, replicates - start), rng) for start in range(0, replicates, BLOCK)
    ]
    height = chart_height(blocks, false_alarms)
    scale, trials = _scale(profile, blocks, rules.thresholds, false_alarms)
    thresholds = scaled(rules.thresholds, SCALES[-1] if scale is None else scale)
    proposed = Rules(thresholds, false_alarms, height)
    return Proposal(
        target=false_alarms,
        rules=RuleSettings(thresholds, false_alarms, height),
        scale=scale,
        trials=trials,
        before=simulate(profile, rules, rng, drops=drops, replicates=replicates),
        after=simulate(profile, proposed, rng, drops=drops, replicates=replicates),
    )


def chart_height(blocks: Sequence[SimulatedScores], false_alarms: float) -> float:
    """Return the least height, to 0.05, at which the chart raises at most `false_alarms` a simulated year.

    The blocks are simulated days without falls; the first `SETTLING` are not counted.
    """
    z = np.concatenate([cusum.distances(block.base) for block in blocks])
    return least_height(z, false_alarms)


def least_height(z: npt.NDArray[np.float64], false_alarms: float) -> float:
    """Return the least height, to 0.05, for daily distances (replicates, days); see `chart_height`."""
    allowed = false_alarms * z.shape[0] * (z.shape[1] - SETTLING) / YEAR
    low, high = LEAST_HEIGHT, MOST_HEIGHT
    while high - low > 0.05:
        middle = (low + high) / 2.0
        if cusum.climb(z, threshold=middle).alarm[:, SETTLING:].sum() > allowed:
            low = middle
        else:
            high = middle
    return round(high, 2)


def scaled(thresholds: Thresholds, scale: float) -> Thresholds:
    """Return the thresholds with every bound on z and drop multiplied by `scale`, drops at most 99 %."""

    def bounds(old: Bounds) -> Bounds:
        return replace(
            old,
            suspicious_z=old.suspicious_z * scale,
            cooked_z=old.cooked_z * scale,
            suspicious_drop=min(old.suspicious_drop * scale, LARGEST_DROP),
            cooked_drop=min(old.cooked_drop * scale, LARGEST_DROP),
            collapse_drop=min(old.collapse_drop * scale, LARGEST_DROP),
        )

    return replace(
        thresholds, deterministic=bounds(thresholds.deterministic), judged=bounds(thresholds.judged)
    )


def _scale(
    profile: Profile, blocks: Sequence[SimulatedScores], thresholds: Thresholds, false_alarms: float
) -> tuple[float | None, tuple[BoundTrial, ...]]:
    """Return the smallest scale that meets the target, by bisection over `SCALES`, and all trials."""
    years = sum(block.base.shape[0] for block in blocks)
    trials = []
    low, high = -1, len(SCALES)
    while high - low > 1:
        middle = (low + high) // 2
        rules = scaled(thresholds, SCALES[middle])
        cooked = sum(
            int(begins(seed_cooked(profile.shape, block, rules))[:, SETTLING:].sum()) for block in blocks
        )
        trials.append(BoundTrial(SCALES[middle], cooked / years))
        if cooked > false_alarms * years:
            low = middle
        else:
            high = middle
    smallest = SCALES[high] if high < len(SCALES) else None
    return smallest, tuple(sorted(trials, key=lambda trial: trial.scale))
