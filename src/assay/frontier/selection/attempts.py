"""What several answers of one model to one prompt do under a judge, from success rates or from counts."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Protocol

import numpy as np
import numpy.typing as npt
from scipy.special import gammaln

from assay.frontier.selection.judged import ErringJudge

FloatArray = npt.NDArray[np.float64]
IntArray = npt.NDArray[np.int64]
BoolArray = npt.NDArray[np.bool_]
WHOLE = np.ones(1)
"""All that the judge accepts is kept."""
LEAST_CHANCE = 1e-300
"""Hundreds of answers are all rejected less often than a number can say: it adds nothing, and is not 0/0."""


class AnswerChances(Protocol):
    """Chances of what a judge does with answers of each cell; shapes (N, L).

    A cell without answers is mute: it rejects everything, and nothing in it is right.
    """

    @property
    def success(self) -> FloatArray:
        """The chance that one answer is right; 0 in a cell without answers."""

    @property
    def there(self) -> BoolArray:
        """Which cells have answers."""

    def take(self, rows: IntArray) -> AnswerChances:
        """Return the cells of these prompts."""

    def made(self, answers: int) -> FloatArray:
        """Return how many answers there are when so many are asked for."""

    def rejected(self, judge: ErringJudge, answers: int) -> FloatArray:
        """Return the chance that the judge rejects all of so many answers."""

    def right_beside(self, judge: ErringJudge, others: int) -> FloatArray:
        """Return the chance that one answer is right and so many others are all rejected."""

    def pooled(self, judge: ErringJudge, kept: FloatArray, ks: IntArray) -> tuple[FloatArray, FloatArray]:
        """Return sums over models: log of `rejected`; `made` times `right_beside` k - 1 over `rejected`.

        Shapes (T, K, N): for each of T judges who keep a share `kept` (T,) below 1 of what this one accepts.
        """


@dataclass(frozen=True, slots=True)
class Rates:
    """Cells whose success rates are known, 0-1; answers are independent draws."""

    success: FloatArray
    there: BoolArray

    def take(self, rows: IntArray) -> Rates:
        """Return the cells of these prompts."""
        return Rates(self.success[rows], self.there[rows])

    def made(self, answers: int) -> FloatArray:
        """Return as many as are asked for."""
        return np.where(self.there, float(answers), 0.0)

    def rejected(self, judge: ErringJudge, answers: int) -> FloatArray:
        """Return r^k, r = 1 - TPR p - FPR (1 - p)."""
        found: FloatArray = self._one(judge) ** answers
        return found

    def right_beside(self, judge: ErringJudge, others: int) -> FloatArray:
        """Return p r^k."""
        found: FloatArray = self.success * self._one(judge) ** others
        return found

    def pooled(self, judge: ErringJudge, kept: FloatArray, ks: IntArray) -> tuple[FloatArray, FloatArray]:
        """Return k sum log r and k sum p / r."""
        accepted = 1.0 - self._one(judge)
        one = 1.0 - kept[:, np.newaxis, np.newaxis] * accepted
        silence = np.log(one).sum(axis=2)[:, np.newaxis]
        ratio = (self.success / one).sum(axis=2)[:, np.newaxis]
        return ks[:, np.newaxis] * silence, ks[:, np.newaxis] * ratio

    def _one(self, judge: ErringJudge) -> FloatArray:
        accepted = judge.true_positive * self.success + judge.false_positive * (1.0 - self.success)
        return np.where(self.there, np.clip(1.0 - accepted, 0.0, 1.0), 1.0)


@dataclass(frozen=True, slots=True)
class CountedChances:
    """Cells of which some of the given answers are right; answers are drawn without replacement.

    Chances are then unbiased for those under the unknown success rate (hypergeometric, as in pass@k). Of a
    cell with fewer answers than are asked for, all are taken. `kinds` (P, 2) are the different pairs (right,
    given), `kind` (N, L) says which of them each cell is, `tally` (N, P) how many of a prompt's cells are.
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
    def given(self) -> IntArray:
        """How many answers each cell has."""
        return np.asarray(self.kinds[:, 1][self.kind], dtype=np.int64)

    @property
    def there(self) -> BoolArray:
        """Which cells have answers."""
        return np.asarray(self.given > 0, dtype=np.bool_)

    def take(self, rows: IntArray) -> CountedChances:
        """Return the cells of these prompts."""
        return CountedChances(self.kinds, self.kind[rows], self.tally[rows])

    def made(self, answers: int) -> FloatArray:
        """Return as many as are asked for, or all that were given."""
        return np.asarray(np.minimum(self.given, answers), dtype=np.float64)

    def rejected(self, judge: ErringJudge, answers: int) -> FloatArray:
        """Return E (1 - TPR)^s (1 - FPR)^(k - s), s of the k drawn being right."""
        return np.asarray(self._rejected(judge, WHOLE, answers)[0][self.kind], dtype=np.float64)

    def right_beside(self, judge: ErringJudge, others: int) -> FloatArray:
        """Return the chance that one drawn is right, times that of rejecting k others of those left."""
        return np.asarray(self._beside(judge, WHOLE, others)[0][self.kind], dtype=np.float64)

    def pooled(self, judge: ErringJudge, kept: FloatArray, ks: IntArray) -> tuple[FloatArray, FloatArray]:
        """Return the sums of logs and of ratios, kind by kind."""
        logs, ratios = [], []
        for k in ks.tolist():
            silent = np.maximum(self._rejected(judge, kept, k), LEAST_CHANCE)
            logs.append(np.log(silent) @ self.tally.T)
            made = np.minimum(self.kinds[:, 1], k)
            ratios.append(made * self._beside(judge, kept, k - 1) / silent @ self.tally.T)
        return np.stack(logs, axis=1), np.stack(ratios, axis=1)

    def _rejected(self, judge: ErringJudge, kept: FloatArray, answers: int) -> FloatArray:
        return _all_rejected(self.kinds[:, 0], self.kinds[:, 1], judge, kept, answers)

    def _beside(self, judge: ErringJudge, kept: FloatArray, others: int) -> FloatArray:
        right, number = self.kinds.T
        left = _all_rejected(np.maximum(right - 1, 0), np.maximum(number - 1, 0), judge, kept, others)
        return np.asarray(right / np.maximum(number, 1) * left, dtype=np.float64)


def counted(correct: IntArray, given: IntArray) -> CountedChances:
    """Return the cells of counts: `correct` right answers of `given`, shapes (N, L)."""
    base = int(given.max(initial=0)) + 1
    codes, place = np.unique(correct * base + given, return_inverse=True)
    kind = place.reshape(correct.shape)
    tally = np.stack([(kind == each).sum(axis=1) for each in range(len(codes))], axis=1)
    return CountedChances(np.stack([codes // base, codes % base], axis=1), kind, tally.astype(np.float64))


def _all_rejected(
    correct: IntArray, given: IntArray, judge: ErringJudge, kept: FloatArray, answers: int
) -> FloatArray:
    """Return the chance of rejecting all of min(answers, given) drawn without replacement: shape (T, P)."""
    drawn = np.minimum(answers, given)[:, np.newaxis]
    right, number = correct[:, np.newaxis], given[:, np.newaxis]
    among = np.arange(int(drawn.max(initial=0)) + 1)[np.newaxis]
    possible = (among <= right) & (among <= drawn) & (drawn - among <= number - right)
    hits = np.where(possible, among, np.maximum(0, drawn - (number - right)))
    log = _choose(right, hits) + _choose(number - right, drawn - hits) - _choose(number, drawn)
    chance = np.where(possible, np.exp(log), 0.0)
    share = kept[:, np.newaxis, np.newaxis]
    passed = (1.0 - share * judge.true_positive) ** hits
    passed = passed * (1.0 - share * judge.false_positive) ** (drawn - hits)
    return np.asarray(np.clip((chance * passed).sum(axis=2), 0.0, 1.0), dtype=np.float64)


def _choose(number: IntArray, chosen: IntArray) -> FloatArray:
    found: FloatArray = gammaln(number + 1.0) - gammaln(chosen + 1.0) - gammaln(number - chosen + 1.0)
    return found
