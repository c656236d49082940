"""The composite of one model on some prompts, and the two halves it is made of."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from assay.ranking.cells import GEVAL_DIGITS, Cells
from assay.ranking.measured import BoolArray, FloatArray, Status

BOTH, JUDGES_ONLY, GEVAL_ONLY = "both", "judges only", "geval only"
JUDGE_DIGITS = 2


@dataclass(frozen=True, slots=True)
class JudgeMean:
    """One judge's mean mark for one model, rounded to 2 decimals (None without a mark).

    `marked` of the `asked` visible answers have its mark; invalid answers get 1 by rule, which is no mark of
    the judge. It `counts` when that is all of them; it never does for its `own` model (or family).
    """

    judge: str
    mean: float | None
    marked: int
    asked: int
    own: bool
    counts: bool


@dataclass(frozen=True, slots=True)
class Score:
    """The composite (0-1) and its halves: the judges' mean (1-5) and G-Eval (0-1, rounded to 4 decimals).

    `basis` says which halves there are: 'both', 'judges only', 'geval only', or None with no composite.
    `composite_invalid_zero` counts the G-Eval of invalid answers as 0 instead of leaving it out.
    `judged` is the number of judges that count, `geval_n` the number of prompts with G-Eval.
    """

    composite: float | None
    basis: str | None
    judge_mean: float | None
    judged: int
    geval_mean: float | None
    geval_n: int
    composite_invalid_zero: float | None


@dataclass(frozen=True, slots=True)
class Counts:
    """What became of the samples: `n` were asked; the five kinds add up to it but for `truncated`.

    `truncated` are the invalid ones whose output budget went into hidden reasoning; `flagged` is the number
    of samples with at least one auto-check flag, `flags` the number of flags.
    """

    n: int
    ok: int
    invalid: int
    truncated: int
    error: int
    ungraded: int
    flagged: int
    flags: int


def blend(judge_mean: float | None, geval_mean: float | None) -> tuple[float | None, str | None]:
    """Return the composite `0.5 (judge - 1)/4 + 0.5 geval` and its basis; with one half missing the other."""
    if judge_mean is None and geval_mean is None:
        return None, None
    if judge_mean is None:
        return geval_mean, GEVAL_ONLY
    normalised = (judge_mean - 1.0) / 4.0
    if geval_mean is None:
        return normalised, JUDGES_ONLY
    return 0.5 * normalised + 0.5 * geval_mean, BOTH


def mean(values: FloatArray, digits: int | None = None) -> float | None:
    """Return the exactly summed mean without NaN, rounded when `digits` says so; None of nothing."""
    there = values[~np.isnan(values)].tolist()
    if not there:
        return None
    found = math.fsum(there) / len(there)
    return found if digits is None else round(found, digits)


def judge_means(cells: Cells, model: int) -> tuple[JudgeMean, ...]:
    """Return every judge's mean over all prompts of one model."""
    return tuple(
        JudgeMean(
            judge=judge,
            mean=mean(cells.marks[model, :, place], JUDGE_DIGITS),
            marked=int(cells.marked[model, place]),
            asked=int(cells.asked[model, place]),
            own=bool(cells.own[model, place]),
            counts=bool(cells.counting[model, place]),
        )
        for place, judge in enumerate(cells.judges)
    )


def panel_mean(means: Sequence[float | None]) -> float | None:
    """Return the mean of judges' means; None of none."""
    there = [each for each in means if each is not None]
    return math.fsum(there) / len(there) if there else None


def score(cells: Cells, model: int, counting: BoolArray, chosen: BoolArray) -> Score:
    """Score one model on the chosen prompts (P,), by the judges (J,) that count for it overall."""
    marks = cells.marks[model][chosen]
    means = [mean(marks[:, place], JUDGE_DIGITS) for place in np.flatnonzero(counting).tolist()]
    judge_mean = panel_mean(means)
    geval = cells.geval[model][chosen]
    geval_mean = mean(geval, GEVAL_DIGITS)
    composite, basis = blend(judge_mean, geval_mean)
    strict = None if geval_mean is None else mean(cells.geval_zero[model][chosen], GEVAL_DIGITS)
    return Score(
        composite=composite,
        basis=basis,
        judge_mean=judge_mean,
        judged=sum(each is not None for each in means),
        geval_mean=geval_mean,
        geval_n=int(np.count_nonzero(~np.isnan(geval))),
        composite_invalid_zero=blend(judge_mean, strict)[0],
    )


def count(cells: Cells, model: int, chosen: BoolArray) -> Counts:
    """Count the samples of one model on the chosen prompts (P,), over all epochs."""
    status = cells.status[:, model][:, chosen]
    flags = np.where(status != Status.ABSENT, cells.flags[:, model][:, chosen], 0)
    of = np.bincount(status.ravel(), minlength=len(Status)).tolist()
    return Counts(
        n=int(status.size) - of[Status.ABSENT],
        ok=of[Status.OK],
        invalid=of[Status.INVALID],
        truncated=int(np.count_nonzero(cells.truncated[:, model][:, chosen])),
        error=of[Status.ERROR],
        ungraded=of[Status.UNGRADED],
        flagged=int(np.count_nonzero(flags)),
        flags=int(flags.sum()),
    )
