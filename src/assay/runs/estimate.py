"""What a plan will need before anything is sent: calls, tokens, cost."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, replace

from assay.core.case import Case, GraderSpec
from assay.core.judging import Panel, is_judged
from assay.core.model import Model
from assay.core.money import Usage
from assay.grading.calibration import MOST_EXEMPLARS, calibration_set
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
    """One model's share of a part. `cost` is in US dollars, None when its prices are unknown."""

    model: str
    calls: int
    prompt_tokens: int
    completion_tokens: int
    cost: float | None


@dataclass(frozen=True, slots=True)
class Part:
    """One part of what a plan needs, model by model: samples, judges, calibration, top-ups or re-asks."""

    name: str
    models: tuple[ModelEstimate, ...]

    @property
    def calls(self) -> int:
        """All calls of the part."""
        return sum(model.calls for model in self.models)

    @property
    def cost(self) -> float | None:
        """The cost in US dollars; None as soon as one model's prices are unknown."""
        return _sum(model.cost for model in self.models)


@dataclass(frozen=True, slots=True)
class Estimate:
    """What a plan needs: `expected` parts, and `possible` ones that come on top, as upper bounds."""

    expected: tuple[Part, ...]
    possible: tuple[Part, ...]

    @property
    def calls(self) -> int:
        """All calls that are expected."""
        return sum(part.calls for part in self.expected)

    @property
    def cost(self) -> float | None:
        """Their cost in US dollars; None as soon as one model's prices are unknown."""
        return _sum(part.cost for part in self.expected)

    @property
    def most_calls(self) -> int:
        """The expected calls and all that may come on top."""
        return self.calls + sum(part.calls for part in self.possible)

    @property
    def most_cost(self) -> float | None:
        """Their cost in US dollars; None as soon as one model's prices are unknown."""
        return _sum([self.cost, *(part.cost for part in self.possible)])


def estimate(plan: Plan, *, calibrated: bool = False) -> Estimate:
    """Estimate a plan: four characters a token; the longest exemplar, at least 300 tokens, as the answer.

    A watch is `calibrated`: its judges mark the suite's exemplars first, unless the plan has calibrations.
    It may top up what looks suspicious. A judge whose mark cannot be read is asked once more; an attempt that
    failed is not foreseen, nor are reasoning tokens: a reasoning model can cost several times as much. A mark
    that is known already is counted as if it were asked for.
    """
    samples = _samples(plan, plan.epochs_of)
    marks = _marks(plan, plan.epochs_of)
    calibration = _calibration(plan) if calibrated and not plan.calibrations else ()
    more = _samples(plan, lambda *pair: _left_to_top_up(plan, *pair)) if calibrated else ()
    more_marks = _marks(plan, lambda *pair: _left_to_top_up(plan, *pair)) if calibrated else ()
    expected = (Part("samples", samples), Part("judges", marks), Part("calibration", calibration))
    possible = (Part("top-ups", more + more_marks), Part("re-asks", marks + calibration + more_marks))
    return Estimate(
        tuple(part for part in expected if part.calls or part.name == "samples"),
        tuple(part for part in possible if part.calls),
    )


def _left_to_top_up(plan: Plan, model: int, use_case: str) -> int:
    return max(0, plan.suite.use_case(use_case).full - plan.epochs_of(model, use_case))


def _sum(costs: Iterable[float | None]) -> float | None:
    known = list(costs)
    return None if any(cost is None for cost in known) else sum(cost or 0.0 for cost in known)


Epochs = Callable[[int, str], int]
"""The generations of each case that a model, by position, gives in a use case."""


def _samples(plan: Plan, epochs_of: Epochs) -> tuple[ModelEstimate, ...]:
    return tuple(_model(plan, ordinal, model, epochs_of) for ordinal, model in enumerate(plan.models))


def _marks(plan: Plan, epochs_of: Epochs) -> tuple[ModelEstimate, ...]:
    return tuple(_judge(plan, judge, epochs_of) for _, judge in plan.judges)


def _calibration(plan: Plan) -> tuple[ModelEstimate, ...]:
    """Return what it takes each judge to mark the suite's exemplars."""
    chosen = calibration_set(plan.suite).positions
    return tuple(_exemplars(plan, judge, chosen) for _, judge in plan.judges if chosen)


def _model(plan: Plan, ordinal: int, model: Model, epochs_of: Epochs) -> ModelEstimate:
    cases = plan.suite.cases
    calls = prompt = completion = 0
    for place in plan.chosen:
        epochs = epochs_of(ordinal, cases[place].use_case)
        calls += epochs
        prompt += epochs * _prompt_tokens(cases[place])
        completion += epochs * _completion_tokens(cases[place])
    return _priced(model, calls, prompt, completion)


def _judge(plan: Plan, judge: Model, epochs_of: Epochs) -> ModelEstimate:
    cases = plan.suite.cases
    calls = prompt = completion = 0
    for place in plan.chosen:
        case = cases[place]
        answers = sum(epochs_of(model, case.use_case) for model in range(len(plan.models)))
        for asked, shown in _questions(case, judge, plan.panel):
            calls += asked * answers
            prompt += asked * answers * (shown + _prompt_tokens(case) + _completion_tokens(case))
            completion += asked * answers * VERDICT
    return _priced(judge, calls, prompt, completion)


def _exemplars(plan: Plan, judge: Model, chosen: Sequence[int]) -> ModelEstimate:
    calls = prompt = completion = 0
    panel = replace(plan.panel, judges=(judge.name,), geval=None, substitute=None)
    for position in chosen:
        ordinal, place = divmod(position, MOST_EXEMPLARS)
        case = plan.suite.cases[ordinal]
        answer = round(len(case.exemplars[place].answer) / CHARACTERS_A_TOKEN)
        for asked, shown in _questions(case, judge, panel):
            calls += asked
            prompt += asked * (shown + _prompt_tokens(case) + answer)
            completion += asked * VERDICT
    return _priced(judge, calls, prompt, completion)


def _questions(case: Case, judge: Model, panel: Panel) -> Iterator[tuple[int, int]]:
    """Yield the asks about one answer and the tokens beside it, for each grader that asks this judge."""
    for spec in case.graders:
        asked = _metrics(spec, judge.name, panel)
        if asked:
            told = sum(len(str(value)) for value in spec.parameters.values())
            yield asked, round((JUDGE_PROMPT + told) / CHARACTERS_A_TOKEN)


def _priced(model: Model, calls: int, prompt: int, completion: int) -> ModelEstimate:
    cost = None if model.prices is None else model.prices.cost(Usage(prompt, completion))
    if cost is not None and model.prices is not None:
        cost += model.prices.request * (calls - 1)
    return ModelEstimate(model.name, calls, prompt, completion, cost)


def calls_for_marks(case: Case) -> int:
    """Return how many asks the graders of a case put to a judge about one answer."""
    return sum(
        len(made.metrics(spec))
        for spec in case.graders
        if spec.judged and is_judged(made := grader(spec.name))
    )


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
