"""A limit on spending, against a real server that charges: never passed, and used up."""

from __future__ import annotations

import asyncio
import random
import time
import zlib
from collections.abc import Callable
from dataclasses import replace
from typing import Any

import pytest
from small_suite import make_suite
from sqlalchemy import Engine
from upstream import Upstream, chat, serving

from assay.core.ask import Message
from assay.core.model import Model, Provider
from assay.core.money import Prices, Usage
from assay.core.suite import Suite
from assay.results.runs import RunOutcome
from assay.runs.conduct import RunContext, conduct
from assay.runs.plan import plan_run
from assay.sandbox.choose import open_sandbox
from assay.store.runs import new_run
from assay.store.suites import keep_suite

PRICES = Prices(0.25, 2.0)
"""US dollars a million tokens: at most 0.82 cents for a call with 4,096 tokens."""
DEAR = Prices(10.0, 60.0)


class Charging:
    """An upstream that charges by its own prices, and sums up what it charged."""

    def __init__(self, prices: Prices, tokens: Callable[[str, int], int], *, told: bool = True) -> None:
        self.prices, self.told = prices, told
        self.charged = 0.0
        self.most_charged = 0.0
        self._tokens = tokens
        self.upstream = Upstream(self.answer, delay=0.002)

    def answer(self, prompt: str, before: int) -> dict[str, Any]:
        """Charge for a call."""
        usage = Usage(40, self._tokens(prompt, self.upstream.calls))
        cost = self.prices.cost(usage)
        assert cost is not None
        self.charged += cost
        self.most_charged = max(self.most_charged, cost)
        told = {"prompt_tokens": usage.prompt, "completion_tokens": usage.completion}
        return chat("right", usage={**told, "cost": cost} if self.told else told)


def limited(
    engine: Engine,
    upstream: Upstream,
    limit: float,
    *,
    suite: Suite,
    prices: Prices | None,
    concurrency: int = 32,
) -> RunOutcome:
    """Execute a new run under a limit."""
    plan = plan_run(suite, [Model("test", "a", prices=prices)])
    keep_suite(engine, plan.suite, clock=time.time)
    run = new_run(
        engine,
        kind="run",
        suite=plan.suite.digest,
        subjects=plan.models,
        plan=plan.described(),
        day=None,
        simulated=False,
        clock=time.time,
    )

    async def main() -> RunOutcome:
        async with serving(upstream):
            provider = Provider("test", upstream.address, concurrency=concurrency, attempts=3)
            setting = RunContext(
                engine,
                {"test": provider},
                {},
                rng=random.Random(0),
                sandbox=lambda: open_sandbox(()),
            )
            return await conduct(setting, run, plan, max_cost=limit)

    return asyncio.run(main())


@pytest.mark.parametrize("told", [True, False], ids=["cost told", "cost by prices"])
def test_a_binding_limit_is_used_up_and_never_passed(sqlite: Engine, told: bool) -> None:
    """250 samples at 500 tokens need $0.25; of $0.20 at least 95 % are spent, 32 in flight or not."""
    server = Charging(PRICES, lambda prompt, calls: 400 + zlib.crc32(prompt.encode()) % 200, told=told)
    outcome = limited(sqlite, server.upstream, 0.20, suite=make_suite(use_cases=1, cases=250), prices=PRICES)
    assert (outcome.status, outcome.remarks) == ("stopped", ())
    assert "budget of $0.2" in str(outcome.reason)
    assert 0.95 * 0.20 <= server.charged <= 0.20
    assert outcome.spend.known == pytest.approx(server.charged)


def test_dear_calls_after_cheap_ones_never_pass_the_limit(sqlite: Engine) -> None:
    """60 calls of a tenth of a cent, then calls of 24 cents, 100 in flight: at most $1 is charged."""
    server = Charging(DEAR, lambda prompt, calls: 10 if calls <= 60 else 4000)
    suite = make_suite(use_cases=1, cases=300)
    outcome = limited(sqlite, server.upstream, 1.0, suite=suite, prices=DEAR, concurrency=100)
    assert outcome.status == "stopped"
    assert 0.7 < server.charged <= 1.0


def test_without_prices_the_limit_is_passed_by_no_more_than_calls_in_flight_cost_more(
    sqlite: Engine,
) -> None:
    """Each call reserves the dearest so far; $1 is passed by what those in flight cost above that."""
    cheap, in_flight = DEAR.cost(Usage(40, 10)), 100
    server = Charging(DEAR, lambda prompt, calls: 10 if calls <= 60 else 4000)
    suite = make_suite(use_cases=1, cases=300)
    outcome = limited(sqlite, server.upstream, 1.0, suite=suite, prices=None, concurrency=in_flight)
    assert cheap is not None
    assert outcome.status == "stopped"
    assert server.charged <= 1.0 + in_flight * (server.most_charged - cheap)
    assert "more than the limit of $1" in outcome.remarks[-1]


def test_without_prices_equal_calls_keep_the_limit(sqlite: Engine) -> None:
    """The first call goes alone and tells what one costs; the rest is held to it."""
    server = Charging(PRICES, lambda prompt, calls: 500)
    suite = make_suite(use_cases=1, cases=250)
    outcome = limited(sqlite, server.upstream, 0.20, suite=suite, prices=None)
    assert outcome.status == "stopped"
    assert 0.95 * 0.20 <= server.charged <= 0.20


def test_charges_of_attempts_that_are_made_again_count(sqlite: Engine) -> None:
    """A provider charges for malformed replies too: their worst case counts as spent."""
    server = Charging(PRICES, lambda prompt, calls: 4000)

    def answer(prompt: str, before: int) -> Any:
        told = server.answer(prompt, before)
        return {"choices": [], "usage": told["usage"]} if before % 2 == 0 else told

    suite = make_suite(use_cases=1, cases=60)
    outcome = limited(sqlite, Upstream(answer, delay=0.002), 0.20, suite=suite, prices=PRICES)
    assert outcome.status == "stopped"
    assert 0.95 * 0.20 <= server.charged <= 0.20


def test_a_call_that_never_fits_ends_no_run_whose_others_do(sqlite: Engine) -> None:
    """A prompt of 2 MB could cost 50 cents: it is left, and all the others are answered."""
    suite = make_suite(use_cases=1, cases=10)
    use_case = suite.use_cases[0]
    long = replace(use_case.cases[3], messages=(Message("user", "x" * 2_000_000),))
    cases = (*use_case.cases[:3], long, *use_case.cases[4:])
    suite = replace(suite, use_cases=(replace(use_case, cases=cases),))
    server = Charging(PRICES, lambda prompt, calls: 500)
    outcome = limited(sqlite, server.upstream, 0.20, suite=suite, prices=PRICES)
    assert (outcome.status, outcome.counts.ok) == ("stopped", 9)
    assert "another call could pass the budget" in str(outcome.reason)


def test_a_provider_that_charges_more_than_its_prices_is_noticed(sqlite: Engine) -> None:
    """Prices in the workspace are a tenth of the charge: the run stops near the limit and says so."""
    server = Charging(Prices(2.5, 20.0), lambda prompt, calls: 4000)
    suite = make_suite(use_cases=1, cases=250)
    outcome = limited(sqlite, server.upstream, 0.20, suite=suite, prices=PRICES, concurrency=4)
    assert outcome.status == "stopped"
    assert server.charged <= 0.20 + 4 * 0.081
    assert "check the prices in the workspace" in outcome.remarks[-1]
