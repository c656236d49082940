"""Comparison of two runs case by case: flipped cases, the difference of scores, and significance tests."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from assay.core.errors import InvalidInput
from assay.stats.intervals import Interval, bounded_mean
from assay.stats.p_values import mcnemar, sign_flip

PASS = 0.5


@dataclass(frozen=True, slots=True)
class RunFlip:
    """A case that passed in one run and not in the other; scores 0-1."""

    case: str
    before: float
    after: float


@dataclass(frozen=True, slots=True)
class RunDifference:
    """Run B compared with run A on the `cases` that both scored (0-1).

    `only_a` and `only_b` are cases that only one run scored. `difference` is B's mean less A's on the common
    cases, with its interval; `p` is its two-sided sign-flip test. `fell` and `rose` are the flipped cases
    (the score crossed `threshold`; a score at the threshold passes), and `mcnemar` is the exact two-sided p
    of their split. `binary` is true if all scores are 0 or 1, so any change is a flip. Means and difference
    are None without a common case.
    """

    cases: int
    only_a: tuple[str, ...]
    only_b: tuple[str, ...]
    mean_a: float | None
    mean_b: float | None
    difference: float | None
    interval: Interval | None
    p: float
    binary: bool
    threshold: float
    fell: tuple[RunFlip, ...]
    rose: tuple[RunFlip, ...]
    mcnemar: float


def compare_runs(
    cases: Sequence[str],
    before: npt.ArrayLike,
    after: npt.ArrayLike,
    *,
    threshold: float = PASS,
    level: float = 0.95,
) -> RunDifference:
    """Compare the scores of two runs, one for each case (averaged over epochs), NaN for none.

    The interval is Gaffke's for the mean of the differences over cases like these; it is valid (and wide)
    also for a few cases. The sign-flip test is about these cases only: its p is the probability of totals at
    least this far apart if the two runs are exchangeable on each case. Raises InvalidInput for scores outside
    0-1, or lists of different lengths.
    """
    old, new = np.asarray(before, dtype=np.float64), np.asarray(after, dtype=np.float64)
    if not len(cases) == old.size == new.size:
        raise InvalidInput(
            f"{len(cases)} cases, but {old.size} and {new.size} scores: give two scores for each case"
        )
    for value in (*old[~np.isnan(old)].tolist(), *new[~np.isnan(new)].tolist()):
        if not 0.0 <= value <= 1.0:
            raise InvalidInput(f"invalid score {value!r}: give scores from 0 to 1")
    both = ~np.isnan(old) & ~np.isnan(new)
    a, b = old[both], new[both]
    change = b - a
    crossed = [
        RunFlip(case, was, now)
        for case, was, now in zip(np.array(cases, dtype=object)[both], a.tolist(), b.tolist(), strict=True)
        if (was >= threshold) != (now >= threshold)
    ]
    fell = tuple(flip for flip in crossed if flip.after < flip.before)
    rose = tuple(flip for flip in crossed if flip.after > flip.before)
    return RunDifference(
        cases=int(both.sum()),
        only_a=_chosen(cases, ~np.isnan(old) & np.isnan(new)),
        only_b=_chosen(cases, np.isnan(old) & ~np.isnan(new)),
        mean_a=float(a.mean()) if a.size else None,
        mean_b=float(b.mean()) if b.size else None,
        difference=float(change.mean()) if a.size else None,
        interval=_interval(change.tolist(), level) if a.size else None,
        p=_two_sided(change.tolist()),
        binary=bool(np.isin(np.concatenate([a, b]), (0.0, 1.0)).all()),
        threshold=threshold,
        fell=fell,
        rose=rose,
        mcnemar=min(1.0, 2.0 * mcnemar(max(len(fell), len(rose)), min(len(fell), len(rose)))),
    )


def _chosen(cases: Sequence[str], mask: npt.NDArray[np.bool_]) -> tuple[str, ...]:
    return tuple(case for case, chosen in zip(cases, mask.tolist(), strict=True) if chosen)


def _interval(change: list[float], level: float) -> Interval:
    """Return the interval of the mean of differences, each in -1 to 1."""
    unit = bounded_mean([(value + 1.0) / 2.0 for value in change], level=level)
    return Interval(2.0 * unit.low - 1.0, 2.0 * unit.high - 1.0, level)


def _two_sided(change: list[float]) -> float:
    falls, rises = sign_flip(change), sign_flip([-value for value in change])
    return min(1.0, 2.0 * min(falls, rises))
