"""One source's capability frontier: points and gains with intervals, k-shot results, reliability, bias."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Annotated, Final, Literal

import numpy as np
import numpy.typing as npt

from assay.results.figure import Figure, Flat, Hidden, Listed
from assay.results.frontier import BiasedPoint, Estimate, FrontierSource, OracleEstimate
from assay.results.frontier_selection import Carriers, Cheapest, Posthoc, Sequential
from assay.results.frontier_uplift import RecordedUplift

FloatArray = npt.NDArray[np.float64]


@dataclass(frozen=True, slots=True)
class Gain:
    """A figure that may not exist: `reason` says why its value is None, and is None if there is a value."""

    estimate: Annotated[Estimate, Flat()]
    reason: Annotated[str | None, Figure("reason", meaning="why there is no value")] = None
    defined: Annotated[
        float | None,
        Figure("defined", meaning="share of the bootstrap replicates in which it exists"),
    ] = None


@dataclass(frozen=True, slots=True)
class FrontierPoint:
    """The result of decisions by phi(alpha). `cost` is per prompt; its value is None without costs."""

    alpha: float
    quality: Estimate
    cost: Annotated[Estimate, Figure("cost", meaning="mean per prompt")]
    optimal: Annotated[
        bool,
        Figure(
            "optimal",
            meaning="whether no other point of the sweep is better in quality or cost without being worse in "
            "the other",
        ),
    ]
    on_hull: Annotated[bool, Figure("on hull", meaning="whether it is a corner of the upper hull")]
    latency_p95: Annotated[
        float | None, Figure("P95 latency", unit="seconds", meaning="of the chosen models' answers")
    ]
    shares: Annotated[
        Mapping[str, float] | None,
        Figure(
            "shares", meaning="share of the prompts that go to each model; none for points off the frontier"
        ),
    ] = None


@dataclass(frozen=True, slots=True)
class FrontierSingle:
    """One model on every prompt; `coverage` is the share of the prompts that it has answers to.

    `level` and `level_cost` are estimates for all prompts, so that models are comparable. They are None if no
    shared prompts connect the model with the others.
    """

    model: str
    quality: Annotated[Estimate, Figure("quality", meaning="on the prompts that it has answers to")]
    cost: Estimate
    level: Annotated[
        Estimate,
        Figure("level", meaning="on all prompts; empty cells are fitted by prompt and model"),
    ]
    level_cost: Estimate
    coverage: Annotated[
        float, Figure("coverage", share=True, meaning="share of the prompts that it has answers to")
    ]
    optimal: Annotated[
        bool, Figure("optimal", meaning="whether it is on the single models' own Pareto front, by the levels")
    ]
    latency_p95: Annotated[float | None, Figure("P95 latency", unit="seconds")]
    chosen: Annotated[
        float, Figure("chosen", share=True, meaning="share of the prompts that go to it at alpha = 1")
    ]


@dataclass(frozen=True, slots=True)
class FrontierGains:
    """The gains of the frontier over the best single model, which each bootstrap replicate chooses again.

    If `same_best` is small, the intervals of the matched figures span the costs of several models.
    """

    error_reduction: Annotated[
        Gain, Figure("error reduction", meaning="at alpha = 1, at any cost (the paper's table 1)")
    ]
    matched_cost: Annotated[
        Gain,
        Figure(
            "error reduction at matched cost",
            name="matched_cost_error_reduction",
            meaning="at the best single model's cost (the paper's abstract)",
        ),
    ]
    quality_for_cost: Annotated[
        Gain,
        Figure(
            "quality at matched cost",
            name="quality_at_matched_cost",
            meaning="quality of the frontier at the best single model's cost",
        ),
    ]
    saving: Annotated[
        Gain,
        Figure(
            "saving at matched quality",
            name="saving_at_matched_quality",
            meaning="share of the cost saved at the best single model's quality (the paper's table 2)",
        ),
    ]
    cost_for_quality: Annotated[
        Gain,
        Figure(
            "cost at matched quality",
            name="cost_at_matched_quality",
            meaning="cost of the frontier at the best single model's quality",
        ),
    ]
    alpha_star: Annotated[
        float | None,
        Figure("alpha*", meaning="least alpha of the sweep that reaches the best single model's quality"),
    ]
    aiq: Annotated[Gain, Figure("AIQ", meaning="mean height of the upper hull over its own costs")]
    aiq_singles: Annotated[
        Gain,
        Figure(
            "AIQ of single models",
            meaning="mean height of the single models' hull (RouterBench's Zero router) over its costs",
        ),
    ]
    height: Annotated[
        Gain,
        Figure(
            "height",
            meaning="mean height of the hull above the single models' hull, over the single models' costs",
        ),
    ]
    same_best: Annotated[
        float | None,
        Figure(
            "same best", meaning="share of the replicates with the same best single model as the estimate"
        ),
    ]


@dataclass(frozen=True, slots=True)
class OracleBias:
    """The biased oracle (eq. 5) compared with the method's (eq. 4) at alpha = 1: the paper's table 6."""

    quality: Annotated[
        Estimate,
        Figure(
            "bias of quality", name="quality_points", meaning="naive minus debiased", unit="points of 100"
        ),
    ]
    cost: Annotated[
        Estimate,
        Figure(
            "bias of cost", name="cost_percent", meaning="naive divided by debiased, minus 1", unit="per cent"
        ),
    ]


@dataclass(frozen=True, slots=True)
class Frontier:
    """The capability frontier of one tensor by one method.

    `points` and `naive` (the plug-in, which is biased) have one point per alpha; `share` (A, L) is the share
    of the prompts on which each of `models` is chosen. `hull` are the positions of the points that span the
    upper hull of quality over cost, from the cheapest to the best. A router that may randomise reaches this
    hull (the lower convex hull in the plane of cost and error). `best_single` is the position among
    `singles`. Quality is in the tensor's unit, and cost is in `unit` per prompt. `old_decisions` are the
    points of decisions made at the recorded prices, with costs at the new prices; None unless new prices were
    given.
    """

    method: Annotated[str, Hidden()]
    unit: Annotated[str, Hidden()]
    prompts: Annotated[int, Hidden()]
    models: Annotated[tuple[str, ...], Hidden()]
    alphas: Annotated[FloatArray, Hidden()]
    points: Annotated[tuple[FrontierPoint, ...], Figure("frontier", name="frontier")]
    naive: Annotated[
        tuple[FrontierPoint, ...], Figure("naive", meaning="equation 5 at every alpha, which is biased")
    ]
    share: Annotated[FloatArray, Hidden()]
    hull: Annotated[tuple[int, ...], Hidden()]
    singles: tuple[FrontierSingle, ...]
    best_single: Annotated[int, Hidden()]
    gains: FrontierGains
    bias: OracleBias
    paper_bias: Annotated[
        OracleBias | None, Figure("paper's bias", meaning="by equation 12; none below 5 generations")
    ]
    old_decisions: Annotated[
        tuple[FrontierPoint, ...] | None,
        Figure("old decisions", meaning="decisions at the recorded prices, with costs at the new prices"),
    ]
    cost_estimator: Annotated[str | None, Figure("cost estimator", meaning="estimator of the costs")]
    level: Annotated[float, Hidden()]
    notes: tuple[str, ...]

    @property
    def best(self) -> Annotated[str, Figure("best single", name="best_single")]:
        """The best single model."""
        return self.singles[self.best_single].model

    @property
    def cost_unit(
        self,
    ) -> Annotated[str | None, Figure("unit", name="unit", meaning="unit of costs; none without costs")]:
        """The unit of costs; None without costs."""
        return None if self.points[-1].cost.value is None else self.unit


@dataclass(frozen=True, slots=True)
class Generations:
    """The smallest and largest number of generations in a cell, empty cells left out."""

    least: int
    most: int


@dataclass(frozen=True, slots=True)
class Denominators:
    """The numbers of prompts, models, generations, cells, cells without an answer, and answers."""

    prompts: int
    models: int
    generations: Generations
    cells: int
    missing: Annotated[int, Figure("missing cells", name="missing_cells")]
    answers: int


@dataclass(frozen=True, slots=True)
class Way:
    """One way to ask k times, estimated from the recorded answers and from a posterior.

    `shown` names the estimate to show, and `error_reduction` is that of this estimate over one answer of the
    best single model. `answers` and `cost` are means over prompts.
    """

    recorded: Annotated[
        Estimate | None,
        Figure("recorded", meaning="closed form on the recorded answers; none if k exceeds their number"),
    ]
    debiased: Annotated[
        Estimate | None, Figure("debiased", meaning="from the posterior; none without a posterior")
    ]
    shown: Annotated[Literal["recorded", "debiased"], Figure("shown", meaning="the estimate that is shown")]
    error_reduction: Annotated[
        Estimate,
        Figure("error reduction", meaning="of the estimate shown, over one answer of the best single model"),
    ]
    answers: Annotated[
        Estimate, Figure("generations", name="generations", meaning="paid generations per prompt")
    ]
    cost: Annotated[Estimate | None, Figure("cost", meaning="cost per prompt; none without costs")]

    @property
    def value(self) -> Estimate:
        """The estimate that is shown."""
        estimate = self.debiased if self.shown == "debiased" else self.recorded
        return estimate or Estimate(None)


@dataclass(frozen=True, slots=True)
class KShot:
    """The k-shot quantities at one k."""

    k: int
    per_prompt_best: Annotated[
        Way, Figure("best model by prompt", name="per_prompt_best_k", meaning="equation 22")
    ]
    all_models: Annotated[Way, Figure("all models", name="all_models_k", meaning="equation 23")]
    fixed_best: Annotated[Way, Figure("fixed model", name="fixed_best_k", meaning="pass@k of one model")]
    fixed_model: str
    plug_in: Annotated[
        float | None,
        Figure(
            "plug-in",
            name="all_models_k_plug_in",
            meaning="equation 23 as printed, with recorded shares as rates; none unless quality is 0/1",
        ),
    ]
    short: Annotated[
        int,
        Figure(
            "short cells",
            name="short_cells",
            meaning="cells with fewer than k generations, which are all used",
        ),
    ]


@dataclass(frozen=True, slots=True)
class FrontierGroup:
    """The frontier and k-shot results (k = 1 and the largest, or all k) of all prompts or one category."""

    name: Annotated[str | None, Figure("category", name="category", meaning="none for all prompts")]
    counted: Annotated[Denominators, Flat()]
    frontier: Annotated[Frontier, Flat()]
    shots: Annotated[tuple[KShot, ...], Figure("k-shot", name="k_shot")]


@dataclass(frozen=True, slots=True)
class Correlation:
    """The correlation of two figures over `n` models.

    The values are None for fewer than three models, or if one figure is the same for all. The p-values are
    two-sided and test for no correlation.
    """

    n: Annotated[int, Figure("models", name="models")]
    pearson: float | None
    pearson_p: float | None
    spearman: float | None
    spearman_p: float | None


@dataclass(frozen=True, slots=True)
class ModelReliability:
    """One model's reliability over its `prompts`, with the part of it that is chance."""

    model: str
    prompts: int
    quality: float
    cost: float | None
    measured: Annotated[Estimate, Figure("measured", meaning="equation 24")]
    coin: Annotated[float, Figure("coin", meaning="the value that a fair coin would measure")]
    remaining: Annotated[
        Estimate | None,
        Figure("remaining", meaning="the posterior's true reliability; none without a posterior"),
    ]
    bias: Annotated[
        float | None, Figure("bias", meaning="expected value of measured minus remaining, by the posterior")
    ]


@dataclass(frozen=True, slots=True)
class ReliabilityTable:
    """Every model's reliability, the greatest first, and its correlations over models."""

    models: tuple[ModelReliability, ...]
    with_quality: Annotated[Correlation, Figure("measured with quality", name="measured_with_quality")]
    with_cost: Annotated[Correlation | None, Figure("measured with cost", name="measured_with_cost")]
    remaining_with_quality: Correlation | None
    remaining_with_cost: Correlation | None


@dataclass(frozen=True, slots=True)
class Judged:
    """Selection among all answers by a judge with the error rate `error` on right and wrong answers."""

    error: float
    posthoc: Annotated[Posthoc, Flat()]


@dataclass(frozen=True, slots=True)
class FormParameter:
    """One fitted number of a form of decay."""

    name: str
    value: float
    error: Annotated[
        float | None,
        Figure(
            "error",
            meaning="its standard error at noise of 1 % of the curve's range; none if the curve does not "
            "determine it",
        ),
    ]
    at_bound: Annotated[bool, Figure("at bound", meaning="whether it is at a bound of its allowed range")]


@dataclass(frozen=True, slots=True)
class Extrapolation:
    """A fitted form of decay.

    In the seed's notation `limit` is alpha, `scale` is beta, `rate` is lambda, `shift` is gamma and `width`
    is delta. `shift` and `width` are None for a power.
    """

    form: Annotated[str, Hidden()]
    limit: float
    scale: float
    rate: float
    shift: float | None
    width: float | None
    misfit: Annotated[float, Figure("misfit", meaning="root mean square residual, in the curve's unit")]
    rank: Annotated[
        int,
        Figure(
            "rank",
            meaning="number of directions of the parameters that stay determined with noise of 1 % of the "
            "curve's range (singular values of the Jacobian, with columns scaled to length 1, above 0.01 of "
            "the greatest)",
        ),
    ]
    condition: Annotated[float, Hidden()]
    parameters: tuple[FormParameter, ...]
    notes: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class FittedDecay:
    """The biased oracle by number of generations, with the fitted forms; None if too few are recorded."""

    points: tuple[BiasedPoint, ...]
    power: Annotated[Extrapolation | None, Figure("power", meaning="equation 11")]
    smooth: Annotated[Extrapolation | None, Figure("smooth", meaning="equation 12")]


@dataclass(frozen=True, slots=True)
class ReportSettings:
    """The settings of a report."""

    method: Annotated[str, Figure("method", meaning="the method that computed the figures")]
    asked: Annotated[
        str, Figure("asked method", name="asked_method", meaning="the method that the user named")
    ]
    beside: Annotated[tuple[str, ...], Hidden()]
    ks: Annotated[tuple[int, ...], Hidden()]
    level: float
    resamples: int
    seed: int
    repriced: Annotated[
        bool, Figure("new prices", name="new_prices", meaning="whether costs are at new prices")
    ]
    prices_date: Annotated[
        str | None, Figure("date of prices", meaning="date of the recorded prices; none if not stated")
    ]


@dataclass(frozen=True, slots=True)
class FrontierReportResult:
    """The report on one source. Parts that these data do not allow are None, and `notes` say why."""

    source: FrontierSource
    settings: Annotated[ReportSettings, Flat()]
    headline: tuple[str, ...]
    whole: Annotated[FrontierGroup, Figure("all prompts", name="all")]
    groups: Annotated[
        tuple[FrontierGroup, ...],
        Figure("categories", name="categories", meaning="categories with at least 20 prompts"),
    ]
    few: Annotated[
        Mapping[str, int],
        Listed("category", "prompts"),
        Figure("small categories", name="small_categories"),
    ]
    methods: Annotated[
        tuple[OracleEstimate, ...],
        Figure("methods", meaning="the oracle by each method, with `method` first"),
    ]
    decay: Annotated[FittedDecay, Figure("curve", name="curve")]
    reliability: ReliabilityTable | None
    carriers: Carriers
    cheapest: Cheapest
    sequential: Sequential | None
    judged: Annotated[tuple[Judged, ...], Figure("judges", name="judges")]
    break_even: Annotated[
        Estimate | None,
        Figure(
            "judge's break-even",
            name="judge_break_even",
            meaning="the judge's error rate at which selection among one answer per model no longer helps",
        ),
    ]
    uplift: RecordedUplift | None
    notes: tuple[str, ...]
    caveats: tuple[str, ...]


SCHEMAS: Final = {
    "frontier-report": (
        FrontierReportResult,
        "assay frontier report --json: one source's capability frontier",
    )
}
