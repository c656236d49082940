"""The demonstration: 30 simulated days of the daily suite over real HTTP, watched and judged."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from datetime import date, timedelta
from pathlib import Path

from assay.calls.lease import hold
from assay.core.model import Model, Pin
from assay.core.verdict import ModelState
from assay.core.workspace import Workspace
from assay.providers.simulated import serve_simulated, simulated_provider
from assay.providers.simulated_models import MODELS, SimulatedModel
from assay.results.demo import DemoDay, DemoFinding
from assay.results.watch import WatchDay
from assay.runs.conduct import RunContext
from assay.runs.watch.daily import WATCHING, watch_day
from assay.runs.watch.verdicts import Verdicts
from assay.runs.work import Work

DATABASE = "demo.db"
DEMO_JUDGE = Model("simulated", "judge")


def demo_models() -> list[Model]:
    """Return the simulated models, pinned to the provider that serves them first."""
    return [Model("simulated", name, pin=Pin(("simulated-home",)), weights="closed") for name in MODELS]


async def simulate_days(
    work: Work, *, days: int, last: date, on_day: Callable[[WatchDay], None] | None = None
) -> list[DemoFinding]:
    """Watch the simulated models for `days` days up to `last`, and return the finding for each of them."""
    suite = work.suite("daily")
    first = last - timedelta(days=days - 1)
    async with serve_simulated(suite.cases, today=work.today, start=first) as address:
        for number in range(days):
            day = first + timedelta(days=number)
            context = RunContext(work.engine, {"simulated": simulated_provider(address, day)}, {})
            async with hold(context.engine, WATCHING):
                ended = await watch_day(context, suite, demo_models(), day, judge=DEMO_JUDGE)
            if on_day is not None:
                on_day(ended)
    verdicts = Verdicts(work.engine, suite.digest)
    return [_finding(verdicts, model, first) for model in MODELS.values()]


def _finding(verdicts: Verdicts, model: SimulatedModel, first: date) -> DemoFinding:
    fell_on = None if model.degrades_on is None else first + timedelta(days=model.degrades_on)
    reports = list(verdicts.history(verdicts.of(f"simulated/{model.name}")[0]))
    after = [report for report in reports if fell_on is None or report.verdict.day >= fell_on]
    suspected = [
        report.verdict.day
        for report in after
        if report.verdict.state in (ModelState.SUSPICIOUS, ModelState.COOKED)
    ]
    cooked = [report.verdict.day for report in after if report.verdict.state is ModelState.COOKED]
    alarmed = [report.verdict.day for report in after if report.sequential.alarm]
    return DemoFinding(
        f"simulated/{model.name}",
        model.about,
        fell_on,
        min(suspected, default=None),
        min(cooked, default=None),
        min(alarmed, default=None),
        tuple(DemoDay(report.verdict.day, report.verdict.state) for report in reports),
    )


def demo_work(folder: Path) -> Work:
    """Return the workspace of a fresh demonstration, with a new database."""
    folder.mkdir(parents=True, exist_ok=True)
    for suffix in ("", "-wal", "-shm"):
        (folder / (DATABASE + suffix)).unlink(missing_ok=True)
    return Work(replace(Workspace(), database=str(folder / DATABASE)), {})
