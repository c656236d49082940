"""`mixture` and `pgm`: the oracle within each draw from a statistical model of the generations."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

import numpy as np

from assay.frontier.biased.chosen import cheapest_best
from assay.frontier.graphical import fit_pgm
from assay.frontier.methods.bracket import bracket_value
from assay.frontier.methods.method import Method, ProgressCallback, SweepRequest
from assay.frontier.methods.value import MethodValue, OracleInputs, ReplicatedMean
from assay.frontier.mixture.fit import fit_mixture
from assay.frontier.per_prompt import thinned
from assay.frontier.posterior import Posterior
from assay.frontier.sweep.curve import (
    CurveDraws,
    MethodCurve,
    describe_ties,
    shared_part,
    single_point_curve,
)
from assay.frontier.sweep.decisions import sweep
from assay.frontier.tensor import Tensor

LEAST_GENERATIONS = 2
CHECKED_DRAWS = 40
MISFIT = 2.5
"""Deviations beyond this many standard deviations are reported. They stay within 2 if the model fits, and are
3 to 4 if only one model is able on each prompt."""


def _unmet_need(generations: int) -> str | None:
    if generations >= LEAST_GENERATIONS:
        return None
    return "one generation in every cell: no model can separate luck from skill, so there is no value"


def _modelled(
    name: str, draw: Callable[[Tensor, int, ProgressCallback | None], Posterior], package: str = ""
) -> Method:
    """Return a method that uses joint draws of each model's true quality on each prompt."""
    value_cost = f"mean over {name}'s draws of the expected cost of the draw's best model on each prompt"

    def value(inputs: OracleInputs, posterior: Posterior | None) -> MethodValue:
        assert posterior is not None
        return posterior_value(inputs, posterior, value_cost)

    return Method(
        name, value_cost, value, _curve, draw=draw, unmet_need=_unmet_need, decides=True, package=package
    )


def posterior_value(inputs: OracleInputs, posterior: Posterior, cost_estimator: str) -> MethodValue:
    """Return the mean over draws of the mean over prompts of the best model's quality and cost.

    If several models are equally good in a draw, which is frequent with rates on a grid, the cheapest is
    taken. Value, draws and replicates (`MethodCurve.replicates`) are those of the frontier at alpha = 1. If
    the posterior claims no point, the value is the bracket's two ends.
    """
    misfits = misfit(posterior, inputs.tensor, np.random.default_rng([inputs.seed, 3]))
    if not posterior.claims_point:
        ends = bracket_value(inputs)
        return replace(ends, notes=(*posterior.notes, *misfits, *ends.notes))
    best = cheapest_best(posterior.quality, posterior.cost, posterior.may_choose)[:, :, None]
    quality = np.take_along_axis(posterior.quality, best, axis=2)[:, :, 0]
    cost = None if posterior.cost is None else np.take_along_axis(posterior.cost, best, axis=2)[:, :, 0]
    quality_replicates, cost_replicates = single_point_curve(quality, cost).replicates(inputs.replicates)
    return MethodValue(
        ReplicatedMean(float(quality.mean()), quality_replicates[:, 0], quality.mean(axis=1)),
        None
        if cost is None or cost_replicates is None
        else ReplicatedMean(float(cost.mean()), cost_replicates[:, 0], cost.mean(axis=1)),
        cost_estimator,
        (*posterior.notes, *misfits),
        single_draws=posterior.quality[:, :, inputs.best].mean(axis=1),
    )


def _curve(request: SweepRequest) -> MethodCurve:
    """Return the mean over draws of the quality and cost of the best decisions within each draw."""
    posterior = request.posterior
    assert posterior is not None
    may_choose = np.broadcast_to(posterior.may_choose, posterior.quality.shape)
    views = request.views(posterior.quality, posterior.cost, may_choose)
    swept = sweep(views, request.alphas, by_prompt=request.by_prompt)
    prompts = posterior.quality.shape[1]
    cost_estimator, single_cost, shared_cost = None, None, None
    if views.cost is not None and swept.cost_of_view is not None and swept.within_cost is not None:
        cost_estimator = (
            f"mean over {posterior.method}'s draws of the chosen cell's expected cost in the draw"
        )
        single_cost = views.cost.mean(axis=1)
        shared_cost = shared_part(swept.cost_of_view, swept.within_cost, prompts)
    draws = CurveDraws(
        swept.quality_of_view,
        swept.cost_of_view,
        posterior.quality.mean(axis=1),
        single_cost,
        shared_part(swept.quality_of_view, swept.within_quality, prompts),
        shared_cost,
    )
    return MethodCurve(
        swept.quality,
        swept.cost,
        swept.share,
        swept.chosen,
        cost_estimator,
        draws=draws,
        notes=(*posterior.notes, *describe_ties(swept.tied, prompts)),
    )


def misfit(posterior: Posterior, tensor: Tensor, rng: np.random.Generator) -> tuple[str, ...]:
    """Return a note if the draws do not reproduce the naive oracle (eq. 5), none if they do.

    New answers are simulated from each draw's success rates, as many in each cell as were recorded. The mean
    over prompts of the greatest share right should scatter about the recorded value. If it does not, the
    rates of different models on one prompt are related in another way than the model assumes. Quality other
    than 0 and 1 is not checked. Source: A. Gelman, X.-L. Meng and H. Stern, Statistica Sinica 6 (1996)
    733-807.
    """
    observed = posterior.may_choose & tensor.observed
    if not tensor.binary or not observed.any(axis=1).all():
        return ()
    answers = np.maximum(tensor.answers, 1)
    rates = np.clip(thinned(posterior, CHECKED_DRAWS).quality, 0.0, 1.0)
    if np.isnan(rates).any():
        return ()
    shares = np.where(observed, rng.binomial(answers, rates) / answers, 0.0)
    replicated = shares.max(axis=2).mean(axis=1)
    recorded = float(np.where(observed, tensor.correct / answers, 0.0).max(axis=1).mean())
    middle, spread = float(replicated.mean()), float(replicated.std())
    if abs(middle - recorded) <= MISFIT * spread or len(replicated) < CHECKED_DRAWS:
        return ()
    direction = "too low" if middle < recorded else "too high"
    return (
        f"the model does not fit: new answers simulated from it give a naive oracle of {middle:.4g} +- "
        f"{spread:.2g}, but the recorded one is {recorded:.4g}; the value is probably {direction}, by more "
        "than its intervals show (too low if only one model is able on each prompt): rely on the bracket",
    )


def _draw_mixture(tensor: Tensor, seed: int, progress: ProgressCallback | None) -> Posterior:
    return fit_mixture(tensor, seed=seed)


def _draw_pgm(tensor: Tensor, seed: int, progress: ProgressCallback | None) -> Posterior:
    return fit_pgm(tensor, seed=seed, progress=progress).posterior


MIXTURE = _modelled("mixture", _draw_mixture)
PGM = _modelled("pgm", _draw_pgm, package="numpyro")
