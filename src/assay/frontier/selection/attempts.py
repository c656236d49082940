"""Chances of a judge's verdicts on several answers of a cell, from success rates or from counts."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Protocol

import numpy as np
import numpy.typing as npt
import scipy

from assay.frontier.selection.judged import ErringJudge

FloatArray = npt.NDArray[np.float64]
IntArray = npt.NDArray[np.int64]
BoolArray = npt.NDArray[np.bool_]
WHOLE = np.ones(1)
"""The share of accepted answers that are kept: all."""
LEAST_CHANCE = 1e-300
"""A lower limit for the chance that all answers are rejected; it avoids 0/0 and adds nothing."""


class AnswerChances(Protocol):
    """Chances of a judge's verdicts on the answers of each cell; shapes (N, L).

    In a cell without answers everything counts as rejected and nothing as right.
    """

    @property
    def success(self) -> FloatArray:
        """The chance that one answer is right; 0 in a cell without answers."""

    @property
    def observed(self) -> BoolArray:
        """The cells that have answers."""

    def take(self, rows: IntArray) -> AnswerChances:
        """Return the cells of these prompts."""

    def made(self, answers: int) -> FloatArray:
        """Return the number of answers that exist if this many are requested."""

    def rejected(self, judge: ErringJudge, answers: int) -> FloatArray:
        """Return the chance that the judge rejects all of this many answers."""

    def right_beside(self, judge: ErringJudge, others: int) -> FloatArray:
        """Return the chance that one answer is right and this many others are all rejected."""

    def pooled(self, judge: ErringJudge, kept: FloatArray, ks: IntArray) -> tuple[FloatArray, FloatArray]:
        """Return the sums over models of log(rejected) and of made * right_beside(k - 1) / rejected.

        Shapes (T, K, N), for T judges that keep a share `kept` (T,) below 1 of the answers this one accepts.
        """


@dataclass(frozen=True, slots=True)
class Rates:
    """Cells whose success rates are known, 0-1; answers are independent draws."""

    success: FloatArray
    observed: BoolArray

    def take(self, rows: IntArray) -> Rates:
        """Return the cells of these prompts."""
        return Rates(self.success[rows], self.observed[rows])

    def made(self, answers: int) -> FloatArray:
        """Return the requested number, 0 in cells without answers."""
        return np.where(self.observed, float(answers), 0.0)

    def rejected(self, judge: ErringJudge, answers: int) -> FloatArray:
        """Return r^k, r = 1 - TPR p - FPR (1 - p)."""
        chance: FloatArray = self._reject_one(judge) ** answers
        return chance

    def right_beside(self, judge: ErringJudge, others: int) -> FloatArray:
        """Return p r^k."""
        chance: FloatArray = self.success * self._reject_one(judge) ** others
        return chance

    def pooled(self, judge: ErringJudge, kept: FloatArray, ks: IntArray) -> tuple[FloatArray, FloatArray]:
        """Return k sum log r and k sum p / r."""
        accepted = 1.0 - self._reject_one(judge)
        rejected = 1.0 - kept[:, np.newaxis, np.newaxis] * accepted
        logs = np.log(rejected).sum(axis=2)[:, np.newaxis]
        ratios = (self.success / rejected).sum(axis=2)[:, np.newaxis]
        return ks[:, np.newaxis] * logs, ks[:, np.newaxis] * ratios

    def _reject_one(self, judge: ErringJudge) -> FloatArray:
        accepted = judge.true_positive * self.success + judge.false_positive * (1.0 - self.success)
        return np.where(self.observed, np.clip(1.0 - accepted, 0.0, 1.0), 1.0)


@dataclass(frozen=True, slots=True)
class CountedChances:
    """Cells with counts of right and recorded answers; answers are drawn without replacement.

    The chances are then unbiased for those under the unknown success rate (hypergeometric, as in pass@k). If
    a cell has fewer answers than requested, all of them are taken. `kinds` (P, 2) are the distinct pairs
    (right, recorded), `kind` (N, L) is each cell's position in them, and `tally` (N, P) counts a prompt's
    cells of each kind.
    """

    kinds: IntArray
    kind: IntArray
    tally: FloatArray

    @property
    def success(self) -> FloatArray:
        """The share of right answers."""
        share = self.kinds[:, 0] / np.maximum(self.kinds[:, 1], 1)
        return np.asarray(share[self.kind], dtype=np.float64)

    @property
    def recorded(self) -> IntArray:
        """The number of recorded answers of each cell."""
        return np.asarray(self.kinds[:, 1][self.kind], dtype=np.int64)

    @property
    def observed(self) -> BoolArray:
        """The cells that have answers."""
        return np.asarray(self.recorded > 0, dtype=np.bool_)

    def take(self, rows: IntArray) -> CountedChances:
        """Return the cells of these prompts."""
        return CountedChances(self.kinds, self.kind[rows], self.tally[rows])

    def made(self, answers: int) -> FloatArray:
        """Return the requested number, or the number of recorded answers if that is smaller."""
        return np.asarray(np.minimum(self.recorded, answers), dtype=np.float64)

    def rejected(self, judge: ErringJudge, answers: int) -> FloatArray:
        """Return E[(1 - TPR)^s (1 - FPR)^(k - s)], where s of the k drawn answers are right."""
        return np.asarray(self._rejected(judge, WHOLE, answers)[0][self.kind], dtype=np.float64)

    def right_beside(self, judge: ErringJudge, others: int) -> FloatArray:
        """Return P(one drawn answer is right) times P(k of the remaining ones are rejected)."""
        return np.asarray(self._beside(judge, WHOLE, others)[0][self.kind], dtype=np.float64)

    def pooled(self, judge: ErringJudge, kept: FloatArray, ks: IntArray) -> tuple[FloatArray, FloatArray]:
        """Return the sums of logs and of ratios, computed for each kind of cell."""
        logs, ratios = [], []
        for k in ks.tolist():
            rejected = np.maximum(self._rejected(judge, kept, k), LEAST_CHANCE)
            logs.append(np.log(rejected) @ self.tally.T)
            made = np.minimum(self.kinds[:, 1], k)
            ratios.append(made * self._beside(judge, kept, k - 1) / rejected @ self.tally.T)
        return np.stack(logs, axis=1), np.stack(ratios, axis=1)

    def _rejected(self, judge: ErringJudge, kept: FloatArray, answers: int) -> FloatArray:
        return _all_rejected(self.kinds[:, 0], self.kinds[:, 1], judge, kept, answers)

    def _beside(self, judge: ErringJudge, kept: FloatArray, others: int) -> FloatArray:
        right, number = self.kinds.T
        left = _all_rejected(np.maximum(right - 1, 0), np.maximum(number - 1, 0), judge, kept, others)
        return np.asarray(right / np.maximum(number, 1) * left, dtype=np.float64)


def counted(correct: IntArray, recorded: IntArray) -> CountedChances:
    """Return the cells of counts: `correct` right answers of `recorded`, shapes (N, L)."""
    base = int(recorded.max(initial=0)) + 1
    codes, place = np.unique(correct * base + recorded, return_inverse=True)
    kind = place.reshape(correct.shape)
    tally = np.stack([(kind == number).sum(axis=1) for number in range(len(codes))], axis=1)
    return CountedChances(np.stack([codes // base, codes % base], axis=1), kind, tally.astype(np.float64))


def _all_rejected(
    correct: IntArray, recorded: IntArray, judge: ErringJudge, kept: FloatArray, answers: int
) -> FloatArray:
    """Return the chance of rejecting min(answers, recorded) answers, drawn without replacement: (T, P)."""
    drawn = np.minimum(answers, recorded)[:, np.newaxis]
    right, number = correct[:, np.newaxis], recorded[:, np.newaxis]
    among = np.arange(int(drawn.max(initial=0)) + 1)[np.newaxis]
    possible = (among <= right) & (among <= drawn) & (drawn - among <= number - right)
    hits = np.where(possible, among, np.maximum(0, drawn - (number - right)))
    log = _log_choose(right, hits) + _log_choose(number - right, drawn - hits) - _log_choose(number, drawn)
    chance = np.where(possible, np.exp(log), 0.0)
    share = kept[:, np.newaxis, np.newaxis]
    passed = (1.0 - share * judge.true_positive) ** hits
    passed = passed * (1.0 - share * judge.false_positive) ** (drawn - hits)
    return np.asarray(np.clip((chance * passed).sum(axis=2), 0.0, 1.0), dtype=np.float64)


def _log_choose(number: IntArray, chosen: IntArray) -> FloatArray:
    log_choices: FloatArray = (
        scipy.special.gammaln(number + 1.0)
        - scipy.special.gammaln(chosen + 1.0)
        - scipy.special.gammaln(number - chosen + 1.0)
    )
    return log_choices
