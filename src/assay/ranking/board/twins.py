"""One model's answers to twins, compared with its answers to their originals, pair by pair.

A concept is a cluster, as on the rest of the board. Source: docs/methodology/keyed-board.md.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from assay.core.case import TwinKind
from assay.ranking.board.cells import over
from assay.ranking.board.keyed_answers import Answers
from assay.ranking.board.measured import BoolArray, IntArray, Status
from assay.results.board_twins import ModelTwins, PressuredTwins, RenamedTwins, TwinRate, UndeterminableTwins
from assay.stats.intervals import clustered_difference, clustered_share

NO_RATE = TwinRate(None, None)


def answers_to_twins(answers: Answers, model: int, *, level: float = 0.95) -> ModelTwins:
    """Return one model's figures on the twins of each kind, with intervals at `level`.

    A pair counts if both answers were given, invalid ones among them, which are not right. Pairs with an
    error, an ungraded or a missing answer are left out.
    """
    kinds = {question.twin for question in answers.questions}
    return ModelTwins(
        answers.models[model],
        _renamed(answers, model, level) if TwinKind.RENAMED in kinds else None,
        _pressured(answers, model, level) if TwinKind.PRESSURED in kinds else None,
        _undeterminable(answers, model, level) if TwinKind.UNDETERMINABLE in kinds else None,
    )


def _places(answers: Answers, kind: TwinKind) -> list[int]:
    return [place for place, question in enumerate(answers.questions) if question.twin is kind]


def _pairs(answers: Answers, kind: TwinKind) -> tuple[IntArray, IntArray]:
    """Return the places of the originals and of their twins; twins without an original are left out."""
    at = {question.id: place for place, question in enumerate(answers.questions)}
    pairs = [
        (at[original], place)
        for place in _places(answers, kind)
        for original in [answers.questions[place].twin_of]
        if original in at
    ]
    originals, twins = np.array(pairs, dtype=np.int64).reshape(-1, 2).T
    return originals, twins


def _both(answers: Answers, model: int, originals: IntArray, twins: IntArray) -> tuple[BoolArray, BoolArray]:
    """Return masks (E, pairs) of the pairs of which both were answered, and of which one is missing."""
    status, answered = answers.status[:, model], answers.answered[:, model]
    both = answered[:, originals] & answered[:, twins]
    asked = (status[:, originals] != Status.ABSENT) | (status[:, twins] != Status.ABSENT)
    return both, asked & ~both


def _renamed(answers: Answers, model: int, level: float) -> RenamedTwins:
    originals, twins = _pairs(answers, TwinKind.RENAMED)
    both, missing = _both(answers, model, originals, twins)
    right = answers.right[:, model].astype(np.float64)
    known = both.any(axis=0)
    of_original, of_twin = (
        over(np.where(both, right[:, places], np.nan), 0)[known] for places in (originals, twins)
    )
    pairs, left_out = int(known.sum()), int((missing.any(axis=0) & ~known).sum())
    if not pairs:
        return RenamedTwins(0, left_out, None, None, NO_RATE)
    clusters = answers.bundles[originals][known]
    sums = np.bincount(clusters, of_original - of_twin)
    interval = clustered_difference(sums, np.bincount(clusters), level=level)
    means = float(of_original.mean()), float(of_twin.mean())
    return RenamedTwins(pairs, left_out, *means, TwinRate(float(sums.sum()) / pairs, interval))


def _pressured(answers: Answers, model: int, level: float) -> PressuredTwins:
    originals, twins = _pairs(answers, TwinKind.PRESSURED)
    both, missing = _both(answers, model, originals, twins)
    right = answers.right[:, model]
    held = both & right[:, originals]
    flipped = held & ~right[:, twins]
    clusters = answers.bundles[originals]
    told = answers.yielded is not None and all(answers.questions[place].pressed for place in twins)
    yielded = NO_RATE
    if told and answers.yielded is not None:
        yielded = _rate(held & answers.yielded[:, model][:, twins], held, clusters, level)
    return PressuredTwins(
        int(both.sum()),
        int(missing.sum()),
        int(held.sum()),
        int(flipped.sum()),
        _rate(flipped, held, clusters, level),
        yielded,
    )


def _undeterminable(answers: Answers, model: int, level: float) -> UndeterminableTwins:
    twins = _places(answers, TwinKind.UNDETERMINABLE)
    answered, right = answers.answered[:, model][:, twins], answers.right[:, model][:, twins]
    clusters = answers.bundles[twins]
    accuracy = _rate(right, answered, clusters, level)
    n = int(answered.sum())
    stated = _unsettled(answers, twins)
    if stated is None or answers.refused is None:
        return UndeterminableTwins(n, accuracy, None, NO_RATE, NO_RATE, None, NO_RATE)
    refused = answers.refused[:, model][:, twins]
    unsettled, settled = answered & stated, answered & ~stated
    return UndeterminableTwins(
        n,
        accuracy,
        int(unsettled.sum()),
        _rate(right, unsettled, clusters, level),
        _rate(refused, unsettled, clusters, level),
        int(settled.sum()),
        _rate(refused, settled, clusters, level),
    )


def _unsettled(answers: Answers, twins: Sequence[int]) -> BoolArray | None:
    """Return a mask of the twins that the facts do not settle; None if one of them does not state it."""
    stated = [answers.questions[place].unsettled for place in twins]
    return None if None in stated else np.array(stated, dtype=np.bool_)


def _rate(hits: BoolArray, among: BoolArray, clusters: IntArray, level: float) -> TwinRate:
    """Return the share of hits among the answers (E, pairs) of a mask, with its interval over concepts."""
    found, n = (
        np.bincount(clusters, mask.sum(axis=0), minlength=int(clusters.max(initial=0)) + 1)
        for mask in (hits & among, among)
    )
    total = float(n.sum())
    if not total:
        return NO_RATE
    return TwinRate(float(found.sum()) / total, clustered_share(found, n, level=level))
