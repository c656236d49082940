"""Simulation of the bias by generations in populations of known success rates (the paper's appendix A)."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from enum import StrEnum

import numpy as np
import numpy.typing as npt
import scipy

from assay.core.errors import InvalidInput, Problem
from assay.frontier.simulate.decay import (
    asymptote,
    fit_decay,
    least_for,
    local_exponents,
    log_sizes,
    oracle_bias,
)
from assay.results.frontier_uplift import DecayFit
from assay.stats.intervals import Interval
from assay.stats.resample import draw_counts, percentile

FloatArray = npt.NDArray[np.float64]
IntArray = npt.NDArray[np.int64]
MODELS, RATES, CORRELATIONS = (2, 10), (0.0, 0.1, 0.3, 0.5, 0.7, 0.9, 1.0), (0.0, 0.5, 0.9, 0.99, 1.0)
CONCENTRATION = 10.0
"""Rates of heterogeneous prompts are Beta(10 p, 10 (1 - p)), which is Beta(5, 5) if p is one half."""
APTITUDE = (5.0, 5.0)
LEAST = 50
"""Equation 25 is fitted from this many generations on, as in the paper."""
RESAMPLES, LEVEL = 200, 0.95
NEAR_HALF = (0.4, 0.6)


class PopulationKind(StrEnum):
    """The origin of a simulated population's success rates."""

    EQUAL = "equal"
    HETEROGENEOUS = "heterogeneous"
    GRAPHICAL = "graphical"


@dataclass(frozen=True, slots=True)
class SimulatedPopulation:
    """Simulated success rates `rates` (N, L) and the parameters that they were drawn from.

    `rate` is the requested mean rate, None for the graphical model. `correlation`, for heterogeneous rates
    only, is that of the Gaussian copula by which the models' rates are correlated over prompts; given the
    rates, the generations are independent.
    """

    kind: PopulationKind
    rates: FloatArray
    rate: float | None = None
    correlation: float | None = None

    @property
    def measured_correlation(self) -> float | None:
        """The mean correlation of two models' rates over prompts; None if rates do not vary."""
        spread = self.rates.std(axis=0)
        models = self.rates.shape[1]
        if len(self.rates) < 2 or models < 2 or np.any(spread < 1e-12):
            return None
        correlations = np.corrcoef(self.rates.T)
        return float((correlations.sum() - models) / (models * (models - 1)))


@dataclass(frozen=True, slots=True)
class BiasCurve:
    """The bias of the biased oracle in one population, at the study's sizes; rates are 0-1.

    `truth` is the true oracle (eq. 4). `bias` (K) is the mean over prompts, exact given their rates, and
    `exponents` (K) are its local decay exponents, NaN without a bias. `low` and `high` (K) are the ends of
    the exponents' bootstrap interval over prompts, None if all prompts are equal. `asymptote` (K) is the
    limiting form of the bias of equal rates. `fit` is equation 25 from `LEAST` generations on. `settles` is
    the smallest number of generations from which on every such fit has an exponent of 0.5 +- 0.1.
    """

    population: SimulatedPopulation
    truth: float
    bias: FloatArray
    exponents: FloatArray
    low: FloatArray | None
    high: FloatArray | None
    asymptote: FloatArray | None
    fit: DecayFit | None
    settles: int | None


@dataclass(frozen=True, slots=True)
class BiasStudy:
    """Curves of all populations at the same sizes (K), from 1 generation up."""

    sizes: IntArray
    curves: tuple[BiasCurve, ...]
    prompts: int


def simulate_bias(
    rng: np.random.Generator,
    *,
    models: Sequence[int] = MODELS,
    rates: Sequence[float] = RATES,
    correlations: Sequence[float] = CORRELATIONS,
    generations: int = 10_000,
    prompts: int = 1_000,
    topics: int = 30,
    progress: Callable[[str], None] = lambda step: None,
) -> BiasStudy:
    """Return the decay of the bias for equal rates, for heterogeneous rates and for the graphical model's.

    Equal rates are computed in closed form for each number of models and each rate. Heterogeneous rates are
    drawn for each correlation, at the middle of the `rates` between 0 and 1; those of the graphical model are
    drawn with its multiplicative link (section 4.3.2). `progress` is called with the name of each population.
    Raises InvalidInput for values that cannot be simulated.
    """
    _check(models, rates, correlations, generations, prompts, topics)
    sizes = log_sizes(generations)
    curves = []
    for population in _populations(rng, models, rates, correlations, prompts, topics):
        progress(f"{population.kind} rates, {population.rates.shape[1]} models")
        curves.append(bias_curve(population, sizes, rng))
    return BiasStudy(sizes, tuple(curves), prompts)


def _populations(
    rng: np.random.Generator,
    models: Sequence[int],
    rates: Sequence[float],
    correlations: Sequence[float],
    prompts: int,
    topics: int,
) -> Iterator[SimulatedPopulation]:
    inner = sorted(rate for rate in rates if 0.0 < rate < 1.0)
    for number in models:
        for rate in rates:
            yield SimulatedPopulation(PopulationKind.EQUAL, np.full((1, number), rate), rate)
        for correlation in correlations if inner else ():
            middle = inner[len(inner) // 2]
            drawn_rates = correlated_rates(rng, prompts, number, middle, correlation)
            yield SimulatedPopulation(PopulationKind.HETEROGENEOUS, drawn_rates, middle, correlation)
        yield SimulatedPopulation(PopulationKind.GRAPHICAL, graphical_rates(rng, prompts, number, topics))


def correlated_rates(
    rng: np.random.Generator, prompts: int, models: int, rate: float, correlation: float
) -> FloatArray:
    """Return rates (prompts, models), each Beta(10 p, 10 (1 - p)), with a one-factor Gaussian copula."""
    shared, own = rng.standard_normal((prompts, 1)), rng.standard_normal((prompts, models))
    normal = np.sqrt(correlation) * shared + np.sqrt(1.0 - correlation) * own
    a, b = CONCENTRATION * rate, CONCENTRATION * (1.0 - rate)
    return np.asarray(scipy.special.betaincinv(a, b, scipy.special.ndtr(normal)), dtype=np.float64)


def graphical_rates(rng: np.random.Generator, prompts: int, models: int, topics: int) -> FloatArray:
    """Return rates (1 - D_n) A_{T_n, l} of the graphical model (eq. 13-17): shape (prompts, models).

    As in appendix G, D is uniform on 0-1, T is uniform over the topics and A is Beta(5, 5). Models are
    correlated because they share D.
    """
    difficulty = rng.beta(1.0, 1.0, size=(prompts, 1))
    aptitude = rng.beta(*APTITUDE, size=(topics, models))
    topic = rng.integers(topics, size=prompts)
    return np.asarray((1.0 - difficulty) * aptitude[topic])


def bias_curve(population: SimulatedPopulation, sizes: IntArray, rng: np.random.Generator) -> BiasCurve:
    """Return the bias of one population at each size, its exponents and its fit."""
    by_prompt = oracle_bias(population.rates, sizes)
    bias = by_prompt.mean(axis=0)
    ends = None if len(by_prompt) < 2 else _exponent_ends(by_prompt, sizes, rng)
    equal = population.kind is PopulationKind.EQUAL
    rate, number = population.rate, population.rates.shape[1]
    return BiasCurve(
        population,
        truth=float(population.rates.max(axis=1).mean()),
        bias=bias,
        exponents=local_exponents(bias, sizes),
        low=None if ends is None else np.array([end.low if end else np.nan for end in ends]),
        high=None if ends is None else np.array([end.high if end else np.nan for end in ends]),
        asymptote=asymptote(number, rate, sizes) if equal and rate is not None else None,
        fit=fit_decay(bias, sizes, least=LEAST),
        settles=least_for(bias, sizes, within=NEAR_HALF),
    )


def _exponent_ends(by_prompt: FloatArray, sizes: IntArray, rng: np.random.Generator) -> list[Interval | None]:
    prompts = len(by_prompt)
    replicates = draw_counts(rng, prompts, RESAMPLES) @ by_prompt / prompts
    return [percentile(column, LEVEL) for column in local_exponents(replicates, sizes).T]


def _check(
    models: Sequence[int],
    rates: Sequence[float],
    correlations: Sequence[float],
    generations: int,
    prompts: int,
    topics: int,
) -> None:
    wrong = [f"{number} models: give 2 or more" for number in models if number < 2]
    wrong += [f"success rate {rate:g}: give 0 to 1" for rate in rates if not 0.0 <= rate <= 1.0]
    wrong += [f"correlation {value:g}: give 0 to 1" for value in correlations if not 0.0 <= value <= 1.0]
    wrong += [] if 1 <= generations <= 1_000_000 else [f"{generations} generations: give 1 to 1,000,000"]
    wrong += [] if prompts >= 2 else [f"{prompts} prompts: give 2 or more"]
    wrong += [] if topics >= 1 else [f"{topics} topics: give 1 or more"]
    if not models or not rates:
        wrong.append("there is nothing to simulate: give at least one number of models and one success rate")
    if wrong:
        raise InvalidInput([Problem(text) for text in wrong])
