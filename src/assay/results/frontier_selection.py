"""Selection among many answers by imperfect, paid judges; the oracle's carriers; the cheapest set."""

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
    """One model's contribution to the oracle's quality, in units of quality."""

    model: str
    shapley: Annotated[Estimate, Figure("Shapley value", meaning="Owen value within groups")]
    share: Annotated[Estimate, Figure("share", meaning="its Shapley value divided by the oracle's quality")]
    leave_one_out: Annotated[
        Estimate, Figure("leave one out", meaning="quality that the oracle loses without the model")
    ]
    alone: Annotated[
        Estimate,
        Figure(
            "alone",
            meaning="share of prompts on which it is better than every other model by more than the margin",
        ),
    ]


@dataclass(frozen=True, slots=True)
class Carriers:
    """Every model, the greatest Shapley value first (ties by name). The Shapley values sum to `oracle`."""

    method: str
    oracle: Estimate
    nobody: Annotated[
        Estimate,
        Figure(
            "no model alone",
            name="nobody_alone",
            meaning="share of prompts on which no model is better than all others by more than the margin",
        ),
    ]
    models: tuple[Carrier, ...]
    margin: float
    prompts: int


@dataclass(frozen=True, slots=True)
class ModelSet:
    """A set of models: the oracle's quality within it, its share of the gain, and the cost of its choices."""

    models: tuple[str, ...]
    quality: Estimate
    kept: Annotated[
        Estimate, Figure("kept", meaning="share that it keeps of the gain over the best single model")
    ]
    cost: Estimate | None
    at_most: Annotated[
        float | None,
        Figure(
            "at most",
            meaning="share of the gain that no set of so many models exceeds; none without a gain",
        ),
    ]
    exact: Annotated[bool, Figure("exact", meaning="whether this set reaches `at_most`")]


@dataclass(frozen=True, slots=True)
class Cheapest:
    """The smallest set that keeps `share` of the gain over the best `single`, and the cheapest of its size.

    Gains are in units of quality.
    """

    method: str
    share: Annotated[float, Figure("share", meaning="share of the gain that the set must keep")]
    single: Annotated[str, Figure("single", meaning="the best single model")]
    gain: Annotated[Estimate, Figure("gain", meaning="gain of all models over the best single one")]
    chosen: ModelSet
    least_size: Annotated[int, Figure("least size", meaning="no smaller set of models keeps the share")]
    held_out: Annotated[
        Estimate,
        Figure(
            "held out",
            meaning="share of the gain that sets chosen in this way on half of the prompts keep on the other "
            "half: an estimate for new prompts, without the winner's curse",
        ),
    ]
    sizes: Annotated[
        tuple[int, ...],
        Figure("held-out sizes", name="held_out_sizes", meaning="sizes of the sets chosen on the halves"),
    ]
    steady: Annotated[
        Mapping[str, float],
        Figure("steady", meaning="share of the halves that chose each model of the set"),
    ]
    sets: Annotated[tuple[ModelSet, ...], Figure("sets", meaning="the best sets of 1, 2, ... models")]


@dataclass(frozen=True, slots=True)
class PosthocPoint:
    """The expected quality of the selected answer with k answers per model, and the cost of all of them."""

    k: int
    quality: Estimate
    gain: Annotated[
        Estimate,
        Figure(
            "gain", meaning="over one answer of the best single model, on the prompts that it has answers to"
        ),
    ]
    cost: Estimate
    answers: Estimate


@dataclass(frozen=True, slots=True)
class Posthoc:
    """The curve over k, with one unjudged answer of the best `single` model beside it.

    `limit` is the quality that the curve tends to with more and more answers, by success rates or plug-in
    rates.
    """

    scope: Annotated[Scope, Hidden()]
    rule: Annotated[SelectionRule, Hidden()]
    points: tuple[PosthocPoint, ...]
    single: Annotated[str, Figure("single", meaning="the best single model")]
    single_quality: Estimate
    single_cost: Estimate
    limit: Annotated[
        Estimate, Figure("limit", meaning="quality that the curve tends to with more and more answers")
    ]
    best_k: Annotated[int, Figure("best k", meaning="the k with the greatest quality")]
    worse_after: Annotated[
        int | None,
        Figure("worse after", meaning="first k after the best with a lower quality; none without such a k"),
    ]
    fall: Annotated[Estimate, Figure("fall", meaning="quality at the best k minus quality at the last k")]
    unit: Annotated[
        str,
        Figure("unit", meaning="unit of costs; `generations` if no costs are recorded: each answer costs 1"),
    ]
    notes: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class SequenceBudget:
    """A limit on the answers: expected quality, and cost, answers and seconds until one is returned."""

    steps: Annotated[int, Figure("answers at most", name="answers_at_most")]
    quality: Estimate
    cost: Estimate
    answers: Estimate
    latency: Annotated[Estimate | None, Figure("latency", unit="seconds")]


@dataclass(frozen=True, slots=True)
class Sequential:
    """Asking one model after the other until the judge accepts an answer, by the limit on the answers."""

    points: Annotated[tuple[SequenceBudget, ...], Figure("budgets", name="budgets")]
    everybody: Annotated[
        SequenceBudget,
        Figure("all answers", meaning="all answers are made, judged and paid for"),
    ]
    saving: Annotated[
        Estimate,
        Figure(
            "saving",
            meaning="share of the cost of all answers that the whole plan saves; without a value if the plan "
            "leaves answers out",
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
            meaning="quality at the price of one answer of the best single model, interpolated between two "
            "limits; without a value if the curve does not reach this price",
        ),
    ]
    matched_saving: Annotated[
        Estimate,
        Figure(
            "saving at single quality",
            name="saving_at_single_quality",
            meaning="share of that price that is saved at the best single model's quality",
        ),
    ]
    plan: Annotated[tuple[str, ...], Figure("plan", meaning="model of each step, chosen on all prompts")]
    cross_fitted: Annotated[
        bool,
        Figure(
            "cross-fitted", meaning="whether plans were evaluated on other prompts than they were made on"
        ),
    ]
    unit: str
    notes: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class BreakEvenPoint:
    """The gain of selection over one answer of the best single model at one error rate of the judge."""

    error: float
    gain: Annotated[
        float, Figure("gain", meaning="quality minus that of one answer of the best single model")
    ]


@dataclass(frozen=True, slots=True)
class BreakEven:
    """The error rate, on right and wrong answers, up to which selection among k answers per model helps."""

    k: int
    rule: Annotated[SelectionRule, Hidden()]
    single: Annotated[str, Hidden()]
    error: Annotated[
        Estimate,
        Figure(
            "break-even error",
            meaning="without a value if selection still helps at 0.5, where the judge's marks carry no "
            "information; 0 if it never helps",
        ),
    ]
    curve: tuple[BreakEvenPoint, ...]


@dataclass(frozen=True, slots=True)
class AcceptanceRate:
    """The acceptance rate of a judge for answers of one known quality, with the ends of its interval."""

    answers: int
    accepted: Annotated[int, Figure("accepted", of="answers")]
    low: float
    high: float
    independent_answers: Annotated[
        float,
        Figure(
            "independent answers",
            meaning="effective number of answers, because answers to one prompt are similar",
        ),
    ]


@dataclass(frozen=True, slots=True)
class JudgeMeasurement:
    """A judge measured on answers whose quality is known."""

    judge: str
    metric: str | None
    accept: Annotated[float, Figure("accept", meaning="least mark that counts as acceptance")]
    right_from: Annotated[float, Figure("right from", meaning="least quality that counts as right")]
    right: AcceptanceRate
    wrong: AcceptanceRate
    noise: Annotated[float | None, Figure("noise", meaning="noise of its marks, in the unit of quality")]
    price: Annotated[float | None, Figure("price", meaning="price of one judgement; none if unknown")]
    left_out: Annotated[
        Mapping[str, int], Figure("left out", meaning="answers that were not used, by reason")
    ]
    problems: tuple[str, ...]
    notes: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class SelectionJudge:
    """A judge of single answers, with its error rates and price."""

    label: str
    kind: JudgeKind
    true_positive: Annotated[
        float, Figure("true positive", meaning="probability that it accepts a right answer")
    ]
    false_positive: Annotated[
        float, Figure("false positive", meaning="probability that it accepts a wrong answer")
    ]
    price: Annotated[float, Figure("price", meaning="price of one judgement, in the source's unit")]
    measured: Annotated[JudgeMeasurement | None, Figure("measured", meaning="none if its rates were stated")]


@dataclass(frozen=True, slots=True)
class JudgeSelection:
    """The selection of one judge: among all answers, and one after the other until it accepts one."""

    judge: SelectionJudge
    selection: Annotated[
        Posthoc, Figure("selection", meaning="all answers are made and paid for, and one is selected")
    ]
    sequential: Annotated[
        Sequential,
        Figure("sequential", meaning="models are asked one after the other until the judge accepts"),
    ]


@dataclass(frozen=True, slots=True)
class PosthocResult:
    """Selection among recorded answers of one source: by the perfect free judge first, then by others."""

    source: FrontierSource
    level: float
    resamples: int
    seed: int
    scope: Annotated[Scope, Figure("scope", meaning="models whose answers are selected among")]
    rule: Annotated[SelectionRule, Figure("rule", meaning="which of the accepted answers is returned")]
    right: Annotated[
        float | None,
        Figure("right", meaning="least quality that counts as right; none if quality is 0 or 1"),
    ]
    prompts: int
    models: tuple[str, ...]
    generations: Annotated[int, Figure("generations", meaning="largest number in a cell")]
    answers: Annotated[int, Figure("answers", meaning="recorded answers of these models to these prompts")]
    missing_cells: int
    most: Annotated[int, Figure("most", meaning="largest number of answers per model")]
    basis: Annotated[
        str,
        Figure(
            "basis",
            meaning="`counts`: recorded answers, unbiased; otherwise the method whose draws give the curves",
        ),
    ]
    judges: Annotated[
        tuple[JudgeSelection, ...],
        Figure("judges", meaning="the perfect free judge first, then the judge that was named, or examples"),
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
        "assay frontier posthoc --json: selection among many answers by imperfect, paid judges",
    )
}
