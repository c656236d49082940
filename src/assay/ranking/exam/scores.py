"""S of one sitting (equation 1 of seed 003), what its questions count as, and when a model is published."""

from __future__ import annotations

import math
import statistics
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Literal

import numpy as np
import numpy.typing as npt
import scipy

from assay.core.exam import AnswerStatus, SessionState
from assay.core.wording import counted as count_words
from assay.results.exam import Spread
from assay.results.exam_sitting import (
    CountedQuestion,
    QuestionStanding,
    SittingScore,
    SittingState,
    SubjectScore,
)
from assay.stats.intervals import Interval, clopper_pearson

FloatArray = npt.NDArray[np.float64]
MOST_STARS = 3
SUBJECT_SCALE, SCORE_SCALE = 10.0, 100.0
LEAST_VARIANCE_SHARE = 0.1
"""In an interval one answer counts for at most ten answers of 0 or 3 stars."""


def question_standing(
    status: AnswerStatus | None, text: str | None, *, excluded: bool, asked: bool, stars: int | None
) -> QuestionStanding:
    """Return what a question of a sitting counts as.

    `status` and `text` belong to the answer and are None where there is none. `asked` is true if the judge
    was asked; `stars` is its mark, None if its replies could not be read. An exclusion overrides all else.
    """
    if excluded:
        return QuestionStanding.EXCLUDED
    if status is None:
        return QuestionStanding.UNANSWERED
    if status is AnswerStatus.LATE:
        return QuestionStanding.LATE
    if status is AnswerStatus.TIMED_OUT:
        return QuestionStanding.TIMED_OUT
    if not (text or "").strip():
        return QuestionStanding.EMPTY
    if not asked:
        return QuestionStanding.UNMARKED
    return QuestionStanding.UNREAD if stars is None else QuestionStanding.MARKED


def missing_for_publication(sittings: Sequence[SittingState], *, least: int) -> tuple[str, ...]:
    """Return the reasons why a model of a series is not published; empty if it is.

    A model needs `least` finished and fully marked sittings. Every other sitting must be fully marked and
    finished too, because leaving one out would select results. Void sittings are ignored.
    """
    valid = [sitting for sitting in sittings if not sitting.void]
    finished = [sitting for sitting in valid if sitting.state is SessionState.FINISHED]
    unmarked = [sitting for sitting in finished if sitting.lacking]
    abandoned = sum(sitting.abandoned for sitting in valid)
    reasons = []
    if len(finished) < least:
        reasons.append(f"{len(finished)} of {least} finished sittings")
    if abandoned:
        reasons.append(f"{count_words(abandoned, 'sitting')} ended unfinished")
    if unmarked:
        answers = sum(sitting.lacking for sitting in unmarked)
        reasons.append(f"{answers} answers of {len(unmarked)} finished sittings are unmarked or unread")
    return tuple(reasons)


def summarise_scores(values: Sequence[float], interval: Interval) -> Spread:
    """Summarise S of one or more sittings; `interval` is that of their mean."""
    sd = statistics.stdev(values) if len(values) > 1 else None
    return Spread(len(values), statistics.fmean(values), sd, min(values), max(values), interval)


def variance(values: Sequence[float], name: Literal["population", "sample"]) -> float | None:
    """Return a variance of seed 003: `population` divides by n (tables 2 and 8), `sample` by n - 1 (table 9).

    Returns None if there are too few values.
    """
    if name == "population":
        return statistics.pvariance(values) if values else None
    return statistics.variance(values) if len(values) > 1 else None


def score(
    counted: Sequence[CountedQuestion], drawn: Mapping[str, int], *, level: float = 0.95
) -> SittingScore | None:
    """Return the score of a sitting; None if no question counts.

    `drawn` is the number of questions that the draw took from each subject, which gives the subject's weight
    in S. With ten equal subjects S is their mean. Source: seed 003, equation 1 and table 7.
    """
    by_subject = {
        code: np.array([question.stars / MOST_STARS for question in counted if question.subject == code])
        for code in drawn
    }
    n = sum(map(len, by_subject.values()))
    if not n:
        return None
    means = {code: float(marks.mean()) if len(marks) else None for code, marks in by_subject.items()}
    strata = {code: marks for code, marks in by_subject.items() if len(marks)}
    shares = shares_of(drawn, strata)
    value = sum(share * float(strata[code].mean()) for code, share in shares.items())
    estimated = EstimatedVariance.of(strata, shares)
    return SittingScore(
        SCORE_SCALE * value,
        SCORE_SCALE * sum(float(marks.sum()) for marks in strata.values()) / n,
        n,
        tuple(
            SubjectScore(code, len(by_subject[code]), None if mean is None else SUBJECT_SCALE * mean)
            for code, mean in means.items()
        ),
        SCORE_SCALE * float(np.sqrt(estimated.variance)),
        _interval(value, n, estimated, level),
        tuple(code for code, mean in means.items() if mean is None),
    )


def shares_of(drawn: Mapping[str, int], present: Mapping[str, object]) -> dict[str, float]:
    """Return the weights in S of the subjects in `present`: proportional to the draw, with sum 1."""
    whole = sum(count for code, count in drawn.items() if code in present)
    return {code: count / whole for code, count in drawn.items() if code in present}


@dataclass(frozen=True, slots=True)
class EstimatedVariance:
    """The estimated variance of an estimate, with its degrees of freedom."""

    variance: float
    freedom: float

    @classmethod
    def of(cls, strata: Mapping[str, FloatArray], shares: Mapping[str, float]) -> EstimatedVariance:
        """Return sum W^2 s^2/n over subjects with Satterthwaite's degrees of freedom.

        A subject with one question uses the pooled variance of all questions about their subjects' means (if
        every subject has one question: about the common mean).
        """
        spare = sum(len(values) - 1 for values in strata.values())
        if spare:
            pooled = sum(float(((values - values.mean()) ** 2).sum()) for values in strata.values()) / spare
        else:
            everything = np.concatenate(list(strata.values()))
            pooled = float(everything.var(ddof=1)) if len(everything) > 1 else 0.0
        parts = []
        for code, values in strata.items():
            own = float(values.var(ddof=1)) if len(values) > 1 else pooled
            parts.append((shares[code] ** 2 * own / len(values), max(1, len(values) - 1)))
        variance = sum(part for part, _ in parts)
        denominator = sum(part**2 / freedom for part, freedom in parts)
        return cls(variance, variance**2 / denominator if denominator > 0 else max(1.0, float(spare)))

    def half_width(self, level: float = 0.95) -> float:
        """Return half the width of Student's interval, in the estimate's units."""
        return float(scipy.special.stdtrit(self.freedom, 0.5 + level / 2.0)) * math.sqrt(self.variance)

    def p(self, estimate: float) -> float:
        """Return the two-sided p of an estimate whose true value is 0; without variance 1 for 0, else 0."""
        if self.variance <= 0.0:
            return 0.0 if estimate else 1.0
        return 2.0 * float(scipy.special.stdtr(self.freedom, -abs(estimate) / math.sqrt(self.variance)))

    def effective_share(self, level: float) -> float:
        """Return (z/t)^2, the factor on the sample size that accounts for the variance being estimated."""
        tail = 0.5 + level / 2.0
        return float(scipy.special.ndtri(tail) / scipy.special.stdtrit(self.freedom, tail)) ** 2


def _interval(value: float, n: int, estimated: EstimatedVariance, level: float) -> Interval:
    """Return Clopper and Pearson's interval for the effective number of answers, on 0-100.

    The effective number is the number of answers with 0 or 3 stars that would have this variance,
    S(1 - S)/v, times (z/t)^2; it is n if the marks do not vary.
    """
    most = value * (1.0 - value)
    least = LEAST_VARIANCE_SHARE * most / n
    if most <= 0.0 or estimated.variance <= 0.0:
        effective = float(n)
    else:
        effective = most / max(estimated.variance, least) * estimated.effective_share(level)
    interval = clopper_pearson(value * effective, effective, level=level)
    return Interval(SCORE_SCALE * interval.low, SCORE_SCALE * interval.high, level)
