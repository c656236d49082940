"""K-shot results with intervals: recorded and debiased values, and the gain over one answer."""

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
"""The most generations for which every k is shown. Above: 1, 2, 5, 10, 20, 50 and so on, and the last."""
PERFECT = 1e-12


def default_ks(generations: int) -> tuple[int, ...]:
    """Return the k of a report: 1..G, or fewer if G is large."""
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

    The recorded maximum of the best model by prompt is biased, so its value comes from the posterior, if
    quality is 0/1 and there is one. For all models and for one fixed model the recorded values are unbiased:
    they are used as far as every cell has k generations, and the posterior for greater k. The best single
    model is chosen anew in each replicate.
    """
    within = [k for k in ks if k <= tensor.generations]
    recorded = {shots.k: shots for shots in shots_of(tensor, ks=within)} if within else {}
    drawn: dict[int, DebiasedShots] = {}
    if posterior is not None and tensor.binary:
        # The posterior's costs are needed only for more answers than were recorded.
        draws = replace(posterior, cost=None) if len(within) == len(ks) else posterior
        drawn = {shots.k: shots for shots in debiased_shots(draws, ks)}
    weighed = weigh(len(tensor.prompts), resamples, level, np.random.default_rng(seed))
    bounded = bool(np.nanmin(tensor.quality) >= 0.0 and np.nanmax(tensor.quality) <= 1.0)
    estimator = _Estimator(weighed, single_models(tensor), bounded)
    return tuple(
        _k_shot(k, recorded.get(k), drawn.get(k), estimator, tensor.models)
        for k in ks
        if k in recorded or k in drawn
    )


class _Estimator:
    """Means over prompts and error reductions over the best single model, with intervals."""

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
        """Return the mean of values (N,), without the NaN."""
        replicates = self.weighed.means(values[:, None])
        by_draw = None if draws is None else draws[:, None]
        known = values[~np.isnan(values)]
        mean = np.array([known.mean() if known.size else np.nan])
        return self.weighed.estimates(mean, replicates, by_draw)[0]

    def reduction(self, values: FloatArray, draws: FloatArray | None = None) -> Estimate:
        """Return 1 - (1 - Q)/(1 - Q_best); no value unless quality is on 0-1 and the best model errs."""
        if not self.bounded:
            return Estimate(None)
        known = values[~np.isnan(values)]
        reduction = _error_reduction(np.array([known.mean() if known.size else np.nan]), self.best)
        replicates = _error_reduction(self.weighed.means(values[:, None])[:, 0], self.bests)
        by_draw = None if draws is None else _error_reduction(draws, self.best)[:, None]
        return self.weighed.estimates(reduction, replicates[:, None], by_draw)[0]


def _error_reduction(quality: FloatArray, best: FloatArray) -> FloatArray:
    error = 1.0 - best
    return np.asarray(1.0 - (1.0 - quality) / np.where(error > PERFECT, error, np.nan), dtype=np.float64)


def _k_shot(
    k: int,
    recorded: Shots | None,
    drawn: DebiasedShots | None,
    estimator: _Estimator,
    models: tuple[str, ...],
) -> KShot:
    complete = recorded is not None and recorded.short == 0

    def way(
        of_counts: Callable[[Shots], ShotsReached],
        of_draws: Callable[[DebiasedShots], DrawnShots],
        unbiased: bool,
    ) -> Way:
        counts = None if recorded is None else of_counts(recorded)
        draws = None if drawn is None else of_draws(drawn)
        return _way(counts, draws, estimator, debiased=draws is not None and not (unbiased and complete))

    fixed = recorded.fixed_model if recorded is not None else drawn.fixed_model if drawn is not None else 0
    all_models = way(lambda shots: shots.all_models, lambda shots: shots.all_models, unbiased=True)
    best = way(lambda shots: shots.per_prompt_best, lambda shots: shots.per_prompt_best, unbiased=False)
    return KShot(
        k,
        limit_to_all_models(best, all_models),
        all_models,
        way(lambda shots: shots.fixed_best, lambda shots: shots.fixed_best, unbiased=True),
        models[fixed],
        None
        if recorded is None or recorded.all_models_plug_in is None
        else recorded.all_models_plug_in.value,
        0 if recorded is None else recorded.short,
    )


def limit_to_all_models(best: Way, all_models: Way) -> Way:
    """Limit the debiased value of the best model by prompt to the value of all models.

    One model's k answers are among all models' k answers, so its true value cannot be greater. The two values
    come from different estimators, whose errors can reverse their order.
    """
    most, value = all_models.value.value, best.value.value
    if best.debiased is None or best.shown != "debiased" or most is None or value is None or value <= most:
        return best

    def capped(interval: Interval | None) -> Interval | None:
        if interval is None:
            return None
        return Interval(min(interval.low, most), min(interval.high, most), interval.level)

    return replace(
        best,
        debiased=Estimate(most, capped(best.debiased.over_prompts), capped(best.debiased.these_prompts)),
        error_reduction=all_models.error_reduction,
    )


def _way(
    counts: ShotsReached | None, draws: DrawnShots | None, estimator: _Estimator, *, debiased: bool
) -> Way:
    recorded = None if counts is None else estimator.mean(counts.per_prompt)
    drawn = None if draws is None else estimator.mean(draws.per_prompt, draws.by_draw)
    if debiased and draws is not None:
        reduction = estimator.reduction(draws.per_prompt, draws.by_draw)
    else:
        assert counts is not None
        reduction = estimator.reduction(counts.per_prompt)
    answers, cost = Estimate(None), None
    if counts is not None:
        answers = estimator.mean(counts.asked)
        cost = None if counts.cost is None else estimator.mean(counts.cost)
    elif draws is not None and draws.cost is not None:
        cost = estimator.mean(draws.cost)
    return Way(recorded, drawn, "debiased" if debiased else "recorded", reduction, answers, cost)
