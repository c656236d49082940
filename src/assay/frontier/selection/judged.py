"""A judge of single answers: its error rates, its price, and the precision of measured rates."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from assay.core.errors import InvalidInput, Problem
from assay.stats.intervals import Interval, clopper_pearson, clustered_share

JEFFREYS = 0.5
"""The parameters of a rate's prior, Beta(1/2, 1/2)."""


@dataclass(frozen=True, slots=True)
class ErringJudge:
    """A judge that accepts right answers with chance `true_positive` and wrong ones with `false_positive`.

    Each answer is judged by itself: given whether it is right, verdicts are independent. `price` is for one
    judgement, in the unit of the costs. The default judge is perfect and free.
    """

    true_positive: float = 1.0
    false_positive: float = 0.0
    price: float = 0.0

    def __post_init__(self) -> None:
        for name, rate in (("true", self.true_positive), ("false", self.false_positive)):
            if not 0.0 <= rate <= 1.0:
                raise InvalidInput(
                    Problem(f"invalid {name}-positive rate {rate!r} of the judge: give a number from 0 to 1")
                )
        if not 0.0 <= self.price < np.inf:
            raise InvalidInput(Problem(f"invalid price of a judgement {self.price!r}: give 0 or more"))

    @property
    def perfect(self) -> bool:
        """Whether it accepts every right answer and no wrong one."""
        return self.true_positive == 1.0 and self.false_positive == 0.0


def erring(error: float, price: float = 0.0) -> ErringJudge:
    """Return the judge with the same error rate on right and wrong answers."""
    return ErringJudge(1.0 - error, error, price)


@dataclass(frozen=True, slots=True)
class MeasuredJudge:
    """A judge measured on answers of known quality: it accepted some of the `right` and `wrong` answers.

    The intervals allow for correlated answers to one prompt. `right_worth` and `wrong_worth` are the
    effective numbers of independent answers, which Beta draws of the rates use.
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
                    Problem(f"the judge marked no {name} answers, so its rate on them is unknown: add some")
                )
        return ErringJudge(self.right_accepted / self.right, self.wrong_accepted / self.wrong, self.price)

    def draws(self, number: int, rng: np.random.Generator) -> tuple[ErringJudge, ...]:
        """Return judges with Beta draws of the rates, from Jeffreys' prior and the effective numbers."""
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


def judge_draws(
    judge: ErringJudge | MeasuredJudge, draws: int, most: int, seed: int
) -> tuple[ErringJudge, tuple[ErringJudge, ...]]:
    """Return the judge with its measured rates, and the judges to pair with the draws of the cells.

    A judge with stated rates is the only one. For a measured judge there is one for each of `draws`, or
    `most` if there is only one set of cells.
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
    """Return a judge's rates on answers of known quality; both arrays are (n,), true or false.

    With `prompts`, one label per answer, the intervals are Korn and Graubard's for clustered answers; without
    it they are Clopper and Pearson's.
    """
    truth, verdict = np.asarray(right, dtype=np.bool_), np.asarray(accepted, dtype=np.bool_)
    labels = np.arange(len(truth)) if prompts is None else np.asarray(prompts)
    if not len(truth) == len(verdict) == len(labels):
        sizes = f"{len(truth)}, {len(verdict)} and {len(labels)}"
        raise InvalidInput(
            Problem(f"quality, verdicts and prompts have {sizes} rows: give equally many of each")
        )
    _, place = np.unique(labels, return_inverse=True)
    rates = []
    for chosen in (truth, ~truth):
        size = np.bincount(place[chosen], minlength=1).astype(np.float64)
        hits = np.bincount(place[chosen & verdict], minlength=len(size)).astype(np.float64)
        interval = clustered_share(hits, size, level=level)
        rates.append((int(size.sum()), int(hits.sum()), interval, _worth(hits, size, interval)))
    (ones, hit, true, ones_worth), (zeros, fooled, false, zeros_worth) = rates
    return MeasuredJudge(ones, hit, zeros, fooled, true, false, ones_worth, zeros_worth, price)


def _worth(hits: npt.NDArray[np.float64], size: npt.NDArray[np.float64], interval: Interval) -> float:
    """Return the number of independent answers whose exact interval is as wide as this one."""
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
    """Return a judge's noise in the unit of quality, from marks of answers of known quality: both (n,).

    The noise is the residual spread of the marks around their straight line in quality, divided by its slope,
    because a strict judge or another scale of marks chooses equally well. InvalidInput if the marks do not
    rise with quality.
    """
    known, mark = np.asarray(quality, dtype=np.float64), np.asarray(marks, dtype=np.float64)
    complete = ~(np.isnan(known) | np.isnan(mark))
    known, mark = known[complete], mark[complete]
    if len(known) < 3 or known.std() == 0.0:
        raise InvalidInput(
            Problem("the judge's noise is unknown: give at least 3 marks of answers that differ in quality")
        )
    slope = float(np.cov(known, mark)[0, 1] / known.var(ddof=1))
    if slope <= 0.0:
        raise InvalidInput(
            Problem(
                f"marks change by {slope:.3g} per unit of quality: use a judge whose marks rise with quality"
            )
        )
    rest = mark - mark.mean() - slope * (known - known.mean())
    return float(np.sqrt((rest**2).sum() / (len(rest) - 2)) / slope)
