"""Stored runs of two or three models, and judges of a court that compare their answers."""

from __future__ import annotations

import asyncio
import json
import random
import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import Any

from judged import TOKEN, Court, JudgedRun, held, judged_suite, provider
from sqlalchemy import Engine

from assay.calls.asking import AskingContext
from assay.calls.control import RunControl
from assay.core.judging import Panel
from assay.core.model import Model
from assay.core.money import Prices
from assay.core.suite import Suite
from assay.grading.pairs import PAIRS
from assay.results.pairs import PairStudy
from assay.runs.pairs.plan import PairRequest, plan_pairs
from assay.runs.pairs.study import begin_pairs, carry_on_pairs
from assay.store.runs import read_run

ANSWERS = re.compile(r"<<<ANSWER ([AB]) \w+>>>\n(.*?)\n<<<END ANSWER", re.DOTALL)
MODELS = ("alpha", "beta")

Chooser = Callable[[str, str], object]
"""A function from the answers shown as A and as B to what a judge says."""


def compares(choose: Chooser) -> Callable[[dict[str, Any], int], Any]:
    """Return a judge that chooses between the two answers; a number is an HTTP status."""

    def judge(body: dict[str, Any], before: int) -> Any:
        content = body["messages"][-1]["content"]
        shown = dict(ANSWERS.findall(content))
        winner = choose(shown["A"], shown["B"])
        if isinstance(winner, int):
            return winner
        token = TOKEN.findall(content)[-1]
        return json.dumps({"rationale": "because", "winner": winner, "token": token})

    return judge


def prefers(model: str) -> Chooser:
    """Return a choice of this model's answer, and a tie of two others."""

    def choose(first: str, second: str) -> str:
        if model in first:
            return "A"
        return "B" if model in second else "tie"

    return choose


@dataclass
class Compared:
    """A database with a run of some models, whose answers judges of a court compare."""

    engine: Engine
    court: Court
    suite: Suite = field(default_factory=judged_suite)
    runs: list[int] = field(default_factory=list)
    concurrency: int | None = None
    prices: Prices | None = None

    def answer(self, *models: str) -> int:
        """Store a run of these models and return its number."""
        run = JudgedRun(self.engine, self.court, subjects=models, panel=Panel(), suite=self.suite, judges=())
        run.execute()
        self.runs.append(run.run.id)
        return run.run.id

    def judge(
        self,
        *judges: str,
        runs: Sequence[int] | None = None,
        resume: int | None = None,
        max_cost: float | None = None,
        control: RunControl | None = None,
        **wish: Any,
    ) -> PairStudy:
        """Have judges compare the runs (default: all), or resume a comparison."""

        async def main() -> PairStudy:
            async with held(self.court):
                context = AskingContext(
                    self.engine,
                    {"test": provider(self.court)},
                    {},
                    rng=random.Random(0),
                    concurrency=self.concurrency,
                )
                if resume is None:
                    models = [Model("test", name, prices=self.prices) for name in judges]
                    plan = plan_pairs(self.engine, runs or self.runs, models, PairRequest(**wish))
                    run = begin_pairs(context, plan, models)
                else:
                    run = read_run(self.engine, resume, PAIRS)
                return await carry_on_pairs(context, run, max_cost=max_cost, control=control)

        return asyncio.run(main())


def compared(engine: Engine, *models: str, **judges: Chooser) -> Compared:
    """Return a database with one run of these models, and a court with these judges."""
    court = Court({name: compares(choose) for name, choose in judges.items()})
    stored = Compared(engine, court)
    stored.answer(*(models or MODELS))
    return stored
