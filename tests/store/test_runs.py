"""Runs, models, suites and locks in the store."""

from __future__ import annotations

import os
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from threading import Barrier

import pytest
from sqlalchemy import Engine

from assay.core.errors import Conflict, NotFound
from assay.core.model import Model, Pin
from assay.core.money import Prices
from assay.core.suite import Suite
from assay.store.locks import free_lock, run_lock, take_lock, this_process
from assay.store.runs import count_runs, end_run, keep_models, list_runs, new_run, read_run
from assay.store.suites import find_digest, keep_suite, read_suite

Clock = Callable[[], float]


def a_run(engine: Engine, suite: Suite, clock: Clock, *models: Model) -> int:
    """Store a suite and a run of it."""
    keep_suite(engine, suite, clock=clock)
    return new_run(
        engine,
        kind="run",
        suite=suite.digest,
        subjects=models or (Model("local", "one"),),
        plan={"epochs": {}},
        day=None,
        simulated=False,
        clock=clock,
    ).id


def test_a_suite_comes_back_as_it_was(engine: Engine, small_suite: Suite, clock: Clock) -> None:
    """A suite read by digest equals the stored one, including graders and exemplars."""
    keep_suite(engine, small_suite, clock=clock)
    assert read_suite(engine, small_suite.digest) == small_suite


def test_a_suite_that_changed_under_its_version_is_refused(
    engine: Engine, small_suite: Suite, clock: Clock
) -> None:
    """The error names both digests."""
    keep_suite(engine, small_suite, clock=clock)
    changed = replace(small_suite, digest="f" * 64)
    with pytest.raises(Conflict) as caught:
        keep_suite(engine, changed, clock=clock)
    assert small_suite.digest[:12] in str(caught.value)
    assert "f" * 12 in str(caught.value)


def test_a_new_version_is_stored_beside_the_old_one(engine: Engine, small_suite: Suite, clock: Clock) -> None:
    """Both versions can be read; the default is the one stored last."""
    keep_suite(engine, small_suite, clock=lambda: 1.0)
    newer = replace(small_suite, version="2", digest="e" * 64)
    keep_suite(engine, newer, clock=lambda: 2.0)
    assert find_digest(engine, "small") == newer.digest
    assert find_digest(engine, "small", "1") == small_suite.digest
    with pytest.raises(NotFound):
        find_digest(engine, "small", "3")


def test_models_are_one_row_for_each_fingerprint(engine: Engine, small_suite: Suite, clock: Clock) -> None:
    """New prices update the row; a new pin makes another row."""
    plain = Model("openrouter", "a/b", pin=Pin(("x",)))
    priced = replace(plain, prices=Prices(1.0, 2.0))
    moved = replace(plain, pin=Pin(("y",)))
    runs = [a_run(engine, small_suite, clock, model) for model in (plain, priced, moved)]
    rows = [read_run(engine, run).models[0][0] for run in runs]
    assert rows[0] == rows[1] != rows[2]
    assert read_run(engine, runs[0]).models[0][1].prices == Prices(1.0, 2.0)


def test_runs_are_listed_newest_first_with_their_outcome(
    engine: Engine, small_suite: Suite, clock: Clock
) -> None:
    """A stopped run keeps its reason."""
    first, second = (a_run(engine, small_suite, clock) for _ in range(2))
    end_run(engine, first, status="stopped", reason="the budget is spent", clock=clock)
    assert [run.id for run in list_runs(engine)] == [second, first]
    assert read_run(engine, first).reason == "the budget is spent"
    assert count_runs(engine, [first])[first].samples.n == 0


def test_an_unknown_run_is_an_error(engine: Engine) -> None:
    """The error names the command that lists runs."""
    with pytest.raises(NotFound, match="assay runs"):
        read_run(engine, 77)


def test_a_run_without_a_process_is_dead_until_it_ends(
    engine: Engine, small_suite: Suite, clock: Clock
) -> None:
    """A run without a process that holds its lock is dead, unless it is finished."""
    first = a_run(engine, small_suite, clock)
    assert (read_run(engine, first).status, read_run(engine, first).holder) == ("dead", None)
    lease = take_lock(engine, run_lock(first), this_process())
    held = read_run(engine, first)
    assert (held.status, f"process {os.getpid()} on " in str(held.holder)) == ("running", True)
    end_run(engine, first, status="finished", reason=None, clock=lambda: 0.0, lease=lease)
    free_lock(engine, lease)
    assert read_run(engine, first).status == "finished"


def test_rows_that_many_store_at_the_same_moment_are_stored_once(
    engine: Engine, small_suite: Suite, clock: Clock
) -> None:
    """Eight processes begin runs of one new suite with the same new models in two orders; none fails."""
    together = Barrier(8)
    models = [Model("test", f"model-{number}") for number in range(6)]

    def begin(turn: int) -> int:
        ordered = models if turn % 2 else models[::-1]
        together.wait()
        keep_models(engine, ordered)
        return a_run(engine, small_suite, clock, *ordered)

    with ThreadPoolExecutor(8) as pool:
        stored = [read_run(engine, run) for run in pool.map(begin, range(8))]
    assert len({run.id for run in stored}) == 8
    assert len({row for run in stored for row, _ in run.models}) == 6
    assert [model for _, model in stored[0].models] == models[::-1]
