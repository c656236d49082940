"""What a plan will need before anything is sent: calls, tokens, cost."""

from __future__ import annotations

from dataclasses import dataclass

from assay.core.case import Case, GraderSpec
from assay.core.judging import Panel, is_judged
from assay.core.model import Model
from assay.core.money import Usage
from assay.grading.registry import grader
from assay.runs.plan import Plan

CHARACTERS_A_TOKEN = 4.0
LEAST_COMPLETION = 300
JUDGE_PROMPT = 6000
"""Characters that a judge is told besides the case: the rules of marking, the form of the reply."""
VERDICT = 120
"""Tokens of a verdict with its rationale."""


@dataclass(frozen=True, slots=True)
class ModelEstimate:
    """One model's share of a plan. `cost` is in US dollars, None when its prices are unknown."""

    model: str
    calls: int
    prompt_tokens: int
    completion_tokens: int
    cost: float | None


@dataclass(frozen=True, slots=True)
class Estimate:
    """A plan's estimate, model by model, and the most calls that re-runs at full count could add.

    `judges` likewise: each marks every answer once for each metric; a calibration is not counted.
    """

    models: tuple[ModelEstimate, ...]
    most_topped_calls: int
    judges: tuple[ModelEstimate, ...] = ()

    @property
    def calls(self) -> int:
        """All calls of the plan."""
        return sum(model.calls for model in (*self.models, *self.judges))

    @property
    def cost(self) -> float | None:
        """The cost in US dollars; None as soon as one model's prices are unknown."""
        costs = [model.cost for model in (*self.models, *self.judges)]
        return None if any(cost is None for cost in costs) else sum(cost or 0.0 for cost in costs)


def estimate(plan: Plan) -> Estimate:
    """Estimate a plan: four characters a token; the longest exemplar, at least 300 tokens, as the answer.

    Reasoning tokens are not foreseen: a reasoning model can cost several times as much. A mark that is known
    already is counted as if it were asked for.
    """
    models = tuple(_model(plan, ordinal, model) for ordinal, model in enumerate(plan.models))
    cases = plan.suite.cases
    full = sum(
        max(
            0,
            plan.suite.use_case(cases[ordinal].use_case).full
            - plan.epochs_of(model, cases[ordinal].use_case),
        )
        for ordinal in plan.chosen
        for model in range(len(plan.models))
    )
    return Estimate(models, full, tuple(_judge(plan, model) for _, model in plan.judges))


def _model(plan: Plan, ordinal: int, model: Model) -> ModelEstimate:
    cases = plan.suite.cases
    calls = prompt = completion = 0
    for place in plan.chosen:
        epochs = plan.epochs_of(ordinal, cases[place].use_case)
        calls += epochs
        prompt += epochs * _prompt_tokens(cases[place])
        completion += epochs * _completion_tokens(cases[place])
    cost = None if model.prices is None else model.prices.cost(Usage(prompt, completion))
    if cost is not None and model.prices is not None:
        cost += model.prices.request * max(0, calls - 1)
    return ModelEstimate(model.name, calls, prompt, completion, cost)


def _judge(plan: Plan, judge: Model) -> ModelEstimate:
    cases, panel = plan.suite.cases, plan.panel
    calls = prompt = completion = 0
    for place in plan.chosen:
        case = cases[place]
        answers = sum(plan.epochs_of(model, case.use_case) for model in range(len(plan.models)))
        for spec in case.graders:
            asked = _metrics(spec, judge.name, panel)
            if not asked:
                continue
            told = sum(len(str(value)) for value in spec.parameters.values())
            shown = round((JUDGE_PROMPT + told) / CHARACTERS_A_TOKEN)
            calls += asked * answers
            prompt += asked * answers * (shown + _prompt_tokens(case) + _completion_tokens(case))
            completion += asked * answers * VERDICT
    cost = None if judge.prices is None else judge.prices.cost(Usage(prompt, completion))
    if cost is not None and judge.prices is not None:
        cost += judge.prices.request * max(0, calls - 1)
    return ModelEstimate(judge.name, calls, prompt, completion, cost)


def _metrics(spec: GraderSpec, judge: str, panel: Panel) -> int:
    """Return how many asks a grader puts to a judge about one answer."""
    made = grader(spec.name) if spec.judged else None
    if made is None or not is_judged(made):
        return 0
    bench = (panel.geval,) if made.bench == "geval" else panel.judges
    return len(made.metrics(spec)) if judge in bench else 0


def _prompt_tokens(case: Case) -> int:
    return round(sum(len(turn.content) for turn in case.messages) / CHARACTERS_A_TOKEN) + 8 * len(
        case.messages
    )


def _completion_tokens(case: Case) -> int:
    longest = max((len(exemplar.answer) for exemplar in case.exemplars), default=0)
    return min(case.max_tokens, max(LEAST_COMPLETION, round(longest / CHARACTERS_A_TOKEN)))
