"""Estimates of the frontier and their intervals, the source, and the oracle by each method.

Qualities, shares and reductions are 0-1 if the source's quality is. A value is None if it is not defined or
not known, and a note beside it gives the reason.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Annotated, Final, Literal

import numpy as np
import numpy.typing as npt

from assay.results.figure import Figure, Hidden
from assay.stats.intervals import Interval

FloatArray = npt.NDArray[np.float64]
IntArray = npt.NDArray[np.int64]


@dataclass(frozen=True, slots=True)
class Estimate:
    """A quantity and its uncertainty; `value` is None if it is not defined or cannot be known.

    `over_prompts` is the bootstrap interval over prompts: the values that other prompts of the same kind
    could give. `these_prompts` is the uncertainty about the prompts that were asked, which have few
    generations each; only methods with a statistical model of the generations have it.
    """

    value: Annotated[float | None, Figure("value", meaning="none if it is not defined or cannot be known")]
    over_prompts: Annotated[
        Interval | None,
        Figure(
            "over prompts",
            meaning="from the bootstrap over prompts: values that other prompts of the same kind could give",
        ),
    ] = None
    these_prompts: Annotated[
        Interval | None,
        Figure(
            "these prompts",
            meaning="uncertainty about these prompts, or about a measured judge; none for methods without a "
            "statistical model of the generations",
        ),
    ] = None


@dataclass(frozen=True, slots=True)
class LeftOut:
    """A model or prompt (`kind`) of the source that is not in the tensor, with the reason and scored rows."""

    kind: Literal["model", "prompt"]
    name: str
    reason: str
    rows: int


@dataclass(frozen=True, slots=True)
class Rows:
    """The rows of a table, or samples of runs, by outcome: read = used + errors + ungraded + left_out."""

    read: int
    used: int
    errors: int
    ungraded: Annotated[int, Figure("ungraded", meaning="rows without a quality, or with a count of 0")]
    left_out: Annotated[int, Figure("left out", meaning="rows of a model or prompt that was left out")]
    invalid: Annotated[int, Figure("invalid", meaning="rows of invalid answers, with quality 0", of="used")]
    skipped: Annotated[
        int, Figure("skipped", meaning="rows that did not meet the conditions and were not read")
    ]
    answers: Annotated[
        int,
        Figure("answers", meaning="generations read: more than `used` if a row counts several"),
    ]


@dataclass(frozen=True, slots=True)
class FrontierSource:
    """The contents of a source: a table's file, or runs."""

    source: Annotated[
        str, Figure("source", meaning="the file or the runs, with every choice made in reading")
    ]
    digest: Annotated[str, Figure("digest", meaning="SHA-256 of the file, or the digest of the runs' suite")]
    simulated: Annotated[
        bool, Figure("simulated", meaning="whether at least one run did not measure real models")
    ]
    prompts: int
    models: int
    generations: Annotated[int, Figure("generations", meaning="largest number in a cell")]
    unit: Annotated[str | None, Figure("unit", meaning="unit of costs; none without costs")]
    rows: Rows
    left_out: tuple[LeftOut, ...]
    notes: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class BiasedPoint:
    """The biased oracle, which chooses by the best observed mean, at a number of generations (equation 5)."""

    generations: int
    quality: float
    cost: Annotated[float | None, Figure("cost", meaning="cost of the chosen models; none without costs")]


@dataclass(frozen=True, slots=True)
class OracleEstimate:
    """The oracle: the quality of all models together if each prompt goes to its best model (seed 004, eq. 4).

    `quality` and `cost` are estimated by `method`; the cost is that of one answer of the chosen model, as a
    mean over prompts, and None without costs. `cost_estimator` names the estimator of the cost, and
    `paper_cost` is the paper's own estimate (equation 12 on the cost curve), None if there is none. `bracket`
    has no single value: its `quality` is an interval with the ends `lower` and `upper`, which are None for
    other methods. `best_single` is the quality of the model `best_model`, and `gain` is the oracle's quality
    minus it. `error_reduction` is the share of the best single model's error, 1 - quality, that the oracle
    removes; None if quality is not on 0-1 or has no error. `curve` (G,) is the biased oracle's value (eq. 5)
    at `sizes` 1..G, and `cost_curve` is the cost of its choices. `prompts` is the number of prompts used, and
    `unit` is the unit of costs.
    """

    method: str
    quality: Annotated[
        Estimate,
        Figure("oracle", meaning="an interval for a bracket; without a value the notes give the reason"),
    ]
    cost: Annotated[
        Estimate | None,
        Figure(
            "cost", meaning="cost of one answer of the chosen model, mean over prompts; none without costs"
        ),
    ]
    cost_estimator: Annotated[str, Figure("cost estimator", meaning="estimator of the cost")]
    paper_cost: Annotated[
        Estimate | None,
        Figure(
            "paper's cost",
            meaning="the paper's own estimate of the oracle's cost, equation 12 on the cost curve; none "
            "without costs or with fewer than 5 generations",
        ),
    ]
    sizes: Annotated[IntArray, Hidden()]
    curve: Annotated[FloatArray, Hidden()]
    cost_curve: Annotated[FloatArray | None, Hidden()]
    lower: Annotated[
        Estimate | None,
        Figure("lower", meaning="a bracket's lower end; none for other methods and with one generation"),
    ]
    upper: Annotated[
        Estimate | None, Figure("upper", meaning="a bracket's upper end; none for other methods")
    ]
    best_model: Annotated[str, Hidden()]
    best_single: Annotated[Estimate, Hidden()]
    gain: Annotated[
        Estimate,
        Figure("gain", meaning="over the best single model, which every replicate chooses again"),
    ]
    error_reduction: Annotated[
        Estimate,
        Figure(
            "error reduction",
            meaning="share of the best single model's error, 1 - quality, that the oracle removes; without a "
            "value if quality is not on 0-1",
        ),
    ]
    prompts: Annotated[int, Hidden()]
    unit: Annotated[str, Hidden()]
    notes: tuple[str, ...]

    @property
    def points(self) -> tuple[BiasedPoint, ...]:
        """The biased oracle at 1 to G generations."""
        costs = [None] * len(self.sizes) if self.cost_curve is None else self.cost_curve.tolist()
        return tuple(map(BiasedPoint, self.sizes.tolist(), self.curve.tolist(), costs))


@dataclass(frozen=True, slots=True)
class BestSingleModel:
    """The best single model; its interval over prompts is that of this one model."""

    model: str
    quality: Estimate


@dataclass(frozen=True, slots=True)
class FrontierFit:
    """The oracle of one source by several methods, over the same replicates of the prompts."""

    source: FrontierSource
    level: Annotated[float, Figure("level", meaning="level of every interval")]
    resamples: Annotated[int, Figure("resamples", meaning="bootstrap replicates of the prompts")]
    seed: int
    prompts: Annotated[int, Figure("prompts", meaning="prompts that the figures are means over")]
    best_single: BestSingleModel
    curve: Annotated[
        tuple[BiasedPoint, ...], Figure("curve", meaning="the biased oracle at 1 to G generations")
    ]
    unit: Annotated[str | None, Figure("unit", meaning="unit of costs; none without costs")]
    paper_cost: Annotated[
        Estimate | None,
        Figure("paper's cost", meaning="the paper's own estimate of the oracle's cost, as in `methods`"),
    ]
    methods: tuple[OracleEstimate, ...]
    caveats: tuple[str, ...]


SCHEMAS: Final = {
    "frontier-fit": (
        FrontierFit,
        "assay frontier fit --json: the quality of all models together if each prompt goes to its best model",
    )
}
