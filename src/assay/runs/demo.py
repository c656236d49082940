"""The demonstration: 30 simulated days of the daily suite over real HTTP, watched and judged."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from datetime import date, timedelta
from pathlib import Path

from assay.calls.lease import hold
from assay.core.model import Model, Pin
from assay.core.verdict import ModelState
from assay.core.workspace import Workspace
from assay.providers.simulated import serve_simulated, simulated_provider
from assay.providers.simulated_models import MODELS, SimulatedModel
from assay.runs.conduct import Setting
from assay.runs.daily import WATCHING, WatchDay, watch_day
from assay.runs.verdicts import Verdicts
from assay.runs.work import Work

DATABASE = "demo.db"
DEMO_JUDGE = Model("simulated", "judge")


@dataclass(frozen=True, slots=True)
class Finding:
    """What the verdicts made of one simulated model: each day's state, and when its fall was first seen.

    `fell_on` is the day from which it was simulated to be worse, None when it never was. `suspected_on`
    and `cooked_on` are the first days on or after it (or ever, without a fall) with that state.
    """

    model: SimulatedModel
    fell_on: date | None
    suspected_on: date | None
    cooked_on: date | None
    alarmed_on: date | None
    states: tuple[ModelState, ...]


def demo_models() -> list[Model]:
    """Return the simulated models as subjects, pinned to the provider that first serves them."""
    return [Model("simulated", name, pin=Pin(("simulated-home",)), weights="closed") for name in MODELS]


async def simulate_days(
    work: Work, *, days: int, last: date, told: Callable[[WatchDay], None] | None = None
) -> list[Finding]:
    """Watch the simulated models for `days` days up to `last`, and return what was found of each."""
    suite = work.suite("daily")
    first = last - timedelta(days=days - 1)
    async with serve_simulated(suite.cases, today=work.today, start=first) as address:
        for number in range(days):
            day = first + timedelta(days=number)
            setting = Setting(work.engine, {"simulated": simulated_provider(address, day)}, {})
            async with hold(setting.engine, WATCHING):
                ended = await watch_day(setting, suite, demo_models(), day, judge=DEMO_JUDGE)
            if told is not None:
                told(ended)
    verdicts = Verdicts(work.engine, suite.digest)
    return [_finding(verdicts, model, first) for model in MODELS.values()]


def _finding(verdicts: Verdicts, model: SimulatedModel, first: date) -> Finding:
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
    return Finding(
        model,
        fell_on,
        min(suspected, default=None),
        min(cooked, default=None),
        min(alarmed, default=None),
        tuple(report.verdict.state for report in reports),
    )


def demo_work(folder: Path) -> Work:
    """Return the workspace of a fresh demonstration: its own database, which is begun anew."""
    folder.mkdir(parents=True, exist_ok=True)
    for suffix in ("", "-wal", "-shm"):
        (folder / (DATABASE + suffix)).unlink(missing_ok=True)
    return Work(replace(Workspace(), database=str(folder / DATABASE)), {})
