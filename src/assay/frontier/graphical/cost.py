"""Costs in the graphical model: log-normal in place of Bernoulli (the paper's section 4.4), a second fit.

The logarithm of a cost is a + b + c + r + noise: a the prompt's part, b the model's, c the model's on the
prompt's topic (mixed over the topics' probabilities that quality gave), r the cell's own, and noise between
generations with a variance for each model. All parts but b are normal with fitted variances. A cell's
expected cost is exp(a + b + c + r + variance/2), times the model's share of costs above 0.
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
SECOND = (
    "cost: log-normal with parts of prompt, model, topic and cell, a second fit given quality's topics; "
    "a cell's expected cost is exp(mean + variance/2)"
)
HELD = "cost: each observed cell's mean is held certain, as its spread within cells was not recorded"
ZEROS = "{:,} of {:,} costs are 0: a model's share of zeros is kept, the rest is log-normal"
OFF = "cost: the log-normal's mean over cells is {:+.0f} % off the recorded one for {}: it does not fit there"


@dataclass(frozen=True, slots=True)
class Logs:
    """Positive costs of cells: how many, the mean of their logarithms, and squares about it: each (N, L)."""

    number: FloatArray
    mean: FloatArray
    squares: FloatArray
    within: bool

    def of(self, models: npt.NDArray[np.bool_]) -> Logs:
        """Return the cells of some models."""
        return Logs(self.number[:, models], self.mean[:, models], self.squares[:, models], self.within)


def check_costs(tensor: Tensor) -> None:
    """Raise InvalidInput where a cost is below 0 or infinite."""
    if tensor.cost is None:
        return
    wrong = np.argwhere(~np.isnan(tensor.cost) & ~((tensor.cost >= 0.0) & np.isfinite(tensor.cost)))
    if len(wrong):
        n, model, g = wrong[0]
        told = f"a cost is {float(tensor.cost[n, model, g])!r}: give costs of 0 or more"
        raise InvalidInput(Problem(told, f"{tensor.prompts[n]}, {tensor.models[model]}"))


def logs(tensor: Tensor) -> Logs | None:
    """Return the positive costs' logarithms by cell; None where no cost is above 0.

    Where a cell's cost is a mean over its generations, or no cell has two, nothing is known within cells:
    each has one logarithm, of its mean.
    """
    if tensor.cost is None or not (tensor.cost > 0.0).any():
        return None
    positive = np.where(tensor.cost > 0.0, tensor.cost, np.nan)
    within = not tensor.cost_by_cell and bool((~np.isnan(positive)).sum(axis=2).max() > 1)
    values = np.log(positive if within else cell_means(positive)[:, :, None])
    number = (~np.isnan(values)).sum(axis=2).astype(np.float64)
    mean = np.nan_to_num(cell_means(values))
    squares = np.nansum((values - mean[:, :, None]) ** 2, axis=2)
    return Logs(number, mean, squares, within)


@dataclass(frozen=True, slots=True)
class CostFit:
    """Draws of expected costs (S, N, L), None without costs; whether the fit settled; what to know of it."""

    draws: FloatArray | None
    converged: bool
    notes: tuple[str, ...]


def fit_costs(
    tensor: Tensor, topics: FloatArray, draws: int, settings: PgmSettings, rng: np.random.Generator
) -> CostFit:
    """Fit the costs and draw each cell's expectation; `topics` (N, K) are the prompts' chances of them."""
    if tensor.cost is None:
        return CostFit(None, True, ())
    known = ~np.isnan(tensor.cost)
    seen = logs(tensor)
    if seen is None:
        none = np.zeros((draws, *tensor.cost.shape[:2]))
        return CostFit(none, True, ("cost: every recorded cost is 0, and so is every expected one",))
    paid = np.asarray(seen.number.sum(axis=0) > 0)
    seen = seen.of(paid)
    found, converged = _fit(seen, topics, settings, rng)
    above = ((tensor.cost > 0.0) & known).sum(axis=(0, 2))
    number = known.sum(axis=(0, 2))
    recorded = cell_means(tensor.cost)
    drawn = np.where(number > 0, np.zeros((draws, *recorded.shape)), np.nan)
    for place in range(draws):
        share = np.where(above == number, 1.0, rng.beta(above + 0.5, number - above + 0.5))
        drawn[place][:, paid] = _expected(seen, found, topics, rng) * share[paid]
    notes = [SECOND]
    if not seen.within:
        drawn = np.where(np.isnan(recorded), drawn, recorded)
        notes.append(HELD)
    zeros = int((tensor.cost == 0.0).sum())
    if zeros:
        notes.append(ZEROS.format(zeros, int(known.sum())))
    if not number.all():
        names = ", ".join(tensor.models[m] for m in np.flatnonzero(number == 0))
        notes.append(f"cost: none is recorded for {names}, so none is expected")
    notes.extend(_off(tensor, recorded, drawn))
    return CostFit(drawn, converged, tuple(notes))


def _off(tensor: Tensor, recorded: FloatArray, drawn: FloatArray) -> list[str]:
    """Say for which models the fitted mean cost is far from the recorded one: more than a tenth of it."""
    there = ~np.isnan(recorded)
    paid = np.where(there, recorded, 0.0).sum(axis=0)
    fitted = np.where(there, drawn.mean(axis=0), 0.0).sum(axis=0)
    off = np.divide(fitted, paid, out=np.ones(len(paid)), where=paid > 0.0) - 1.0
    return [OFF.format(100.0 * off[m], tensor.models[m]) for m in np.flatnonzero(np.abs(off) > 0.1)]


def _expected(
    seen: Logs, found: dict[str, tuple[FloatArray, FloatArray]], topics: FloatArray, rng: np.random.Generator
) -> FloatArray:
    """Draw the parts and, from their exact conditional, the cells' own; return expected costs (N, L)."""
    parts = {name: at + scale * rng.standard_normal(at.shape) for name, (at, scale) in found.items()}
    middle = parts["prompt"][:, None] + parts["model"] + topics @ parts["topic"]
    own = np.exp(2.0 * parts["own"])
    noise = np.exp(2.0 * parts["noise"]) if seen.within else np.zeros_like(own)
    weight = np.where(seen.number > 0, own / (own + noise / np.maximum(seen.number, 1.0)), 0.0)
    mean = middle + weight * (seen.mean - middle)
    spread = np.sqrt(own * (1.0 - weight))
    return np.asarray(np.exp(mean + spread * rng.standard_normal(mean.shape) + noise / 2.0))


def _fit(
    seen: Logs, topics: FloatArray, settings: PgmSettings, rng: np.random.Generator
) -> tuple[dict[str, tuple[FloatArray, FloatArray]], bool]:
    """Fit the parts from means of models and prompts; return locations and scales, and whether it settled."""
    weight = seen.number > 0
    total = np.maximum(weight.sum(axis=0), 1)
    by_model = np.where(weight, seen.mean, 0.0).sum(axis=0) / total
    rest = np.where(weight, seen.mean - by_model, 0.0)
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
    begin, block = _compiled(settings, seen.within)
    with float32() as single:
        data = single((seen.number, seen.mean, seen.squares, topics, initial))
        state = begin(int(rng.integers(2**31)), data)
        rule, steps = StoppingRule(settings.tolerance, floor=float(seen.number.sum())), 0
        while steps < settings.most_steps and not rule.settled:
            state, loss, mean = block(state, data)
            rule, steps = rule.after(-float(loss)), steps + settings.block
        found = {name: np.asarray(value, dtype=np.float64) for name, value in mean.items()}
    return {name: (found[name], found[f"{name}_scale"]) for name in initial}, rule.settled


@cache
def _compiled(settings: PgmSettings, within: bool) -> tuple[Any, Any]:
    """Return (begin, block) of the costs' fit."""
    from jax import numpy as jnp
    from numpyro import distributions as dist
    from numpyro import factor, sample

    def model(data: Any) -> None:
        number, mean, squares, topics, initial = data
        flat = dist.ImproperUniform
        real = dist.constraints.real_vector
        # Logarithms of the standard deviations of prompts and topics; means of those of cells and noise.
        scales = sample("s_scales", flat(real, (), (4,)))
        factor("prior_of_scales", jnp.sum(dist.Normal(initial["scales"], 2.0).log_prob(scales)))
        a = sample("s_prompt", dist.Normal(jnp.zeros_like(initial["prompt"]), jnp.exp(scales[0])).to_event())
        b = sample("s_model", flat(real, (), initial["model"].shape))
        c = sample("s_topic", dist.Normal(jnp.zeros_like(initial["topic"]), jnp.exp(scales[1])).to_event())
        own = sample("s_own", dist.Normal(jnp.full(b.shape, scales[2]), 0.5).to_event())
        noise = sample("s_noise", dist.Normal(jnp.full(b.shape, scales[3]), 0.5).to_event())
        between, inside = jnp.exp(2.0 * own), jnp.exp(2.0 * noise)
        there = number > 0
        n = jnp.maximum(number, 1.0)
        variance = between + inside / n if within else between
        off = mean - (a[:, None] + b + topics @ c)
        cells = -0.5 * (jnp.log(variance) + off**2 / variance)
        if within:
            cells = cells - (n - 1.0) * noise - 0.5 * squares / inside
        factor("likelihood", jnp.sum(jnp.where(there, cells, 0.0)))

    def guide(data: Any) -> None:
        for name, value in data[4].items():
            normal_site(f"s_{name}", name, value)

    return compiled(model, guide, settings)
