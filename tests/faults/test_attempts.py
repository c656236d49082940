"""Every attempt of a call is a row of the ledger, and what it cost is counted wherever costs are."""

from __future__ import annotations

import asyncio
import random
import time
from collections.abc import Callable
from typing import Any

import pytest
from small_suite import make_suite
from sqlalchemy import Engine
from upstream import Answer, Upstream, serving

from assay.calls.control import RunControl
from assay.calls.progress import Progress
from assay.core.model import Provider
from assay.results.runs import RunOutcome, Spend
from assay.runs.conduct import RunContext, conduct
from assay.runs.plan import stored_plan
from assay.sandbox.choose import open_sandbox
from assay.store.boards import board_samples
from assay.store.ledger import request_hashes, subject_calls, unread_answers
from assay.store.runs import StoredRun, count_runs
from assay.store.samples import list_samples, read_samples

CHARGED = {"choices": [], "usage": {"prompt_tokens": 10, "completion_tokens": 5, "cost": 0.5}}
"""An HTTP 200 without an answer that charges half a dollar."""


@pytest.fixture
def execute(
    engine: Engine, store_run: Callable[..., StoredRun]
) -> Callable[..., tuple[RunOutcome, Progress]]:
    """Executes a new run of three cases against a scripted upstream."""

    def run(answer: Answer, **provider: Any) -> tuple[RunOutcome, Progress]:
        suite = make_suite(use_cases=1, cases=3)
        stored = store_run(engine, suite)
        plan = stored_plan(suite, [model for _, model in stored.models], stored.plan)
        upstream, progress = Upstream(answer), Progress(0)

        async def main() -> RunOutcome:
            async with serving(upstream):
                made = Provider("test", upstream.address, **{"attempts": 3, "timeout": 0.2, **provider})
                setting = RunContext(
                    engine,
                    {"test": made},
                    {},
                    rng=random.Random(0),
                    sandbox=lambda: open_sandbox(()),
                )
                return await conduct(setting, stored, plan, control=RunControl(progress))

        return asyncio.run(main()), progress

    return run


def test_an_attempt_that_charged_and_failed_is_a_row_and_counts(
    engine: Engine, execute: Callable[..., tuple[RunOutcome, Progress]]
) -> None:
    """A 200 without an answer charged $0.50: it stands in the ledger, and every sum of costs has it."""
    outcome, progress = execute(lambda prompt, before: CHARGED if before == 0 else "right")
    rows = [
        [(call.attempt, call.status, call.error, call.cost, call.prompt_tokens) for call in sample.calls]
        for sample in read_samples(engine, outcome.run)
    ]
    assert rows == [[(1, "error", "malformed reply", 0.5, 10), (2, "ok", None, 0.001, 10)]] * 3
    counts = count_runs(engine, [outcome.run])[outcome.run]
    assert (counts.spend.calls, counts.spend.known, counts.spend.unknown) == (6, pytest.approx(1.503), 0)
    assert progress.spend.known == pytest.approx(1.503)
    lines = list_samples(engine, outcome.run)
    assert [(line.last.attempts, line.last.cost) for line in lines] == [(2, pytest.approx(0.501))] * 3
    board = list(board_samples(engine, [outcome.run]))
    assert [sample.cost for sample in board] == [pytest.approx(0.501)] * 3
    assert all(0 < (sample.latency or 0) < 10 and sample.error is None for sample in board)


def test_calls_that_end_in_an_error_cost_what_they_charged(
    engine: Engine, execute: Callable[..., tuple[RunOutcome, Progress]]
) -> None:
    """Every attempt charged, none answered: three errors that cost $4.50."""
    outcome, progress = execute(lambda prompt, before: CHARGED)
    assert (outcome.counts.error, outcome.spend.known) == (3, pytest.approx(4.5))
    assert progress.spend.known == pytest.approx(4.5)
    assert [line.last.cost for line in list_samples(engine, outcome.run)] == [pytest.approx(1.5)] * 3


def test_refusals_cost_nothing_and_time_outs_may(
    engine: Engine, execute: Callable[..., tuple[RunOutcome, Progress]]
) -> None:
    """A 429 is a row and in no count; a time-out's cost is unknown, and so is the sample's."""
    script = {0: 429, 1: None}
    outcome, progress = execute(lambda prompt, before: script.get(before, "right"))
    assert outcome.spend == Spend(pytest.approx(0.003), 6, 3)
    assert (progress.calls, progress.unknown_costs) == (6, 3)
    assert [len(sample.calls) for sample in read_samples(engine, outcome.run)] == [3, 3, 3]
    assert [line.last.cost for line in list_samples(engine, outcome.run)] == [None] * 3


def test_refusals_alone_leave_the_cost_known(
    engine: Engine, execute: Callable[..., tuple[RunOutcome, Progress]]
) -> None:
    """Refused twice and then answered: the sample cost what the answer cost."""
    outcome, _ = execute(lambda prompt, before: 429 if before < 2 else "right")
    assert [line.last.cost for line in list_samples(engine, outcome.run)] == [pytest.approx(0.001)] * 3
    assert (outcome.spend.calls, outcome.spend.unknown) == (3, 0)


def test_the_attempt_that_answered_is_the_one_that_is_read(
    engine: Engine, execute: Callable[..., tuple[RunOutcome, Progress]]
) -> None:
    """Grading again, boards and comparisons take the answer, never a failed attempt before it."""
    outcome, _ = execute(lambda prompt, before: 500 if before < 2 else "right")
    answered = subject_calls(engine, outcome.run, range(3))
    assert {(row.attempt, row.answer) for row in answered.values()} == {(3, "right")}
    assert unread_answers(engine, outcome.run) == {}
    assert request_hashes(engine, outcome.run) == {place: row.request_hash for place, row in answered.items()}


def test_each_attempt_has_its_own_time(
    engine: Engine, execute: Callable[..., tuple[RunOutcome, Progress]]
) -> None:
    """The second attempt began later; the latency of the first is its own."""
    began = time.time()
    outcome, _ = execute(lambda prompt, before: None if before == 0 else "right")
    for sample in read_samples(engine, outcome.run):
        first, second = sample.calls
        assert began <= first.started_at < second.started_at
        assert (first.latency or 0) >= 0.2
