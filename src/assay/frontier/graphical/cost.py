"""Costs in the graphical model: a second fit, log-normal instead of Bernoulli (the paper's section 4.4).

The logarithm of a cost is a + b + c + r + noise. a is the effect of the prompt, b of the model, c of the
model on the prompt's topic (averaged over the topic probabilities from the fit of quality), and r of the
cell; the noise between generations has a variance for each model. All parts except b are normal with fitted
variances. A cell's expected cost is exp(a + b + c + r + variance/2), times the share of the model's costs
that are above 0.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache
from typing import Any

import numpy as np
import numpy.typing as npt

from assay.core.errors import InvalidInput, Problem
from assay.frontier.graphical.optimiser import PgmSettings, StoppingRule, compiled, float32, normal_site
from assay.frontier.tensor import Tensor, cell_means

FloatArray = npt.NDArray[np.float64]
LOG_NORMAL = (
    "cost: log-normal with effects of prompt, model, topic and cell, fitted after quality with its topics; "
    "a cell's expected cost is exp(mean + variance/2)"
)
CERTAIN = "cost: each cell's observed mean is taken as certain (the spread within cells was not recorded)"
ZEROS = "{:,} of {:,} costs are 0: each model keeps its share of zeros, the other costs are log-normal"
MISFIT = "cost: the fitted mean over cells is {:+.0f} % off the recorded mean for {}: it does not fit there"


@dataclass(frozen=True, slots=True)
class LogCosts:
    """Logarithms of the positive costs in each cell, shapes (N, L).

    They have a `number`, a `mean` and a sum of `squares` about the mean. `within` is true if the spread
    within cells is known.
    """

    number: FloatArray
    mean: FloatArray
    squares: FloatArray
    within: bool

    def of(self, models: npt.NDArray[np.bool_]) -> LogCosts:
        """Return the cells of some models."""
        return LogCosts(self.number[:, models], self.mean[:, models], self.squares[:, models], self.within)


def check_costs(tensor: Tensor) -> None:
    """Raise InvalidInput if a cost is below 0 or infinite."""
    if tensor.cost is None:
        return
    wrong = np.argwhere(~np.isnan(tensor.cost) & ~((tensor.cost >= 0.0) & np.isfinite(tensor.cost)))
    if len(wrong):
        n, model, g = wrong[0]
        text = f"a cost is {float(tensor.cost[n, model, g])!r}: give costs of 0 or more"
        raise InvalidInput(Problem(text, f"{tensor.prompts[n]}, {tensor.models[model]}"))


def log_costs(tensor: Tensor) -> LogCosts | None:
    """Return the logarithms of the positive costs by cell; None if no cost is above 0.

    If a cell's cost is a mean over its generations, or if no cell has two costs, the spread within cells is
    unknown: each cell has one logarithm, that of its mean.
    """
    if tensor.cost is None or not (tensor.cost > 0.0).any():
        return None
    positive = np.where(tensor.cost > 0.0, tensor.cost, np.nan)
    within = not tensor.cost_by_cell and bool((~np.isnan(positive)).sum(axis=2).max() > 1)
    values = np.log(positive if within else cell_means(positive)[:, :, None])
    number = (~np.isnan(values)).sum(axis=2).astype(np.float64)
    mean = np.nan_to_num(cell_means(values))
    squares = np.nansum((values - mean[:, :, None]) ** 2, axis=2)
    return LogCosts(number, mean, squares, within)


@dataclass(frozen=True, slots=True)
class CostFit:
    """Draws of expected costs (S, N, L), or None without costs; whether the fit converged; notes on it."""

    draws: FloatArray | None
    converged: bool
    notes: tuple[str, ...]


def fit_costs(
    tensor: Tensor, topics: FloatArray, draws: int, settings: PgmSettings, rng: np.random.Generator
) -> CostFit:
    """Fit the costs and draw each cell's expected cost, given the prompts' topic probabilities (N, K)."""
    if tensor.cost is None:
        return CostFit(None, True, ())
    known = ~np.isnan(tensor.cost)
    logs = log_costs(tensor)
    if logs is None:
        zeros = np.zeros((draws, *tensor.cost.shape[:2]))
        return CostFit(zeros, True, ("cost: every recorded cost is 0, and so is every expected cost",))
    paid = np.asarray(logs.number.sum(axis=0) > 0)
    logs = logs.of(paid)
    effects, converged = _fit(logs, topics, settings, rng)
    above = ((tensor.cost > 0.0) & known).sum(axis=(0, 2))
    number = known.sum(axis=(0, 2))
    recorded = cell_means(tensor.cost)
    drawn = np.where(number > 0, np.zeros((draws, *recorded.shape)), np.nan)
    for place in range(draws):
        share = np.where(above == number, 1.0, rng.beta(above + 0.5, number - above + 0.5))
        drawn[place][:, paid] = _expected(logs, effects, topics, rng) * share[paid]
    notes = [LOG_NORMAL]
    if not logs.within:
        drawn = np.where(np.isnan(recorded), drawn, recorded)
        notes.append(CERTAIN)
    free = int((tensor.cost == 0.0).sum())
    if free:
        notes.append(ZEROS.format(free, int(known.sum())))
    if not number.all():
        names = ", ".join(tensor.models[m] for m in np.flatnonzero(number == 0))
        notes.append(f"cost: no cost was recorded for {names}, so there is no expected cost either")
    notes.extend(_misfit_notes(tensor, recorded, drawn))
    return CostFit(drawn, converged, tuple(notes))


def _misfit_notes(tensor: Tensor, recorded: FloatArray, drawn: FloatArray) -> list[str]:
    """Return a note for each model whose fitted mean cost is more than a tenth off the recorded mean."""
    observed = ~np.isnan(recorded)
    paid = np.where(observed, recorded, 0.0).sum(axis=0)
    fitted = np.where(observed, drawn.mean(axis=0), 0.0).sum(axis=0)
    off = np.divide(fitted, paid, out=np.ones(len(paid)), where=paid > 0.0) - 1.0
    return [MISFIT.format(100.0 * off[m], tensor.models[m]) for m in np.flatnonzero(np.abs(off) > 0.1)]


def _expected(
    logs: LogCosts,
    effects: dict[str, tuple[FloatArray, FloatArray]],
    topics: FloatArray,
    rng: np.random.Generator,
) -> FloatArray:
    """Draw the effects and then, from their exact conditional, those of the cells; return costs (N, L)."""
    parts = {name: at + scale * rng.standard_normal(at.shape) for name, (at, scale) in effects.items()}
    middle = parts["prompt"][:, None] + parts["model"] + topics @ parts["topic"]
    own = np.exp(2.0 * parts["own"])
    noise = np.exp(2.0 * parts["noise"]) if logs.within else np.zeros_like(own)
    weight = np.where(logs.number > 0, own / (own + noise / np.maximum(logs.number, 1.0)), 0.0)
    mean = middle + weight * (logs.mean - middle)
    spread = np.sqrt(own * (1.0 - weight))
    return np.asarray(np.exp(mean + spread * rng.standard_normal(mean.shape) + noise / 2.0))


def _fit(
    logs: LogCosts, topics: FloatArray, settings: PgmSettings, rng: np.random.Generator
) -> tuple[dict[str, tuple[FloatArray, FloatArray]], bool]:
    """Fit the effects; return their locations and scales, and whether the fit converged.

    The fit starts from the means of models and prompts.
    """
    weight = logs.number > 0
    total = np.maximum(weight.sum(axis=0), 1)
    by_model = np.where(weight, logs.mean, 0.0).sum(axis=0) / total
    rest = np.where(weight, logs.mean - by_model, 0.0)
    by_prompt = rest.sum(axis=1) / np.maximum(weight.sum(axis=1), 1)
    spread = np.log(max(float(np.std(rest[weight])), 1e-3))
    models = len(by_model)
    initial: dict[str, Any] = {
        "prompt": by_prompt,
        "model": by_model,
        "topic": np.zeros((topics.shape[1], models)),
        "own": np.full(models, spread - 0.5),
        "noise": np.full(models, spread - 0.5),
        "scales": np.full(4, spread),
    }
    begin, block = _compiled(settings, logs.within)
    with float32() as single:
        data = single((logs.number, logs.mean, logs.squares, topics, initial))
        state = begin(int(rng.integers(2**31)), data)
        rule, steps = StoppingRule(settings.tolerance, floor=float(logs.number.sum())), 0
        while steps < settings.most_steps and not rule.settled:
            state, loss, mean = block(state, data)
            rule, steps = rule.after(-float(loss)), steps + settings.block
        params = {name: np.asarray(value, dtype=np.float64) for name, value in mean.items()}
    return {name: (params[name], params[f"{name}_scale"]) for name in initial}, rule.settled


@cache
def _compiled(settings: PgmSettings, within: bool) -> tuple[Any, Any]:
    """Return (begin, block) of the fit of costs."""
    from jax import numpy as jnp
    from numpyro import distributions as dist
    from numpyro import factor, sample

    def model(data: Any) -> None:
        number, mean, squares, topics, initial = data
        flat = dist.ImproperUniform
        real = dist.constraints.real_vector
        # Log standard deviations of prompts and topics, and the means of those of cells and noise.
        scales = sample("s_scales", flat(real, (), (4,)))
        factor("prior_of_scales", jnp.sum(dist.Normal(initial["scales"], 2.0).log_prob(scales)))
        a = sample("s_prompt", dist.Normal(jnp.zeros_like(initial["prompt"]), jnp.exp(scales[0])).to_event())
        b = sample("s_model", flat(real, (), initial["model"].shape))
        c = sample("s_topic", dist.Normal(jnp.zeros_like(initial["topic"]), jnp.exp(scales[1])).to_event())
        own = sample("s_own", dist.Normal(jnp.full(b.shape, scales[2]), 0.5).to_event())
        noise = sample("s_noise", dist.Normal(jnp.full(b.shape, scales[3]), 0.5).to_event())
        between, inside = jnp.exp(2.0 * own), jnp.exp(2.0 * noise)
        observed = number > 0
        n = jnp.maximum(number, 1.0)
        variance = between + inside / n if within else between
        off = mean - (a[:, None] + b + topics @ c)
        cells = -0.5 * (jnp.log(variance) + off**2 / variance)
        if within:
            cells = cells - (n - 1.0) * noise - 0.5 * squares / inside
        factor("likelihood", jnp.sum(jnp.where(observed, cells, 0.0)))

    def guide(data: Any) -> None:
        for name, value in data[4].items():
            normal_site(f"s_{name}", name, value)

    return compiled(model, guide, settings)
