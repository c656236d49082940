"""The calls, tokens and cost of a comparison of answers, before anything is sent."""

from __future__ import annotations

from collections.abc import Sequence

from sqlalchemy import Engine

from assay.core.model import Model
from assay.results.plans import PlanEstimate, PlanPart
from assay.results.runs import SuiteKey
from assay.runs.estimate import CHARACTERS_A_TOKEN, JUDGE_PROMPT, VERDICT, priced_needs, prompt_tokens
from assay.runs.pairs.plan import PairPlan, read_answers


def estimate_pairs(engine: Engine, plan: PairPlan, judges: Sequence[Model]) -> PlanEstimate:
    """Estimate a comparison: four characters a token, and 120 tokens for a verdict.

    A judge whose verdict cannot be read is asked once more. Pairs that are decided by rule need no call.
    Verdicts that an earlier run has on the same answers are counted as if they were asked for.
    """
    calls, prompt = [0] * len(judges), [0] * len(judges)
    texts = list(read_answers(engine, plan, plan.entries))
    for job in plan.jobs():
        entry, one, other = plan.locate(job.pair)
        answers = texts[job.pair // len(plan.pairs)]
        if plan.by_rule(job.pair) is not None or answers[one] == answers[other]:
            continue
        shown = JUDGE_PROMPT + len(answers[one]) + len(answers[other])
        calls[job.judge] += 1
        prompt[job.judge] += round(shown / CHARACTERS_A_TOKEN) + prompt_tokens(plan.suite.cases[entry.case])
    needs = tuple(
        priced_needs(judge, calls[place], prompt[place], VERDICT * calls[place])
        for place, judge in enumerate(judges)
    )
    return PlanEstimate(
        SuiteKey.of(plan.suite),
        "suite",
        (PlanPart("judges", False, needs), PlanPart("re-asks", True, needs)),
    )
