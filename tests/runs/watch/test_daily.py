"""The daily watch: base samples, top-ups, verdicts, changes."""

from __future__ import annotations

from collections.abc import Callable
from datetime import date, timedelta
from typing import Any

import orjson
import pytest
from small_suite import make_suite
from sqlalchemy import Engine, select

from assay.calls.control import RunControl, Stop
from assay.core.errors import InvalidInput
from assay.core.model import Model, Pin, Provider
from assay.core.verdict import ModelState, UseCaseState
from assay.runs.watch.daily import check_pins
from assay.store.runs import count_runs, read_run
from assay.store.schema import issued_verdicts

FIRST = date(2026, 11, 1)


def recorded(engine: Engine) -> dict[str, str]:
    """Return the recorded states by ISO day."""
    query = select(issued_verdicts.c.day, issued_verdicts.c.state).order_by(issued_verdicts.c.id)
    with engine.connect() as connection:
        rows = connection.execute(query).all()
    return {row.day: row.state for row in rows}


def test_an_ordinary_day_takes_base_samples_only(watching: Any) -> None:
    """Ten cases, ten calls; five days calibrate, the sixth has a verdict."""
    watching.until(5)
    ended, upstream = watching.on(5)
    assert (upstream.calls, ended.topped) == (10, ())
    assert [verdict.state for verdict in ended.verdicts] == [ModelState.OK]
    assert list(recorded(watching.engine).values()) == ["CALIBRATING"] * 5 + ["OK"]


@pytest.mark.slow
def test_only_the_suspicious_pair_is_topped_up(sqlite: Engine, watch: Any) -> None:
    """Of two models and two use cases, the pair that fell gets its further epochs, and no other."""
    watching = watch(sqlite, models=("a", "b"))
    watching.until(6)

    def answer(prompt: str, before: int) -> Any:
        return "no" if prompt == "Question 2 of use case 1?" and before == 0 else "right"

    ended, upstream = watching.on(6, answer)
    ((name, use_case),) = ended.topped
    assert use_case == "use-1"
    added = [(body["model"], body["messages"][-1]["content"]) for body in upstream.bodies[20:]]
    assert len(added) == 5 * (3 - 1)
    assert {(f"test/{model}", prompt[-2]) for model, prompt in added} == {(name, "1")}


def test_a_verdict_rests_on_the_base_and_the_top_up_together(watching: Any, wrong: Any) -> None:
    """A use case that stays wrong at full count is judged on fifteen samples, and the state flips."""
    watching.until(6)
    ended, upstream = watching.on(6, wrong(0))
    fell = ended.verdicts[0].use_cases[0]
    assert (fell.state, fell.full_power, fell.counts.n) == (UseCaseState.COOKED, True, 15)
    assert ended.verdicts[0].state is ModelState.SUSPICIOUS
    assert upstream.calls == 20


def test_a_top_up_replaces_nothing(watching: Any) -> None:
    """One wrong answer among the base samples weighs a third of its case once the case has three."""
    watching.until(6)
    ended, _ = watching.on(
        6, lambda prompt, before: "no" if prompt == "Question 0 of use case 0?" and not before else "right"
    )
    assert ended.topped == (("test/a", "use-0"),)
    assert ended.verdicts[0].use_cases[0].score == pytest.approx(100 * (4 + 2 / 3) / 5)


def test_a_top_up_does_not_ask_again_for_what_errored(watching_sqlite: Any) -> None:
    """One base sample of another use case failed: while the suspicious one is topped up it is left alone."""
    watching_sqlite.until(6)

    def answer(prompt: str, before: int) -> Any:
        return 400 if prompt == "Question 1 of use case 1?" else "no" if "case 0?" in prompt else "right"

    ended, upstream = watching_sqlite.on(6, answer)
    assert ended.topped == (("test/a", "use-0"),)
    assert upstream.asked["Question 1 of use case 1?"] == 1


def test_a_failed_top_up_leaves_the_state_and_says_so(watching: Any) -> None:
    """When the further epochs all error, the day's numbers are suspicious and the state stays OK."""
    watching.until(6)

    def answer(prompt: str, before: int) -> Any:
        if before:
            return 400
        return "no" if "case 0?" in prompt else "right"

    ended, _ = watching.on(6, answer)
    fell = ended.verdicts[0].use_cases[0]
    assert (fell.reading, fell.state) == (UseCaseState.COOKED, UseCaseState.OK)
    assert "re-run" in str(fell.reason)
    assert ended.verdicts[0].state is ModelState.OK
    assert ended.changes == ()


def test_a_top_up_stopped_by_the_budget_leaves_the_state_and_can_be_resumed(
    watching: Any, wrong: Callable[..., Any]
) -> None:
    """Money for the base samples only: the state stays; with more money the resumed run flips it."""
    watching.until(6)
    ended, upstream = watching.on(6, wrong(0), max_cost=0.0125)
    assert ended.outcome.status == "stopped"
    assert 10 <= upstream.calls <= 13
    assert ended.verdicts[0].state is ModelState.OK
    again, second = watching.resume(ended.outcome.run, wrong(0), max_cost=1.0)
    assert again.outcome.status == "finished"
    assert upstream.calls + second.calls == 20
    assert again.verdicts[0].use_cases[0].state is UseCaseState.COOKED
    assert [change.before for change in again.changes] == [ModelState.OK]


def test_a_watch_that_stopped_before_it_was_whole_is_not_judged(watching: Any) -> None:
    """Stopped in its base samples a day has no verdict; resumed it has, and nothing is asked twice."""
    watching.until(6)
    ended, upstream = watching.on(6, max_cost=0.0045)
    assert (ended.outcome.status, ended.verdicts, ended.changes) == ("stopped", (), ())
    day = (FIRST + timedelta(days=6)).isoformat()
    assert day not in recorded(watching.engine)
    again, second = watching.resume(ended.outcome.run)
    assert again.verdicts[0].state is ModelState.OK
    assert recorded(watching.engine)[day] == "OK"
    assert upstream.calls + second.calls == 10


def test_a_topped_up_run_is_resumed_with_its_top_up(watching_sqlite: Any, wrong: Any, stop: Stop) -> None:
    """A run killed while it was topped up finishes the further epochs of that pair and asks for no others."""
    watching = watching_sqlite
    watching.until(6)
    asked: list[str] = []
    fell = wrong(0)

    def answer(prompt: str, before: int) -> Any:
        asked.append(prompt)
        if len(asked) == 14:
            stop.request("interrupted")
        return fell(prompt, before)

    ended, first = watching.on(6, answer, control=RunControl(stop=stop))
    assert ended.outcome.status == "stopped"
    assert read_run(watching.engine, ended.outcome.run).plan["topped"] == [[0, "use-0"]]
    again, second = watching.resume(ended.outcome.run, fell)
    assert again.topped == (("test/a", "use-0"),)
    assert first.calls + second.calls == 20
    counts = count_runs(watching.engine, [ended.outcome.run])[ended.outcome.run]
    assert (counts.samples.ok, counts.spend.calls) == (20, 20)


def test_a_change_is_told_once(watching: Any, wrong: Any) -> None:
    """The first verdict is a change from nothing; OK after OK is none; a fall is one, with what it was."""
    first, _ = watching.on(0)
    assert [(change.before, change.verdict.state) for change in first.changes] == [
        (None, ModelState.CALIBRATING)
    ]
    for number in range(1, 5):
        assert watching.on(number)[0].changes == ()
    assert [change.before for change in watching.on(5)[0].changes] == [ModelState.CALIBRATING]
    assert watching.on(6)[0].changes == ()
    fell, _ = watching.on(7, wrong(0))
    assert [(change.before, change.verdict.state) for change in fell.changes] == [
        (ModelState.OK, ModelState.SUSPICIOUS)
    ]


def test_runs_of_one_day_are_pooled(watching: Any, wrong: Any) -> None:
    """A bad run and a good one on the same day make one score of all their samples."""
    watching.until(6)
    bad, _ = watching.on(6, wrong(0, cases=1))
    assert bad.verdicts[0].use_cases[0].counts.n == 15
    good, _ = watching.on(6)
    pooled = good.verdicts[0].use_cases[0]
    assert pooled.counts.n == 20
    assert pooled.score == pytest.approx(100 * (4 + 1 / 4) / 5)


@pytest.mark.slow
def test_a_state_that_a_later_run_of_the_day_takes_back_is_a_change(watching: Any) -> None:
    """SUSPICIOUS in the morning and OK by noon: both are told, though the day before was OK too."""
    watching.until(6)
    morning, _ = watching.on(
        6, lambda prompt, before: "no" if prompt == "Question 0 of use case 0?" and not before else "right"
    )
    assert [change.verdict.state for change in morning.changes] == [ModelState.SUSPICIOUS]
    for _ in range(3):
        noon, _ = watching.on(6)
    assert [(change.before, change.verdict.state) for change in noon.changes] == [
        (ModelState.SUSPICIOUS, ModelState.OK)
    ]


@pytest.mark.slow
def test_a_day_of_failures_is_a_gap_and_no_change(watching: Any) -> None:
    """When every call fails the day is a GAP, never a fall, and the next day goes on as before."""
    watching.until(6)
    gap, _ = watching.on(6, lambda prompt, before: 400)
    assert gap.verdicts[0].state is ModelState.GAP
    assert (gap.topped, gap.changes) == ((), ())
    after, _ = watching.on(7)
    assert (after.verdicts[0].state, after.changes) == (ModelState.OK, ())


@pytest.mark.slow
def test_a_broken_run_beside_a_whole_one_is_left_out(watching: Any) -> None:
    """The gap rule is applied run by run: the day is judged by the run that worked."""
    watching.until(6)
    watching.on(6, lambda prompt, before: 400)
    ended, _ = watching.on(6)
    assert ended.verdicts[0].state is ModelState.OK
    assert (ended.verdicts[0].runs_left_out, ended.verdicts[0].errored) == (1, 10)


@pytest.mark.slow
def test_the_recorded_verdict_is_the_whole_evidence(watching_sqlite: Any) -> None:
    """What is kept of a day is the verdict as JSON, with its use cases and counts."""
    watching_sqlite.until(6)
    with watching_sqlite.engine.connect() as connection:
        text = connection.execute(
            select(issued_verdicts.c.verdict).order_by(issued_verdicts.c.day.desc()).limit(1)
        ).scalar_one()
    kept = orjson.loads(text)
    assert (kept["model"], kept["state"], kept["day"]) == ("test/a", "OK", "2026-11-06")
    assert [each["counts"]["n"] for each in kept["use_cases"]] == [5, 5]


def test_a_simulated_watch_says_so(watching_sqlite: Any) -> None:
    """A run against a simulated provider is labelled in the store and in what the watch returns."""
    real, _ = watching_sqlite.on(0)
    watching_sqlite.dialect = "simulated"
    made_up, _ = watching_sqlite.on(1)
    stored = [read_run(watching_sqlite.engine, each.outcome.run).simulated for each in (real, made_up)]
    assert (real.simulated, made_up.simulated, stored) == (False, True, [False, True])


@pytest.mark.slow
def test_another_version_of_the_suite_begins_anew(sqlite: Engine, watch: Any) -> None:
    """Scores are never compared across versions: after a new version the model calibrates."""
    watch(sqlite).until(6)
    ended, _ = watch(sqlite, suite=make_suite(version="2")).on(6)
    assert ended.verdicts[0].state is ModelState.CALIBRATING


def test_unpinned_models_behind_a_router_are_refused_all_at_once() -> None:
    """Each is named, with what to write; pinned ones and direct endpoints pass; so does an explicit wish."""
    providers = {
        "router": Provider("router", "https://example.test/v1", dialect="openrouter"),
        "direct": Provider("direct", "https://example.test/v1"),
    }
    models = [
        Model("router", "a"),
        Model("router", "b"),
        Model("router", "c", pin=Pin(("x",))),
        Model("direct", "d"),
    ]
    with pytest.raises(InvalidInput) as caught:
        check_pins(models, providers, allow_unpinned=False)
    assert [problem.text.split("'")[1] for problem in caught.value.problems] == ["router/a", "router/b"]
    check_pins(models, providers, allow_unpinned=True)
