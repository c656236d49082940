"""A judge of single answers that errs and costs: its rates, and how well they were measured."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from assay.core.errors import InvalidInput, Problem
from assay.stats.intervals import Interval, clopper_pearson, clustered_share

JEFFREYS = 0.5
"""The prior of a rate, Beta(1/2, 1/2): what is drawn where nothing was judged."""


@dataclass(frozen=True, slots=True)
class ErringJudge:
    """Accepts a right answer with chance `true_positive`, a wrong one with `false_positive`.

    Each answer is judged by itself: given whether it is right, verdicts are independent. `price` is that of
    one judgement, in the unit of the costs. The default is perfect and free.
    """

    true_positive: float = 1.0
    false_positive: float = 0.0
    price: float = 0.0

    def __post_init__(self) -> None:
        for name, rate in (("true", self.true_positive), ("false", self.false_positive)):
            if not 0.0 <= rate <= 1.0:
                raise InvalidInput(Problem(f"the judge's {name}-positive rate is {rate!r}: give 0 to 1"))
        if not 0.0 <= self.price < np.inf:
            raise InvalidInput(Problem(f"a judgement costs {self.price!r}: give 0 or more"))

    @property
    def perfect(self) -> bool:
        """Whether it accepts every right answer and no wrong one."""
        return self.true_positive == 1.0 and self.false_positive == 0.0

    def precision(self, rate: float) -> float | None:
        """Return the share of right answers among accepted ones when `rate` of all are right.

        What one model tends to with more and more generations: TPR p / (TPR p + FPR (1 - p)). None where
        nothing is ever accepted.
        """
        right, wrong = self.true_positive * rate, self.false_positive * (1.0 - rate)
        return right / (right + wrong) if right + wrong > 0.0 else None


def erring(error: float, price: float = 0.0) -> ErringJudge:
    """Return the judge that errs on right and on wrong answers alike."""
    return ErringJudge(1.0 - error, error, price)


@dataclass(frozen=True, slots=True)
class MeasuredJudge:
    """A judge measured against known quality: it accepted some of the `right` and of the `wrong` answers.

    Intervals allow for answers to one prompt being alike. `right_worth` and `wrong_worth` are how many
    independent answers the judged ones are worth: what Beta draws of the rates are made with.
    """

    right: int
    right_accepted: int
    wrong: int
    wrong_accepted: int
    true_positive: Interval
    false_positive: Interval
    right_worth: float
    wrong_worth: float
    price: float = 0.0

    def judge(self) -> ErringJudge:
        """Return the judge with the rates as measured; InvalidInput without a right and a wrong answer."""
        for name, number in (("right", self.right), ("wrong", self.wrong)):
            if not number:
                raise InvalidInput(
                    Problem(f"the judge saw no {name} answer: its rate on them is unknown; judge some")
                )
        return ErringJudge(self.right_accepted / self.right, self.wrong_accepted / self.wrong, self.price)

    def draws(self, number: int, rng: np.random.Generator) -> tuple[ErringJudge, ...]:
        """Return judges whose rates are Beta draws, Jeffreys' prior with the answers they are worth."""
        judge = self.judge()
        rates = [
            rng.beta(JEFFREYS + rate * worth, JEFFREYS + (1.0 - rate) * worth, size=number)
            for rate, worth in (
                (judge.true_positive, self.right_worth),
                (judge.false_positive, self.wrong_worth),
            )
        ]
        return tuple(
            ErringJudge(float(true), float(false), self.price) for true, false in zip(*rates, strict=True)
        )


def met(
    judge: ErringJudge | MeasuredJudge, draws: int, most: int, seed: int
) -> tuple[ErringJudge, tuple[ErringJudge, ...]]:
    """Return the judge with its rates as measured, and those that draws of the cells meet, one each.

    A judge whose rates are stated is one alone. Of a measured one there are as many as `draws` of the cells,
    or `most` where the cells are one.
    """
    if isinstance(judge, ErringJudge):
        return judge, (judge,)
    number = most if draws == 1 else draws
    return judge.judge(), judge.draws(number, np.random.default_rng(seed))


def measure_judge(
    right: npt.ArrayLike,
    accepted: npt.ArrayLike,
    prompts: npt.ArrayLike | None = None,
    *,
    price: float = 0.0,
    level: float = 0.95,
) -> MeasuredJudge:
    """Return the rates of a judge on answers whose quality is known: both arrays (n,), true or false.

    With `prompts`, one label an answer, intervals are Korn and Graubard's for answers that come in clusters;
    without, Clopper and Pearson's.
    """
    truth, verdict = np.asarray(right, dtype=np.bool_), np.asarray(accepted, dtype=np.bool_)
    labels = np.arange(len(truth)) if prompts is None else np.asarray(prompts)
    if not len(truth) == len(verdict) == len(labels):
        sizes = f"{len(truth)}, {len(verdict)} and {len(labels)}"
        raise InvalidInput(Problem(f"quality, verdicts and prompts have {sizes} rows: give as many of each"))
    _, place = np.unique(labels, return_inverse=True)
    rates = []
    for kept in (truth, ~truth):
        size = np.bincount(place[kept], minlength=1).astype(np.float64)
        hits = np.bincount(place[kept & verdict], minlength=len(size)).astype(np.float64)
        interval = clustered_share(hits, size, level=level)
        rates.append((int(size.sum()), int(hits.sum()), interval, _worth(hits, size, interval)))
    (ones, hit, true, ones_worth), (zeros, fooled, false, zeros_worth) = rates
    return MeasuredJudge(ones, hit, zeros, fooled, true, false, ones_worth, zeros_worth, price)


def _worth(hits: npt.NDArray[np.float64], size: npt.NDArray[np.float64], interval: Interval) -> float:
    """Return how many independent answers give an exact interval as wide as this one."""
    total = float(size.sum())
    if total == 0.0:
        return 0.0
    share, width = float(hits.sum()) / total, interval.high - interval.low
    few, many = 0.0, total
    for _ in range(50):
        middle = (few + many) / 2.0
        exact = clopper_pearson(share * middle, middle, level=interval.level)
        few, many = (middle, many) if exact.high - exact.low > width else (few, middle)
    return many


def residual_noise(quality: npt.ArrayLike, marks: npt.ArrayLike) -> float:
    """Return a judge's noise in quality's unit, from marks of answers whose quality is known: both (n,).

    The spread of marks around their straight line in quality, over its slope: a judge that is strict, or
    marks on another scale, chooses no worse for it. InvalidInput where marks do not rise with quality.
    """
    known, given = np.asarray(quality, dtype=np.float64), np.asarray(marks, dtype=np.float64)
    kept = ~(np.isnan(known) | np.isnan(given))
    known, given = known[kept], given[kept]
    if len(known) < 3 or known.std() == 0.0:
        raise InvalidInput(Problem("noise needs at least 3 marks, of answers of different quality"))
    slope = float(np.cov(known, given)[0, 1] / known.var(ddof=1))
    if slope <= 0.0:
        raise InvalidInput(Problem(f"marks change by {slope:.3g} with quality: this judge cannot choose"))
    rest = given - given.mean() - slope * (known - known.mean())
    return float(np.sqrt((rest**2).sum() / (len(rest) - 2)) / slope)
