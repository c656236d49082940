"""Published results on the decay of the oracle's bias and on uplift by topic entropy."""

from __future__ import annotations

from collections.abc import Callable, Mapping

import numpy as np

from assay.frontier.methods.method import ProgressCallback
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
from assay.studies.frontier.tensor_source import TensorSource

PAPER = (0.25, 0.75)
"""The paper's range of the exponent of the bias's decay."""
ONE_EACH = "one generation a cell: luck cannot be separated from skill, so these figures are naive"


def recorded_uplift(
    read: TensorSource,
    *,
    fit: Callable[[Tensor], Posterior] | None = None,
    mixtures: int = 11,
    repeats: int = 200,
    seed: int = 0,
    progress: ProgressCallback = lambda text: None,
) -> RecordedUplift:
    """Return the uplift of a source's workloads, naive and debiased by the posterior that `fit` returns.

    Without `fit`, and if no cell has two generations, only the naive uplift is returned. `progress` is called
    with the name of each step. Raises InvalidInput if prompts have fewer than two categories.
    """
    posterior: Posterior | None = None
    notes: tuple[str, ...] = ()
    if fit is not None and read.tensor.generations < 2:
        notes = (ONE_EACH,)
    elif fit is not None:
        progress("debiasing the recorded tensor")
        posterior = fit(read.tensor)
        notes = posterior.notes
    progress("mixing the recorded categories")
    rng = np.random.default_rng(seed)
    uplift = uplift_by_entropy(read.tensor, posterior, mixtures=mixtures, repeats=repeats, rng=rng)
    return RecordedUplift(read.source, uplift, notes)


def bias_result(study: BiasStudy, *, seed: int) -> BiasResult:
    """Return the results of a study of the bias's decay as they are published."""
    populations = tuple(_population(curve, study) for curve in study.curves)
    return BiasResult(seed, study.prompts, int(study.sizes[-1]), populations)


def _population(curve: BiasCurve, study: BiasStudy) -> PopulationBias:
    population = curve.population
    unknown = np.full(len(study.sizes), np.nan)
    columns = (
        curve.exponents,
        *(unknown if values is None else values for values in (curve.low, curve.high, curve.asymptote)),
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
            BiasAt(int(size), float(curve.bias[row]), *(known(column[row]) for column in columns))
            for row, size in enumerate(study.sizes)
        ),
        fit=curve.fit,
        near_half_from=curve.settles,
        inside_from=inside[0] if inside else None,
        inside_to=inside[1] if inside else None,
    )


def inside_sizes(curve: BiasCurve, study: BiasStudy) -> tuple[int, int] | None:
    """Return the first and last sizes at which the local exponent is in the paper's range, 0.25-0.75."""
    with np.errstate(invalid="ignore"):
        inside = study.sizes[(curve.exponents >= PAPER[0]) & (curve.exponents <= PAPER[1])]
    return (int(inside[0]), int(inside[-1])) if len(inside) else None


def entropy_result(
    simulated: SimulatedEntropy, recorded: SourceUplift | None, *, seed: int, settings: Mapping[str, int]
) -> EntropyResult:
    """Return the simulated uplift and, separately, that of recorded prompts, as they are published."""
    columns = (
        simulated.entropy,
        simulated.uplift,
        simulated.low,
        simulated.high,
        simulated.oracle,
        simulated.best_single,
    )
    rows = np.column_stack([np.linspace(0.0, 1.0, len(simulated.entropy)), *columns])
    simulation = EntropySimulation(
        models=settings["models"],
        topics=settings["topics"],
        prompts=settings["prompts"],
        generations=settings["generations"],
        repeats=settings["repeats"],
        observations=simulated.observations,
        points=tuple(SimulatedMixture(*row) for row in rows.tolist()),
        rank_correlation=simulated.rank_correlation,
        rising_repeats=simulated.rising,
    )
    return EntropyResult(seed, simulation, recorded)
