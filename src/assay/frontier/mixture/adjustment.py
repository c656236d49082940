"""Adjusting draws of success rates so that their oracle has a given value and interval."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt
import scipy

FloatArray = npt.NDArray[np.float64]
BoolArray = npt.NDArray[np.bool_]
Z90 = 1.6448536269514722
FARTHEST = 2.2
"""Standard scores beyond this are cut, so that the oracle's draws have no long tails."""
HALVINGS = 12
CERTAIN = 1e-9
MOST_NOISE, MOST_SHIFT = 2.0, 1.0
STEEPEST = 4.0


@dataclass(frozen=True, slots=True)
class OracleInterval:
    """The oracle's value `point` and its 90 % interval from `low` to `high`."""

    point: float
    low: float
    high: float


def adjust_oracle(
    drawn: FloatArray, observed: BoolArray, target: OracleInterval, rng: np.random.Generator
) -> FloatArray:
    """Return the draws (S, N, L), changed so that their oracle has the target's mean and 90 % interval.

    The order of the draws by their oracle is kept. An oracle is raised by noise on the logits of the cells,
    and lowered by pulling them towards their prompt's and model's mean logit; both leave the means of models
    nearly unchanged. The rest is done by a shift of all logits.
    """
    before = oracle(drawn, observed)
    rank = before.argsort(kind="stable").argsort(kind="stable")
    goal = np.clip(_goals(len(drawn), target)[rank], CERTAIN, 1.0)
    noise = rng.standard_normal(drawn.shape)
    logits = scipy.special.logit(np.clip(drawn, CERTAIN, 1.0 - CERTAIN))
    middle = (
        logits.mean(axis=2, keepdims=True)
        + logits.mean(axis=1, keepdims=True)
        - logits.mean(axis=(1, 2), keepdims=True)
    )
    rising = goal > before

    def spread(size: FloatArray) -> FloatArray:
        step = size[:, None, None]
        return np.asarray(
            np.where(
                rising[:, None, None], logits + MOST_NOISE * step * noise, logits + step * (middle - logits)
            )
        )

    spread_logits = np.asarray(spread(_solve(spread, observed, goal, rising)))
    still_rising = goal > oracle(scipy.special.expit(spread_logits), observed)
    sign = np.where(still_rising, MOST_SHIFT, -MOST_SHIFT)[:, None, None]

    def shift(size: FloatArray) -> FloatArray:
        return np.asarray(spread_logits + size[:, None, None] * sign)

    return np.asarray(scipy.special.expit(shift(_solve(shift, observed, goal, still_rising))))


def _solve(
    change: Callable[[FloatArray], FloatArray], observed: BoolArray, goal: FloatArray, rising: BoolArray
) -> FloatArray:
    """Return the size (0-1) of each draw's change that brings its oracle nearest to the goal (bisection)."""
    size, step = np.full(len(goal), 0.5), 0.25
    for _ in range(HALVINGS):
        short = oracle(scipy.special.expit(change(size)), observed) < goal
        size = size + np.where(short == rising, step, -step)
        step /= 2.0
    return size


def _goals(number: int, target: OracleInterval) -> FloatArray:
    """Return ascending values with the target's mean, of which 90 % lie in its interval.

    Either side is normal; the longer one is bent so that the mean is kept.
    """
    score = np.clip(scipy.special.ndtri((np.arange(number) + 0.5) / number), -FARTHEST, FARTHEST) / Z90
    above, below = np.maximum(score, 0.0), np.maximum(-score, 0.0)
    up, down = max(target.high - target.point, 0.0), max(target.point - target.low, 0.0)
    mean = min(up, down) / max(up, down, 1e-12) * float(above.mean())
    bent = min(np.linspace(1.0, STEEPEST, 61), key=lambda power: abs(float((above**power).mean()) - mean))
    powers = (bent, 1.0) if up > down else (1.0, bent)
    goals = target.point + up * above ** powers[0] - down * below ** powers[1]
    return np.asarray(goals - goals.mean() + target.point)


def oracle(drawn: FloatArray, observed: BoolArray) -> FloatArray:
    """Return the oracle in each draw: shape (S,)."""
    return np.asarray(np.where(observed, drawn, 0.0).max(axis=2).mean(axis=1))
