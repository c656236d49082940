"""K-shot results with intervals: recorded and debiased side by side, and what they gain over one answer."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace

import numpy as np
import numpy.typing as npt

from assay.frontier.posterior import Posterior
from assay.frontier.selection.kshot import Shots, ShotsReached
from assay.frontier.selection.kshot_continuous import shots_of
from assay.frontier.selection.kshot_debiased import DebiasedShots, DrawnShots, debiased_shots
from assay.frontier.singles import SingleModels, single_models
from assay.frontier.tensor import Tensor
from assay.frontier.weighed import PromptReplicates, weigh
from assay.results.frontier import Estimate
from assay.results.frontier_report import KShot, Way
from assay.stats.intervals import Interval

FloatArray = npt.NDArray[np.float64]
EACH = 20
"""Up to so many generations every k is taken; above, 1, 2, 5, 10, 20, 50 and so on, and the most."""
PERFECT = 1e-12


def default_ks(generations: int) -> tuple[int, ...]:
    """Return the k of a report: 1..G, fewer where G is great."""
    if generations <= EACH:
        return tuple(range(1, generations + 1))
    steps = [lead * 10**power for power in range(6) for lead in (1, 2, 5)]
    return (*(step for step in steps if step < generations), generations)


def k_shots(
    tensor: Tensor,
    posterior: Posterior | None,
    ks: Sequence[int],
    *,
    level: float,
    resamples: int,
    seed: int,
) -> tuple[KShot, ...]:
    """Return the k-shot results at each k of `ks`, over the same replicates as the frontier's.

    Where there is a posterior of 0/1 quality it stands for the best model by prompt, whose recorded maximum
    is biased; for all models and for one fixed model the unbiased recorded form does, as far as every cell
    has k generations, and the posterior beyond. The best single model is picked anew in each replicate.
    """
    most = tensor.generations
    within = [k for k in ks if k <= most]
    recorded = {each.k: each for each in shots_of(tensor, ks=within)} if within else {}
    drawn: dict[int, DebiasedShots] = {}
    if posterior is not None and tensor.binary:
        # Recorded answers have their own costs; drawn ones are needed only beyond them.
        draws = replace(posterior, cost=None) if len(within) == len(ks) else posterior
        drawn = {each.k: each for each in debiased_shots(draws, ks)}
    weighed = weigh(len(tensor.prompts), resamples, level, np.random.default_rng(seed))
    bounded = bool(np.nanmin(tensor.quality) >= 0.0 and np.nanmax(tensor.quality) <= 1.0)
    ruler = _Ruler(weighed, single_models(tensor), bounded)
    return tuple(
        _at(k, recorded.get(k), drawn.get(k), ruler, tensor.models) for k in ks if k in recorded or k in drawn
    )


class _Ruler:
    """Means over prompts with intervals, and error reductions over the best single model."""

    def __init__(self, weighed: PromptReplicates, singles: SingleModels, bounded: bool) -> None:
        self.weighed, self.bounded = weighed, bounded
        whole = PromptReplicates(
            np.full((1, len(singles.quality)), 1.0 / len(singles.quality)), weighed.level
        )
        self.best = self._best(singles, whole)
        self.bests = self._best(singles, weighed)

    @staticmethod
    def _best(singles: SingleModels, weighed: PromptReplicates) -> FloatArray:
        quality = weighed.means(singles.quality)
        cost = None if singles.cost is None else weighed.means(singles.cost)
        return np.asarray(quality[np.arange(len(quality)), singles.best(quality, cost)])

    def mean(self, values: FloatArray, draws: FloatArray | None = None) -> Estimate:
        """Return the mean of values (N,), NaN left out."""
        many = self.weighed.means(values[:, None])
        here = None if draws is None else draws[:, None]
        known = values[~np.isnan(values)]
        return self.weighed.estimates(np.array([known.mean() if known.size else np.nan]), many, here)[0]

    def reduction(self, values: FloatArray, draws: FloatArray | None = None) -> Estimate:
        """Return 1 - (1 - Q)/(1 - Q_best); no value where quality is not on 0-1 or the best has no error."""
        if not self.bounded:
            return Estimate(None)
        known = values[~np.isnan(values)]
        one = _reduced(np.array([known.mean() if known.size else np.nan]), self.best)
        many = _reduced(self.weighed.means(values[:, None])[:, 0], self.bests)
        here = None if draws is None else _reduced(draws, self.best)[:, None]
        return self.weighed.estimates(one, many[:, None], here)[0]


def _reduced(quality: FloatArray, best: FloatArray) -> FloatArray:
    error = 1.0 - best
    return np.asarray(1.0 - (1.0 - quality) / np.where(error > PERFECT, error, np.nan), dtype=np.float64)


def _at(
    k: int, recorded: Shots | None, drawn: DebiasedShots | None, ruler: _Ruler, models: tuple[str, ...]
) -> KShot:
    enough = recorded is not None and recorded.short == 0

    def way(
        of_counts: Callable[[Shots], ShotsReached],
        of_draws: Callable[[DebiasedShots], DrawnShots],
        unbiased: bool,
    ) -> Way:
        counted = None if recorded is None else of_counts(recorded)
        truth = None if drawn is None else of_draws(drawn)
        return _way(k, counted, truth, ruler, debiased=truth is not None and not (unbiased and enough))

    fixed = recorded.fixed_model if recorded is not None else drawn.fixed_model if drawn is not None else 0
    together = way(lambda each: each.all_models, lambda each: each.all_models, unbiased=True)
    apart = way(lambda each: each.per_prompt_best, lambda each: each.per_prompt_best, unbiased=False)
    return KShot(
        k,
        held_to(apart, together),
        together,
        way(lambda each: each.fixed_best, lambda each: each.fixed_best, unbiased=True),
        models[fixed],
        None
        if recorded is None or recorded.all_models_plug_in is None
        else recorded.all_models_plug_in.value,
        0 if recorded is None else recorded.short,
    )


def held_to(apart: Way, together: Way) -> Way:
    """Return the best model by prompt, its debiased value held to what all models together reach.

    One model's k answers are among all models' k answers, so its truth cannot be greater; the two values are
    by different estimators, whose errors may cross.
    """
    most, value = together.value.value, apart.value.value
    if apart.debiased is None or apart.told != "debiased" or most is None or value is None or value <= most:
        return apart

    def capped(interval: Interval | None) -> Interval | None:
        if interval is None:
            return None
        return Interval(min(interval.low, most), min(interval.high, most), interval.level)

    return replace(
        apart,
        debiased=Estimate(most, capped(apart.debiased.over_prompts), capped(apart.debiased.these_prompts)),
        error_reduction=together.error_reduction,
    )


def _way(
    k: int, counted: ShotsReached | None, truth: DrawnShots | None, ruler: _Ruler, *, debiased: bool
) -> Way:
    closed = None if counted is None else ruler.mean(counted.per_prompt)
    drawn = None if truth is None else ruler.mean(truth.per_prompt, truth.by_draw)
    if debiased and truth is not None:
        reduction = ruler.reduction(truth.per_prompt, truth.by_draw)
    else:
        assert counted is not None
        reduction = ruler.reduction(counted.per_prompt)
    answers, cost = Estimate(None), None
    if counted is not None:
        answers = ruler.mean(counted.asked)
        cost = None if counted.cost is None else ruler.mean(counted.cost)
    elif truth is not None and truth.cost is not None:
        cost = ruler.mean(truth.cost)
    return Way(closed, drawn, "debiased" if debiased else "recorded", reduction, answers, cost)
