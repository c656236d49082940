"""The value of the oracle by any of the methods, with intervals."""

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
from assay.frontier.prepared import prepare, usable_posterior
from assay.frontier.singles import single_models
from assay.frontier.tensor import Tensor
from assay.frontier.weighed import PromptReplicates, weigh
from assay.results.frontier import Estimate, OracleEstimate
from assay.results.note import Note, NoteKind
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

    `naive` is equation 5 without a correction, `power` and `smooth` extrapolate its curve (equations 11 and
    12), `mixture` and `pgm` model the generations, and `bracket` gives two ends without a model. Intervals
    are at `level`: `over_prompts` come from `resamples` bootstrap replicates of the prompts, each of which
    fits its own curve or takes its own draw of the posterior; `these_prompts` come from the posterior's
    draws. `posterior` holds draws for this tensor and saves the fit. Raises InvalidInput for a tensor,
    posterior or option that cannot be used. A method that needs more generations than there are has no
    value, and its notes give the reason.
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
    """Return the inputs of every method. Raises InvalidInput for a tensor without any usable answer."""
    prepared = prepare(tensor)
    usable = prepared.tensor
    costs = usable.mean_cost()
    if usable.binary:
        right, number = usable.correct, usable.answers
        quality = per_prompt_curves(right, number)
        cost = None if costs is None else chosen_costs(right, number, costs)
        error = np.zeros(quality.shape[1])
    else:
        quality, cost, error = sampled_curves(usable.quality, costs, np.random.default_rng([seed, 1]))
    singles = single_models(usable)
    means = np.nanmean(singles.quality, axis=0)[None]
    mean_costs = None if singles.cost is None else np.nanmean(singles.cost, axis=0)[None]
    replicates = weigh(len(usable.prompts), resamples, level, np.random.default_rng(seed))
    best = int(singles.best(means, mean_costs)[0])
    paper = _paper_cost(cost, replicates)
    return OracleInputs(tensor, prepared, quality, cost, error, singles, best, replicates, paper, seed)


def _paper_cost(cost: FloatArray | None, replicates: PromptReplicates) -> Estimate | None:
    if cost is None or cost.shape[1] < SMOOTH.parameters:
        return None
    curves = replicates.means(cost)
    interval = percentile(SMOOTH.limits(curves), replicates.level) if len(curves) else None
    return Estimate(SMOOTH.fit(cost.mean(axis=0)).limit, interval)


def value_by(
    gathered: OracleInputs,
    method: str,
    *,
    posterior: Posterior | None = None,
    progress: ProgressCallback | None = None,
) -> OracleEstimate:
    """Return the oracle's value by one method from gathered inputs. Long fits report their steps."""
    check_names([method])
    return _compose(gathered, method, _value(gathered, method, posterior, progress))


def without_value(gathered: OracleInputs, method: str, reason: str) -> OracleEstimate:
    """Return an estimate without a value for a method that cannot be used, with the reason in its notes."""
    return _compose(gathered, method, MethodValue(None, None, NO_VALUE, (reason,)))


def _compose(gathered: OracleInputs, method: str, value: MethodValue) -> OracleEstimate:
    estimates = estimate_value(gathered, value)
    return OracleEstimate(
        method=method,
        quality=estimates.quality,
        cost=estimates.cost,
        cost_estimator=NO_COSTS if gathered.cost is None else value.cost_estimator,
        paper_cost=gathered.paper_cost,
        sizes=np.arange(1, gathered.quality.shape[1] + 1),
        curve=gathered.quality.mean(axis=0),
        cost_curve=None if gathered.cost is None else gathered.cost.mean(axis=0),
        lower=estimates.lower,
        upper=estimates.upper,
        best_model=gathered.tensor.models[gathered.best],
        best_single=best_single_estimate(gathered, value),
        gain=estimates.gain,
        error_reduction=estimates.error_reduction,
        prompts=len(gathered.tensor.prompts),
        unit=gathered.tensor.unit,
        notes=(*value.notes, *_notes(gathered, value)),
    )


def _value(
    gathered: OracleInputs, name: str, posterior: Posterior | None, progress: ProgressCallback | None
) -> MethodValue:
    tensor = gathered.tensor
    if len(tensor.models) == 1:
        naive_value = method_named("naive").value(gathered, None)
        return replace(
            naive_value,
            cost_estimator="mean cost of the one model",
            notes=("there is one model: the oracle is that model, nothing is chosen, and there is no bias",),
        )
    method, draws = method_named(name), None
    if method.modelled and posterior is not None:
        draws = usable_posterior(posterior, gathered.original, gathered.prepared)
    elif reason := method.unmet_need(tensor.generations):
        return MethodValue(None, None, method.cost_estimator, (reason,))
    else:
        draws = method.fit(tensor, seed=gathered.seed, progress=progress)
    return method.value(gathered, draws)


def _notes(gathered: OracleInputs, value: MethodValue) -> tuple[str, ...]:
    """Return notes on cells left out, on uneven coverage, and on an implausible value."""
    notes = list(gathered.prepared.notes)
    tensor = gathered.tensor
    notes += _coverage_note(gathered)
    if gathered.error.any():
        notes.append(
            "quality is not 0/1: the curve is computed by seeded resampling, with a Monte-Carlo standard "
            f"error of at most {gathered.error.max():.2g}"
        )
    if tensor.generations == 1 and len(tensor.models) > 1:
        notes.append(Note(_luck_note(gathered), NoteKind.LUCK))
    if len(tensor.prompts) == 1:
        notes.append(
            "there is one prompt: the result says nothing about other prompts, and the interval over prompts "
            "has no meaning"
        )
    if value.quality is not None:
        notes += _implausible_note(gathered, value, value.quality.value)
    return tuple(notes)


def _coverage_note(gathered: OracleInputs) -> tuple[str, ...]:
    """Return a note if the best single model lacks some prompts."""
    coverage = float(gathered.singles.coverage[gathered.best])
    if coverage == 1.0:
        return ()
    text = (
        f"the best single model {gathered.tensor.models[gathered.best]!r} has answers on {coverage:.0%} of "
        "the prompts: "
    )
    if np.isnan(gathered.singles.quality[:, gathered.best]).any():
        return (text + "it shares no prompts with the others, so the gain over it is not a fair comparison",)
    return (text + "a fit with effects of prompt and model fills in the rest of its mean",)


def _implausible_note(gathered: OracleInputs, value: MethodValue, quality: float) -> tuple[str, ...]:
    """Return a note if the value is below the best single model or above the naive oracle."""
    single = float(np.nanmean(gathered.singles.quality[:, gathered.best]))
    naive = float(gathered.quality[:, -1].mean())
    if quality < single - ROUNDING:
        text = f"the value lies {100 * (single - quality):.2f} points below the best single's observed mean"
        if value.single_draws is not None:
            modelled = float(value.single_draws.mean())
            return (f"{text}; part of that mean is luck, and this method estimates it as {modelled:.4g}",)
        return (f"{text}, which is implausible for an oracle: the method fails here",)
    if quality > naive + ROUNDING:
        return (
            f"the value lies {100 * (quality - naive):.2f} points above the naive value, which is itself too "
            "high in expectation: the method's model does not fit these data",
        )
    return ()


def _luck_note(gathered: OracleInputs) -> str:
    """Return a note on how far one generation may mislead: the naive value of equal models (eq. 10)."""
    true, naive = luck_alone(gathered.tensor.mean_quality())
    gain = float(gathered.quality[:, -1].mean() - np.nanmean(gathered.singles.quality[:, gathered.best]))
    luck = naive - true
    part = "the whole" if luck >= gain else f"up to {luck:.4g}"
    return (
        "one generation in every cell (G = 1): the bias cannot be measured. If all models were equally good "
        f"on each prompt (at their mean there), luck alone would lift the naive oracle from {true:.4g} to "
        f"about {naive:.4g}; {part} of its lead of {gain:.4g} over the best single model may be luck"
    )


def luck_alone(quality: FloatArray) -> tuple[float, float]:
    """Return the true and the naive oracle of models that are equally good on each prompt, at their mean.

    `quality` (N, L) is of one generation, NaN if missing. A prompt's naive oracle is the expected maximum of
    K draws, with replacement, from its K values. For 0/1 values with mean p it is 1 - (1 - p)^K, that is
    equation 10 at G = 1 with the prompt's rate p.
    """
    means, naive = [], []
    for row in quality:
        values = np.sort(row[~np.isnan(row)])
        steps = (np.arange(len(values) + 1) / len(values)) ** len(values)
        means.append(values.mean())
        naive.append(values @ np.diff(steps))
    return float(np.mean(means)), float(np.mean(naive))
