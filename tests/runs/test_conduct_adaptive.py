"""Adaptive runs against a real HTTP server: batches, dropped models, budget, interrupts, resuming."""

from __future__ import annotations

import asyncio
import random
import time
from collections import Counter
from collections.abc import Callable
from dataclasses import replace
from typing import Any

import numpy as np
import orjson
import pytest
from aiohttp import web
from small_suite import make_suite
from sqlalchemy import Engine
from upstream import Upstream, chat, serving

from assay.calls.control import RunControl, Stop
from assay.core.errors import InvalidInput
from assay.core.model import Model, Provider
from assay.ranking.adaptive import AdaptiveRule
from assay.results.adaptive_run import AdaptiveResult, Separation
from assay.results.runs import RunOutcome
from assay.runs.board.candidates import find_candidates
from assay.runs.conduct import RunContext, conduct
from assay.runs.conduct_adaptive import conduct_adaptively, next_batch, summarise
from assay.runs.plan import Plan, plan_adaptively, plan_run, stored_plan
from assay.sandbox.choose import open_sandbox
from assay.store.runs import StoredRun, new_run, read_run
from assay.store.samples import list_samples
from assay.store.suites import keep_suite

SUITE = make_suite(cases=20)
RULE = AdaptiveRule()
Script = Callable[[str, str], Any]


def by_name(model: str, prompt: str) -> Any:
    """Answer rightly, except for models whose name begins with `bad`."""
    return "no" if model.startswith("bad") else "right"


class Models(Upstream):
    """An upstream whose answer depends on the model that is asked."""

    def __init__(self, script: Script) -> None:
        super().__init__(lambda prompt, before: "")
        self.script = script
        self.of_model: Counter[str] = Counter()
        self.asked_of: Counter[tuple[str, str]] = Counter()

    async def handle(self, request: web.Request) -> web.Response:
        """Answer one request by its model and prompt."""
        body = orjson.loads(await request.read())
        model, prompt = body["model"].removeprefix("test/"), body["messages"][-1]["content"]
        self.asked[prompt] += 1
        self.of_model[model] += 1
        self.asked_of[model, prompt] += 1
        answer = self.script(model, prompt)
        if isinstance(answer, int):
            return web.json_response({"error": {"message": "scripted"}}, status=answer)
        return web.json_response(chat(answer))


class Trial:
    """A database with one adaptive run of 40 cases."""

    def __init__(
        self, engine: Engine, *names: str, rule: AdaptiveRule = RULE, epochs: int | None = None
    ) -> None:
        self.engine = engine
        models = [Model("test", name) for name in names]
        self.plan: Plan = plan_adaptively(plan_run(SUITE, models, epochs=epochs), rule, 3)
        keep_suite(engine, SUITE, clock=time.time)
        self.run: StoredRun = new_run(
            engine,
            kind="run",
            suite=SUITE.digest,
            subjects=self.plan.models,
            plan=self.plan.described(),
            day=None,
            simulated=False,
            clock=time.time,
        )

    def stored(self) -> Plan:
        """The plan as the database has it."""
        run = read_run(self.engine, self.run.id)
        return stored_plan(SUITE, [model for _, model in run.models], run.plan)

    def execute(
        self, script: Script = by_name, *, complete: bool = False, **options: Any
    ) -> tuple[RunOutcome, Models]:
        """Execute or resume the run by its stored plan."""
        upstream, plan = Models(script), self.stored()

        async def main() -> RunOutcome:
            async with serving(upstream):
                provider = Provider("test", upstream.address, attempts=1, timeout=5.0, concurrency=4)
                context = RunContext(
                    self.engine,
                    {"test": provider},
                    {},
                    clock=time.time,
                    rng=random.Random(0),
                    sandbox=lambda: open_sandbox(()),
                )
                if complete or plan.adaptive is None:
                    return await conduct(context, self.run, replace(plan, adaptive=None), **options)
                outcome, _ = await conduct_adaptively(context, self.run, plan, plan.adaptive, **options)
                return outcome

        return asyncio.run(main()), upstream

    def summary(self, outcome: RunOutcome) -> AdaptiveResult:
        """What the run settled so far."""
        plan = self.stored()
        assert plan.adaptive is not None
        return summarise(plan, plan.adaptive, list_samples(self.engine, self.run.id), outcome.spend)


def test_a_clear_first_place_stops_after_one_batch(engine: Engine) -> None:
    """Ten of forty prompts are enough, and the run says what it saved."""
    trial = Trial(engine, "good", "bad")
    outcome, upstream = trial.execute()
    assert (outcome.status, outcome.counts.n, upstream.calls) == ("finished", 20, 20)
    result = trial.summary(outcome)
    assert [(row.model, row.leading) for row in result.models] == [("test/good", True), ("test/bad", False)]
    assert (result.prompts, result.all_prompts, result.samples, result.all_samples) == (10, 40, 20, 80)
    assert result.settled
    assert (result.cost, result.saved) == pytest.approx((0.02, 0.06))


def test_a_decided_model_is_asked_no_more(sqlite: Engine) -> None:
    """Two equal models go on to the last prompt; the bad one is left out after the first batch."""
    trial = Trial(sqlite, "good", "even", "bad")
    outcome, upstream = trial.execute()
    assert upstream.of_model == {"good": 40, "even": 40, "bad": 10}
    result = trial.summary(outcome)
    assert not result.settled
    assert [row.leading for row in result.models] == [True, True, False]
    assert result.models[1].lead == 0.0


def test_cases_come_in_the_random_order_of_the_seed(sqlite: Engine) -> None:
    """The first batch has cases of both use cases, not the first ten of the suite."""
    trial = Trial(sqlite, "good", "bad")
    trial.execute()
    adaptive = trial.stored().adaptive
    assert adaptive is not None and sorted(adaptive.order) == list(range(40))
    asked = {trial.plan.locate(line.row.position).case for line in list_samples(sqlite, trial.run.id)}
    assert asked == set(adaptive.order[:10]) != set(range(10))


def test_all_pairs_are_separated(sqlite: Engine) -> None:
    """A model between two others, which all differ: the run stops when the order is settled."""
    trial = Trial(sqlite, "good", "bad", "half", rule=AdaptiveRule(Separation.ALL, 0.2))

    def script(model: str, prompt: str) -> str:
        half = int(prompt.split()[1]) % 2 == 0
        return "right" if model == "good" or (model == "half" and half) else "no"

    outcome, upstream = trial.execute(script)
    result = trial.summary(outcome)
    assert (result.open_pairs, result.settled) == (0, True)
    assert upstream.calls < 120


def test_a_run_that_the_budget_stopped_asks_for_the_rest_only(engine: Engine) -> None:
    """The stopped run and the resumed one together ask for each sample once, as an undisturbed run does."""
    trial = Trial(engine, "good", "even", "bad")
    stopped, first = trial.execute(max_cost=0.0425)
    assert stopped.status == "stopped" and "budget" in str(stopped.reason)
    assert first.calls < 90
    resumed, second = trial.execute(max_cost=1.0)
    assert resumed.status == "finished"
    together = first.asked_of + second.asked_of
    assert set(together.values()) == {1}
    assert first.of_model + second.of_model == {"good": 40, "even": 40, "bad": 10}


@pytest.mark.parametrize("after", [7, 30, 31])
def test_an_interrupted_run_goes_on_where_it_was(sqlite: Engine, after: int) -> None:
    """Interrupted within a batch or at its end, the run is not finished, and no call is repeated."""
    trial, stop, calls = Trial(sqlite, "good", "even", "bad"), Stop(), 0

    def script(model: str, prompt: str) -> Any:
        nonlocal calls
        calls += 1
        if calls == after:
            stop.request("interrupted")
        return by_name(model, prompt)

    stopped, first = trial.execute(script, control=RunControl(stop=stop))
    assert (stopped.status, stopped.reason) == ("stopped", "interrupted")
    assert read_run(sqlite, trial.run.id).status == "stopped"
    resumed, second = trial.execute()
    assert resumed.status == "finished"
    assert set((first.asked_of + second.asked_of).values()) == {1}
    assert resumed.counts.n == 90


def test_errors_are_asked_again_when_resumed_only(sqlite: Engine) -> None:
    """A failing case is skipped by the rule and not asked again in later batches."""
    trial = Trial(sqlite, "good", "even")
    failing = "Question 3 of use case 0?"
    outcome, upstream = trial.execute(lambda model, prompt: 400 if prompt == failing else "right")
    assert (outcome.status, outcome.counts.error) == ("finished", 2)
    assert upstream.asked[failing] == 2
    resumed, second = trial.execute()
    assert (resumed.counts.error, second.calls) == (0, 2)


def test_a_run_in_which_everything_fails_has_no_scores(sqlite: Engine) -> None:
    """All prompts are tried, nothing is separated, and no figure is made up."""
    trial = Trial(sqlite, "good", "even")
    outcome, _ = trial.execute(lambda model, prompt: 400)
    result = trial.summary(outcome)
    assert (outcome.counts.error, result.settled, result.saved) == (80, False, None)
    assert [(row.prompts, row.mean, row.lead) for row in result.models] == [(0, None, None)] * 2


def test_epochs_are_added_where_they_separate(sqlite: Engine) -> None:
    """With three epochs planned, models that tie on varying answers get all after the first batch."""
    trial = Trial(sqlite, "good", "even", epochs=3)
    chance = random.Random(1)
    trial.execute(lambda model, prompt: chance.choice(["right", "no"]))
    adaptive = trial.stored().adaptive
    assert adaptive is not None
    assert [batch.epochs for batch in adaptive.batches] == [1, 3, 3, 3]


def test_boards_do_not_rank_an_adaptive_run_until_it_is_complete(sqlite: Engine) -> None:
    """The board says why and with which command the run is completed; that asks for the rest and no more."""
    trial = Trial(sqlite, "good", "bad")
    trial.execute()
    for candidate in find_candidates(sqlite, SUITE, None):
        lack = candidate.incomplete(SUITE)
        assert lack is not None
        assert "is adaptive" in lack.reason
        assert lack.command == f"assay resume {trial.run.id} --complete"
    outcome, upstream = trial.execute(complete=True)
    assert (outcome.status, upstream.calls, outcome.counts.n) == ("finished", 60, 80)
    assert [candidate.incomplete(SUITE) for candidate in find_candidates(sqlite, SUITE, None)] == [None] * 2


def test_an_adaptive_run_that_used_everything_is_complete(sqlite: Engine) -> None:
    """Two models that tie to the end have all samples, so the board ranks them."""
    trial = Trial(sqlite, "good", "even")
    trial.execute()
    assert not trial.stored().partial
    assert [candidate.incomplete(SUITE) for candidate in find_candidates(sqlite, SUITE, None)] == [None] * 2


def test_an_unfinished_plan_counts_the_worst_case(sqlite: Engine) -> None:
    """Before the first batch every sample is possible; a dropped model's are not."""
    trial = Trial(sqlite, "good", "even", "bad")
    assert trial.plan.size == trial.plan.full_size == 120
    adaptive = trial.plan.adaptive
    assert adaptive is not None
    once = next_batch(adaptive, np.zeros((3, 0, 1)))
    assert replace(trial.plan, adaptive=once).size == 120
    scores = np.stack([np.ones((10, 1)), np.ones((10, 1)), np.zeros((10, 1))])
    twice = next_batch(once, scores)
    assert [batch.models for batch in twice.batches] == [(0, 1, 2), (0, 1)]
    assert replace(trial.plan, adaptive=twice).size == 30 + 60


def test_one_model_cannot_be_compared() -> None:
    """One message, before anything is asked."""
    with pytest.raises(InvalidInput, match="an adaptive run compares models"):
        plan_adaptively(plan_run(SUITE, [Model("test", "a")]), RULE, 0)
