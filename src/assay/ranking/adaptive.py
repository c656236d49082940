"""Adaptive evaluation: which models still need more prompts, and when to stop, with a guaranteed error rate.

Prompts come in random order, so each is an independent draw of the suite's kind of prompts. After every batch
the rule looks at the paired differences in score, which lie in [-1, 1], by bets (`assay.stats.betting`), and
leaves out models that are decided. Looking after every batch costs nothing: the error rate holds for all
looks together. Source: docs/methodology/adaptive.md.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Self

import numpy as np
import numpy.typing as npt

from assay.core.errors import InvalidInput
from assay.results.adaptive_run import Separation
from assay.stats.betting import SHARES, log_evidence, log_gains
from assay.stats.p_values import holm

FloatArray = npt.NDArray[np.float64]
BoolArray = npt.NDArray[np.bool_]
BATCH = 10
LEAST_NOISE = 0.1
"""The smallest share of chance between epochs in the variance of differences that more epochs are for."""


@dataclass(frozen=True, slots=True)
class AdaptiveRule:
    """The rule of an adaptive run.

    `separate` is what is to be settled: the first place, or all pairs. `alpha` is the largest probability of
    any false separation, `batch` the number of prompts between two looks. Raises InvalidInput for an alpha
    that is not between 0 and 1, and for an empty batch.
    """

    separate: Separation = Separation.FIRST
    alpha: float = 0.05
    batch: int = BATCH

    def __post_init__(self) -> None:
        if not 0.0 < self.alpha < 1.0:
            raise InvalidInput(f"alpha {self.alpha!r}: give a number between 0 and 1, such as 0.05")
        if self.batch < 1:
            raise InvalidInput(f"batch of {self.batch!r} prompts: give at least 1")


@dataclass(frozen=True, slots=True)
class AdaptiveEvidence:
    """The evidence from all batches so far.

    `gains` (shares, M, M) are log gains of the bets that the row's model is better than the column's. `pairs`
    (M, M) is the largest log evidence for it at the end of any batch. `against` (M,) is the same for "some
    model is better than this one": the mean of the evidence over the other models.
    """

    gains: FloatArray
    pairs: FloatArray
    against: FloatArray

    @classmethod
    def none(cls, models: int) -> Self:
        """Return the evidence before the first batch."""
        return cls(np.zeros((len(SHARES), models, models)), np.zeros((models, models)), np.zeros(models))

    def add(self, scores: FloatArray) -> AdaptiveEvidence:
        """Return the evidence after one more batch of scores (M, prompts), 0-1; NaN for none."""
        models = len(scores)
        gains, asked = self.gains.copy(), np.flatnonzero(~np.isnan(scores).all(axis=1))
        known = scores[asked]
        gains[:, asked[:, None], asked] += log_gains(known[:, None] - known[None, :])
        pairs = log_evidence(gains)
        np.fill_diagonal(pairs, -np.inf)
        against = np.logaddexp.reduce(pairs, axis=0) - np.log(models - 1)
        return AdaptiveEvidence(gains, np.maximum(self.pairs, pairs), np.maximum(self.against, against))

    def separated(self, alpha: float) -> BoolArray:
        """Return a mask (M, M) of the pairs of which the row's model is better than the column's.

        Holm's correction is over all ordered pairs, so the probability of any false or reversed separation
        is at most `alpha`, at all looks together.
        """
        models = len(self.pairs)
        rows, columns = np.nonzero(~np.eye(models, dtype=np.bool_))
        separated = np.zeros((models, models), dtype=np.bool_)
        separated[rows, columns] = holm(_p(self.pairs[rows, columns])) <= alpha
        return separated

    def behind(self, alpha: float) -> BoolArray:
        """Return a mask (M,) of the models of which it is certain that some other one is better.

        Holm's correction is over the models: the probability that any model is listed that no other one is
        better than is at most `alpha`, at all looks together. At least one model is left.
        """
        behind: BoolArray = holm(_p(self.against)) <= alpha
        if behind.all():
            behind[int(np.argmin(self.against))] = False
        return behind


def open_models(evidence: AdaptiveEvidence, rule: AdaptiveRule) -> BoolArray:
    """Return a mask (M,) of the models that need more prompts; none if the rule stops.

    For the first place these are the models that may be the best, while there are several. For all pairs they
    are the models of pairs that are not separated.
    """
    if rule.separate is Separation.FIRST:
        leading: BoolArray = np.logical_not(evidence.behind(rule.alpha))
        return leading if np.count_nonzero(leading) > 1 else np.zeros_like(leading)
    separated = evidence.separated(rule.alpha)
    unresolved = ~(separated | separated.T)
    np.fill_diagonal(unresolved, False)
    asked: BoolArray = np.any(unresolved, axis=1)
    return asked


def epochs_needed(
    scores: FloatArray, evidence: AdaptiveEvidence, rule: AdaptiveRule, prompts_left: int
) -> int:
    """Return the number of epochs of the next batch: 1, or all of the plan's.

    `scores` (M, prompts, epochs) are those of all models so far, NaN for none. A new prompt tells more than
    another epoch of an old one, so there is one epoch as long as the prompts that are left may suffice: as
    long as the evidence, at its rate so far, would separate another model or pair on them. All epochs are
    used otherwise, unless chance between epochs is only a small part of the differences. The choice depends
    on earlier batches alone, so the guarantee holds.
    """
    epochs, used = scores.shape[2], scores.shape[1]
    asked = open_models(evidence, rule)
    if epochs == 1 or not used or not asked.any():
        return 1
    log_e = evidence.against[asked] if rule.separate is Separation.FIRST else _unresolved(evidence, rule)
    needed = np.log(len(log_e) / rule.alpha)
    if float(log_e.max()) * (used + prompts_left) / used >= needed:
        return 1
    noise = _share_of_chance(scores[asked])
    return epochs if noise is None or noise >= LEAST_NOISE else 1


def _unresolved(evidence: AdaptiveEvidence, rule: AdaptiveRule) -> FloatArray:
    """Return the log evidence of the ordered pairs that are not separated in either direction."""
    separated = evidence.separated(rule.alpha)
    unresolved = ~(separated | separated.T | np.eye(len(separated), dtype=np.bool_))
    return evidence.pairs[unresolved]


def _share_of_chance(scores: FloatArray) -> float | None:
    """Return the share of the variance of one-epoch scores that is chance between epochs of a prompt.

    Scores (M, prompts, epochs) are taken less the mean of each prompt, so that what prompts do to all models
    does not count. None if no prompt has several epochs.
    """
    known = ~np.isnan(scores)
    several = known.sum(axis=2) > 1
    if not several.any():
        return None
    within = float(np.nanvar(scores[several], axis=1, ddof=1).mean())
    means = np.where(several, np.nansum(scores, axis=2) / np.maximum(known.sum(axis=2), 1), np.nan)
    compared = means[:, several.sum(axis=0) > 1]
    if not compared.size:
        return None
    between = float(np.nanmean((compared - np.nanmean(compared, axis=0)) ** 2))
    return 0.0 if within == 0.0 else within / (within + between)


def _p(log_e: FloatArray) -> FloatArray:
    """Return the anytime-valid p of log evidence: 1 over its largest value, at most 1."""
    p: FloatArray = np.exp(-np.maximum(log_e, 0.0))
    return p
