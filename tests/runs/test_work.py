"""The Python interface: one open workspace, from names to verdicts."""

from __future__ import annotations

import asyncio
import re
import time
from collections.abc import Callable, Iterator
from dataclasses import replace
from datetime import date
from pathlib import Path
from typing import Any

import pytest
from small_suite import make_suite
from upstream import Answer, Upstream, serving

from assay.calls.control import RunControl
from assay.core.errors import AssayError, Conflict, InvalidInput, NotFound
from assay.core.model import Model, Pin, Provider, SuiteExclusion
from assay.core.verdict import ModelState
from assay.core.workspace import BudgetSettings, Webhook, Workspace
from assay.results.runs import RunOutcome
from assay.results.watch import WatchDay
from assay.runs.judging.panels import JudgeChoice
from assay.runs.work import Work
from assay.store.runs import StoredRun, list_runs, new_run, read_run
from assay.store.suites import keep_suite

NOON = 1_795_176_000.0
Open = Callable[..., Work]


@pytest.fixture
def open_work(tmp_path: Path) -> Iterator[Open]:
    """Opens a workspace in a temporary folder, on the day 2026-11-20."""
    opened: list[Work] = []

    def make(*, environment: dict[str, str] | None = None, **parts: Any) -> Work:
        workspace = Workspace(database=str(tmp_path / "assay.db"), **parts)
        work = Work(workspace, environment or {}, clock=lambda: NOON, seed=0)
        opened.append(work)
        return work

    yield make
    for work in opened:
        if "engine" in work.__dict__:
            work.engine.dispose()


def local(address: str = "http://127.0.0.1:1/v1", **parts: Any) -> dict[str, Provider]:
    """Return the providers of a workspace: one that a test serves."""
    return {"local": Provider("local", address, attempts=1, timeout=5.0, **parts)}


def against(answer: Answer, work: Callable[[str], Any]) -> tuple[Any, Upstream]:
    """Serve an upstream while `work(address)` talks to it."""
    upstream = Upstream(answer)

    async def main() -> Any:
        async with serving(upstream):
            return await work(upstream.address)

    return asyncio.run(main()), upstream


def right(prompt: str, before: int) -> Any:
    """Answer rightly."""
    return "right"


def test_unknown_models_are_told_all_at_once(open_work: Open) -> None:
    """Each problem stands for one name; known ones and doubles make none."""
    work = open_work(providers=local())
    with pytest.raises(InvalidInput) as caught:
        work.models(["nowhere/x", "local/a", "bare", "elsewhere/y", "nowhere/x"])
    told = [problem.text for problem in caught.value.problems]
    assert len(told) == 3
    assert ["nowhere" in told[0], "bare" in told[1], "elsewhere" in told[2]] == [True] * 3
    assert all("local" in text for text in told)


def test_a_model_named_twice_is_one(open_work: Open) -> None:
    """It is measured once, in the place of its first name."""
    names = [model.name for model in open_work(providers=local()).models(["local/a", "local/b", "local/a"])]
    assert names == ["local/a", "local/b"]


def test_excluded_models_are_left_out_of_that_suite_only(open_work: Open) -> None:
    """A model that declares an exclusion is not planned for that suite, and is for another."""
    excluded = Model("local", "a", exclusions=(SuiteExclusion("small", "trained on it"),))
    work, other = open_work(providers=local()), Model("local", "b")
    suite = make_suite()
    assert [model.name for model in work.plan(suite, [excluded, other]).models] == ["local/b"]
    renamed = replace(suite, name="another")
    assert len(work.plan(renamed, [excluded, other]).models) == 2


def test_when_all_are_excluded_the_reasons_are_told(open_work: Open) -> None:
    """Nothing is left to run: each model with its own reason."""
    excluded = Model("local", "a", exclusions=(SuiteExclusion("small", "trained on it"),))
    with pytest.raises(InvalidInput, match="local/a: trained on it"):
        open_work(providers=local()).plan(make_suite(), [excluded])
    with pytest.raises(InvalidInput, match="--model"):
        open_work(providers=local()).plan(make_suite(), [])


@pytest.mark.parametrize("options", [{"epochs": 0}, {"limit": 0}, {"epochs": -1}, {"limit": -5}])
def test_counts_below_one_are_refused(open_work: Open, options: dict[str, int]) -> None:
    """The message names the option and its value."""
    ((name, value),) = options.items()
    with pytest.raises(InvalidInput, match=f"invalid {name} {value}"):
        open_work(providers=local()).plan(make_suite(), [Model("local", "a")], **options)


@pytest.mark.parametrize(
    ("suite", "models", "advice"),
    [
        ("daily", ["simulated/steady"], "work.suite('daily')"),
        (None, ["simulated/steady"], "work.models(['simulated/steady'])"),
    ],
)
def test_names_in_place_of_suite_and_models_are_refused(
    open_work: Open, suite: str | None, models: list[str], advice: str
) -> None:
    """The message says which call turns the names into what a plan takes."""
    work = open_work()
    with pytest.raises(AssayError, match=re.escape(advice)):
        work.plan(suite or work.suite("daily"), models)  # type: ignore[arg-type]


def test_planning_opens_no_database(open_work: Open, tmp_path: Path) -> None:
    """A dry run leaves nothing behind."""
    work = open_work(providers=local())
    work.plan(make_suite(), work.models(["local/a"]))
    assert list(tmp_path.iterdir()) == []


def test_a_run_is_executed_and_told_when_it_begins(open_work: Open) -> None:
    """`started` hears of the stored run before the first answer; the progress counts to the end."""
    begun: list[StoredRun] = []
    control = RunControl(started=begun.append)

    async def work(address: str) -> tuple[RunOutcome, Work]:
        opened = open_work(providers=local(address))
        plan = opened.plan(make_suite(), opened.models(["local/a"]))
        return await opened.run(plan, control=control), opened

    (outcome, opened), upstream = against(right, work)
    assert (outcome.status, outcome.counts.ok, upstream.calls) == ("finished", 10, 10)
    assert [run.id for run in begun] == [outcome.run]
    assert control.progress.durable == 10
    assert not read_run(opened.engine, outcome.run).simulated


def test_a_missing_key_is_told_before_anything_is_stored(open_work: Open) -> None:
    """The variable is named and no run is begun."""
    work = open_work(providers=local(api_key_env="LOCAL_KEY"))
    plan = work.plan(make_suite(), work.models(["local/a"]))
    with pytest.raises(InvalidInput, match="LOCAL_KEY"):
        asyncio.run(work.run(plan))
    with pytest.raises(InvalidInput, match="LOCAL_KEY"):
        asyncio.run(work.watch(make_suite(), work.models(["local/a"])))
    assert list_runs(work.engine) == []


def test_the_workspace_s_budget_holds_unless_another_is_given(open_work: Open) -> None:
    """At a tenth of a cent a call, half a cent buys at most five samples; with more the run is resumed."""

    async def work(address: str) -> tuple[RunOutcome, Any]:
        opened = open_work(providers=local(address, concurrency=1), budget=BudgetSettings(0.005))
        plan = opened.plan(make_suite(), opened.models(["local/a"]))
        first = await opened.run(plan)
        return first, await opened.resume(first.run, max_cost=1.0)

    (first, second), upstream = against(right, work)
    assert (first.status, first.counts.ok) == ("stopped", 5)
    assert (second.status, second.counts.ok, upstream.calls) == ("finished", 10, 10)


@pytest.mark.slow
def test_resuming_without_the_provider_or_its_key_is_told(open_work: Open) -> None:
    """A provider that the workspace no longer has, or whose key is gone, is invalid input, not a crash."""

    async def work(address: str) -> RunOutcome:
        opened = open_work(providers=local(address, concurrency=1), budget=BudgetSettings(0.005))
        return await opened.run(opened.plan(make_suite(), opened.models(["local/a"])))

    outcome, _ = against(right, work)
    with pytest.raises(InvalidInput, match="unknown provider 'local'"):
        asyncio.run(open_work(providers={}).resume(outcome.run))
    keyed = open_work(providers=local(api_key_env="LOCAL_KEY"))
    with pytest.raises(InvalidInput, match="LOCAL_KEY"):
        asyncio.run(keyed.resume(outcome.run))
    assert read_run(keyed.engine, outcome.run).status == "stopped"


def test_an_unknown_simulated_model_or_judge_is_refused_before_anything_is_sent(open_work: Open) -> None:
    """The message names the closest one; nothing is stored."""
    work = open_work(providers={**local(), "simulated": Provider("simulated", "", dialect="simulated")})
    with pytest.raises(InvalidInput, match="'simulated/stedy': did you mean 'simulated/steady'"):
        work.models(["simulated/stedy"])
    judges = JudgeChoice(("simulated/jugde",))
    with pytest.raises(InvalidInput, match="'simulated/jugde': did you mean 'simulated/judge'"):
        work.plan(make_suite(), work.models(["local/a"]), judges=judges)
    assert work.existing() is None


def test_what_cannot_be_resumed_is_told(open_work: Open) -> None:
    """An unknown number, and history that was imported."""
    work = open_work(providers=local())
    with pytest.raises(NotFound, match="7"):
        asyncio.run(work.resume(7))
    suite = make_suite()
    keep_suite(work.engine, suite, clock=time.time)
    imported = new_run(
        work.engine,
        kind="import",
        suite=suite.digest,
        subjects=[Model("local", "a")],
        plan={},
        day="2026-11-01",
        simulated=False,
        clock=time.time,
    )
    with pytest.raises(Conflict, match="imported"):
        asyncio.run(work.resume(imported.id))


def test_a_watch_counts_for_today_in_utc(open_work: Open) -> None:
    """Without a day it is the clock's; the verdict of a first day is CALIBRATING."""

    async def work(address: str) -> WatchDay:
        opened = open_work(providers=local(address))
        return await opened.watch(make_suite(), opened.models(["local/a"]))

    ended, _ = against(right, work)
    assert ended.day == date(2026, 11, 20)
    assert [verdict.state for verdict in ended.verdicts] == [ModelState.CALIBRATING]


def test_two_watches_at_once_are_refused(open_work: Open) -> None:
    """The second is told who runs; it has stored no run and asked nothing."""

    async def work(address: str) -> tuple[WatchDay, list[StoredRun]]:
        first, second = (open_work(providers=local(address)) for _ in range(2))
        suite, models = make_suite(), first.models(["local/a"])
        first.engine.connect().close()
        begun = asyncio.Event()
        going = asyncio.create_task(
            first.watch(suite, models, control=RunControl(started=lambda run: begun.set()))
        )
        await begun.wait()
        with pytest.raises(Conflict, match="another watch is running"):
            await second.watch(suite, models)
        return await going, list_runs(second.engine)

    (ended, stored), upstream = against(right, work)
    assert (ended.outcome.status, len(stored), upstream.calls) == ("finished", 1, 10)


def test_unpinned_models_behind_a_router_are_refused_in_a_watch(open_work: Open) -> None:
    """Unless they are allowed; a run may use them."""
    routed = {"router": Provider("router", "http://127.0.0.1:1/v1", dialect="openrouter", attempts=1)}
    work = open_work(providers=routed, models={"router/b": Model("router", "b", pin=Pin(("x",)))})
    with pytest.raises(InvalidInput, match="router/a"):
        asyncio.run(work.watch(make_suite(), work.models(["router/a", "router/b"])))
    assert work.plan(make_suite(), work.models(["router/a"])).size == 10


@pytest.mark.slow
def test_a_watch_tells_the_workspace_s_webhooks(open_work: Open) -> None:
    """A fall is sent; a hook whose variable is missing gets a failed delivery, and the watch is whole."""
    hook = Webhook("ops", url_env="HOOK")

    async def work(address: str) -> list[WatchDay]:
        opened = open_work(providers=local(address), notify=(hook,))
        suite, models = make_suite(), opened.models(["local/a"])
        return [await opened.watch(suite, models, day=date(2026, 11, day)) for day in range(1, 8)]

    days, _ = against(lambda prompt, before: "no" if before >= 6 else "right", work)
    assert [len(day.deliveries) for day in days] == [0] * 6 + [1]
    assert "HOOK" in str(days[6].deliveries[0].error)


def test_a_simulated_model_is_served_meanwhile_and_labelled(open_work: Open) -> None:
    """Without any server of one's own the simulated provider answers, and the run says that it did."""
    simulated = {"simulated": Provider("simulated", "http://127.0.0.1:1/v1", dialect="simulated")}
    work = open_work(providers=simulated)
    suite = make_suite()
    ended = asyncio.run(work.watch(suite, work.models(["simulated/steady"]), day=date(2026, 11, 1)))
    outcome = asyncio.run(work.run(work.plan(suite, work.models(["simulated/steady"]))))
    assert ended.simulated
    assert ended.verdicts[0].counts.ok == 10
    assert [run.simulated for run in list_runs(work.engine)] == [True, True]
    assert outcome.counts.ok == 10


def test_one_name_in_the_place_of_models_is_quoted_whole(open_work: Open) -> None:
    """A text is a sequence of letters, which is not what was meant."""
    work = open_work()
    with pytest.raises(InvalidInput, match=r"work\.models\(\['simulated/steady'\]\)"):
        work.plan(work.suite("daily"), "simulated/steady")  # type: ignore[arg-type]
