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
    """A figure that may not exist: `reason` says why its value is None, and is None where there is one."""

    estimate: Annotated[Estimate, Flat()]
    reason: Annotated[str | None, Figure("reason", meaning="why there is no value")] = None
    defined: Annotated[
        float | None,
        Figure("defined", meaning="share of the bootstrap's replicates in which it exists"),
    ] = None


@dataclass(frozen=True, slots=True)
class FrontierPoint:
    """What decisions by phi(alpha) reach. `cost` is per prompt, its value None without costs."""

    alpha: float
    quality: Estimate
    cost: Annotated[Estimate, Figure("cost", meaning="per prompt")]
    optimal: Annotated[
        bool,
        Figure(
            "optimal",
            meaning="whether no other point of the sweep beats it in quality or cost without losing in the "
            "other",
        ),
    ]
    on_hull: Annotated[bool, Figure("on hull", meaning="whether it is a corner of the upper hull")]
    latency_p95: Annotated[float | None, Figure("P95 latency", unit="seconds", meaning="of chosen answers")]
    shares: Annotated[
        Mapping[str, float] | None,
        Figure("shares", meaning="of the prompts that go to each model; none of points beside the frontier"),
    ] = None


@dataclass(frozen=True, slots=True)
class FrontierSingle:
    """One model on every prompt; `coverage` is the share of the prompts that it has.

    `level` and `level_cost` put it on a fair footing: None where no shared prompts join it to the others.
    """

    model: str
    quality: Annotated[Estimate, Figure("quality", meaning="on the prompts it has")]
    cost: Estimate
    level: Annotated[
        Estimate,
        Figure("level", meaning="on all prompts, a fit by prompt and model in empty cells"),
    ]
    level_cost: Estimate
    coverage: Annotated[float, Figure("coverage", share=True, meaning="of the prompts")]
    optimal: Annotated[
        bool, Figure("optimal", meaning="whether it is on the single models' own Pareto front, by the levels")
    ]
    latency_p95: Annotated[float | None, Figure("P95 latency", unit="seconds")]
    chosen: Annotated[float, Figure("chosen", share=True, meaning="of the prompts at alpha = 1")]


@dataclass(frozen=True, slots=True)
class FrontierGains:
    """What the frontier gains over the best single model, whom each replicate of the bootstrap picks anew.

    Where `same_best` is small, the intervals of the matched figures span the costs of several models.
    """

    error_reduction: Annotated[
        Gain, Figure("error reduction", meaning="at alpha = 1, whatever it costs (the paper's table 1)")
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
            meaning="the frontier's at the best single model's cost",
        ),
    ]
    saving: Annotated[
        Gain,
        Figure(
            "saving at matched quality",
            name="saving_at_matched_quality",
            meaning="of cost, at the best single model's quality (the paper's table 2)",
        ),
    ]
    cost_for_quality: Annotated[
        Gain,
        Figure(
            "cost at matched quality",
            name="cost_at_matched_quality",
            meaning="what the frontier needs for the best single model's quality",
        ),
    ]
    alpha_star: Annotated[
        float | None,
        Figure("alpha*", meaning="least alpha of the sweep that reaches the best single model's quality"),
    ]
    aiq: Annotated[Gain, Figure("AIQ", meaning="mean height of the upper hull over its own costs")]
    aiq_singles: Annotated[
        Gain,
        Figure("AIQ of single models", meaning="of their hull, RouterBench's Zero router, over its costs"),
    ]
    height: Annotated[
        Gain,
        Figure("height", meaning="how much higher the hull stands over the singles' costs, on average"),
    ]
    same_best: Annotated[
        float | None,
        Figure("same best", meaning="share of the replicates whose best single model is the estimate's"),
    ]


@dataclass(frozen=True, slots=True)
class OracleBias:
    """How much the biased oracle (eq. 5) exceeds the method's (eq. 4) at alpha = 1: the paper's table 6."""

    quality: Annotated[
        Estimate,
        Figure("bias of quality", name="quality_points", meaning="naive less debiased", unit="points of 100"),
    ]
    cost: Annotated[
        Estimate,
        Figure("bias of cost", name="cost_percent", meaning="naive over debiased less 1", unit="per cent"),
    ]


@dataclass(frozen=True, slots=True)
class Frontier:
    """The capability frontier of one tensor by one method.

    `points` and `naive` (the plug-in, biased) have one point an alpha; `share` (A, L) is the share of the
    prompts on which each of `models` is chosen. `hull` are the positions of the points that span the upper
    hull of quality over cost, from the cheapest to the best: what a router that may randomise reaches
    (the lower convex hull in the plane of cost and error). `best_single` is the position among `singles`.
    Quality is in the tensor's unit, cost in `unit` per prompt. `old_decisions` are the points of decisions
    made at the recorded prices, counted at the new ones; None unless prices were given.
    """

    method: Annotated[str, Hidden()]
    unit: Annotated[str, Hidden()]
    prompts: Annotated[int, Hidden()]
    models: Annotated[tuple[str, ...], Hidden()]
    alphas: Annotated[FloatArray, Hidden()]
    points: Annotated[tuple[FrontierPoint, ...], Figure("frontier", name="frontier")]
    naive: Annotated[tuple[FrontierPoint, ...], Figure("naive", meaning="equation 5 at every alpha, biased")]
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
        Figure("old decisions", meaning="made at the recorded prices, counted at the new ones"),
    ]
    cost_estimator: Annotated[str | None, Figure("cost estimator", meaning="how costs were estimated")]
    level: Annotated[float, Hidden()]
    notes: tuple[str, ...]

    @property
    def best(self) -> Annotated[str, Figure("best single", name="best_single")]:
        """The best single model."""
        return self.singles[self.best_single].model

    @property
    def cost_unit(self) -> Annotated[str | None, Figure("unit", name="unit", meaning="of costs, if known")]:
        """The unit of costs, None without costs."""
        return None if self.points[-1].cost.value is None else self.unit


@dataclass(frozen=True, slots=True)
class Generations:
    """The fewest generations in a cell that has any, and the most."""

    least: int
    most: int


@dataclass(frozen=True, slots=True)
class Denominators:
    """How many prompts, models, generations, cells, cells without an answer, and answers there are."""

    prompts: int
    models: int
    generations: Generations
    cells: int
    missing: Annotated[int, Figure("missing cells", name="missing_cells")]
    answers: int


@dataclass(frozen=True, slots=True)
class Way:
    """One way to ask k times: from the recorded answers, or a posterior's.

    `told` names the one that stands for the way; `error_reduction` is its, over the best single model's one
    answer. `answers` and `cost` are means over prompts.
    """

    recorded: Annotated[
        Estimate | None,
        Figure("recorded", meaning="closed form on the recorded answers; none for k above them"),
    ]
    debiased: Annotated[Estimate | None, Figure("debiased", meaning="of the posterior; none without one")]
    told: Annotated[
        Literal["recorded", "debiased"], Figure("shown", name="shown", meaning="which one stands for the way")
    ]
    error_reduction: Annotated[
        Estimate,
        Figure("error reduction", meaning="of the one shown, over one answer of the best single model"),
    ]
    answers: Annotated[Estimate, Figure("generations", name="generations", meaning="paid a prompt")]
    cost: Annotated[Estimate | None, Figure("cost", meaning="paid a prompt; none without costs")]

    @property
    def value(self) -> Estimate:
        """The estimate that stands for the way."""
        found = self.debiased if self.told == "debiased" else self.recorded
        return found or Estimate(None)


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
            meaning="equation 23 with recorded shares for rates, as printed; none unless quality is 0/1",
        ),
    ]
    short: Annotated[
        int,
        Figure("short cells", name="short_cells", meaning="with fewer than k generations, all of them used"),
    ]


@dataclass(frozen=True, slots=True)
class FrontierGroup:
    """The frontier and k-shot results (k = 1 and the most, or all) of all prompts or of one category."""

    name: Annotated[str | None, Figure("category", name="category", meaning="none: all prompts")]
    counted: Annotated[Denominators, Flat()]
    frontier: Annotated[Frontier, Flat()]
    shots: Annotated[tuple[KShot, ...], Figure("k-shot", name="k_shot")]


@dataclass(frozen=True, slots=True)
class Correlation:
    """Of two figures over `n` models; None for fewer than three, or where one figure is the same for all.

    The p-values are two-sided, of no correlation.
    """

    n: Annotated[int, Figure("models", name="models")]
    pearson: float | None
    pearson_p: float | None
    spearman: float | None
    spearman_p: float | None


@dataclass(frozen=True, slots=True)
class ModelReliability:
    """One model's reliability over its `prompts`, and what of it is luck."""

    model: str
    prompts: int
    quality: float
    cost: float | None
    measured: Annotated[Estimate, Figure("measured", meaning="equation 24")]
    coin: Annotated[float, Figure("coin", meaning="what flipping a fair coin would measure")]
    remaining: Annotated[
        Estimate | None,
        Figure("remaining", meaning="the posterior's true reliability; none without a posterior"),
    ]
    bias: Annotated[
        float | None, Figure("bias", meaning="measured less remaining, as the posterior expects it")
    ]


@dataclass(frozen=True, slots=True)
class ReliabilityTable:
    """Every model's reliability, the greatest first, and what it goes with over models."""

    models: tuple[ModelReliability, ...]
    with_quality: Annotated[Correlation, Figure("measured with quality", name="measured_with_quality")]
    with_cost: Annotated[Correlation | None, Figure("measured with cost", name="measured_with_cost")]
    remaining_with_quality: Correlation | None
    remaining_with_cost: Correlation | None


@dataclass(frozen=True, slots=True)
class Judged:
    """Selection among all answers by a judge that errs at `error` on right and wrong answers alike."""

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
            meaning="its standard error at noise of 1 % of the curve's range; none where the curve does not "
            "show it",
        ),
    ]
    at_bound: Annotated[bool, Figure("at bound", meaning="whether it is at the bound of what is allowed")]


@dataclass(frozen=True, slots=True)
class Extrapolation:
    """A fitted form: `limit` is alpha, `scale` beta, `rate` lambda, `shift` gamma, `width` delta of the seed.

    `shift` and `width` are None for a power.
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
            meaning="directions of the parameters that noise of 1 % of the curve's range would leave known "
            "(singular values of the Jacobian, columns scaled to length 1, above 0.01 of the greatest)",
        ),
    ]
    condition: Annotated[float, Hidden()]
    parameters: tuple[FormParameter, ...]
    notes: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class FittedDecay:
    """The biased oracle by generations with the forms fitted to it, None where too few are recorded."""

    points: tuple[BiasedPoint, ...]
    power: Annotated[Extrapolation | None, Figure("power", meaning="equation 11")]
    smooth: Annotated[Extrapolation | None, Figure("smooth", meaning="equation 12")]


@dataclass(frozen=True, slots=True)
class ReportSettings:
    """What was asked for."""

    method: Annotated[str, Figure("method", meaning="that the figures are by")]
    asked: Annotated[str, Figure("asked method", name="asked_method", meaning="the one that was named")]
    beside: Annotated[tuple[str, ...], Hidden()]
    ks: Annotated[tuple[int, ...], Hidden()]
    level: float
    resamples: int
    seed: int
    repriced: Annotated[
        bool, Figure("new prices", name="new_prices", meaning="whether costs are at new prices")
    ]
    prices_date: Annotated[
        str | None, Figure("date of prices", meaning="of the recorded prices; none: not stated")
    ]


@dataclass(frozen=True, slots=True)
class FrontierReportResult:
    """Everything about one source. Parts that these data do not allow are None, and `notes` say why."""

    source: FrontierSource
    settings: Annotated[ReportSettings, Flat()]
    headline: tuple[str, ...]
    whole: Annotated[FrontierGroup, Figure("all prompts", name="all")]
    groups: Annotated[
        tuple[FrontierGroup, ...], Figure("categories", name="categories", meaning="with at least 20 prompts")
    ]
    few: Annotated[
        Mapping[str, int],
        Listed("category", "prompts"),
        Figure("small categories", name="small_categories"),
    ]
    methods: Annotated[
        tuple[OracleEstimate, ...], Figure("methods", meaning="the oracle side by side, `method` first")
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
            meaning="the judge's error at which selection among one answer a model stops paying",
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
