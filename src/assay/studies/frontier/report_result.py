"""What a frontier's report holds: every figure about one source, with denominators, notes and caveats."""

from __future__ import annotations

from dataclasses import dataclass

from assay.frontier.carriers.cheapest import Cheapest
from assay.frontier.carriers.shapley import Carriers
from assay.frontier.estimate import Estimate
from assay.frontier.oracles.extrapolate import Extrapolation
from assay.frontier.oracles.oracle import Method, OracleEstimate
from assay.frontier.reliability import Correlation
from assay.frontier.selection.break_even import BreakEven
from assay.frontier.selection.posthoc import Posthoc
from assay.frontier.selection.sequential import Sequential
from assay.frontier.sweep.result import Frontier
from assay.studies.frontier.read import Read
from assay.studies.frontier.simulating import RecordedUplift


@dataclass(frozen=True, slots=True)
class Settings:
    """What was asked for. `method` is the one that is used, `asked` the one that was named."""

    method: Method
    asked: Method
    beside: tuple[Method, ...]
    ks: tuple[int, ...]
    level: float
    resamples: int
    seed: int
    repriced: bool
    prices_date: str | None


@dataclass(frozen=True, slots=True)
class Counted:
    """The denominators: prompts, models, most generations of a cell, cells without an answer, answers.

    `least_generations` is the fewest in a cell that has any.
    """

    prompts: int
    models: int
    generations: int
    least_generations: int
    cells: int
    missing: int
    answers: int


@dataclass(frozen=True, slots=True)
class Way:
    """One way to ask k times: `recorded` the closed form on the recorded answers, `debiased` a posterior's.

    `recorded` is None for k above the recorded generations, `debiased` without a posterior. `told` names the
    one that stands for the way, and `error_reduction` is its, over the best single model's one answer.
    `answers` paid a prompt and their `cost`, None without costs, are means over prompts.
    """

    recorded: Estimate | None
    debiased: Estimate | None
    told: str
    error_reduction: Estimate
    answers: Estimate
    cost: Estimate | None

    @property
    def value(self) -> Estimate:
        """The estimate that stands for the way."""
        found = self.debiased if self.told == "debiased" else self.recorded
        return found or Estimate(None)


@dataclass(frozen=True, slots=True)
class KShot:
    """The k-shot quantities at one k: equation 22, equation 23, and pass@k of one fixed model.

    `plug_in` is equation 23 with recorded shares for rates, as it is printed; None for quality other than
    0/1. `short` cells have fewer than k generations, all of which are used.
    """

    k: int
    per_prompt_best: Way
    all_models: Way
    fixed_best: Way
    fixed_model: str
    plug_in: float | None
    short: int


@dataclass(frozen=True, slots=True)
class Group:
    """The frontier and k-shot results (k = 1 and the most, or all) of all prompts or of one category."""

    name: str | None
    counted: Counted
    frontier: Frontier
    shots: tuple[KShot, ...]


@dataclass(frozen=True, slots=True)
class ModelReliability:
    """One model's reliability over its `prompts`: equation 24 as `measured`, and what of it is luck.

    `coin` is what flipping a fair coin would measure, `remaining` the posterior's true reliability, and
    `bias` measured less remaining as the posterior expects it; None without a posterior.
    """

    model: str
    prompts: int
    quality: float
    cost: float | None
    measured: Estimate
    coin: float
    remaining: Estimate | None
    bias: float | None


@dataclass(frozen=True, slots=True)
class ReliabilityTable:
    """Every model's reliability, the greatest first, and what it goes with over models."""

    models: tuple[ModelReliability, ...]
    with_quality: Correlation
    with_cost: Correlation | None
    remaining_with_quality: Correlation | None
    remaining_with_cost: Correlation | None


@dataclass(frozen=True, slots=True)
class Judged:
    """Selection among all answers by a judge that errs at `error` on right and wrong answers alike."""

    error: float
    posthoc: Posthoc


@dataclass(frozen=True, slots=True)
class Decay:
    """The biased oracle by generations with the forms fitted to it, None where too few are recorded."""

    power: Extrapolation | None
    smooth: Extrapolation | None


@dataclass(frozen=True, slots=True)
class FrontierReport:
    """Everything about one source. Parts that these data do not allow are None, and `notes` say why.

    `whole` is about all prompts, `groups` about each category with at least 20 of them; `few` counts the
    prompts of the other categories, by name. `methods` are the oracle's values side by side, that of
    `settings.method` first.
    """

    read: Read
    settings: Settings
    whole: Group
    groups: tuple[Group, ...]
    few: tuple[tuple[str, int], ...]
    methods: tuple[OracleEstimate, ...]
    decay: Decay
    reliability: ReliabilityTable | None
    carriers: Carriers
    cheapest: Cheapest
    sequential: Sequential | None
    judged: tuple[Judged, ...]
    break_even: BreakEven | None
    uplift: RecordedUplift | None
    notes: tuple[str, ...]
    caveats: tuple[str, ...]

    @property
    def main(self) -> OracleEstimate:
        """The oracle's value by the method of the report."""
        return self.methods[0]
