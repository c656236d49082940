"""Whole runs against a real HTTP server and both databases."""

from __future__ import annotations

import asyncio
import random
import time
from collections.abc import Callable
from dataclasses import replace
from typing import Any

import pytest
from small_suite import make_suite
from sqlalchemy import Engine, text
from upstream import Answer, Upstream, chat, serving

from assay.calls.control import RunControl, Stop
from assay.calls.progress import Progress
from assay.core.case import GraderSpec
from assay.core.model import Model, Pin, Provider
from assay.core.money import Prices
from assay.core.suite import Suite
from assay.results.runs import RunOutcome
from assay.runs.conduct import RunContext, conduct, topped_up
from assay.runs.plan import Plan, plan_run
from assay.sandbox.choose import open_sandbox
from assay.store.rows import Batch
from assay.store.runs import StoredRun, new_run, read_run
from assay.store.samples import read_samples
from assay.store.suites import keep_suite
from assay.store.writer import LedgerWriter

MODEL = Model("test", "a/b")


def right(prompt: str, before: int) -> Any:
    """Answer rightly."""
    return "right"


class Bench:
    """A database with one stored run of a plan, to be executed against a scripted upstream."""

    def __init__(
        self, engine: Engine, *, suite: Suite | None = None, model: Model = MODEL, epochs: int | None = None
    ) -> None:
        self.engine = engine
        self.plan: Plan = plan_run(suite or make_suite(), [model], epochs=epochs)
        keep_suite(engine, self.plan.suite, clock=time.time)
        self.run: StoredRun = new_run(
            engine,
            kind="run",
            suite=self.plan.suite.digest,
            subjects=self.plan.models,
            plan=self.plan.described(),
            day=None,
            simulated=False,
            clock=time.time,
        )

    def execute(
        self,
        answer: Answer | Upstream = right,
        *,
        plan: Plan | None = None,
        environment: dict[str, str] | None = None,
        provider: dict[str, Any] | None = None,
        during: Callable[[Upstream, Stop], Any] | None = None,
        **options: Any,
    ) -> tuple[RunOutcome, Upstream]:
        """Execute the run and return its outcome and the upstream."""
        upstream = answer if isinstance(answer, Upstream) else Upstream(answer)

        async def main() -> RunOutcome:
            async with serving(upstream):
                made = Provider(
                    "test", upstream.address, **{"attempts": 3, "timeout": 5.0, **(provider or {})}
                )
                setting = RunContext(
                    self.engine,
                    {"test": made},
                    environment or {},
                    rng=random.Random(0),
                    sandbox=lambda: open_sandbox(()),
                )
                control = RunControl(options.pop("progress", Progress(0)))
                if during is not None:
                    asyncio.get_running_loop().call_soon(
                        lambda: asyncio.ensure_future(during(upstream, control.stop))
                    )
                return await conduct(setting, self.run, plan or self.plan, control=control, **options)

        return asyncio.run(main()), upstream

    def samples(self) -> dict[int, str]:
        """Return the status of every stored sample by position."""
        return {sample.row.position: sample.row.status for sample in read_samples(self.engine, self.run.id)}


def test_every_sample_is_asked_graded_and_stored_once(engine: Engine) -> None:
    """Ten cases, three epochs: thirty calls, thirty samples with full marks, and a finished run."""
    bench = Bench(engine, epochs=3)
    outcome, upstream = bench.execute()
    assert outcome.status == "finished"
    assert (outcome.counts.ok, upstream.calls) == (30, 30)
    found = list(read_samples(engine, bench.run.id))
    assert [sample.row.position for sample in found] == sorted(bench.plan.positions())
    assert {sample.row.score for sample in found} == {100.0}
    assert {grade.grader for sample in found for grade in sample.grades} == {"contains"}
    assert outcome.spend.known == pytest.approx(0.03)


def test_an_outcome_tells_each_kind_of_error_in_the_providers_words(sqlite: Engine) -> None:
    """Kind, number of samples, and the first message on one line."""

    def answer(prompt: str, before: int) -> Any:
        number = int(prompt.split()[1])
        bad = {"error": {"code": 400, "message": "no\nsuch   model"}}
        return bad if number in (1, 2) else 500 if number == 3 else "right"

    outcome, _ = Bench(sqlite, suite=make_suite(use_cases=1)).execute(answer)
    assert outcome.remarks == (
        "refused by the provider (2): no such model",
        "server error (1): scripted",
    )


def test_costs_that_a_limit_cannot_count_are_told(sqlite: Engine) -> None:
    """A model without prices behind a silent endpoint: the run ends, and says what the limit missed."""

    def answer(prompt: str, before: int) -> Any:
        return {"choices": [{"message": {"content": "right"}}]}

    outcome, _ = Bench(sqlite, suite=make_suite(use_cases=1)).execute(answer, max_cost=0.01)
    assert outcome.status == "finished"
    assert [remark.split(",")[0] for remark in outcome.remarks] == ["5 of 5 calls have no known cost"]


def test_what_calls_in_flight_spend_beyond_a_limit_is_told(sqlite: Engine) -> None:
    """The first call is cheap; of the others four start before the next cost is known."""
    calls = 0

    def answer(prompt: str, before: int) -> Any:
        nonlocal calls
        calls += 1
        return chat("right", usage={"cost": 0.0001 if calls == 1 else 0.002})

    upstream = Upstream(answer, delay=0.05)
    outcome, _ = Bench(sqlite).execute(upstream, max_cost=0.003, provider={"concurrency": 4})
    assert outcome.remarks == (
        "$0.0081 was spent, more than the limit of $0.003: calls cost more than their models' prices or "
        "earlier calls allow; check the prices in the workspace, and add missing ones",
    )


def test_a_refused_parameter_is_left_out_and_the_ledger_says_so(sqlite: Engine) -> None:
    """Every sample is answered; only calls already in flight meet the refusal, and no two hashes mix."""
    suite = replace(make_suite(), parameters={"temperature": 0, "reasoning": {"effort": "low"}})

    def answer(prompt: str, before: int) -> Any:
        if "reasoning_effort" in upstream.bodies[-1]:
            return {"error": {"code": 400, "message": '"a/b" does not support thinking'}}
        return "right"

    upstream = Upstream(answer)
    bench = Bench(sqlite, suite=suite, epochs=3)
    outcome, _ = bench.execute(upstream, provider={"concurrency": 2})
    assert (outcome.counts.ok, outcome.counts.error) == (30, 0)
    assert 31 <= upstream.calls <= 32
    assert outcome.remarks == ("test/a/b was sent without reasoning_effort, because the endpoint refuses it",)
    with sqlite.connect() as connection:
        answered = "from calls where status = 'ok'"
        rows = connection.execute(text(f"select distinct detail {answered}")).scalars().all()
        hashes = connection.execute(text(f"select count(distinct request_hash) {answered}")).scalar()
    assert rows == ["sent without reasoning_effort, because the endpoint refuses it"]
    assert hashes == 10


def test_wrong_empty_and_failed_answers_stay_apart(sqlite: Engine) -> None:
    """A wrong answer scores 0, an empty one is invalid and scores 0, a failed call has no score."""

    def answer(prompt: str, before: int) -> Any:
        number = int(prompt.split()[1])
        return {0: "right", 1: "wrong", 2: "", 3: 400}.get(number, "right")

    bench = Bench(sqlite, suite=make_suite(use_cases=1))
    outcome, _ = bench.execute(answer)
    found = {sample.row.position: sample.row for sample in read_samples(sqlite, bench.run.id)}
    assert [(found[at].status, found[at].score) for at in range(4)] == [
        ("ok", 100.0),
        ("ok", 0.0),
        ("invalid", 0.0),
        ("error", None),
    ]
    assert (outcome.counts.ok, outcome.counts.invalid, outcome.counts.error) == (3, 1, 1)


def test_storms_of_refusals_are_survived(sqlite: Engine) -> None:
    """Every case meets a 429 and a 500 first; all are answered in the end, and attempts are counted."""

    def answer(prompt: str, before: int) -> Any:
        return (429, 500, "right")[min(before, 2)]

    bench = Bench(sqlite)
    outcome, upstream = bench.execute(answer)
    assert outcome.counts.ok == 10
    assert upstream.calls == 30
    made = {tuple(call.attempt for call in sample.calls) for sample in read_samples(sqlite, bench.run.id)}
    assert made == {(1, 2, 3)}


def test_what_keeps_failing_is_an_error_after_the_attempts(sqlite: Engine) -> None:
    """Three attempts each, then an error with its kind; resuming asks only for those again."""
    bench = Bench(sqlite, suite=make_suite(use_cases=1))
    outcome, upstream = bench.execute(lambda prompt, before: 503 if "Question 2" in prompt else "right")
    assert (outcome.counts.error, upstream.calls) == (1, 4 + 3)
    again, second = bench.execute()
    assert (again.counts.error, again.counts.ok, second.calls) == (0, 5, 1)


def test_concurrency_stays_within_the_limit(sqlite: Engine) -> None:
    """With four allowed, the server never sees five at once, and does see four."""
    bench = Bench(sqlite, epochs=4)
    upstream = Upstream(right, delay=0.01)
    bench.execute(upstream, provider={"concurrency": 4})
    assert upstream.most_in_flight == 4


def test_the_budget_stops_a_run_cleanly_and_it_can_be_resumed(sqlite: Engine) -> None:
    """At a tenth of a cent a call, half a cent buys five samples; the rest comes with more money."""
    bench = Bench(sqlite)
    outcome, upstream = bench.execute(max_cost=0.005, provider={"concurrency": 1})
    assert (outcome.status, outcome.counts.ok, upstream.calls) == ("stopped", 5, 5)
    assert "budget" in str(outcome.reason)
    assert read_run(sqlite, bench.run.id).status == "stopped"
    again, second = bench.execute(max_cost=0.1)
    assert (again.status, again.counts.ok, second.calls) == ("finished", 10, 5)


def test_a_refused_key_stops_the_run_after_one_round(sqlite: Engine) -> None:
    """A 401 ends it with the variable's name and without the key; nobody asks ten times."""
    bench = Bench(sqlite, epochs=20)
    outcome, upstream = bench.execute(
        lambda prompt, before: 401,
        environment={"TEST_KEY": "sesame"},
        provider={"api_key_env": "TEST_KEY", "concurrency": 2},
    )
    assert outcome.status == "stopped"
    assert "TEST_KEY" in str(outcome.reason)
    assert "sesame" not in str(outcome.reason)
    assert upstream.calls <= 4


def test_a_refused_key_stops_its_own_provider_only(sqlite: Engine) -> None:
    """Of two providers one refuses the key: the other's samples are all there, and the reason is reported."""
    plan = plan_run(make_suite(), [Model("good", "a"), Model("bad", "b")], epochs=3)
    keep_suite(sqlite, plan.suite, clock=time.time)
    run = new_run(
        sqlite,
        kind="run",
        suite=plan.suite.digest,
        subjects=plan.models,
        plan=plan.described(),
        day=None,
        simulated=False,
        clock=time.time,
    )

    async def main() -> RunOutcome:
        good, bad = Upstream(right, delay=0.005), Upstream(lambda prompt, before: 401)
        async with serving(good), serving(bad):
            providers = {"good": Provider("good", good.address), "bad": Provider("bad", bad.address)}
            return await conduct(RunContext(sqlite, providers, {}, concurrency=4), run, plan)

    outcome = asyncio.run(main())
    assert (outcome.status, outcome.counts.ok) == ("stopped", 30)
    assert "provider 'bad' refused the key" in str(outcome.reason)


def test_where_no_cost_is_foreseen_the_first_call_goes_alone(sqlite: Engine) -> None:
    """With 32 places and a limit of two and a half calls, two are paid for and not thirty-two."""
    bench = Bench(sqlite, epochs=10)
    upstream = Upstream(right, delay=0.01)
    outcome, _ = bench.execute(upstream, max_cost=0.0025)
    assert (outcome.status, outcome.counts.ok, upstream.calls) == ("stopped", 2, 2)


def test_why_answers_are_ungraded_is_told(sqlite: Engine) -> None:
    """The run's end gives the reason once, with how many samples it left without a score."""
    suite = make_suite(use_cases=1)
    use_case = suite.use_cases[0]
    judged = tuple(replace(case, graders=(GraderSpec("rubric", {"rubric": "x"}),)) for case in use_case.cases)
    bench = Bench(sqlite, suite=replace(suite, use_cases=(replace(use_case, cases=judged),)))
    outcome, _ = bench.execute()
    assert outcome.counts.ungraded == 5
    told = "no judge: name one with --judge, or `judges` in the workspace"
    assert outcome.remarks == (f"ungraded (5): {told}",)


def test_answers_that_were_paid_for_are_graded_not_asked_again(sqlite: Engine) -> None:
    """A run whose calls are in the ledger but whose samples are lost sends nothing when resumed."""
    bench = Bench(sqlite)
    bench.execute()
    with sqlite.begin() as connection:
        connection.exec_driver_sql("DELETE FROM samples")
        connection.exec_driver_sql("DELETE FROM grades")
    outcome, upstream = bench.execute()
    assert upstream.calls == 0
    assert outcome.counts.ok == 10
    assert {sample.row.score for sample in read_samples(sqlite, bench.run.id)} == {100.0}


def test_a_stop_finishes_what_is_in_flight_and_starts_nothing_more(sqlite: Engine) -> None:
    """Stopped in the middle, every call that was sent has its sample; resuming sends the rest only."""
    bench = Bench(sqlite, epochs=10)

    async def during(upstream: Upstream, stop: Stop) -> None:
        while upstream.calls < 20:
            await asyncio.sleep(0.002)
        stop.request("interrupted")

    upstream = Upstream(right, delay=0.005)
    outcome, _ = bench.execute(upstream, during=during, provider={"concurrency": 5})
    assert outcome.status == "stopped"
    assert outcome.counts.ok == upstream.calls < 100
    again, second = bench.execute()
    assert (again.counts.ok, upstream.calls + second.calls) == (100, 100)


def test_a_top_up_adds_and_replaces_nothing(sqlite: Engine) -> None:
    """Topping one use case up asks for its further epochs, and not again for what errored."""
    bench = Bench(sqlite)
    bench.execute(lambda prompt, before: 400 if prompt == "Question 0 of use case 1?" else "right")
    plan = topped_up(bench.plan, frozenset({(0, "use-0")}))
    outcome, upstream = bench.execute(plan=plan, retry_errors=False)
    assert upstream.calls == 10
    assert (outcome.counts.ok, outcome.counts.error) == (19, 1)
    assert all("use case 0" in prompt for prompt in upstream.asked)


def test_answers_from_another_provider_than_the_pin_are_marked(sqlite: Engine) -> None:
    """The served provider is compared with the pin, sample by sample."""
    model = replace(MODEL, pin=Pin(("deepinfra",)))

    def answer(prompt: str, before: int) -> Any:
        return chat("right", provider="Together" if "Question 3" in prompt else "DeepInfra")

    bench = Bench(sqlite, suite=make_suite(use_cases=1), model=model)
    bench.execute(answer)
    marks = [sample.row.routing_changed for sample in read_samples(sqlite, bench.run.id)]
    assert marks == [0, 0, 0, 1, 0]


def test_unknown_costs_are_counted_as_unknown(sqlite: Engine) -> None:
    """Without a reported cost and without prices, nothing is added up as zero."""
    bench = Bench(sqlite)
    outcome, _ = bench.execute(lambda prompt, before: chat("right", usage={"prompt_tokens": 3}))
    assert (outcome.spend.known, outcome.spend.unknown) == (0.0, 10)


def test_prices_give_the_cost_where_the_provider_does_not(sqlite: Engine) -> None:
    """Ten calls of 10 prompt and 5 completion tokens at 1 and 2 dollars a million are 0.0002 dollars."""
    bench = Bench(sqlite, model=replace(MODEL, prices=Prices(1.0, 2.0)))
    usage = {"prompt_tokens": 10, "completion_tokens": 5}
    outcome, _ = bench.execute(lambda prompt, before: chat("right", usage=usage))
    assert outcome.spend.known == pytest.approx(200e-6)


def test_progress_counts_what_is_durable(sqlite: Engine) -> None:
    """At the end every sample is done and durable, and the cost is known."""
    bench, progress = Bench(sqlite), Progress(0)
    bench.execute(progress=progress)
    assert (progress.total, progress.done, progress.durable) == (10, 10, 10)
    assert progress.known_cost == pytest.approx(0.01)


def test_a_full_disk_ends_the_run_and_what_was_committed_can_be_resumed(
    sqlite: Engine, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The third commit fails: the error is raised, earlier samples are there, and resuming completes them."""
    from assay.core.errors import Upstream as Failed

    bench, commits = Bench(sqlite, epochs=20), [0]
    real = LedgerWriter.commit

    def commit(self: LedgerWriter, batch: Batch) -> None:
        commits[0] += 1
        if commits[0] == 3:
            raise Failed("the disk of database 'x' is full")
        real(self, batch)

    with monkeypatch.context() as patched:
        patched.setattr(LedgerWriter, "commit", commit)
        with pytest.raises(Failed, match="full"):
            bench.execute(Upstream(right, delay=0.01), provider={"concurrency": 4})
    kept = len(bench.samples())
    assert 0 < kept < 200
    outcome, second = bench.execute()
    assert outcome.counts.ok == 200
    assert second.calls <= 200 - kept
