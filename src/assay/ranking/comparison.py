"""Two runs compared case by case: what flipped, by how much the score moved, and whether luck explains it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from assay.core.errors import InvalidInput
from assay.stats.intervals import Interval, bounded_mean
from assay.stats.permutation import mcnemar, sign_flip

PASS = 0.5


@dataclass(frozen=True, slots=True)
class Flip:
    """A case that passed in one run and not in the other; scores 0-1."""

    case: str
    before: float
    after: float


@dataclass(frozen=True, slots=True)
class RunDifference:
    """Run B against run A on the `cases` that both scored (0-1); `only_a` and `only_b` one of them scored.

    `difference` is B's mean less A's on those cases, with its interval; `p` is its two-sided sign-flip test.
    `fell` and `rose` are the flipped cases (the score crossed `threshold`; a score at it passes), `mcnemar`
    the exact two-sided p of a split as uneven as theirs by luck. `binary` says that all scores are 0 or
    1, where a flip is any change. Means and difference are None without a common case.
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
    fell: tuple[Flip, ...]
    rose: tuple[Flip, ...]
    mcnemar: float


def compare_runs(
    cases: Sequence[str],
    before: npt.ArrayLike,
    after: npt.ArrayLike,
    *,
    threshold: float = PASS,
    level: float = 0.95,
) -> RunDifference:
    """Compare scores of two runs, one a case (averaged over epochs), NaN where a run has none.

    The interval is Gaffke's for the mean of the differences, sound for a handful of cases and wide for them;
    it is for cases like these. The sign-flip test asks about these very cases: if the two runs were
    exchangeable on each, how often would their totals lie as far apart? InvalidInput for scores
    outside 0-1, or lists of different lengths.
    """
    old, new = np.asarray(before, dtype=np.float64), np.asarray(after, dtype=np.float64)
    if not len(cases) == old.size == new.size:
        raise InvalidInput(
            f"{len(cases)} cases, {old.size} and {new.size} scores: give one of each run for every case"
        )
    for value in (*old[~np.isnan(old)].tolist(), *new[~np.isnan(new)].tolist()):
        if not 0.0 <= value <= 1.0:
            raise InvalidInput(f"score {value!r}: give scores from 0 to 1")
    both = ~np.isnan(old) & ~np.isnan(new)
    a, b = old[both], new[both]
    change = b - a
    crossed = [
        Flip(case, was, now)
        for case, was, now in zip(np.array(cases, dtype=object)[both], a.tolist(), b.tolist(), strict=True)
        if (was >= threshold) != (now >= threshold)
    ]
    fell = tuple(flip for flip in crossed if flip.after < flip.before)
    rose = tuple(flip for flip in crossed if flip.after > flip.before)
    return RunDifference(
        cases=int(both.sum()),
        only_a=_named(cases, ~np.isnan(old) & np.isnan(new)),
        only_b=_named(cases, np.isnan(old) & ~np.isnan(new)),
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


def _named(cases: Sequence[str], chosen: npt.NDArray[np.bool_]) -> tuple[str, ...]:
    return tuple(case for case, each in zip(cases, chosen.tolist(), strict=True) if each)


def _interval(change: list[float], level: float) -> Interval:
    """Return the interval of the mean of differences, which lie in -1 to 1."""
    unit = bounded_mean([(value + 1.0) / 2.0 for value in change], level=level)
    return Interval(2.0 * unit.low - 1.0, 2.0 * unit.high - 1.0, level)


def _two_sided(change: list[float]) -> float:
    falls, rises = sign_flip(change), sign_flip([-value for value in change])
    return min(1.0, 2.0 * min(falls, rises))
