"""The Python interface: everything the command line does, as calls on one open workspace."""

from __future__ import annotations

import asyncio
import os
from collections.abc import Mapping, Sequence
from dataclasses import replace
from datetime import date
from pathlib import Path
from typing import TYPE_CHECKING

from assay.calls.asking import ASKED
from assay.calls.lease import hold
from assay.calls.stand_ins import stands_in
from assay.calls.steering import Steering
from assay.calls.subjects import check_keys
from assay.core.errors import Conflict, InvalidInput, NotFound
from assay.core.model import Model
from assay.core.suite import Suite
from assay.files.workspace import open_workspace
from assay.runs.alerts import notifications, send
from assay.runs.conduct import Outcome, Setting, conduct
from assay.runs.daily import WATCHING, WatchDay, check_pins, finish_watch, measured_day, start_watch
from assay.runs.judged.panels import Judges, choose_panel
from assay.runs.judged.regrade import Which
from assay.runs.measured import Measured, without_measured
from assay.runs.plan import Plan, Sampling, plan_run, stored_plan
from assay.runs.prices import KnownPrices, Refreshed, known_prices, refresh_prices
from assay.runs.resuming import resume_command
from assay.runs.surroundings import Place, Surroundings
from assay.runs.verdicts import Verdicts
from assay.store.runs import StoredRun, new_run, read_run
from assay.store.suites import find_digest, keep_suite, read_suite

if TYPE_CHECKING:
    from assay.runs.board import StoredBoard
    from assay.runs.boards.keyed import StoredKeyedBoard
    from assay.runs.compare_runs import ComparedRuns
    from assay.runs.imports.import_table import ImportReport
    from assay.runs.imports.import_workbench import WorkbenchReport
    from assay.runs.judged.calibration import Calibration


class Work(Surroundings):
    """One open workspace. Made by `open_work`; the database is opened when first needed.

    The methods that talk to models are coroutines. All raise `assay.core.errors.AssayError` and nothing
    else for what a user can mend.
    """

    def known_prices(self, models: Sequence[Model]) -> list[KnownPrices]:
        """Return the prices of models of the workspace with their source and time."""
        return known_prices(self.existing(), models)

    async def refresh_prices(self, providers: Sequence[str]) -> list[Refreshed]:
        """Ask providers for their model lists and keep the prices for later runs."""
        return await refresh_prices(
            self.engine, self.workspace.providers, providers, self.environment, clock=self._clock
        )

    def import_table(self, path: Path, *, suite: str, version: str, simulated: bool = False) -> ImportReport:
        """Take in a long-form table with times as the history of a suite."""
        from assay.runs.imports.import_table import import_table

        return import_table(
            self.engine, path, suite=suite, version=version, clock=self._clock, simulated=simulated
        )

    def import_workbench(
        self, path: Path, *, suite: str | None = None, recordings: Path | None = None
    ) -> WorkbenchReport:
        """Take in a results file of the evaluation of seed 002; `recordings` also names a file to replay."""
        from assay.runs.imports.import_workbench import SUITE, import_workbench

        return import_workbench(
            self.engine, path, suite=suite or SUITE, recordings=recordings, clock=self._clock
        )

    def plan(
        self,
        suite: Suite,
        models: Sequence[Model],
        *,
        epochs: int | None = None,
        limit: int | None = None,
        sampling: Sampling = "suite",
        judges: Judges | None = None,
    ) -> Plan:
        """Plan a run: nothing is sent or stored. Models excluded from the suite are left out.

        Raises InvalidInput where names stand for the suite or the models, and for counts below 1.
        `judges` says who judges where the workspace and the suite are not to decide.
        """
        _refuse_names(suite, models)
        for name, value in (("epochs", epochs), ("limit", limit)):
            if value is not None and value < 1:
                raise InvalidInput(f"{name} is {value}: give 1 or more")
        excluded = {
            model.name: exclusion.reason
            for model in models
            for exclusion in model.exclusions
            if exclusion.suite == suite.name
        }
        kept = [model for model in models if model.name not in excluded]
        if not kept:
            told = "; ".join(f"{name}: {reason}" for name, reason in excluded.items())
            raise InvalidInput(f"no model is left to run {suite.name!r}: {told or 'name one with --model'}")
        panel = choose_panel(
            suite,
            self.workspace,
            judges or Judges(),
            subjects=[model.name for model in kept],
            simulated=self.simulated,
        )
        plan = plan_run(suite, kept, epochs=epochs, limit=limit, sampling=sampling, panel=panel)
        return replace(plan, judges=tuple((0, model) for model in self.models(panel.names)))

    async def run(
        self, plan: Plan, *, max_cost: float | None = None, steering: Steering | None = None
    ) -> Outcome:
        """Execute a plan as a new run."""
        steering = steering or Steering()
        check_keys(plan.models, self.workspace.providers, self.environment)
        async with self.setting(plan.everyone, plan.suite.cases, None) as setting:
            plan = await asyncio.to_thread(self.seat, plan)
            run = await asyncio.to_thread(self._new_run, plan)
            if steering.started is not None:
                steering.started(run)
            return await self._conduct(setting, run, plan, self.limit(max_cost), steering)

    async def _conduct(
        self, setting: Setting, run: StoredRun, plan: Plan, limit: float | None, steering: Steering
    ) -> Outcome:
        """Conduct a run, then ask its judges again for marks that are missing."""
        from assay.runs.judged.asking_again import ask_again

        outcome = await conduct(
            setting, run, plan, max_cost=limit, progress=steering.progress, stop=steering.stop
        )
        return await ask_again(setting, run, plan, outcome, max_cost=limit, steering=steering)

    async def resume(
        self, number: int, *, max_cost: float | None = None, steering: Steering | None = None
    ) -> Outcome | WatchDay:
        """Execute what a run still lacks; a watch run is then judged, as it would have been."""
        steering = steering or Steering()
        run = await asyncio.to_thread(read_run, self.engine, number)
        if run.kind == "import":
            raise Conflict(f"run {number} was imported: there is nothing to resume")
        if run.kind == "calibrate":
            raise Conflict(f"run {number} calibrated a judge: `{resume_command(run)}` begins another")
        if run.kind in ASKED:
            raise Conflict(f"run {number} has no suite: go on with `{resume_command(run)}`")
        suite = await asyncio.to_thread(read_suite, self.engine, run.suite)
        plan = stored_plan(suite, [model for _, model in run.models], run.plan, run.judges)
        day = None if run.day is None else date.fromisoformat(run.day)
        limit = self.limit(max_cost)
        check_keys(plan.models, self.workspace.providers, self.environment)
        async with self.setting(plan.everyone, suite.cases, day) as setting:
            if run.kind != "watch":
                return await self._conduct(setting, run, plan, limit, steering)
            async with hold(setting.engine, WATCHING, steering.stop):
                ended = await finish_watch(
                    setting, run, plan, max_cost=limit, progress=steering.progress, stop=steering.stop
                )
                return await self._tell(ended)

    async def watch(
        self,
        suite: Suite,
        models: Sequence[Model],
        *,
        day: date | None = None,
        max_cost: float | None = None,
        allow_unpinned: bool = False,
        steering: Steering | None = None,
        judges: Judges | None = None,
        again: bool = False,
    ) -> WatchDay:
        """Run a suite for one day, top up what looks suspicious, judge, record.

        Models that the day has measured already are left out; where it has measured all, its verdicts are
        returned and nothing is sent. With `again` all are measured once more, pooled by sample. Raises
        Conflict where a run of the day is unfinished.
        """
        steering = steering or Steering()
        check_pins(models, self.workspace.providers, allow_unpinned=allow_unpinned)
        check_keys(models, self.workspace.providers, self.environment)
        day = day or self.today()
        plan = self.plan(suite, models, judges=judges)
        if len(plan.panel.judges) > 1:
            named = ", ".join(plan.panel.judges)
            raise InvalidInput(f"a watch has one pinned judge, not {len(plan.panel.judges)} ({named})")
        everyone = self.setting(plan.everyone, suite.cases, day)
        async with everyone as setting, hold(setting.engine, WATCHING, steering.stop):
            measured: tuple[Measured, ...] = ()
            if not again:
                plan, measured = await asyncio.to_thread(without_measured, self.engine, plan, day)
            if not plan.models:
                return await asyncio.to_thread(measured_day, self.engine, measured, day)
            plan = await asyncio.to_thread(self.seat, plan)
            run = await asyncio.to_thread(start_watch, setting, plan, day)
            if steering.started is not None:
                steering.started(run)
            ended = await finish_watch(
                setting,
                run,
                plan,
                max_cost=self.limit(max_cost),
                progress=steering.progress,
                stop=steering.stop,
            )
            return await self._tell(replace(ended, measured=measured))

    async def grade(
        self,
        number: int,
        *,
        judges: Judges | None = None,
        only: Which = "all",
        max_cost: float | None = None,
        steering: Steering | None = None,
    ) -> Outcome:
        """Grade the stored answers of a run again, without asking its subjects; named judges join its own."""
        from assay.runs.judged.judged_work import grade_again

        return await grade_again(
            self,
            number,
            judges=judges or Judges(),
            only=only,
            max_cost=self.limit(max_cost),
            steering=steering or Steering(),
        )

    async def calibrate(
        self,
        suite: Suite,
        judge: str | None = None,
        *,
        freeze: bool = False,
        day: date | None = None,
        max_cost: float | None = None,
        steering: Steering | None = None,
    ) -> Calibration:
        """Let a judge mark a suite's frozen exemplars again and say how far it has moved."""
        from assay.runs.judged.judged_work import calibrate_judge

        return await calibrate_judge(
            self,
            suite,
            judge,
            freeze=freeze,
            day=day,
            max_cost=self.limit(max_cost),
            steering=steering or Steering(),
        )

    def board(
        self,
        suite: str,
        version: str | None = None,
        *,
        runs: Sequence[int] | None = None,
        judges: Sequence[str] = (),
        geval: str | None = None,
        beside: str | None = None,
    ) -> StoredBoard | StoredKeyedBoard:
        """Return the board of a suite from what is stored; each model counts with its newest complete run.

        Only runs with the same judges are ranked together: `judges` and `geval` name them, else most models'
        are meant. Models that the workspace excludes from the suite are listed and do not count. `beside`
        names a suite of the other kind, `none` for none.
        """
        from assay.runs.board import read_board

        return read_board(
            self.engine,
            suite,
            version,
            among=runs,
            judges=judges,
            geval=geval,
            exclusions=self.workspace.exclusions,
            beside=beside,
        )

    def compare(
        self,
        a: int,
        b: int,
        *,
        model_a: str | None = None,
        model_b: str | None = None,
        threshold: float = 0.5,
    ) -> ComparedRuns:
        """Compare two stored runs of one suite version case by case; `threshold` is a passing score, 0-1."""
        from assay.runs.compare_runs import read_comparison

        return read_comparison(self.engine, a, b, model_a=model_a, model_b=model_b, threshold=threshold)

    @property
    def watched_suite(self) -> str:
        """The name of the suite that the workspace watches, which may write its folder instead."""
        written = self.workspace.watch.suite
        try:
            return self.suite(written).name
        except (NotFound, InvalidInput):
            return written

    def verdicts(self, suite: str | None = None, version: str | None = None) -> Verdicts:
        """Judge all that was measured with a suite, by its thresholds as they stand in its manifest now.

        Without a suite the workspace's `watch.suite` is meant, without a version the one stored last.
        NotFound when nothing was measured.
        """
        suite = suite or self.watched_suite
        digest = find_digest(self.engine, suite, version)
        try:
            current = self.suite(suite)
        except (NotFound, InvalidInput):
            return Verdicts(self.engine, digest)
        return Verdicts(
            self.engine, digest, thresholds=current.thresholds if current.digest == digest else None
        )

    async def _tell(self, ended: WatchDay) -> WatchDay:
        """Send what changed to the workspace's webhooks."""
        if not self.workspace.notify:
            return ended
        told = notifications(ended.changes, simulated=ended.simulated)
        sent = await send(
            self.engine, self.workspace.notify, told, self.environment, clock=self._clock, rng=self._rng
        )
        return replace(ended, deliveries=tuple(sent))

    def _new_run(self, plan: Plan) -> StoredRun:
        keep_suite(self.engine, plan.suite, clock=self._clock)
        return new_run(
            self.engine,
            kind="run",
            suite=plan.suite.digest,
            subjects=plan.models,
            plan=plan.described(),
            day=None,
            simulated=any(stands_in(model, self.workspace.providers) for model in plan.models),
            clock=self._clock,
        )


def _refuse_names(suite: object, models: Sequence[object]) -> None:
    """Raise InvalidInput where names stand for a suite or models."""
    if isinstance(suite, str):
        raise InvalidInput(f"the suite is the text {suite!r}: give `work.suite({suite!r})`")
    names = [model for model in models if isinstance(model, str)]
    if names:
        raise InvalidInput(f"the models are texts: give `work.models({names!r})`")


def open_work(
    folder: Path | str = ".",
    *,
    workspace: Path | str | None = None,
    environment: Mapping[str, str] | None = None,
    concurrency: int | None = None,
    durable: bool = False,
    on: Place = "here",
) -> Work:
    """Open the workspace of a folder: `assay.yaml` there, else the defaults, and the environment.

    `on` says where runs are executed: in this process, or on the Ray cluster that RAY_ADDRESS names.
    """
    found, complete = open_workspace(
        Path(folder),
        os.environ if environment is None else environment,
        None if workspace is None else Path(workspace),
    )
    return Work(found, complete, concurrency=concurrency, durable=durable, on=on)
