"""R of a sitting (equation 2 of seed 003), and the questions on which it is compared with the reference."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np
import scipy

from assay.ranking.exam.scores import MOST_STARS, EstimatedVariance, shares_of
from assay.results.exam_sitting import CountedQuestion, ReferenceBasis, Relative, SittingScore
from assay.stats.intervals import Interval

LEAST_COMMON = 30
"""The least number of common questions from which the reference's mark on another draw is estimated."""


@dataclass(frozen=True, slots=True)
class ReferenceSittings:
    """The reference model's sittings under the same judge and prompting.

    `sittings` holds the draw and the counted questions of each sitting, `scores` the sittings' scores.
    """

    model: str
    sittings: tuple[tuple[int, tuple[CountedQuestion, ...]], ...]
    scores: tuple[SittingScore, ...]


def relative(
    draw: int,
    counted: Sequence[CountedQuestion],
    own: SittingScore,
    drawn: Mapping[str, int],
    reference: ReferenceSittings,
    *,
    level: float = 0.95,
) -> Relative | None:
    """Return R of one sitting; None if the reference has no mark above 0 to divide by.

    If the reference sat the same draw, R is the paired ratio on the questions that count for both. Otherwise,
    if at least `LEAST_COMMON` questions are common and cover every subject, the reference's mark on the draw
    is estimated by the ratio estimator, S(draw) * S_ref(common)/S(common), so R is the ratio on the common
    questions. Otherwise R divides by the reference's mean over its own sittings, on different questions.
    """
    same = [questions for number, questions in reference.sittings if number == draw]
    if same:
        return _paired(counted, _averaged(same), drawn, ReferenceBasis.SAME_QUESTIONS, level)
    theirs = _averaged([questions for _, questions in reference.sittings])
    common = [question for question in counted if question.question in theirs]
    all_subjects = {question.subject for question in common} == {question.subject for question in counted}
    if len(common) >= LEAST_COMMON and all_subjects:
        return _paired(common, theirs, drawn, ReferenceBasis.COMMON_QUESTIONS, level)
    return _unpaired(own, reference.scores, level)


def _averaged(sittings: Sequence[Sequence[CountedQuestion]]) -> dict[int, float]:
    """Return the mean stars of each question over the sittings in which it counts."""
    stars: dict[int, list[float]] = {}
    for questions in sittings:
        for question in questions:
            stars.setdefault(question.question, []).append(question.stars)
    return {question: sum(given) / len(given) for question, given in stars.items()}


def _paired(
    counted: Sequence[CountedQuestion],
    theirs: Mapping[int, float],
    drawn: Mapping[str, int],
    basis: ReferenceBasis,
    level: float,
) -> Relative | None:
    """Return the ratio of two stratified means of the same questions, by the delta method.

    The variance of the ratio is that of the stratified mean of m - R r, over the square of the reference's
    mean. Source: W. Cochran, Sampling Techniques (1977), section 6.11.
    """
    pairs = [question for question in counted if question.question in theirs]
    if not pairs:
        return None
    by_subject: dict[str, list[tuple[float, float]]] = {}
    for question in pairs:
        by_subject.setdefault(question.subject, []).append(
            (question.stars / MOST_STARS, theirs[question.question] / MOST_STARS)
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
    residuals = {code: marks[:, 0] - ratio * marks[:, 1] for code, marks in strata.items()}
    estimated = EstimatedVariance.of(residuals, shares)
    if estimated.variance <= 0.0:
        return Relative(100.0 * ratio, basis, len(pairs), None)
    half = estimated.half_width(level) / other
    return Relative(100.0 * ratio, basis, len(pairs), _around(ratio, half, level))


def _unpaired(own: SittingScore, scores: Sequence[SittingScore], level: float) -> Relative | None:
    """Return the ratio to the reference's mean over its own sittings, assumed independent of this one."""
    mean = sum(score.value for score in scores) / len(scores) if scores else 0.0
    if mean <= 0.0:
        return None
    ratio = own.value / mean
    theirs = sum(score.error**2 for score in scores) / len(scores) ** 2
    half = float(scipy.special.ndtri(0.5 + level / 2.0)) * math.sqrt(own.error**2 + ratio**2 * theirs) / mean
    return Relative(100.0 * ratio, ReferenceBasis.DIFFERENT_QUESTIONS, 0, _around(ratio, half, level))


def _around(ratio: float, half: float, level: float) -> Interval:
    return Interval(100.0 * max(0.0, ratio - half), 100.0 * (ratio + half), level)
