"""The demonstration: simulated days over real HTTP, and what the verdicts made of them."""

from __future__ import annotations

import asyncio
from datetime import date, timedelta
from pathlib import Path

import pytest

from assay.cli.demo import LETTERS
from assay.core.verdict import ModelState
from assay.providers.simulated_models import MODELS
from assay.results.watch import WatchDay
from assay.runs.demo import DATABASE, demo_models, demo_work, simulate_days
from assay.store.runs import list_runs

LAST = date(2026, 11, 20)
QUICKSTART = Path(__file__).parents[2] / "docs" / "quickstart.md"


def test_every_simulated_model_is_watched_and_pinned() -> None:
    """The pin is the provider that serves them first, so that a change of it is seen."""
    models = demo_models()
    assert [model.name for model in models] == [f"simulated/{name}" for name in MODELS]
    assert {model.pin.only for model in models if model.pin is not None} == {("simulated-home",)}


def test_a_demonstration_begins_anew(tmp_path: Path) -> None:
    """What an earlier one left in its folder is gone; other files stay."""
    folder = tmp_path / "demo"
    folder.mkdir()
    (folder / DATABASE).write_text("old")
    (folder / "notes.txt").write_text("kept")
    work = demo_work(folder)
    assert list_runs(work.engine) == []
    work.engine.dispose()
    assert (folder / "notes.txt").read_text() == "kept"


@pytest.mark.slow
def test_a_month_finds_the_models_that_fall_and_no_others(tmp_path: Path) -> None:
    """Both that fall end COOKED and were not before; noise, rerouting and an outage are never COOKED."""
    work = demo_work(tmp_path)
    days: list[WatchDay] = []
    try:
        findings = asyncio.run(simulate_days(work, days=30, last=LAST, on_day=days.append))
    finally:
        work.engine.dispose()
    found = {finding.model.removeprefix("simulated/"): finding for finding in findings}
    assert [day.day for day in days] == [LAST - timedelta(days=29 - number) for number in range(30)]
    assert all(day.simulated and day.outcome.status == "finished" for day in days)
    for name in ("degrading", "collapsing"):
        fell_on, cooked_on = found[name].fell_on, found[name].cooked_on
        assert fell_on is not None
        assert cooked_on is not None
        assert fell_on <= cooked_on
        states = [day.state for day in found[name].states]
        assert ModelState.COOKED not in states[: MODELS[name].degrades_on]
        assert states[-1] is ModelState.COOKED
    spared = [found[name] for name in ("steady", "noisy", "rerouted", "flaky")]
    assert [(each.fell_on, each.cooked_on) for each in spared] == [(None, None)] * 4
    gaps = {
        name: [number for number, day in enumerate(each.states) if day.state is ModelState.GAP]
        for name, each in found.items()
    }
    assert {name: days for name, days in gaps.items() if days} == {
        "flaky": [17],
        "rerouted": list(range(MODELS["rerouted"].reroutes_on or 0, 30)),
    }
    for name in ("steady", "degrading", "collapsing"):
        strip = "".join(LETTERS[day.state] for day in found[name].states)
        assert f"{strip}  {MODELS[name].about}" in QUICKSTART.read_text(), f"the line of {name}"


@pytest.mark.slow
def test_findings_without_a_fall_have_no_day(tmp_path: Path) -> None:
    """Too few days for anything: the models calibrate, nothing was suspected."""
    work = demo_work(tmp_path)
    try:
        findings = asyncio.run(simulate_days(work, days=1, last=LAST))
    finally:
        work.engine.dispose()
    assert {day.state for finding in findings for day in finding.states} == {ModelState.CALIBRATING}
    assert {finding.suspected_on for finding in findings} == {None}
