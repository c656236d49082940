"""The value of the oracle, the best model for every prompt, by any of the methods, with intervals."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import numpy as np
import numpy.typing as npt

from assay.frontier.biased.chosen import chosen_costs, sampled_curves
from assay.frontier.biased.exact import per_prompt_curves
from assay.frontier.methods.extrapolation import SMOOTH
from assay.frontier.methods.method import ProgressCallback
from assay.frontier.methods.registry import DEFAULT, METHODS, check_names, method_named
from assay.frontier.methods.value import MethodValue, OracleInputs, best_single_estimate, estimate_value
from assay.frontier.posterior import Posterior
from assay.frontier.prepared import fitting, prepare
from assay.frontier.singles import single_models
from assay.frontier.tensor import Tensor
from assay.frontier.weighed import PromptReplicates, weigh
from assay.results.frontier import Estimate, OracleEstimate
from assay.stats.resample import percentile

FloatArray = npt.NDArray[np.float64]
IntArray = npt.NDArray[np.int64]
ROUNDING = 1e-9
NO_COSTS = "no costs were recorded"
NO_VALUE = "none: the method gives no value here"


def oracle(
    tensor: Tensor,
    method: str = DEFAULT,
    *,
    posterior: Posterior | None = None,
    level: float = 0.95,
    resamples: int = 500,
    seed: int = 0,
) -> OracleEstimate:
    """Return the oracle's value by one method.

    `naive` is equation 5 as it stands, `power` and `smooth` extrapolate its curve (11, 12), `mixture` and
    `pgm` model the generations, `bracket` encloses the value without a model. Intervals are at `level`:
    `over_prompts` from `resamples` bootstrap replicates of the prompts, each of which fits its curve or takes
    a draw of the posterior anew; `these_prompts` from the posterior's draws. `posterior` saves a fit: draws
    for this very tensor. Raises InvalidInput for what cannot be used, naming it; a method that needs more
    generations than there are has no value and says so in its notes.
    """
    return value_by(gather(tensor, level=level, resamples=resamples, seed=seed), method, posterior=posterior)


def oracles(
    tensor: Tensor,
    methods: Sequence[str] = METHODS,
    *,
    level: float = 0.95,
    resamples: int = 500,
    seed: int = 0,
) -> tuple[OracleEstimate, ...]:
    """Return the oracle's value by several methods, all over the same replicates of the prompts."""
    gathered = gather(tensor, level=level, resamples=resamples, seed=seed)
    return tuple(value_by(gathered, method) for method in methods)


def gather(tensor: Tensor, *, level: float = 0.95, resamples: int = 500, seed: int = 0) -> OracleInputs:
    """Return what every method starts from. InvalidInput for a tensor without any usable answer."""
    prepared = prepare(tensor)
    kept = prepared.tensor
    costs = kept.mean_cost()
    if kept.binary:
        right, number = kept.correct, kept.given
        quality = per_prompt_curves(right, number)
        cost = None if costs is None else chosen_costs(right, number, costs)
        error = np.zeros(quality.shape[1])
    else:
        quality, cost, error = sampled_curves(kept.quality, costs, np.random.default_rng([seed, 1]))
    singles = single_models(kept)
    means = np.nanmean(singles.quality, axis=0)[None]
    spent = None if singles.cost is None else np.nanmean(singles.cost, axis=0)[None]
    weighed = weigh(len(kept.prompts), resamples, level, np.random.default_rng(seed))
    best = int(singles.best(means, spent)[0])
    paper = _paper_cost(cost, weighed)
    return OracleInputs(tensor, prepared, quality, cost, error, singles, best, weighed, paper, seed)


def _paper_cost(cost: FloatArray | None, weighed: PromptReplicates) -> Estimate | None:
    if cost is None or cost.shape[1] < SMOOTH.parameters:
        return None
    found = SMOOTH.fit(cost.mean(axis=0)).limit
    replicates = weighed.means(cost)
    many = percentile(SMOOTH.limits(replicates), weighed.level) if len(replicates) else None
    return Estimate(found, many)


def value_by(
    gathered: OracleInputs,
    method: str,
    *,
    posterior: Posterior | None = None,
    progress: ProgressCallback | None = None,
) -> OracleEstimate:
    """Return the oracle's value by one method from what `gather` made ready; long fits tell `progress`."""
    check_names([method])
    return _composed(gathered, method, _value(gathered, method, posterior, progress))


def without_value(gathered: OracleInputs, method: str, reason: str) -> OracleEstimate:
    """Return what stands in the place of a method that cannot be used here, with the reason in its notes."""
    return _composed(gathered, method, MethodValue(None, None, NO_VALUE, (reason,)))


def _composed(gathered: OracleInputs, method: str, value: MethodValue) -> OracleEstimate:
    told = estimate_value(gathered, value)
    return OracleEstimate(
        method=method,
        quality=told.quality,
        cost=told.cost,
        cost_estimator=NO_COSTS if gathered.cost is None else value.cost_estimator,
        paper_cost=gathered.paper_cost,
        sizes=np.arange(1, gathered.quality.shape[1] + 1),
        curve=gathered.quality.mean(axis=0),
        cost_curve=None if gathered.cost is None else gathered.cost.mean(axis=0),
        lower=told.lower,
        upper=told.upper,
        best_model=gathered.tensor.models[gathered.best],
        best_single=best_single_estimate(gathered, value),
        gain=told.gain,
        error_reduction=told.error_reduction,
        prompts=len(gathered.tensor.prompts),
        unit=gathered.tensor.unit,
        notes=(*value.notes, *_remarks(gathered, value)),
    )


def _value(
    gathered: OracleInputs, name: str, posterior: Posterior | None, tell: ProgressCallback | None
) -> MethodValue:
    tensor = gathered.tensor
    if len(tensor.models) == 1:
        alone_value = method_named("naive").value(gathered, None)
        return replace(
            alone_value,
            cost_estimator="mean cost of the one model",
            notes=("one model: the oracle is that model, nothing is chosen, and there is no bias",),
        )
    method, draws = method_named(name), None
    if method.modelled and posterior is not None:
        draws = fitting(posterior, gathered.given, gathered.prepared)
    elif needed := method.unmet_need(tensor.generations):
        return MethodValue(None, None, method.cost_estimator, (needed,))
    else:
        draws = method.fit(tensor, seed=gathered.seed, progress=tell)
    return method.value(gathered, draws)


def _remarks(gathered: OracleInputs, value: MethodValue) -> tuple[str, ...]:
    """Return what was left out, what is uneven, and what the method's value contradicts."""
    said = list(gathered.prepared.notes)
    tensor = gathered.tensor
    said += _footing(gathered)
    if gathered.error.any():
        said.append(
            "quality is not 0/1: the curve is by seeded resampling, with a Monte-Carlo standard error up to "
            f"{gathered.error.max():.2g}"
        )
    if tensor.generations == 1 and len(tensor.models) > 1:
        said.append(_luck(gathered))
    if len(tensor.prompts) == 1:
        said.append("one prompt: what other prompts could give cannot be said, and its interval says nothing")
    if value.quality is not None:
        said += _outside(gathered, value, value.quality.value)
    return tuple(said)


def _footing(gathered: OracleInputs) -> tuple[str, ...]:
    """Say on which prompts the best single model stands, where it lacks some."""
    coverage = float(gathered.singles.coverage[gathered.best])
    if coverage == 1.0:
        return ()
    told = (
        f"the best single model {gathered.tensor.models[gathered.best]!r} has {coverage:.0%} of the prompts: "
    )
    if np.isnan(gathered.singles.quality[:, gathered.best]).any():
        return (told + "no shared prompts join it to the others, so the gain over it compares badly",)
    return (told + "a fit by prompt and model fills in the rest of its mean",)


def _outside(gathered: OracleInputs, value: MethodValue, reached: float) -> tuple[str, ...]:
    """Say where a value lies where no oracle can be, or can be only by chance."""
    single = float(np.nanmean(gathered.singles.quality[:, gathered.best]))
    naive = float(gathered.quality[:, -1].mean())
    if reached < single - ROUNDING:
        below = 100 * (single - reached)
        told = f"the value lies {below:.2f} points below the best single's observed mean"
        if value.single_draws is not None:
            alone = float(value.single_draws.mean())
            return (f"{told}, part of which is luck: by this method it is {alone:.4g}",)
        return (f"{told}, where hardly any oracle can be: the method fails here",)
    if reached > naive + ROUNDING:
        return (
            f"the value lies {100 * (reached - naive):.2f} points above the naive one, which itself "
            "overstates in expectation: the method's model does not fit these data",
        )
    return ()


def _luck(gathered: OracleInputs) -> str:
    """Say how far one generation may mislead: what models that are all alike would show (equation 10)."""
    quality = gathered.tensor.mean_quality()
    shown = float(np.mean([alike(row[~np.isnan(row)]) for row in quality]))
    true = float(np.nanmean(np.nanmean(quality, axis=1)))
    gain = float(gathered.quality[:, -1].mean() - np.nanmean(gathered.singles.quality[:, gathered.best]))
    luck = shown - true
    return (
        "one generation in every cell (G = 1): the bias cannot be measured. Were all models alike on each "
        f"prompt, as good as their mean there, luck alone would lift the naive oracle from {true:.4g} to "
        f"about {shown:.4g}; of its lead of {gain:.4g} over the best single model "
        + ("all may be luck" if luck >= gain else f"up to {luck:.4g} may be luck")
    )


def alike(values: np.ndarray) -> float:
    """Return the expected greatest of as many draws, with replacement, as there are values (K,).

    For 0/1 values with mean p this is 1 - (1 - p)^K: equation 10 at G = 1, each prompt's rate being p.
    """
    number = len(values)
    steps = (np.arange(number + 1) / number) ** number
    return float(np.sort(values) @ np.diff(steps))
