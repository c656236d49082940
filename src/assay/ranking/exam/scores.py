"""The score of one sitting: equation 1 of seed 003, subject by subject, with its interval."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt
from scipy.special import ndtri, stdtrit

from assay.stats.intervals import Interval
from assay.stats.proportion import clopper_pearson

FloatArray = npt.NDArray[np.float64]
MOST_STARS = 3
SUBJECT_SCALE, SCORE_SCALE = 10.0, 100.0
LEAST_VARIANCE_SHARE = 0.1
"""An interval never takes an answer to be worth more than ten answers of 0 or 3 stars."""


@dataclass(frozen=True, slots=True)
class Counted:
    """One question that counts in a sitting: its id, its subject, and the answer's stars, 0-3."""

    question: int
    subject: str
    stars: float


@dataclass(frozen=True, slots=True)
class Subject:
    """One subject of a sitting: how many questions count, and its score on 0-10 (None without any)."""

    code: str
    n: int
    score: float | None


@dataclass(frozen=True, slots=True)
class Score:
    """What a sitting came to.

    `value` (S, 0-100) is the mean of the subjects' scores, each with its share of the draw; `plain` is
    equation 1 over the `n` questions that count. The two are equal unless questions were excluded. `error` is
    the standard error of `value` over other draws of questions. `empty` are subjects without a question left,
    whose shares the others take.
    """

    value: float
    plain: float
    n: int
    subjects: tuple[Subject, ...]
    error: float
    interval: Interval
    empty: tuple[str, ...] = ()


def score(counted: Sequence[Counted], drawn: Mapping[str, int], *, level: float = 0.95) -> Score | None:
    """Return the score of a sitting; None where no question counts.

    `drawn` says how many questions the draw took from each subject: a subject's share of S. With ten equal
    subjects S is their mean. Source: seed 003, equation 1 and table 7.
    """
    by_subject = {
        code: np.array([one.stars / MOST_STARS for one in counted if one.subject == code]) for code in drawn
    }
    n = sum(map(len, by_subject.values()))
    if not n:
        return None
    means = {code: float(marks.mean()) if len(marks) else None for code, marks in by_subject.items()}
    strata = {code: marks for code, marks in by_subject.items() if len(marks)}
    shares = shares_of(drawn, strata)
    value = sum(share * float(strata[code].mean()) for code, share in shares.items())
    spread = Spreading.of(strata, shares)
    return Score(
        SCORE_SCALE * value,
        SCORE_SCALE * sum(float(marks.sum()) for marks in strata.values()) / n,
        n,
        tuple(
            Subject(code, len(by_subject[code]), None if mean is None else SUBJECT_SCALE * mean)
            for code, mean in means.items()
        ),
        SCORE_SCALE * float(np.sqrt(spread.variance)),
        _interval(value, n, spread, level),
        tuple(code for code, mean in means.items() if mean is None),
    )


def shares_of(drawn: Mapping[str, int], there: Mapping[str, object]) -> dict[str, float]:
    """Return each subject's share of S, in the draw's proportions, among the subjects that are there."""
    whole = sum(count for code, count in drawn.items() if code in there)
    return {code: count / whole for code, count in drawn.items() if code in there}


@dataclass(frozen=True, slots=True)
class Spreading:
    """The variance of a weighted mean of subjects, and how many degrees of freedom its estimate has."""

    variance: float
    freedom: float

    @classmethod
    def of(cls, strata: Mapping[str, FloatArray], shares: Mapping[str, float]) -> Spreading:
        """Return sum W^2 s^2/n over subjects with Satterthwaite's degrees of freedom.

        A subject with one question has no variance of its own: it takes that of all questions about their
        subjects' means (about the common mean where every subject has one question).
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
        below = sum(part**2 / freedom for part, freedom in parts)
        return cls(variance, variance**2 / below if below > 0 else max(1.0, float(spare)))

    def narrower(self, level: float) -> float:
        """Return (z/t)^2: what is left of a sample's worth because its variance is itself estimated."""
        tail = 0.5 + level / 2.0
        return float(ndtri(tail) / stdtrit(self.freedom, tail)) ** 2


def _interval(value: float, n: int, spread: Spreading, level: float) -> Interval:
    """Return Clopper and Pearson's interval of the effective number of answers, on 0-100.

    The effective number is that of answers with 0 or 3 stars which would give this variance:
    S(1 - S)/v, times (z/t)^2; n where the marks do not vary.
    """
    most = value * (1.0 - value)
    least = LEAST_VARIANCE_SHARE * most / n
    if most <= 0.0 or spread.variance <= 0.0:
        effective = float(n)
    else:
        effective = most / max(spread.variance, least) * spread.narrower(level)
    found = clopper_pearson(value * effective, effective, level=level)
    return Interval(SCORE_SCALE * found.low, SCORE_SCALE * found.high, level)
