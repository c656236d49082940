"""The oracle's uplift over the best single model by topic entropy (nats), and the decay of its bias."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Annotated, Final, Literal

from assay.results.figure import Figure, Flat, Hidden
from assay.results.frontier import Estimate, FrontierSource


@dataclass(frozen=True, slots=True)
class CategoryShare:
    """One category of the recorded prompts."""

    category: str
    prompts: int
    share: float


@dataclass(frozen=True, slots=True)
class Step:
    """The uplift at one weight, on the way from the mixture of all categories (0) to single ones (1)."""

    weight: float
    entropy: float
    naive: Annotated[Estimate, Figure("naive", meaning="the biased oracle minus the best mean")]
    debiased: Annotated[
        Estimate | None,
        Figure("debiased", meaning="the same with the posterior's rates; none without a posterior"),
    ]


@dataclass(frozen=True, slots=True)
class Workload:
    """One step on the way from the mixture of all categories to `category` alone."""

    category: str
    step: Annotated[Step, Flat()]


@dataclass(frozen=True, slots=True)
class EntropyUplift:
    """Uplift by topic entropy of recorded prompts, in the tensor's scale of quality.

    Along `path` uplift cannot fall with entropy, whatever the data, because the oracle's mean does not change
    and the best mean is convex in the mixture. So the result is its size `rise`, compared with
    `rise_by_chance`.
    """

    categories: tuple[CategoryShare, ...]
    workloads: tuple[Workload, ...]
    path: Annotated[
        tuple[Step, ...], Figure("path", meaning="mean over categories, weighted by their shares")
    ]
    rise: Annotated[
        Estimate,
        Figure("rise", meaning="uplift of the whole mixture minus the mean of single categories"),
    ]
    rise_by_chance: Annotated[
        Estimate,
        Figure(
            "rise by chance",
            meaning="the same with categories assigned at random; its interval is over assignments",
        ),
    ]
    p_value: Annotated[
        float,
        Figure("p", meaning="share of random assignments with a rise at least as large", least=0, most=1),
    ]
    rank_correlation: Annotated[
        Estimate, Figure("rank correlation", meaning="Spearman's, over single workloads")
    ]
    debiased_by: Annotated[str | None, Figure("debiased by", meaning="the method; none if figures are naive")]
    left_out: Annotated[tuple[str, ...], Figure("left out", meaning="prompts without any observation")]


@dataclass(frozen=True, slots=True)
class RecordedUplift:
    """The uplift of recorded prompts by topic entropy, with their source and notes."""

    source: Annotated[str, Hidden()]
    uplift: Annotated[EntropyUplift, Flat()]
    notes: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class SourceUplift:
    """Recorded uplift beside the simulation, with its source."""

    source: FrontierSource
    recorded: Annotated[RecordedUplift, Flat()]
    simulated: Literal[False] = False


@dataclass(frozen=True, slots=True)
class SimulatedMixture:
    """Simulated uplift at one mixture of topics."""

    weight: Annotated[
        float, Figure("weight", meaning="position between even topics (0) and one topic alone (1)")
    ]
    entropy: Annotated[float, Figure("entropy", unit="nats")]
    uplift: Annotated[float, Figure("uplift", meaning="mean over worlds")]
    low: Annotated[float, Figure("low", meaning="2.5 % of worlds are below")]
    high: Annotated[float, Figure("high", meaning="97.5 % of worlds are below")]
    oracle: float
    best_single: float


@dataclass(frozen=True, slots=True)
class EntropySimulation:
    """Simulated worlds whose mixtures go from even topics to one topic alone."""

    models: int
    topics: int
    prompts: int
    generations: int
    repeats: int
    observations: Annotated[
        int, Figure("observations", meaning="prompts x models x generations in one world and mixture")
    ]
    points: tuple[SimulatedMixture, ...]
    rank_correlation: Annotated[
        float | None, Figure("rank correlation", meaning="Spearman's, of mean uplift and entropy")
    ]
    rising_repeats: Annotated[
        float,
        Figure(
            "rising repeats",
            meaning="share of worlds in which no step towards even topics lowers the uplift",
        ),
    ]
    simulated: Literal[True] = True


@dataclass(frozen=True, slots=True)
class EntropyResult:
    """The simulated uplift and, separately, the uplift of recorded prompts."""

    seed: int
    simulation: EntropySimulation
    recorded: Annotated[SourceUplift | None, Figure("recorded", meaning="none without a source")]


@dataclass(frozen=True, slots=True)
class BiasAt:
    """The oracle's bias at one number of generations."""

    generations: int
    bias: Annotated[float, Figure("bias", meaning="exact given the rates")]
    exponent: Annotated[
        float | None,
        Figure("exponent", meaning="-d log(bias) / d log(generations); none if there is no bias"),
    ]
    exponent_low: Annotated[
        float | None,
        Figure("low", meaning="95 % bootstrap interval over prompts; none if all prompts are alike"),
    ]
    exponent_high: float | None
    asymptote: Annotated[
        float | None,
        Figure("asymptote", meaning="value that the bias tends to for equal rates; none for other kinds"),
    ]


@dataclass(frozen=True, slots=True)
class DecayFit:
    """Equation 25, y = amplitude * G ** -exponent + floor, fitted to a curve between two sizes."""

    amplitude: float
    exponent: float
    floor: float
    least: Annotated[int, Figure("from", name="from_generations")]
    most: Annotated[int, Figure("to", name="to_generations")]


@dataclass(frozen=True, slots=True)
class PopulationBias:
    """The decay of the bias in one population of prompts and models."""

    kind: Literal["equal", "heterogeneous", "graphical"]
    models: int
    rate: Annotated[
        float | None, Figure("rate", meaning="requested success rate; none for the graphical model")
    ]
    correlation: Annotated[
        float | None,
        Figure(
            "correlation",
            meaning="correlation of the Gaussian copula of the models' rates; none for other kinds",
        ),
    ]
    measured_correlation: Annotated[
        float | None,
        Figure(
            "measured correlation",
            meaning="mean correlation of two models' rates over prompts; none if rates do not vary",
        ),
    ]
    true_oracle: Annotated[
        float, Figure("true oracle", meaning="mean over prompts of the greatest success rate")
    ]
    points: tuple[BiasAt, ...]
    fit: Annotated[
        DecayFit | None,
        Figure("fit", meaning="equation 25; none if there is no bias or too few points"),
    ]
    near_half_from: Annotated[
        int | None,
        Figure(
            "near a half from",
            meaning="generations from which, and from all later starts, equation 25 fits with an exponent of "
            "0.4-0.6",
        ),
    ]
    inside_from: Annotated[
        int | None,
        Figure("inside from", meaning="smallest number of generations with a local exponent of 0.25 to 0.75"),
    ]
    inside_to: Annotated[
        int | None,
        Figure("inside to", meaning="largest number of generations with a local exponent of 0.25 to 0.75"),
    ]


@dataclass(frozen=True, slots=True)
class BiasResult:
    """The decay of the biased oracle's bias with generations, in simulated populations."""

    seed: int
    prompts: Annotated[int, Figure("prompts", meaning="prompts of a population whose rates differ")]
    generations: Annotated[int, Figure("generations", meaning="largest number of generations")]
    populations: tuple[PopulationBias, ...]
    simulated: Literal[True] = True


SCHEMAS: Final = {
    "frontier-simulate-bias": (
        BiasResult,
        "assay frontier simulate bias --json: the decay of the biased oracle's bias with generations",
    ),
    "frontier-simulate-entropy": (
        EntropyResult,
        "assay frontier simulate entropy --json: the oracle's uplift over the best single model, by topic "
        "entropy",
    ),
}
