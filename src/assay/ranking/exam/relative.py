"""The relative score of a sitting: equation 2 of seed 003, and on which questions the two were compared."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from enum import StrEnum

import numpy as np
from scipy.special import ndtri, stdtrit

from assay.ranking.exam.scores import MOST_STARS, Counted, Score, Spreading, shares_of
from assay.stats.intervals import Interval

LEAST_COMMON = 30
"""Fewer common questions than these say too little about the reference's mark on a question set."""


class Basis(StrEnum):
    """On what a sitting was compared with the reference; the first that can be had counts."""

    ITSELF = "itself"
    SAME_QUESTIONS = "same questions"
    COMMON_QUESTIONS = "common questions"
    DIFFERENT_QUESTIONS = "different questions"


@dataclass(frozen=True, slots=True)
class Relative:
    """R, 100 for the reference itself, from `n` questions that both answered (0: different questions).

    `interval` is at 95 %; None for the reference itself, and where the two differ by the same ratio on every
    question, which says nothing about others.
    """

    value: float
    basis: Basis
    n: int
    interval: Interval | None


@dataclass(frozen=True, slots=True)
class Reference:
    """The reference model's sittings under the same judge and prompting.

    `sittings` holds for each of its sittings the draw and the questions that count; `scores` theirs.
    """

    model: str
    sittings: tuple[tuple[int, tuple[Counted, ...]], ...]
    scores: tuple[Score, ...]


def relative(
    draw: int,
    counted: Sequence[Counted],
    own: Score,
    drawn: Mapping[str, int],
    reference: Reference,
    *,
    level: float = 0.95,
) -> Relative | None:
    """Return R of one sitting; None where the reference has no mark above 0 to divide by.

    Where the reference sat the same draw, R is the ratio on the questions that count for both, paired. Else,
    with at least `LEAST_COMMON` questions in common and every subject among them, the reference's mark on the
    draw is estimated by the ratio estimator, S(draw) * S_ref(common)/S(common), so that R is the ratio on the
    common questions. Else the reference's mean over its own sittings is taken: different questions.
    """
    same = [questions for place, questions in reference.sittings if place == draw]
    if same:
        return _paired(counted, _averaged(same), drawn, Basis.SAME_QUESTIONS, level)
    theirs = _averaged([questions for _, questions in reference.sittings])
    common = [one for one in counted if one.question in theirs]
    if len(common) >= LEAST_COMMON and {one.subject for one in common} == {one.subject for one in counted}:
        return _paired(common, theirs, drawn, Basis.COMMON_QUESTIONS, level)
    return _unpaired(own, reference.scores, level)


def _averaged(sittings: Sequence[Sequence[Counted]]) -> dict[int, float]:
    """Return the mean stars of each question over the sittings in which it counts."""
    stars: dict[int, list[float]] = {}
    for sitting in sittings:
        for one in sitting:
            stars.setdefault(one.question, []).append(one.stars)
    return {question: sum(given) / len(given) for question, given in stars.items()}


def _paired(
    counted: Sequence[Counted],
    theirs: Mapping[int, float],
    drawn: Mapping[str, int],
    basis: Basis,
    level: float,
) -> Relative | None:
    """Return the ratio of two stratified means of the same questions, by the delta method.

    The variance of the ratio is that of the stratified mean of m - R r, over the square of the reference's
    mean. Source: W. Cochran, Sampling Techniques (1977), section 6.11.
    """
    pairs = [one for one in counted if one.question in theirs]
    if not pairs:
        return None
    by_subject: dict[str, list[tuple[float, float]]] = {}
    for one in pairs:
        by_subject.setdefault(one.subject, []).append(
            (one.stars / MOST_STARS, theirs[one.question] / MOST_STARS)
        )
    strata = {code: np.array(values) for code, values in by_subject.items()}
    shares = shares_of(drawn, strata)
    mine, other = (
        sum(share * float(strata[code][:, column].mean()) for code, share in shares.items())
        for column in (0, 1)
    )
    if other <= 0.0:
        return None
    ratio = mine / other
    spread = Spreading.of({code: each[:, 0] - ratio * each[:, 1] for code, each in strata.items()}, shares)
    if spread.variance <= 0.0:
        return Relative(100.0 * ratio, basis, len(pairs), None)
    half = float(stdtrit(spread.freedom, 0.5 + level / 2.0)) * math.sqrt(spread.variance) / other
    return Relative(100.0 * ratio, basis, len(pairs), _around(ratio, half, level))


def _unpaired(own: Score, scores: Sequence[Score], level: float) -> Relative | None:
    """Return the ratio to the reference's mean over its own sittings, taken as independent of this one."""
    mean = sum(each.value for each in scores) / len(scores) if scores else 0.0
    if mean <= 0.0:
        return None
    ratio = own.value / mean
    theirs = sum(each.error**2 for each in scores) / len(scores) ** 2
    half = float(ndtri(0.5 + level / 2.0)) * math.sqrt(own.error**2 + ratio**2 * theirs) / mean
    return Relative(100.0 * ratio, Basis.DIFFERENT_QUESTIONS, 0, _around(ratio, half, level))


def _around(ratio: float, half: float, level: float) -> Interval:
    return Interval(100.0 * max(0.0, ratio - half), 100.0 * (ratio + half), level)
