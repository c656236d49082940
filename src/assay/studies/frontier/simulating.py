"""Simulated decay of the oracle's bias, and uplift by topic entropy, simulated and of a source."""

from __future__ import annotations

from collections.abc import Callable, Mapping

import numpy as np

from assay.frontier.posterior import Posterior
from assay.frontier.simulate.bias import BiasCurve, BiasStudy
from assay.frontier.simulate.entropy import uplift_by_entropy
from assay.frontier.simulate.topics import SimulatedEntropy
from assay.frontier.tensor import Tensor
from assay.frontier.weighed import known
from assay.results.frontier_uplift import (
    BiasAt,
    BiasResult,
    EntropyResult,
    EntropySimulation,
    PopulationBias,
    RecordedUplift,
    SimulatedMixture,
    SourceUplift,
)
from assay.studies.frontier.read import Read

PAPER = (0.25, 0.75)
"""The range in which the paper puts the exponent of the bias's decay."""
ONE_EACH = "one generation a cell: luck cannot be told from skill, so these figures are naive"


def recorded_uplift(
    read: Read,
    *,
    fit: Callable[[Tensor], Posterior] | None = None,
    mixtures: int = 11,
    repeats: int = 200,
    seed: int = 0,
    tell: Callable[[str], None] = lambda text: None,
) -> RecordedUplift:
    """Return the uplift of a source's workloads, naive and debiased by the posterior that `fit` makes.

    Without `fit`, and where no cell has two generations, it stays naive.

    `tell` hears what is being done. Raises InvalidInput where prompts have fewer than two categories.
    """
    posterior: Posterior | None = None
    notes: tuple[str, ...] = ()
    if fit is not None and read.tensor.generations < 2:
        notes = (ONE_EACH,)
    elif fit is not None:
        tell("debiasing the recorded tensor")
        posterior = fit(read.tensor)
        notes = posterior.notes
    tell("mixing the recorded categories")
    rng = np.random.default_rng(seed)
    found = uplift_by_entropy(read.tensor, posterior, mixtures=mixtures, repeats=repeats, rng=rng)
    return RecordedUplift(read.source, found, notes)


def bias_result(study: BiasStudy, *, seed: int) -> BiasResult:
    """Return the study of the bias's decay as it is published."""
    populations = tuple(_population(curve, study) for curve in study.curves)
    return BiasResult(seed, study.prompts, int(study.sizes[-1]), populations)


def _population(curve: BiasCurve, study: BiasStudy) -> PopulationBias:
    population = curve.population
    bare = np.full(len(study.sizes), np.nan)
    columns = (
        curve.exponents,
        *(bare if each is None else each for each in (curve.low, curve.high, curve.asymptote)),
    )
    inside = inside_sizes(curve, study)
    return PopulationBias(
        kind=population.kind.value,
        models=population.rates.shape[1],
        rate=population.rate,
        correlation=population.correlation,
        measured_correlation=population.measured_correlation,
        true_oracle=curve.truth,
        points=tuple(
            BiasAt(int(size), float(curve.bias[at]), *(known(column[at]) for column in columns))
            for at, size in enumerate(study.sizes)
        ),
        fit=curve.fit,
        near_half_from=curve.settles,
        inside_from=inside[0] if inside else None,
        inside_to=inside[1] if inside else None,
    )


def inside_sizes(curve: BiasCurve, study: BiasStudy) -> tuple[int, int] | None:
    """Return the first and the last size at which the local exponent lies in the paper's 0.25-0.75."""
    with np.errstate(invalid="ignore"):
        inside = study.sizes[(curve.exponents >= PAPER[0]) & (curve.exponents <= PAPER[1])]
    return (int(inside[0]), int(inside[-1])) if len(inside) else None


def entropy_result(
    found: SimulatedEntropy, recorded: SourceUplift | None, *, seed: int, settings: Mapping[str, int]
) -> EntropyResult:
    """Return what was simulated, and apart from it what recorded prompts show."""
    columns = (found.entropy, found.uplift, found.low, found.high, found.oracle, found.best_single)
    rows = np.column_stack([np.linspace(0.0, 1.0, len(found.entropy)), *columns])
    simulation = EntropySimulation(
        models=settings["models"],
        topics=settings["topics"],
        prompts=settings["prompts"],
        generations=settings["generations"],
        repeats=settings["repeats"],
        observations=found.observations,
        points=tuple(SimulatedMixture(*row) for row in rows.tolist()),
        rank_correlation=found.rank_correlation,
        rising_repeats=found.rising,
    )
    return EntropyResult(seed, simulation, recorded)
