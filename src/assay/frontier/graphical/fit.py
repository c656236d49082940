"""Fitting the graphical model to a tensor: `fit_pgm` and its result."""

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
"""A fit in which cells follow the link exactly is tried only if k at the middle difficulty is above this."""
TOPICS_OF_PROMPTS = 10
"""A number of topics is tried only if there are at least this many prompts for each topic."""


@dataclass(frozen=True, slots=True)
class SeedFit:
    """The end of a fit from one random start: its evidence lower bound, its steps, and its convergence."""

    elbo: float
    steps: int
    converged: bool


@dataclass(frozen=True, slots=True)
class PgmFit:
    """A fitted graphical model.

    `seeds` are the fits to all generations, in order; the one with the greatest bound is used. `held_out` is
    the table by which `topics` was chosen, empty if the number was given. `concentration` is the median over
    prompts of k, which measures how closely cells follow the link; None if they follow it exactly
    (equation 16). `dispersion` is 1 for 0/1 quality. `point_oracle` is equation 18: the mean over prompts of
    the maximum over models of the posterior MEAN rate. `oracle` is the posterior mean of equation 4: the mean
    over draws of the mean over prompts of the maximum within the draw, as computed from `posterior`. It is
    never below `point_oracle` (Jensen), because the maximum of means ignores the uncertainty about the cells.
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
        """Whether the fit that is used converged before its steps ran out."""
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

    If `topics` is None, the number is chosen on held-out generations. Several random starts (`seeds`) guard
    against local optima. With `spread` a cell's rate may differ from the link's rate f: it is
    Beta(f k, (1 - f) k) with k fitted as a function of difficulty. If `spread` is False, cells follow the
    link exactly, as in the paper; if it is None, the fit with the greater evidence lower bound is used.
    `progress` is called with a text on each fit. The same `seed` gives the same result on the same machine.
    Raises InvalidInput if numpyro is missing, quality is outside 0-1, a cost is below 0, or `topics`, `seeds`
    or `draws` is below 1.
    """
    for name, number in (("topics", topics), ("seeds", seeds), ("draws", draws)):
        if number is not None and number < 1:
            raise InvalidInput(Problem(f"{name} is {number!r}: give a whole number from 1"))
    if link not in ("multiplicative", "neural"):
        raise InvalidInput(Problem(f"link is {link!r}: use 'multiplicative' or 'neural'"))
    check_quality(tensor)
    check_costs(tensor)
    _check_installed()
    settings = settings or PgmSettings()
    scale = 1.0 if tensor.binary else dispersion(tensor.quality)
    counts = _scaled(counted(tensor.quality), scale)
    splitting, starting, drawing, costing = np.random.SeedSequence(seed).spawn(4)
    starts = starting.spawn(seeds)
    grid = (topics,) if topics is not None else _grid(settings, len(tensor.prompts))
    may_differ = spread is not False and tensor.generations > 1
    factors = int(whole(counts).trials.max()) if may_differ else None
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
    differ = shape.factors is not None
    learnt = whole(counts) if differ else counts
    rates = _draw_rates(shape, best.best, learnt, counts, draws, np.random.default_rng(drawing))
    costs = fit_costs(tensor, rates.topics, draws, settings, np.random.default_rng(costing))
    fits = tuple(SeedFit(fitted.elbo, fitted.steps, fitted.converged) for fitted in best.fits)
    used = max(fits, key=lambda fitted: fitted.elbo)
    notes = (*_notes(tensor, differ, spread, scale, used.converged and costs.converged), *costs.notes)
    return PgmFit(
        posterior=Posterior("pgm", rates.draws, costs.draws, tensor.observed, notes),
        link=link,
        topics=chosen,
        held_out=rows,
        seeds=fits,
        concentration=rates.concentration,
        dispersion=scale,
        oracle=float(np.mean([_oracle(draw, tensor.observed) for draw in rates.draws])),
        point_oracle=_oracle(rates.mean, tensor.observed),
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
    """Fit all generations. If `free`, cells follow the link exactly if this has the greater bound."""
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
class _RateDraws:
    """Draws of the rates (S, N, L), their mean (N, L), topic probabilities (N, K) and the concentration."""

    draws: FloatArray
    mean: FloatArray
    topics: FloatArray
    concentration: float | None


def _draw_rates(
    shape: FitShape,
    fitted: Fitted,
    learnt: SuccessCounts,
    counts: SuccessCounts,
    draws: int,
    rng: np.random.Generator,
) -> _RateDraws:
    """Draw the cells' rates from a fit."""
    quality = np.empty((draws, *counts.trials.shape))
    mean = np.zeros(counts.trials.shape)
    topics = np.zeros((len(mean), len(fitted.gamma[0])))
    concentrations: list[float] = []
    for place, state in enumerate(states(shape, fitted, learnt, draws, rng)):
        quality[place] = drawn(state, counts, rng)
        mean += expected(state, counts) / draws
        topics += state.chances.sum(axis=1) / draws
        if state.concentration is not None:
            concentrations.append(float(np.median(state.chances.sum(axis=2) @ state.concentration)))
    concentration = float(np.median(concentrations)) if concentrations else None
    return _RateDraws(quality, mean, topics, concentration)


def _scaled(counts: SuccessCounts, scale: float) -> SuccessCounts:
    """Return counts in which a generation is worth 1 / `scale` trials."""
    return replace(counts, successes=counts.successes / scale, trials=counts.trials / scale)


def _grid(settings: PgmSettings, prompts: int) -> tuple[int, ...]:
    """Return the numbers of topics to try: the smallest, and those for which there are enough prompts."""
    grid = tuple(sorted(set(settings.grid)))
    return tuple(number for number in grid if number == grid[0] or number * TOPICS_OF_PROMPTS <= prompts)


def _oracle(rates: FloatArray, observed: npt.NDArray[np.bool_]) -> float:
    """Return the mean over prompts of the greatest rate among the models observed on each."""
    return float(np.where(observed, rates, -np.inf)[observed.any(axis=1)].max(axis=1).mean())


def _notes(
    tensor: Tensor, differ: bool, spread: bool | None, scale: float, converged: bool
) -> tuple[str, ...]:
    """Return notes on the fit."""
    notes = []
    if differ:
        notes.append(
            "cells differ from the link: the likelihood is beta-binomial instead of Bernoulli (equation 16)"
        )
    if spread is not False and tensor.generations < 2:
        notes.append(
            "no cell has two generations, so differences of cells from the link cannot be measured; if there "
            "are any, the oracle is too low by an unknown amount"
        )
    if not tensor.binary:
        notes.append(
            "quality is continuous: it is modelled as fractional successes, a quasi-likelihood with "
            f"{scale:.2g} times the variance of 0/1 quality within cells, the same in every cell"
        )
    if not converged:
        notes.append("the fit did not converge before its steps ran out: try more steps or another seed")
    return tuple(notes)


def _check_installed() -> None:
    """Import numpyro and with it jax. Raises InvalidInput if either is missing."""
    try:
        import_module("numpyro")
    except ModuleNotFoundError as error:
        missing = (error.name or "").split(".")[0]
        if missing in ("numpyro", "jax", "jaxlib"):
            raise InvalidInput(Problem(MISSING)) from None
        raise InvalidInput(Problem(f"numpyro cannot be imported: {error}")) from error
