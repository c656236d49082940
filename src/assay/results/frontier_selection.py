"""Selection among many answers by judges that err and cost, who carries the oracle, and the cheapest set."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Annotated, Final, Literal

from assay.results.figure import Figure, Hidden
from assay.results.frontier import Estimate, FrontierSource

Scope = Literal["all_models", "per_prompt_best", "fixed_best"]
SelectionRule = Literal["uniform", "first"]
JudgeKind = Literal["perfect", "stated", "measured", "example"]


@dataclass(frozen=True, slots=True)
class Carrier:
    """What one model adds to the oracle's quality, in units of quality."""

    model: str
    shapley: Annotated[Estimate, Figure("Shapley value", meaning="Owen value within groups")]
    share: Annotated[Estimate, Figure("share", meaning="its Shapley value over the oracle's quality")]
    leave_one_out: Annotated[
        Estimate, Figure("leave one out", meaning="what the oracle loses without the model")
    ]
    alone: Annotated[
        Estimate,
        Figure("alone", meaning="share of prompts on which it beats every other by more than the margin"),
    ]


@dataclass(frozen=True, slots=True)
class Carriers:
    """Every model, the greatest Shapley value first (ties by name). Their Shapley values add to `oracle`."""

    method: str
    oracle: Estimate
    nobody: Annotated[
        Estimate,
        Figure(
            "nobody alone",
            name="nobody_alone",
            meaning="share of prompts on which no model is alone at the top by more than the margin",
        ),
    ]
    models: tuple[Carrier, ...]
    margin: float
    prompts: int


@dataclass(frozen=True, slots=True)
class ModelSet:
    """A set of models: the oracle's quality within it, the share of the gain kept, and its choices' cost."""

    models: tuple[str, ...]
    quality: Estimate
    kept: Annotated[Estimate, Figure("kept", meaning="share of the gain over the best single model")]
    cost: Estimate | None
    at_most: Annotated[
        float | None,
        Figure("at most", meaning="share of the gain that no set of so many models exceeds, where chosen"),
    ]
    exact: Annotated[bool, Figure("exact", meaning="whether this set keeps that much")]


@dataclass(frozen=True, slots=True)
class Cheapest:
    """The smallest set that keeps the `share` of the gain over the best `single`; the cheapest of its size.

    Gains are in units of quality.
    """

    method: str
    share: Annotated[float, Figure("share", meaning="of the gain, to be kept")]
    single: Annotated[str, Figure("single", meaning="the best single model")]
    gain: Annotated[Estimate, Figure("gain", meaning="of all models over the best single one")]
    chosen: ModelSet
    least_size: Annotated[int, Figure("least size", meaning="no fewer models can")]
    held_out: Annotated[
        Estimate,
        Figure(
            "held out",
            meaning="share of the gain that sets chosen in this way on half of the prompts keep on the other "
            "half: what the choice is worth on new prompts, without the winner's curse",
        ),
    ]
    sizes: Annotated[
        tuple[int, ...],
        Figure("held-out sizes", name="held_out_sizes", meaning="the sizes of the sets chosen on halves"),
    ]
    steady: Annotated[
        Mapping[str, float],
        Figure("steady", meaning="share of halves that chose each model of the set"),
    ]
    sets: Annotated[tuple[ModelSet, ...], Figure("sets", meaning="the best sets of 1, 2, ... models")]


@dataclass(frozen=True, slots=True)
class PosthocPoint:
    """k answers a model: the expected quality of the one taken, and what all were paid for."""

    k: int
    quality: Estimate
    gain: Annotated[
        Estimate,
        Figure("gain", meaning="over the best single model's one answer, on the prompts where it has one"),
    ]
    cost: Estimate
    answers: Estimate


@dataclass(frozen=True, slots=True)
class Posthoc:
    """The curve over k, with one answer of the best `single` model beside it, which nobody judges.

    `limit` is the quality that endless answers tend to, of success rates or of the plug-in ones.
    """

    scope: Annotated[Scope, Hidden()]
    rule: Annotated[SelectionRule, Hidden()]
    points: tuple[PosthocPoint, ...]
    single: Annotated[str, Figure("single", meaning="the best single model")]
    single_quality: Estimate
    single_cost: Estimate
    limit: Annotated[Estimate, Figure("limit", meaning="what endless answers tend to")]
    best_k: Annotated[int, Figure("best k", meaning="with the greatest quality")]
    worse_after: Annotated[
        int | None, Figure("worse after", meaning="the first k after the best with less; none: no such k")
    ]
    fall: Annotated[Estimate, Figure("fall", meaning="what the last k has less than the best")]
    unit: Annotated[
        str,
        Figure("unit", meaning="of costs; generations where none are recorded, each answer counting 1"),
    ]
    notes: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class SequenceBudget:
    """At most so many answers: expected quality, and cost, answers and seconds until one is returned."""

    steps: Annotated[int, Figure("answers at most", name="answers_at_most")]
    quality: Estimate
    cost: Estimate
    answers: Estimate
    latency: Annotated[Estimate | None, Figure("latency", unit="seconds")]


@dataclass(frozen=True, slots=True)
class Sequential:
    """Asking one model after the other until the judge accepts, by the most answers made."""

    points: Annotated[tuple[SequenceBudget, ...], Figure("budgets", name="budgets")]
    everybody: Annotated[
        SequenceBudget, Figure("everybody", meaning="all answers are made, judged and paid for")
    ]
    saving: Annotated[
        Estimate,
        Figure(
            "saving",
            meaning="share of everybody's cost that the whole plan does not spend; without a value where the "
            "plan leaves answers out",
        ),
    ]
    single: Annotated[str, Figure("single", meaning="the best single model")]
    single_quality: Estimate
    single_cost: Estimate
    at_single_cost: Annotated[
        Estimate,
        Figure(
            "quality at single cost",
            name="quality_at_single_cost",
            meaning="at the price of one answer of the best single model, between two budgets; without a "
            "value where the curve does not come there",
        ),
    ]
    matched_saving: Annotated[
        Estimate,
        Figure(
            "saving at single quality",
            name="saving_at_single_quality",
            meaning="share of that price saved where the best single model's quality is reached",
        ),
    ]
    plan: Annotated[
        tuple[str, ...], Figure("plan", meaning="the model of each step, as chosen on all prompts")
    ]
    cross_fitted: Annotated[
        bool,
        Figure("cross-fitted", meaning="whether plans were valued on other prompts than they were made on"),
    ]
    unit: str
    notes: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class BreakEvenPoint:
    """What selection gains over one answer of the best single model at one error rate of the judge."""

    error: float
    gain: Annotated[float, Figure("gain", meaning="quality less that of the best single model's one answer")]


@dataclass(frozen=True, slots=True)
class BreakEven:
    """The error rate, on right and wrong answers alike, up to which selection among k a model pays."""

    k: int
    rule: Annotated[SelectionRule, Hidden()]
    single: Annotated[str, Hidden()]
    error: Annotated[
        Estimate,
        Figure(
            "break-even error",
            meaning="without a value where selection still pays at 0.5, where a judge says nothing; 0 where "
            "it never does",
        ),
    ]
    curve: tuple[BreakEvenPoint, ...]


@dataclass(frozen=True, slots=True)
class AcceptanceRate:
    """How often a judge accepted answers of one known quality, with the ends of its interval."""

    answers: int
    accepted: Annotated[int, Figure("accepted", of="answers")]
    low: float
    high: float
    independent_answers: Annotated[
        float,
        Figure("independent answers", meaning="what they are worth, those to one prompt being alike"),
    ]


@dataclass(frozen=True, slots=True)
class JudgeMeasurement:
    """A judge measured on answers whose quality is known."""

    judge: str
    metric: str | None
    accept: Annotated[float, Figure("accept", meaning="least mark that accepts")]
    right_from: Annotated[float, Figure("right from", meaning="least quality that is right")]
    right: AcceptanceRate
    wrong: AcceptanceRate
    noise: Annotated[float | None, Figure("noise", meaning="of its marks, in quality's unit")]
    price: Annotated[float | None, Figure("price", meaning="of one judgement; none where unknown")]
    left_out: Annotated[Mapping[str, int], Figure("left out", meaning="answers that say nothing, by reason")]
    problems: tuple[str, ...]
    notes: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class SelectionJudge:
    """A judge of single answers that errs and costs."""

    label: str
    kind: JudgeKind
    true_positive: Annotated[float, Figure("true positive", meaning="chance to accept a right answer")]
    false_positive: Annotated[float, Figure("false positive", meaning="chance to accept a wrong one")]
    price: Annotated[float, Figure("price", meaning="of one judgement, in the source's unit")]
    measured: Annotated[
        JudgeMeasurement | None, Figure("measured", meaning="none where its rates were stated")
    ]


@dataclass(frozen=True, slots=True)
class JudgeSelection:
    """What one judge's selection reaches: among all answers, and one after the other until it accepts."""

    judge: SelectionJudge
    selection: Annotated[
        Posthoc, Figure("selection", meaning="all answers are made and paid, one is selected")
    ]
    sequential: Annotated[
        Sequential, Figure("sequential", meaning="one after the other until the judge accepts")
    ]


@dataclass(frozen=True, slots=True)
class PosthocResult:
    """Selection after the fact on one source: the perfect free judge first, others beside it."""

    source: FrontierSource
    level: float
    resamples: int
    seed: int
    scope: Annotated[Scope, Figure("scope", meaning="whose answers are selected among")]
    rule: Annotated[SelectionRule, Figure("rule", meaning="which of the accepted answers is returned")]
    right: Annotated[
        float | None,
        Figure("right", meaning="quality of so much or more is right; none where quality is 0 or 1"),
    ]
    prompts: int
    models: tuple[str, ...]
    generations: Annotated[int, Figure("generations", meaning="the most in a cell")]
    answers: Annotated[int, Figure("answers", meaning="recorded, of these prompts and models")]
    missing_cells: int
    most: Annotated[int, Figure("most", meaning="answers a model, at most")]
    basis: Annotated[
        str,
        Figure(
            "basis",
            meaning="counts: recorded answers, unbiased; else the method whose draws the curves are of",
        ),
    ]
    judges: Annotated[
        tuple[JudgeSelection, ...],
        Figure("judges", meaning="the perfect free judge first; then the one that was named, or examples"),
    ]
    break_even: tuple[BreakEven, ...]
    carriers: Carriers
    groups: Annotated[Carriers | None, Figure("groups", meaning="groups of arms as one player each")]
    group_of: Annotated[Mapping[str, str] | None, Figure("group of", meaning="each arm's group")]
    cheapest: Cheapest
    notes: tuple[str, ...]
    caveats: tuple[str, ...]


SCHEMAS: Final = {
    "frontier-posthoc": (
        PosthocResult,
        "assay frontier posthoc --json: selection among many answers by judges that err and cost",
    )
}
