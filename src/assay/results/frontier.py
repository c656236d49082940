"""What all models together reach: estimates with their intervals, the source read, the oracle by each method.

Qualities, shares and reductions are 0-1 wherever the source's quality is. None is what is not defined or not
known; notes beside it say why.
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
    """A quantity and how well it is known; None where it is not defined or cannot be known.

    `over_prompts` is the bootstrap interval over prompts: what other prompts of the same kind could give.
    `these_prompts` is what is not known about the very prompts that were asked, with so few generations of
    each; only methods with a model of the generations can say.
    """

    value: Annotated[float | None, Figure("value", meaning="none where it is not defined or cannot be known")]
    over_prompts: Annotated[
        Interval | None,
        Figure(
            "over prompts",
            meaning="from the bootstrap over prompts: what other prompts of the same kind could give",
        ),
    ] = None
    these_prompts: Annotated[
        Interval | None,
        Figure(
            "these prompts",
            meaning="what is not known of these very prompts, or of a measured judge; none for methods "
            "without a model of the generations",
        ),
    ] = None


@dataclass(frozen=True, slots=True)
class LeftOut:
    """A model or a prompt (`kind`) of the source that is not in the tensor, why, and its scored rows."""

    kind: Literal["model", "prompt"]
    name: str
    reason: str
    rows: int


@dataclass(frozen=True, slots=True)
class Rows:
    """What became of the rows (of runs: the samples): read = used + errors + ungraded + left_out."""

    read: int
    used: int
    errors: int
    ungraded: Annotated[int, Figure("ungraded", meaning="without a quality, or counting no answer")]
    left_out: Annotated[int, Figure("left out", meaning="of a model or prompt that was left out")]
    invalid: Annotated[int, Figure("invalid", meaning="with quality 0", of="used")]
    skipped: Annotated[int, Figure("skipped", meaning="did not meet the conditions and were not read")]
    answers: Annotated[
        int,
        Figure("answers", meaning="generations read: more than `used` where a row counts several"),
    ]


@dataclass(frozen=True, slots=True)
class FrontierSource:
    """What was read of a source: a table's file, or runs."""

    source: Annotated[
        str, Figure("source", meaning="the file or the runs, with every choice made in reading")
    ]
    digest: Annotated[str, Figure("digest", meaning="SHA-256 of the file, or the digest of the runs' suite")]
    simulated: Annotated[
        bool, Figure("simulated", meaning="whether at least one run did not measure real models")
    ]
    prompts: int
    models: int
    generations: Annotated[int, Figure("generations", meaning="the most in a cell")]
    unit: Annotated[str | None, Figure("unit", meaning="of costs; none without costs")]
    rows: Rows
    left_out: tuple[LeftOut, ...]
    notes: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class BiasedPoint:
    """What choosing by the best observed mean shows with so many generations of each cell (equation 5)."""

    generations: int
    quality: float
    cost: Annotated[float | None, Figure("cost", meaning="of the models chosen; none without costs")]


@dataclass(frozen=True, slots=True)
class OracleEstimate:
    """What all models together reach on these prompts when each goes to its best model (seed 004, eq. 4).

    `quality` and `cost` (of one answer of the chosen model, mean over prompts, None without costs) are by
    `method`; `cost_estimator` says how the cost was estimated, `paper_cost` is the paper's own (equation 12
    on the cost curve), None where there is none. `bracket` has no one value: its `quality` is an interval,
    `lower` and `upper` its ends, None otherwise. `best_single` is the quality of the model `best_model`,
    `gain` what the oracle has more, `error_reduction` the share of its error 1 - quality that goes; None
    where quality is not on 0-1 or has no error. `curve` (G,) is the biased oracle's value (eq. 5) at `sizes`
    1..G, `cost_curve` what its choices cost. `prompts` counts those used, `unit` is the costs'.
    """

    method: str
    quality: Annotated[
        Estimate,
        Figure("oracle", meaning="without a value the notes say why; of a bracket the interval"),
    ]
    cost: Annotated[
        Estimate | None,
        Figure("cost", meaning="of one answer of the chosen model, mean over prompts; none without costs"),
    ]
    cost_estimator: Annotated[str, Figure("cost estimator", meaning="how the cost was estimated")]
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
        Estimate, Figure("gain", meaning="over the best single model, which every replicate picks anew")
    ]
    error_reduction: Annotated[
        Estimate,
        Figure(
            "error reduction",
            meaning="share of the best single model's error, 1 - quality, that goes; without a value where "
            "quality is not on 0-1",
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
    level: Annotated[float, Figure("level", meaning="of every interval")]
    resamples: Annotated[int, Figure("resamples", meaning="bootstrap replicates of the prompts")]
    seed: int
    prompts: Annotated[int, Figure("prompts", meaning="that the figures are means over")]
    best_single: BestSingleModel
    curve: Annotated[
        tuple[BiasedPoint, ...], Figure("curve", meaning="the biased oracle at 1 to G generations")
    ]
    unit: Annotated[str | None, Figure("unit", meaning="of costs; none without costs")]
    paper_cost: Annotated[
        Estimate | None,
        Figure("paper's cost", meaning="the paper's own estimate of the oracle's cost, as in `methods`"),
    ]
    methods: tuple[OracleEstimate, ...]
    caveats: tuple[str, ...]


SCHEMAS: Final = {
    "frontier-fit": (
        FrontierFit,
        "assay frontier fit --json: what all models together reach when each prompt goes to its best model",
    )
}
