"""How often a model is right, over its visible answers and over all it was asked, with every count."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from assay.ranking.keyed.answers import Answers
from assay.ranking.measured import BoolArray, IntArray, Status
from assay.stats.clustered import clustered_share
from assay.stats.intervals import Interval


@dataclass(frozen=True, slots=True)
class KeyedCounts:
    """What became of the samples: n = ok + invalid + error + ungraded.

    Of the ok ones `right` chose the right letter; `unread` chose none that could be read, and are wrong.
    `truncated` are the invalid ones whose output budget went into hidden reasoning.
    """

    n: int
    ok: int
    invalid: int
    truncated: int
    error: int
    ungraded: int
    right: int
    unread: int


@dataclass(frozen=True, slots=True)
class Accuracy:
    """A share of right answers with its interval; both None when there is nothing to divide by."""

    value: float | None
    interval: Interval | None


@dataclass(frozen=True, slots=True)
class Rights:
    """`valid` is right/ok; `overall` is right/n, in which errors, invalid and ungraded ones are not right."""

    counts: KeyedCounts
    valid: Accuracy
    overall: Accuracy


def rights(
    answers: Answers, model: int, chosen: BoolArray, clusters: IntArray, *, level: float = 0.95
) -> Rights:
    """Count one model on the chosen questions (Q,) over all epochs.

    `clusters` (Q,) numbers what is an independent draw, from 0: its answers stay together in the intervals.
    """
    status, right = answers.status[:, model], answers.right[:, model]

    def by_cluster(what: BoolArray) -> IntArray:
        totals = np.where(chosen, what.sum(axis=0), 0)
        return np.bincount(clusters, weights=totals).astype(np.int64)

    hits = by_cluster(right)
    valid, asked = by_cluster(status == Status.OK), by_cluster(status != Status.ABSENT)
    return Rights(
        _counts(answers, model, chosen),
        _accuracy(hits, valid, level),
        _accuracy(hits, asked, level),
    )


def _accuracy(right: IntArray, n: IntArray, level: float) -> Accuracy:
    total = int(n.sum())
    if not total:
        return Accuracy(None, None)
    return Accuracy(int(right.sum()) / total, clustered_share(right, n, level=level))


def _counts(answers: Answers, model: int, chosen: BoolArray) -> KeyedCounts:
    status = answers.status[:, model][:, chosen]

    def of(what: BoolArray) -> int:
        return int(np.count_nonzero(what))

    ok = of(status == Status.OK)
    return KeyedCounts(
        n=of(status != Status.ABSENT),
        ok=ok,
        invalid=of(status == Status.INVALID),
        truncated=of(answers.truncated[:, model][:, chosen] & (status == Status.INVALID)),
        error=of(status == Status.ERROR),
        ungraded=of(status == Status.UNGRADED),
        right=of(answers.right[:, model][:, chosen]),
        unread=ok - of(answers.read[:, model][:, chosen]),
    )
