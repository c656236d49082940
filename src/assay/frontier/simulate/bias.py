"""Appendix A of the paper: the bias of the biased oracle in simulated populations, by generations."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from enum import StrEnum

import numpy as np
import numpy.typing as npt
from scipy.special import betaincinv, ndtr

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
"""Rates of heterogeneous prompts are Beta(10 p, 10 (1 - p)): as spread as Beta(5, 5) where p is a half."""
APTITUDE = (5.0, 5.0)
LEAST = 50
"""Equation 25 is fitted from this many generations on, as the paper does."""
RESAMPLES, LEVEL = 200, 0.95
NEAR_HALF = (0.4, 0.6)


class PopulationKind(StrEnum):
    """How the success rates of a simulated population come about."""

    EQUAL = "equal"
    HETEROGENEOUS = "heterogeneous"
    GRAPHICAL = "graphical"


@dataclass(frozen=True, slots=True)
class SimulatedPopulation:
    """Simulated success rates: `rates` (N, L), and what they were drawn from.

    `rate` is the mean rate that was asked for, None for the graphical model. `correlation`, of heterogeneous
    rates only, is that of the Gaussian copula which ties the models' rates together prompt by prompt; the
    generations themselves are independent given the rates.
    """

    kind: PopulationKind
    rates: FloatArray
    rate: float | None = None
    correlation: float | None = None

    @property
    def measured_correlation(self) -> float | None:
        """The mean correlation of two models' rates over prompts; None where rates do not vary."""
        spread = self.rates.std(axis=0)
        models = self.rates.shape[1]
        if len(self.rates) < 2 or models < 2 or np.any(spread < 1e-12):
            return None
        found = np.corrcoef(self.rates.T)
        return float((found.sum() - models) / (models * (models - 1)))


@dataclass(frozen=True, slots=True)
class BiasCurve:
    """The bias of the biased oracle in one population, at the study's sizes; rates are 0-1.

    `truth` is the true oracle (eq. 4). `bias` (K) is the mean over prompts, exact given their rates, and
    `exponents` (K) its local decay exponents, NaN without a bias; `low` and `high` (K) bound the exponents by
    a bootstrap over prompts, None where all prompts are alike. `asymptote` (K) is what the bias of equal
    rates tends to. `fit` is equation 25 from `LEAST` generations on; `settles` the least number of
    generations from which, and from all later ones, it fits with an exponent of 0.5 +- 0.1.
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
    """Curves of every population over the same sizes (K) of 1 to `generations`."""

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
    tell: Callable[[str], None] = lambda text: None,
) -> BiasStudy:
    """Return how the bias decays for equal, for heterogeneous and correlated, and for the model's rates.

    Equal rates are computed in closed form for each number of models and rate. Heterogeneous rates are drawn
    at the middle one of the rates between 0 and 1, for each correlation; those of the graphical model with
    its multiplicative link (section 4.3.2). `tell` hears of each population. Raises InvalidInput for values
    that cannot be simulated.
    """
    _check(models, rates, correlations, generations, prompts, topics)
    sizes = log_sizes(generations)
    curves = []
    for population in _populations(rng, models, rates, correlations, prompts, topics):
        tell(f"{population.kind} rates, {population.rates.shape[1]} models")
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
    """Return rates (prompts, models), each Beta(10 p, 10 (1 - p)), tied by a one-factor Gaussian copula."""
    shared, own = rng.standard_normal((prompts, 1)), rng.standard_normal((prompts, models))
    normal = np.sqrt(correlation) * shared + np.sqrt(1.0 - correlation) * own
    a, b = CONCENTRATION * rate, CONCENTRATION * (1.0 - rate)
    return np.asarray(betaincinv(a, b, ndtr(normal)), dtype=np.float64)


def graphical_rates(rng: np.random.Generator, prompts: int, models: int, topics: int) -> FloatArray:
    """Return rates (1 - D_n) A_{T_n, l} of the graphical model (eq. 13-17): shape (prompts, models).

    D is uniform on 0-1, T uniform over the topics, A Beta(5, 5), as in appendix G. D makes the models agree.
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
    wrong += [f"a success rate of {rate:g}: give 0 to 1" for rate in rates if not 0.0 <= rate <= 1.0]
    wrong += [f"a correlation of {value:g}: give 0 to 1" for value in correlations if not 0.0 <= value <= 1.0]
    wrong += [] if 1 <= generations <= 1_000_000 else [f"{generations} generations: give 1 to 1,000,000"]
    wrong += [] if prompts >= 2 else [f"{prompts} prompts: give 2 or more"]
    wrong += [] if topics >= 1 else [f"{topics} topics: give 1 or more"]
    if not models or not rates:
        wrong.append("nothing to simulate: give at least one number of models and one success rate")
    if wrong:
        raise InvalidInput([Problem(text) for text in wrong])
