"""The composite of one model on some prompts, its halves, and its tokens, latency and cost."""

from __future__ import annotations

import math
from collections.abc import Sequence

import numpy as np

from assay.ranking.board.cells import GEVAL_DIGITS, Cells
from assay.ranking.board.measured import BoolArray, FloatArray, IntArray, Status
from assay.results.board_judged import Basis, FlagCounts, JudgeMean, Score
from assay.results.ranking import AnswerUsage, Average, BoardSamples

JUDGE_DIGITS = 2


def blend(judge_mean: float | None, geval_mean: float | None) -> tuple[float | None, Basis | None]:
    """Return the composite `0.5 (judge - 1)/4 + 0.5 geval`, or one half alone, and its basis."""
    if judge_mean is None and geval_mean is None:
        return None, None
    if judge_mean is None:
        return geval_mean, "geval only"
    normalised = (judge_mean - 1.0) / 4.0
    if geval_mean is None:
        return normalised, "judges only"
    return 0.5 * normalised + 0.5 * geval_mean, "both"


def mean(values: FloatArray, digits: int | None = None) -> float | None:
    """Return the exactly summed mean of the values that are not NaN, rounded to `digits`; None if all are."""
    known = values[~np.isnan(values)].tolist()
    if not known:
        return None
    exact = math.fsum(known) / len(known)
    return exact if digits is None else round(exact, digits)


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
    """Return the mean of judges' means, or None if all are None."""
    known = [judge_mean for judge_mean in means if judge_mean is not None]
    return math.fsum(known) / len(known) if known else None


def score(cells: Cells, model: int, counting: BoolArray, chosen: BoolArray) -> Score:
    """Score one model on the chosen prompts (P,), with the judges (J,) that count for it overall."""
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
        judged=sum(judge_mean is not None for judge_mean in means),
        geval_mean=geval_mean,
        geval_n=int(np.count_nonzero(~np.isnan(geval))),
        composite_invalid_zero=blend(judge_mean, strict)[0],
    )


def count_samples(cells: Cells, model: int, chosen: BoolArray) -> BoardSamples:
    """Count the samples of one model on the chosen prompts (P,), over all epochs."""
    status = cells.status[:, model][:, chosen]
    counts = np.bincount(status.ravel(), minlength=len(Status)).tolist()
    return BoardSamples(
        n=int(status.size) - counts[Status.ABSENT],
        ok=counts[Status.OK],
        invalid=counts[Status.INVALID],
        truncated=int(np.count_nonzero(cells.truncated[:, model][:, chosen])),
        error=counts[Status.ERROR],
        ungraded=counts[Status.UNGRADED],
    )


def count_flags(cells: Cells, model: int, chosen: BoolArray) -> FlagCounts:
    """Count the automatic flags of one model on the chosen prompts (P,), over all epochs."""
    taken = cells.status[:, model][:, chosen] != Status.ABSENT
    flags = np.where(taken, cells.flags[:, model][:, chosen], 0)
    return FlagCounts(int(np.count_nonzero(flags)), int(flags.sum()))


def average(values: FloatArray) -> Average:
    """Return the exactly summed mean of the values that are not NaN."""
    return Average(mean(values), int(np.count_nonzero(~np.isnan(values))))


def answer_usage(
    *, latency: FloatArray, tokens: FloatArray, status: IntArray, cost: FloatArray
) -> AnswerUsage:
    """Return the mean latency and output tokens of one model's answers, and their total cost.

    `latency` (seconds) and `tokens` are means by prompt (P,). `status` and `cost` (USD) have the same shape.
    NaN is an unknown value; the total cost is None if the cost of one answered sample is unknown.
    """
    taken = status != Status.ABSENT
    unknown = int(np.count_nonzero(np.isnan(cost) & taken & (status != Status.ERROR)))
    known = cost[taken & ~np.isnan(cost)].tolist()
    total = None if unknown or not taken.any() else math.fsum(known)
    return AnswerUsage(average(latency), average(tokens), total, unknown)
