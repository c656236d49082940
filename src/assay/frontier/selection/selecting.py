"""The expected quality of the answer that a judge selects, in closed form, for each prompt."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import numpy.typing as npt

from assay.frontier.selection.answer_pool import AnswerPool
from assay.frontier.selection.attempts import AnswerChances, CountedChances
from assay.frontier.selection.judged import ErringJudge
from assay.results.note import Note, NoteKind

FloatArray = npt.NDArray[np.float64]
IntArray = npt.NDArray[np.int64]
APART = 0.02
"""A posterior and the counts agree if their qualities differ by at most this."""
NODES = 48
"""Gauss-Legendre nodes for the uniform rule, in the cube root of 1 - t, because with many answers the whole
integral lies near 1. The error is below 1e-10 for 1,000 answers that are always accepted, 1e-6 for 10,000."""

INDEPENDENT = Note("a judge's errors are assumed to be independent, even on the same prompt", NoteKind.CAVEAT)


def over_answered(means: FloatArray) -> FloatArray:
    """Return means over the share of prompts in the last column, from means over all prompts; else NaN."""
    total, share = means[..., :-1], means[..., -1:]
    unknown = np.full_like(total, np.nan)
    return np.asarray(np.divide(total, share, out=unknown, where=share > 0), dtype=np.float64)


def by_worth(cells: AnswerChances, best: int) -> list[int]:
    """Return the order in which answers are shown: the best single model, then by mean success."""
    order = np.argsort(-cells.success.mean(axis=0), kind="stable").tolist()
    return [best, *(place for place in order if place != best)]


def selected_alone(cells: AnswerChances, judge: ErringJudge, ks: IntArray) -> FloatArray:
    """Return the quality of selection among k answers of one model, for each cell: shape (K, N, L).

    The first accepted answer is returned (for one model it is as good as a random accepted one), else the
    model's first answer.
    """
    beside = np.stack([cells.right_beside(judge, k - 1) for k in ks.tolist()])
    quality: FloatArray = first_accepted(cells, judge, ks) + (1.0 - judge.true_positive) * beside
    return quality


def first_accepted(cells: AnswerChances, judge: ErringJudge, ks: IntArray) -> FloatArray:
    """Return the chance that one of k answers is accepted and the first accepted one is right: (K, N, L)."""
    total, totals = np.zeros(cells.observed.shape), []
    for earlier in range(int(ks.max())):
        added = cells.made(earlier + 1) - cells.made(earlier)
        total = total + judge.true_positive * added * cells.right_beside(judge, earlier)
        totals.append(total)
    return np.stack(totals)[ks - 1]


def quality_limit(cells: AnswerChances, judge: ErringJudge) -> FloatArray:
    """Return the limit of `selected_alone`: TPR p / (TPR p + FPR (1 - p)), or p if nothing is accepted."""
    right = judge.true_positive * cells.success
    accepted = right + judge.false_positive * (1.0 - cells.success)
    return np.where(accepted > 0.0, right / np.where(accepted > 0.0, accepted, 1.0), cells.success)


def selected_first(
    cells: AnswerChances, judge: ErringJudge, ks: IntArray, order: Sequence[int]
) -> FloatArray:
    """Return the quality of the first accepted answer, of k from every model in this order: shape (K, N)."""
    qualities = []
    for k, hits in zip(ks.tolist(), first_accepted(cells, judge, ks), strict=True):
        rejected = cells.rejected(judge, k)[:, order]
        before = np.cumprod(np.concatenate([np.ones((len(rejected), 1)), rejected[:, :-1]], axis=1), axis=1)
        qualities.append((before * hits[:, order]).sum(axis=1) + fallback_quality(cells, judge, k, order))
    return np.array(qualities)


def selected_uniformly(
    cells: AnswerChances, judge: ErringJudge, ks: IntArray, order: Sequence[int]
) -> FloatArray:
    """Return the quality of a random accepted answer: shape (K, N).

    It is the sum over answers of P(right and accepted) E[1/(1 + A)], where A others are accepted.
    E[1/(1 + A)] is the integral of E[t^A] over t from 0 to 1, and E[t^A] is the chance that a judge who keeps
    a share 1 - t of the accepted answers rejects all others.
    """
    nodes, weights = np.polynomial.legendre.leggauss(NODES)
    near = (nodes + 1.0) / 2.0
    log_rejected, ratio = cells.pooled(judge, near**3, ks)
    total = np.tensordot(1.5 * near**2 * weights, np.exp(log_rejected) * ratio, axes=1)
    return judge.true_positive * total + np.stack([fallback_quality(cells, judge, int(k), order) for k in ks])


def fallback_quality(cells: AnswerChances, judge: ErringJudge, k: int, order: Sequence[int]) -> FloatArray:
    """Return the chance that all are rejected and the first model's first answer is right: shape (N,)."""
    rows = np.arange(len(cells.observed))
    first = np.asarray(order)[cells.observed[:, order].argmax(axis=1)]
    rejected = cells.rejected(judge, k)
    rejected[rows, first] = (1.0 - judge.true_positive) * cells.right_beside(judge, k - 1)[rows, first]
    return np.asarray(rejected.prod(axis=1), dtype=np.float64)


def pooled_limit(cells: AnswerChances, judge: ErringJudge, order: Sequence[int], first: bool) -> FloatArray:
    """Return the limit of selection among every model's answers with infinitely many answers: shape (N,).

    A random accepted answer: sum(TPR p) / sum(TPR p + FPR (1 - p)) over models. The `first` accepted answer:
    the same ratio for the first model that can be accepted. If nothing can be accepted, the success rate of
    the first model with answers.
    """
    right = np.where(cells.observed, judge.true_positive * cells.success, 0.0)
    accepted = right + np.where(cells.observed, judge.false_positive * (1.0 - cells.success), 0.0)
    rows = np.arange(len(right))
    fallback = np.asarray(order)[cells.observed[:, order].argmax(axis=1)]
    if first:
        accepted_first = np.asarray(order)[(accepted[:, order] > 0.0).argmax(axis=1)]
        right, accepted = right[rows, accepted_first], accepted[rows, accepted_first]
    else:
        right, accepted = right.sum(axis=1), accepted.sum(axis=1)
    share = right / np.where(accepted > 0.0, accepted, 1.0)
    return np.asarray(np.where(accepted > 0.0, share, cells.success[rows, fallback]), dtype=np.float64)


def compare_with_counts(
    source: AnswerPool, counts: CountedChances, judge: ErringJudge, k: int
) -> tuple[str, ...]:
    """Return a note if a posterior and the counts disagree about the quality of all models' k answers.

    The counts are unbiased there. The small success rates that a posterior gives to every cell add up over
    many answers, so it is least reliable there.
    """
    if isinstance(source.cells[0], CountedChances):
        return ()
    ks, order = np.array([k]), by_worth(counts, source.best)
    counted_quality = float(selected_first(counts, judge, ks, order).mean())
    drawn_quality = float(np.mean([selected_first(cells, judge, ks, order).mean() for cells in source.cells]))
    if abs(drawn_quality - counted_quality) <= APART:
        return ()
    return (
        f"with {k} answers of every model the posterior gives {100 * drawn_quality:.1f} %, but the counts "
        f"give {100 * counted_quality:.1f} % and are unbiased: rely on the counts",
    )
