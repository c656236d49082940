"""The graphical model of a tensor, fitted: `fit_pgm` and what it found."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from importlib import import_module

import numpy as np
import numpy.typing as npt

from assay.core.errors import InvalidInput, Problem
from assay.frontier.graphical.cost import check_costs, fit_costs
from assay.frontier.graphical.counts import SuccessCounts, check_quality, counted, dispersion, split
from assay.frontier.graphical.inference import FitShape, Fitted, drawn, expected, states
from assay.frontier.graphical.likelihood import Link, whole
from assay.frontier.graphical.optimiser import PgmSettings
from assay.frontier.graphical.topics import BestFit, HeldOut, HeldOutSplit, best_fit, choose, judge
from assay.frontier.posterior import Posterior
from assay.frontier.tensor import Tensor

FloatArray = npt.NDArray[np.float64]
MISSING = "the graphical model (pgm) needs numpyro, which is not installed: pip install 'assay[pgm]'"
CLOSE = 50.0
"""Only where k at the middle difficulty is above this is it asked whether cells follow the link exactly."""
TOPICS_OF_PROMPTS = 10
"""A number of topics is tried where there are at least so many prompts a topic."""


@dataclass(frozen=True, slots=True)
class SeedFit:
    """How the fit from one random start ended: its evidence lower bound, its steps, whether it settled."""

    elbo: float
    steps: int
    converged: bool


@dataclass(frozen=True, slots=True)
class PgmFit:
    """A fitted graphical model.

    `seeds` are the fits on everything, in order; the one of the greatest bound is used. `held_out` is the
    table by which `topics` was chosen, empty where the number was given. `concentration` is the median over
    prompts of how closely cells follow the link, k; None where they follow it exactly (equation 16).
    `dispersion` is 1 for 0/1 quality. `point_oracle` is equation 18: the mean over prompts of the maximum
    over models of the posterior MEAN rate. `oracle` is the posterior mean of equation 4, the mean over draws
    of the mean over prompts of the maximum within the draw, which is what `posterior` leads to: it is never
    below `point_oracle` (Jensen), because the maximum of means forgets what is not known about the cells.
    """

    posterior: Posterior
    link: Link
    topics: int
    held_out: tuple[HeldOut, ...]
    seeds: tuple[SeedFit, ...]
    concentration: float | None
    dispersion: float
    oracle: float
    point_oracle: float
    notes: tuple[str, ...]

    @property
    def converged(self) -> bool:
        """Whether the fit that is used settled before its steps ran out."""
        return max(self.seeds, key=lambda seed: seed.elbo).converged


def fit_pgm(
    tensor: Tensor,
    *,
    link: Link = "multiplicative",
    topics: int | None = None,
    spread: bool | None = None,
    seeds: int = 3,
    draws: int = 200,
    seed: int = 0,
    settings: PgmSettings | None = None,
    progress: Callable[[str], None] | None = None,
) -> PgmFit:
    """Fit the graphical model (equations 13-18) by stochastic variational inference and draw from it.

    Without `topics` their number is chosen on held-out generations. `seeds` random starts guard against
    local optima. With `spread` a cell's rate may differ from the link's, Beta(f k, (1 - f) k) with k fitted
    as a function of difficulty; where it is False cells follow the link exactly, as in the paper; None
    chooses the greater evidence lower bound. `progress` is told
    what is being fitted. The same `seed` gives the same result on the same machine. Raises InvalidInput
    where numpyro is missing, quality is outside 0-1, a cost is below 0 or a number asked for is below 1.
    """
    for name, number in (("topics", topics), ("seeds", seeds), ("draws", draws)):
        if number is not None and number < 1:
            raise InvalidInput(Problem(f"{name} is {number!r}: give a whole number from 1"))
    if link not in ("multiplicative", "neural"):
        raise InvalidInput(Problem(f"link is {link!r}: give 'multiplicative' or 'neural'"))
    check_quality(tensor)
    check_costs(tensor)
    _check_installed()
    settings = settings or PgmSettings()
    scale = 1.0 if tensor.binary else dispersion(tensor.quality)
    counts = _scaled(counted(tensor.quality), scale)
    splitting, starting, drawing, costing = np.random.SeedSequence(seed).spawn(4)
    starts = starting.spawn(seeds)
    grid = (topics,) if topics is not None else _grid(settings, len(tensor.prompts))
    wide = spread is not False and tensor.generations > 1
    factors = int(whole(counts).trials.max()) if wide else None
    shape = FitShape(link, factors, max(grid), settings)
    rows: tuple[HeldOut, ...] = ()
    if len(grid) > 1:
        kept, held = split(tensor.quality, settings.held_out, np.random.default_rng(splitting))
        parts = HeldOutSplit(_scaled(kept, scale), _scaled(held, scale), starts)
        rows = judge([(shape, number) for number in grid], parts, progress)
    chosen = choose(rows).topics if rows else grid[0]
    if progress is not None:
        progress(f"topics {chosen}: final fit to all generations from {seeds} random starts")
    shape, best = _fits(shape, counts, chosen, starts, free=spread is None)
    wide = shape.factors is not None
    learnt = whole(counts) if wide else counts
    reached = _reached(shape, best.best, learnt, counts, draws, np.random.default_rng(drawing))
    costs = fit_costs(tensor, reached.topics, draws, settings, np.random.default_rng(costing))
    fits = tuple(SeedFit(one.elbo, one.steps, one.converged) for one in best.fits)
    used = max(fits, key=lambda one: one.elbo)
    notes = (*_notes(tensor, wide, spread, scale, used.converged and costs.converged), *costs.notes)
    return PgmFit(
        posterior=Posterior("pgm", reached.draws, costs.draws, tensor.there, notes),
        link=link,
        topics=chosen,
        held_out=rows,
        seeds=fits,
        concentration=reached.concentration,
        dispersion=scale,
        oracle=float(np.mean([_oracle(draw, tensor.there) for draw in reached.draws])),
        point_oracle=_oracle(reached.mean, tensor.there),
        notes=notes,
    )


def _fits(
    shape: FitShape,
    counts: SuccessCounts,
    topics: int,
    starts: Sequence[np.random.SeedSequence],
    *,
    free: bool,
) -> tuple[FitShape, BestFit]:
    """Fit all generations; where `free`, without the cells' own spread if that has the greater bound."""
    learnt = counts if shape.factors is None else whole(counts)
    best = best_fit(shape, learnt, topics, starts)
    if not free or best.best.log_k is None or best.best.log_k[0][0] < np.log(CLOSE):
        return shape, best
    exact = replace(shape, factors=None)
    other = best_fit(exact, learnt, topics, starts)
    if other.best.elbo < best.best.elbo:
        return shape, best
    same = np.array_equal(learnt.trials, counts.trials) and np.array_equal(learnt.successes, counts.successes)
    return exact, other if same else best_fit(exact, counts, topics, starts)


@dataclass(frozen=True, slots=True)
class _Reached:
    """Draws of the rates (S, N, L), their mean (N, L), the prompts' topics (N, K), the concentration."""

    draws: FloatArray
    mean: FloatArray
    topics: FloatArray
    concentration: float | None


def _reached(
    shape: FitShape,
    fitted: Fitted,
    learnt: SuccessCounts,
    counts: SuccessCounts,
    draws: int,
    rng: np.random.Generator,
) -> _Reached:
    """Draw from a fit."""
    quality = np.empty((draws, *counts.trials.shape))
    mean = np.zeros(counts.trials.shape)
    topics = np.zeros((len(mean), len(fitted.gamma[0])))
    closeness: list[float] = []
    for place, state in enumerate(states(shape, fitted, learnt, draws, rng)):
        quality[place] = drawn(state, counts, rng)
        mean += expected(state, counts) / draws
        topics += state.chances.sum(axis=1) / draws
        if state.concentration is not None:
            closeness.append(float(np.median(state.chances.sum(axis=2) @ state.concentration)))
    return _Reached(quality, mean, topics, float(np.median(closeness)) if closeness else None)


def _scaled(counts: SuccessCounts, scale: float) -> SuccessCounts:
    """Return counts worth 1 / `scale` trials a generation."""
    return replace(counts, successes=counts.successes / scale, trials=counts.trials / scale)


def _grid(settings: PgmSettings, prompts: int) -> tuple[int, ...]:
    """Return the numbers of topics to try: the smallest always, the others where prompts are many enough."""
    grid = tuple(sorted(set(settings.grid)))
    return tuple(number for number in grid if number == grid[0] or number * TOPICS_OF_PROMPTS <= prompts)


def _oracle(rates: FloatArray, there: npt.NDArray[np.bool_]) -> float:
    """Return the mean over prompts of the greatest rate among the models observed on each."""
    seen = there.any(axis=1)
    return float(np.where(there, rates, -np.inf)[seen].max(axis=1).mean())


def _notes(tensor: Tensor, wide: bool, spread: bool | None, scale: float, settled: bool) -> tuple[str, ...]:
    """Return what a reader should know of the fit."""
    notes = []
    if wide:
        notes.append(
            "cells differ from the link: the likelihood is beta-binomial, where equation 16 has Bernoulli"
        )
    if spread is not False and tensor.generations < 2:
        notes.append(
            "no cell has two generations: whether cells differ from the link cannot be seen; where they do, "
            "the oracle is too low, by an amount that nothing here measures"
        )
    if not tensor.binary:
        notes.append(
            "quality is continuous: it enters as fractional successes, a quasi-likelihood with "
            f"{scale:.2g} times the variance of 0/1 quality within cells, held equal everywhere"
        )
    if not settled:
        notes.append("the fit had not settled when its steps ran out: try more steps or another seed")
    return tuple(notes)


def _check_installed() -> None:
    """Import numpyro and with it jax. Raises InvalidInput, naming the cure, where either is missing."""
    try:
        import_module("numpyro")
    except ModuleNotFoundError as error:
        missing = (error.name or "").split(".")[0]
        if missing in ("numpyro", "jax", "jaxlib"):
            raise InvalidInput(Problem(MISSING)) from None
        raise InvalidInput(Problem(f"numpyro cannot be imported: {error}")) from error
