"""Reading runs of the workspace into tensors, with runs over HTTP in a real database."""

from __future__ import annotations

import asyncio
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from small_suite import make_suite
from sqlalchemy import update
from upstream import Upstream, serving

from assay.core.errors import InvalidInput, NotFound
from assay.core.model import Provider
from assay.core.suite import Suite
from assay.core.workspace import Workspace
from assay.runs.work import Work, open_work
from assay.store.runs import new_run, read_run
from assay.store.schema import runs as run_table
from assay.store.schema import samples
from assay.studies.frontier.source import read_tensor
from assay.studies.frontier.tensor_source import TensorSource

NOON = 1_795_176_000.0


class Runs:
    """A workspace whose provider gives scripted answers."""

    def __init__(self, folder: Path) -> None:
        self.work = Work(Workspace(database=str(folder / "assay.db")), {}, clock=lambda: NOON, seed=0)

    def run(self, suite: Suite, models: list[str], answer: Any, *, epochs: int = 1) -> int:
        """Run a suite against an upstream; return the run's number."""
        upstream = Upstream(answer)

        async def main() -> int:
            async with serving(upstream):
                local = Provider("local", upstream.address, attempts=1, timeout=5.0)
                work = replace_workspace(self.work, providers={"local": local})
                outcome = await work.run(work.plan(suite, work.models(models), epochs=epochs))
                work.engine.dispose()
                return outcome.run

        return asyncio.run(main())

    def read(self, source: str, **options: Any) -> TensorSource:
        """Read runs."""
        return read_tensor(source, engine=self.work.engine, **options)


def replace_workspace(work: Work, **parts: Any) -> Work:
    """Return the same workspace with other parts."""
    return Work(replace(work.workspace, **parts), {}, clock=lambda: NOON, seed=0)


@pytest.fixture
def runs(tmp_path: Path) -> Iterator[Runs]:
    """A workspace in a temporary folder."""
    made = Runs(tmp_path)
    yield made
    made.work.engine.dispose()


def mixed(prompt: str, before: int) -> Any:
    """Answer right, then wrong, then without text. Question 4 of use case 1 always fails."""
    if prompt == "Question 4 of use case 1?":
        return 400
    return ("right", "wrong", "")[before]


def test_a_run_with_epochs(runs: Runs) -> None:
    """Epochs are generations with score, cost and latency; invalid answers score 0, errors are missing."""
    number = runs.run(make_suite(), ["local/a"], mixed, epochs=3)
    read = runs.read(f"run:{number}")
    tensor, rows = read.tensor, read.rows
    assert tensor.models == ("local/a",)
    assert tensor.quality.shape == (9, 1, 3)
    assert sorted(tensor.quality[0, 0].tolist()) == [0.0, 0.0, 1.0]
    assert (rows.read, rows.used, rows.invalid, rows.errors, rows.ungraded) == (30, 27, 9, 3, 0)
    assert [(left_out.kind, left_out.name) for left_out in read.left_out] == [("prompt", "case-1-4")]
    assert tensor.cost is not None and tensor.latency is not None
    assert set(tensor.cost.ravel().tolist()) == {0.001}
    assert np.nanmin(tensor.latency) > 0
    assert (tensor.categories or ())[0] == "use-0"
    assert (tensor.texts or ())[0] == "Question 0 of use case 0?"
    assert read.source == f"run:{number} (suite small 1, digest {make_suite().digest[:12]})"
    assert read.digest == make_suite().digest


def test_ungraded_answers_are_missing(runs: Runs) -> None:
    """They are counted separately from errors."""
    number = runs.run(make_suite(use_cases=1), ["local/a"], lambda prompt, before: "right")
    with runs.work.engine.begin() as connection:
        connection.execute(update(samples).where(samples.c.position == 0).values(score=None))
    rows = runs.read(str(number)).rows
    assert (rows.read, rows.used, rows.ungraded, rows.errors) == (5, 4, 1, 0)


def test_runs_of_one_suite_are_joined(runs: Runs) -> None:
    """A model has the generations of all runs that it is in."""
    suite = make_suite(use_cases=1)
    first = runs.run(suite, ["local/a", "local/b"], lambda prompt, before: "right")
    second = runs.run(suite, ["local/a"], lambda prompt, before: "wrong", epochs=2)
    tensor = runs.read(f"run:{first},run:{second}").tensor
    assert tensor.models == ("local/a", "local/b")
    assert (tensor.answers == [3, 1]).all()
    assert (tensor.correct == [1, 1]).all()


def test_runs_of_different_suites_are_refused(runs: Runs) -> None:
    """The message names both suites."""
    first = runs.run(make_suite(use_cases=1), ["local/a"], lambda prompt, before: "right")
    second = runs.run(make_suite(version="2"), ["local/a"], lambda prompt, before: "right")
    with pytest.raises(
        InvalidInput, match=rf"run {first} is of suite small 1.*run {second} of suite small 2"
    ):
        runs.read(f"{first},{second}")


def test_simulated_models_are_noted(tmp_path: Path) -> None:
    """Simulated models answer over HTTP like others, and a note says that they are simulated."""
    work = open_work(tmp_path, environment={"ASSAY_DATABASE": f"sqlite:///{tmp_path / 'assay.db'}"})
    plan = work.plan(make_suite(), work.models(["simulated/steady", "simulated/collapsing"]), epochs=2)
    number = asyncio.run(work.run(plan)).run
    read = read_tensor(f"run:{number}", engine=work.engine)
    work.engine.dispose()
    assert read.tensor.models == ("simulated/collapsing", "simulated/steady")
    assert read.tensor.quality.shape == (10, 2, 2)
    assert "models are simulated: their figures measure no real model" in read.notes


def test_the_texts_of_a_private_suite_are_not_read(runs: Runs) -> None:
    """Its prompts have names but no texts."""
    suite = replace(make_suite(use_cases=1), visibility="private")
    number = runs.run(suite, ["local/a"], lambda prompt, before: "right")
    assert runs.read(f"run:{number}").tensor.texts is None


def test_runs_that_cannot_be_read(runs: Runs) -> None:
    """An unknown run, a run of another kind, and a run without samples are reported."""
    with pytest.raises(NotFound, match="no run 9"):
        runs.read("run:9")
    suite = make_suite(use_cases=1)
    runs.run(suite, ["local/a"], lambda prompt, before: "right")
    models = [model for _, model in read_run(runs.work.engine, 1).models]
    for kind, message in (("calibrate", "is of kind 'calibrate'"), ("run", "has no samples yet")):
        made = new_run(
            runs.work.engine,
            kind=kind,
            suite=suite.digest,
            subjects=models,
            plan={},
            day=None,
            simulated=False,
            clock=lambda: NOON,
        )
        with pytest.raises(InvalidInput, match=message):
            runs.read(f"run:{made.id}")


def test_a_simulated_run_is_marked_as_simulated(runs: Runs) -> None:
    """The source has a field for it, not only a note."""
    number = runs.run(make_suite(use_cases=1), ["local/a"], lambda prompt, before: "right")
    assert not runs.read(str(number)).simulated
    with runs.work.engine.begin() as connection:
        connection.execute(update(run_table).values(simulated=1))
    read = runs.read(str(number))
    assert read.simulated
    assert read.summary.simulated
