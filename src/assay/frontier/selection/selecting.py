"""The quality of the answer that a judge's selection takes, in closed form, for each prompt."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import numpy.typing as npt

from assay.frontier.selection.asked import Asked
from assay.frontier.selection.attempts import AnswerChances, CountedChances
from assay.frontier.selection.judged import ErringJudge

FloatArray = npt.NDArray[np.float64]
IntArray = npt.NDArray[np.int64]
APART = 0.02
NODES = 48
"""Gauss-Legendre nodes for the uniform rule, in the cube root of 1 - t, for with many answers all of the
integral lies near 1: off by less than 1e-10 for 1,000 answers accepted for sure, by 1e-6 for 10,000."""


def by_worth(cells: AnswerChances, best: int) -> list[int]:
    """Return the models in the order in which they are shown: the best single, then by mean success."""
    order = np.argsort(-cells.success.mean(axis=0), kind="stable").tolist()
    return [best, *(place for place in order if place != best)]


def selected_alone(cells: AnswerChances, judge: ErringJudge, ks: IntArray) -> FloatArray:
    """Return the quality of selection among k answers of one model, for each cell: shape (K, N, L).

    The first accepted answer, which is as good as one taken uniformly among one model's; else its first.
    """
    beside = np.stack([cells.right_beside(judge, k - 1) for k in ks.tolist()])
    found: FloatArray = first_accepted(cells, judge, ks) + (1.0 - judge.true_positive) * beside
    return found


def first_accepted(cells: AnswerChances, judge: ErringJudge, ks: IntArray) -> FloatArray:
    """Return the chance that one of k answers is accepted and the first such is right: shape (K, N, L)."""
    total, found = np.zeros(cells.there.shape), []
    for before in range(int(ks.max())):
        there = cells.made(before + 1) - cells.made(before)
        total = total + judge.true_positive * there * cells.right_beside(judge, before)
        found.append(total)
    return np.stack(found)[ks - 1]


def endless(cells: AnswerChances, judge: ErringJudge) -> FloatArray:
    """Return what that tends to: TPR p / (TPR p + FPR (1 - p)), or p where nothing is accepted."""
    right = judge.true_positive * cells.success
    accepted = right + judge.false_positive * (1.0 - cells.success)
    return np.where(accepted > 0.0, right / np.where(accepted > 0.0, accepted, 1.0), cells.success)


def selected_first(
    cells: AnswerChances, judge: ErringJudge, ks: IntArray, order: Sequence[int]
) -> FloatArray:
    """Return the quality of the first accepted answer of k from every model, in this order: shape (K, N)."""
    found = []
    for k, hits in zip(ks.tolist(), first_accepted(cells, judge, ks), strict=True):
        silent = cells.rejected(judge, k)[:, order]
        before = np.cumprod(np.concatenate([np.ones((len(silent), 1)), silent[:, :-1]], axis=1), axis=1)
        found.append((before * hits[:, order]).sum(axis=1) + fallen_back(cells, judge, k, order))
    return np.array(found)


def selected_uniformly(
    cells: AnswerChances, judge: ErringJudge, ks: IntArray, order: Sequence[int]
) -> FloatArray:
    """Return the quality of one answer taken uniformly among the accepted: shape (K, N).

    The sum over answers of P(right and accepted) E[1/(1 + A)], A others being accepted, and
    E[1/(1 + A)] is the integral of E[t^A] over t from 0 to 1: rejection by the judge thinned to 1 - t.
    """
    nodes, weights = np.polynomial.legendre.leggauss(NODES)
    near = (nodes + 1.0) / 2.0
    silence, ratio = cells.pooled(judge, near**3, ks)
    total = np.tensordot(1.5 * near**2 * weights, np.exp(silence) * ratio, axes=1)
    return judge.true_positive * total + np.stack([fallen_back(cells, judge, int(k), order) for k in ks])


def fallen_back(cells: AnswerChances, judge: ErringJudge, k: int, order: Sequence[int]) -> FloatArray:
    """Return the chance that all are rejected and the first model's first answer is right: shape (N,)."""
    rows = np.arange(len(cells.there))
    stands = np.asarray(order)[cells.there[:, order].argmax(axis=1)]
    silent = cells.rejected(judge, k)
    silent[rows, stands] = (1.0 - judge.true_positive) * cells.right_beside(judge, k - 1)[rows, stands]
    return np.asarray(silent.prod(axis=1), dtype=np.float64)


def pooled_limit(cells: AnswerChances, judge: ErringJudge, order: Sequence[int], first: bool) -> FloatArray:
    """Return what selection among every model's answers tends to with endless ones: shape (N,).

    Uniformly: sum(TPR p) / sum(TPR p + FPR (1 - p)) over models; the first: that of the first model that is
    ever accepted. Where nothing is, the success of the first model there.
    """
    right = np.where(cells.there, judge.true_positive * cells.success, 0.0)
    accepted = right + np.where(cells.there, judge.false_positive * (1.0 - cells.success), 0.0)
    rows = np.arange(len(right))
    stands = np.asarray(order)[cells.there[:, order].argmax(axis=1)]
    if first:
        speaks = np.asarray(order)[(accepted[:, order] > 0.0).argmax(axis=1)]
        right, accepted = right[rows, speaks], accepted[rows, speaks]
    else:
        right, accepted = right.sum(axis=1), accepted.sum(axis=1)
    share = right / np.where(accepted > 0.0, accepted, 1.0)
    return np.asarray(np.where(accepted > 0.0, share, cells.success[rows, stands]), dtype=np.float64)


def beyond_counts(source: Asked, counts: CountedChances, judge: ErringJudge, k: int) -> tuple[str, ...]:
    """Say so where a posterior finds more (or fewer) right answers among all models' k than the counts do.

    Counts are unbiased there; small success rates that a model of the cells leaves to every cell add up over
    many answers, which is where such models are weakest.
    """
    if isinstance(source.cells[0], CountedChances):
        return ()
    ks, order = np.array([k]), by_worth(counts, source.best)
    known = float(selected_first(counts, judge, ks, order).mean())
    drawn = float(np.mean([selected_first(each, judge, ks, order).mean() for each in source.cells]))
    if abs(drawn - known) <= APART:
        return ()
    return (
        f"with {k} answers of every model the posterior reaches {100 * drawn:.1f} %, the counts, which are "
        f"unbiased there, {100 * known:.1f} %: rely on the counts",
    )
