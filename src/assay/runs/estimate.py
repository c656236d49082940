"""The estimate of a plan before anything is sent: calls, tokens, cost."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace

from assay.core.case import Case, GraderSpec
from assay.core.judging import Panel, is_judged
from assay.core.model import Model
from assay.core.money import Usage
from assay.grading.calibration import MOST_EXEMPLARS, calibration_set
from assay.grading.registry import grader
from assay.results.plans import MeasuredModel, ModelNeeds, PlanEstimate, PlanPart
from assay.results.runs import SuiteKey
from assay.runs.plan import Plan

CHARACTERS_A_TOKEN = 4.0
LEAST_COMPLETION = 300
JUDGE_PROMPT = 6000
"""Characters of a judge's prompt besides the case: the rules of marking and the format of the reply."""
VERDICT = 120
"""Tokens of a verdict with its rationale."""


def estimate(plan: Plan, *, calibrated: bool = False, measured: Sequence[MeasuredModel] = ()) -> PlanEstimate:
    """Estimate a plan: four characters a token; the longest exemplar, at least 300 tokens, as the answer.

    A watch is `calibrated`: its judges mark the suite's exemplars first, unless the plan has calibrations,
    and it may top up suspicious results. A judge whose mark cannot be read is asked once more. Failed
    attempts and reasoning tokens are not included: a reasoning model can cost several times as much. Known
    marks are counted as if they were asked for. `measured` are models that the plan leaves out.
    """
    samples = _samples(plan, plan.epochs_of)
    marks = _marks(plan, plan.epochs_of)
    calibration = _calibration(plan) if calibrated and not plan.calibrations else ()
    top_ups = _samples(plan, lambda *pair: _most_top_ups(plan, *pair)) if calibrated else ()
    top_up_marks = _marks(plan, lambda *pair: _most_top_ups(plan, *pair)) if calibrated else ()
    parts = (
        PlanPart("samples", False, samples),
        PlanPart("judges", False, marks),
        PlanPart("calibration", False, calibration),
        PlanPart("top-ups", True, top_ups + top_up_marks),
        PlanPart("re-asks", True, marks + calibration + top_up_marks),
    )
    return PlanEstimate(
        SuiteKey.of(plan.suite),
        plan.sampling,
        tuple(part for part in parts if part.calls or part.name == "samples"),
        tuple(measured),
    )


def _most_top_ups(plan: Plan, model: int, use_case: str) -> int:
    return max(0, plan.suite.use_case(use_case).full - plan.epochs_of(model, use_case))


Epochs = Callable[[int, str], int]
"""A function from a model's position and a use case to the epochs of each case."""


def _samples(plan: Plan, epochs_of: Epochs) -> tuple[ModelNeeds, ...]:
    return tuple(_model(plan, ordinal, model, epochs_of) for ordinal, model in enumerate(plan.models))


def _marks(plan: Plan, epochs_of: Epochs) -> tuple[ModelNeeds, ...]:
    return tuple(_judge(plan, judge, epochs_of) for _, judge in plan.judges)


def _calibration(plan: Plan) -> tuple[ModelNeeds, ...]:
    """Return the needs of each judge for marking the suite's exemplars."""
    chosen = calibration_set(plan.suite).positions
    return tuple(_exemplars(plan, judge, chosen) for _, judge in plan.judges if chosen)


def _model(plan: Plan, ordinal: int, model: Model, epochs_of: Epochs) -> ModelNeeds:
    cases = plan.suite.cases
    calls = prompt = completion = 0
    for case in (cases[position] for position in plan.chosen):
        epochs = epochs_of(ordinal, case.use_case)
        calls += epochs
        prompt += epochs * prompt_tokens(case)
        completion += epochs * _completion_tokens(case)
    return priced_needs(model, calls, prompt, completion)


def _judge(plan: Plan, judge: Model, epochs_of: Epochs) -> ModelNeeds:
    cases = plan.suite.cases
    calls = prompt = completion = 0
    for case in (cases[position] for position in plan.chosen):
        answers = sum(epochs_of(model, case.use_case) for model in range(len(plan.models)))
        for asked, shown in _questions(case, judge, plan.panel):
            calls += asked * answers
            prompt += asked * answers * (shown + prompt_tokens(case) + _completion_tokens(case))
            completion += asked * answers * VERDICT
    return priced_needs(judge, calls, prompt, completion)


def _exemplars(plan: Plan, judge: Model, chosen: Sequence[int]) -> ModelNeeds:
    calls = prompt = completion = 0
    panel = replace(plan.panel, judges=(judge.name,), geval=None, substitute=None)
    for position in chosen:
        ordinal, number = divmod(position, MOST_EXEMPLARS)
        case = plan.suite.cases[ordinal]
        answer = round(len(case.exemplars[number].answer) / CHARACTERS_A_TOKEN)
        for asked, shown in _questions(case, judge, panel):
            calls += asked
            prompt += asked * (shown + prompt_tokens(case) + answer)
            completion += asked * VERDICT
    return priced_needs(judge, calls, prompt, completion)


def _questions(case: Case, judge: Model, panel: Panel) -> Iterator[tuple[int, int]]:
    """Yield the number of asks about one answer and the tokens of each besides case and answer, by grader."""
    for spec in case.graders:
        asked = _metrics(spec, judge.name, panel)
        if asked:
            parameters = sum(len(str(value)) for value in spec.parameters.values())
            yield asked, round((JUDGE_PROMPT + parameters) / CHARACTERS_A_TOKEN)


def priced_needs(model: Model, calls: int, prompt: int, completion: int) -> ModelNeeds:
    """Return the needs of a model with their cost; None if its prices are not known."""
    cost = None if model.prices is None else model.prices.cost(Usage(prompt, completion))
    if cost is not None and model.prices is not None:
        cost += model.prices.request * (calls - 1)
    return ModelNeeds(model.name, calls, prompt, completion, cost)


def calls_for_marks(case: Case) -> int:
    """Return the number of asks about one answer that the graders of a case have for a judge."""
    return sum(
        len(judged.metrics(spec))
        for spec in case.graders
        if spec.judged and is_judged(judged := grader(spec.name))
    )


def _metrics(spec: GraderSpec, judge: str, panel: Panel) -> int:
    """Return the number of asks about one answer that a grader has for a judge."""
    judged = grader(spec.name) if spec.judged else None
    if judged is None or not is_judged(judged):
        return 0
    bench = (panel.geval,) if judged.bench == "geval" else panel.judges
    return len(judged.metrics(spec)) if judge in bench else 0


def prompt_tokens(case: Case) -> int:
    """Return the estimated number of tokens of a case's prompt."""
    return round(sum(len(turn.content) for turn in case.messages) / CHARACTERS_A_TOKEN) + 8 * len(
        case.messages
    )


def _completion_tokens(case: Case) -> int:
    longest = max((len(exemplar.answer) for exemplar in case.exemplars), default=0)
    return min(case.max_tokens, max(LEAST_COMPLETION, round(longest / CHARACTERS_A_TOKEN)))
