"""The Python interface: everything that the command line does, as calls on one open workspace."""

from __future__ import annotations

import asyncio
import os
from collections.abc import Mapping, Sequence
from dataclasses import replace
from datetime import date
from pathlib import Path
from typing import TYPE_CHECKING

from assay.calls.asking import ASKED
from assay.calls.control import RunControl
from assay.calls.lease import hold
from assay.calls.stand_ins import stands_in
from assay.calls.subjects import check_keys
from assay.core.errors import Conflict, InvalidInput, NotFound
from assay.core.model import Model
from assay.core.suite import Suite
from assay.files.workspace import open_workspace
from assay.ranking.adaptive import AdaptiveRule
from assay.results.models import KnownPrices, RefreshedList
from assay.results.plans import MeasuredModel, Sampling
from assay.results.runs import RunOutcome
from assay.results.watch import NotificationDelivery, WatchDay
from assay.runs.conduct import RunContext, conduct
from assay.runs.conduct_adaptive import conduct_adaptively, summarise
from assay.runs.judging.panels import JudgeChoice, choose_panel
from assay.runs.open_workspace import OpenWorkspace, Place
from assay.runs.plan import Plan, plan_adaptively, plan_run, stored_plan
from assay.runs.prices import known_prices, refresh_prices
from assay.runs.regrading.regrade import Which
from assay.runs.resume_command import resume_command
from assay.runs.watch.alerts import notifications, send, send_again
from assay.runs.watch.daily import WATCHING, check_pins, finish_watch, start_watch
from assay.runs.watch.measured import measured_day, without_measured
from assay.runs.watch.verdicts import Verdicts
from assay.store.runs import StoredRun, new_run, read_run
from assay.store.samples import list_samples
from assay.store.suites import find_digest, keep_suite, read_suite

if TYPE_CHECKING:
    from assay.results.compare import RunComparison
    from assay.results.human_marks import MarksImport
    from assay.results.imports import ImportReport, WorkbenchReport
    from assay.results.judges import Calibration
    from assay.runs.board.stored import StoredBoard, StoredKeyedBoard


class Work(OpenWorkspace):
    """One open workspace, made by `open_work`.

    Methods that call models are coroutines. All raise `assay.core.errors.AssayError` for errors that a user
    can correct.
    """

    def known_prices(self, models: Sequence[Model]) -> list[KnownPrices]:
        """Return the prices of models with their source and time."""
        return known_prices(self.existing(), models)

    async def refresh_prices(self, providers: Sequence[str]) -> list[RefreshedList]:
        """Ask providers for their model lists and store the prices for later runs."""
        return await refresh_prices(
            self.engine, self.workspace.providers, providers, self.environment, clock=self._clock
        )

    def import_table(self, path: Path, *, suite: str, version: str, simulated: bool = False) -> ImportReport:
        """Import a long-form table with times as the history of a suite."""
        from assay.runs.imports.import_table import import_table

        return import_table(
            self.engine, path, suite=suite, version=version, clock=self._clock, simulated=simulated
        )

    def import_workbench(
        self, path: Path, *, suite: str | None = None, recordings: Path | None = None
    ) -> WorkbenchReport:
        """Import a results file of the evaluation of seed 002; also write `recordings`, a file to replay."""
        from assay.runs.imports.import_workbench import SUITE, import_workbench

        return import_workbench(
            self.engine, path, suite=suite or SUITE, recordings=recordings, clock=self._clock
        )

    def import_marks(self, path: Path, run: int, *, judge: str, replace: bool = False) -> MarksImport:
        """Store the marks of a filled sheet as those of a human judge of a run."""
        from assay.runs.human_marks import import_marks

        return import_marks(self.engine, path, run, judge=judge, replace=replace, clock=self._clock)

    def plan(
        self,
        suite: Suite,
        models: Sequence[Model],
        *,
        epochs: int | None = None,
        limit: int | None = None,
        sampling: Sampling = "suite",
        judges: JudgeChoice | None = None,
        adaptive: AdaptiveRule | None = None,
        seed: int = 0,
    ) -> Plan:
        """Plan a run: nothing is sent or stored. Models excluded from the suite are left out.

        `judges` are the caller's choice; by default the workspace and the suite decide. With `adaptive` the
        cases are asked in a random order, made by `seed`, until the rule stops. Raises InvalidInput for
        counts below 1, for unknown judges, and for names in place of a suite or models.
        """
        _refuse_names(suite, models)
        for name, value in (("epochs", epochs), ("limit", limit)):
            if value is not None and value < 1:
                raise InvalidInput(f"invalid {name} {value}: use 1 or more")
        excluded = {
            model.name: exclusion.reason
            for model in models
            for exclusion in model.exclusions
            if exclusion.suite == suite.name
        }
        included = [model for model in models if model.name not in excluded]
        if not included:
            reasons = "; ".join(f"{name}: {reason}" for name, reason in excluded.items())
            raise InvalidInput(
                f"no model is left to run {suite.name!r}: {reasons or 'name one with --model'}"
            )
        panel = choose_panel(
            suite,
            self.workspace,
            judges or JudgeChoice(),
            subjects=[model.name for model in included],
            simulated=self.simulated,
        )
        plan = plan_run(suite, included, epochs=epochs, limit=limit, sampling=sampling, panel=panel)
        if adaptive is not None:
            plan = plan_adaptively(plan, adaptive, seed)
        return replace(plan, judges=tuple((0, model) for model in self.models(panel.names)))

    async def run(
        self, plan: Plan, *, max_cost: float | None = None, control: RunControl | None = None
    ) -> RunOutcome:
        """Execute a plan as a new run."""
        control = control or RunControl()
        check_keys(plan.models, self.workspace.providers, self.environment)
        async with self.run_context(plan.everyone, plan.suite.cases, None, control) as context:
            plan = await asyncio.to_thread(self.store_judges, plan)
            run = await asyncio.to_thread(self._new_run, plan)
            if control.started is not None:
                control.started(run)
            return await self._conduct(context, run, plan, self.limit(max_cost), control)

    async def _conduct(
        self, context: RunContext, run: StoredRun, plan: Plan, limit: float | None, control: RunControl
    ) -> RunOutcome:
        """Conduct a run, then ask its judges again for missing marks; say what an adaptive run settled."""
        from assay.runs.regrading.asking_again import ask_again

        if plan.adaptive is None:
            outcome = await conduct(context, run, plan, max_cost=limit, control=control)
        else:
            outcome, plan = await conduct_adaptively(
                context, run, plan, plan.adaptive, max_cost=limit, control=control
            )
        outcome = await ask_again(context, run, plan, outcome, max_cost=limit, control=control)
        if plan.adaptive is None:
            return outcome
        samples = await asyncio.to_thread(list_samples, context.engine, run.id)
        return replace(outcome, adaptive=summarise(plan, plan.adaptive, samples, outcome.spend))

    async def resume(
        self,
        number: int,
        *,
        max_cost: float | None = None,
        control: RunControl | None = None,
        complete: bool = False,
    ) -> RunOutcome | WatchDay:
        """Execute the samples that a run lacks; the day of a watch run is then judged.

        With `complete` these include the samples that an adaptive run left out; InvalidInput for other runs.
        """
        control = control or RunControl()
        run = await asyncio.to_thread(read_run, self.engine, number)
        if run.kind == "import":
            raise Conflict(f"run {number} was imported: there is nothing to resume")
        if run.kind == "calibrate":
            raise Conflict(f"run {number} calibrated a judge: `{resume_command(run)}` starts another")
        if run.kind in ASKED:
            raise Conflict(f"run {number} has no suite: continue it with `{resume_command(run)}`")
        suite = await asyncio.to_thread(read_suite, self.engine, run.suite)
        plan = stored_plan(suite, [model for _, model in run.models], run.plan, run.judges)
        if complete:
            if plan.adaptive is None:
                raise InvalidInput(f"run {number} is not adaptive: resume it without --complete")
            plan = replace(plan, adaptive=None)
        day = None if run.day is None else date.fromisoformat(run.day)
        limit = self.limit(max_cost)
        check_keys(plan.models, self.workspace.providers, self.environment)
        async with self.run_context(plan.everyone, suite.cases, day, control) as context:
            if run.kind != "watch":
                return await self._conduct(context, run, plan, limit, control)
            async with hold(context.engine, WATCHING, control.stop):
                ended = await finish_watch(context, run, plan, max_cost=limit, control=control)
                return await self._notify(ended)

    async def watch(
        self,
        suite: Suite,
        models: Sequence[Model],
        *,
        day: date | None = None,
        max_cost: float | None = None,
        allow_unpinned: bool = False,
        control: RunControl | None = None,
        judges: JudgeChoice | None = None,
        again: bool = False,
    ) -> WatchDay:
        """Run a suite for one day, top up suspicious results, judge the day and record the verdicts.

        Models that were measured on this day are left out; if all were, the day's verdicts are returned and
        nothing is sent. With `again` all are measured once more and the samples are pooled. Raises Conflict
        if a run of the day is unfinished.
        """
        control = control or RunControl()
        check_pins(models, self.workspace.providers, allow_unpinned=allow_unpinned)
        check_keys(models, self.workspace.providers, self.environment)
        day = day or self.today()
        plan = self.plan(suite, models, judges=judges)
        if len(plan.panel.judges) > 1:
            named = ", ".join(plan.panel.judges)
            raise InvalidInput(f"a watch has one pinned judge, not {len(plan.panel.judges)} ({named})")
        everyone = self.run_context(plan.everyone, suite.cases, day, control)
        async with everyone as context, hold(context.engine, WATCHING, control.stop):
            measured: tuple[MeasuredModel, ...] = ()
            if not again:
                plan, measured = await asyncio.to_thread(without_measured, self.engine, plan, day)
            if not plan.models:
                return await asyncio.to_thread(measured_day, self.engine, measured, day)
            plan = await asyncio.to_thread(self.store_judges, plan)
            run = await asyncio.to_thread(start_watch, context, plan, day)
            if control.started is not None:
                control.started(run)
            ended = await finish_watch(context, run, plan, max_cost=self.limit(max_cost), control=control)
            return await self._notify(replace(ended, measured=measured))

    async def grade(
        self,
        number: int,
        *,
        judges: JudgeChoice | None = None,
        only: Which = "all",
        max_cost: float | None = None,
        control: RunControl | None = None,
    ) -> RunOutcome:
        """Grade the stored answers of a run again without asking its subjects; add `judges` to its own."""
        from assay.runs.regrading.regrade import grade_again

        return await grade_again(
            self,
            number,
            judges=judges or JudgeChoice(),
            only=only,
            max_cost=self.limit(max_cost),
            control=control or RunControl(),
        )

    async def calibrate(
        self,
        suite: Suite,
        judge: str | None = None,
        *,
        freeze: bool = False,
        day: date | None = None,
        max_cost: float | None = None,
        control: RunControl | None = None,
    ) -> Calibration:
        """Have a judge mark a suite's exemplars again and compare its marks with the frozen ones."""
        from assay.runs.calibrating.calibrate import calibrate_judge

        return await calibrate_judge(
            self,
            suite,
            judge,
            freeze=freeze,
            day=day,
            max_cost=self.limit(max_cost),
            control=control or RunControl(),
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
        """Return the board of a suite from stored runs; each model counts with its newest complete run.

        Only runs with the same judges are ranked together: those named by `judges` and `geval`, by default
        the judges of most models. Models that the workspace excludes from the suite are listed and do not
        count. `beside` names a suite of the other kind, `none` for none.
        """
        from assay.runs.board.stored import BoardRequest, read_board

        request = BoardRequest(suite, version, runs, tuple(judges), geval, beside, self.workspace.exclusions)
        return read_board(self.engine, request)

    def compare(
        self,
        a: int,
        b: int,
        *,
        model_a: str | None = None,
        model_b: str | None = None,
        threshold: float = 0.5,
    ) -> RunComparison:
        """Compare two stored runs of one suite version case by case; `threshold` is a passing score, 0-1."""
        from assay.runs.compare_runs import read_comparison

        return read_comparison(self.engine, a, b, model_a=model_a, model_b=model_b, threshold=threshold)

    @property
    def watched_suite(self) -> str:
        """The name of the suite that the workspace watches; the workspace may give its folder instead."""
        given = self.workspace.watch.suite
        try:
            return self.suite(given).name
        except (NotFound, InvalidInput):
            return given

    def verdicts(self, suite: str | None = None, version: str | None = None) -> Verdicts:
        """Judge the whole history of a suite, by the thresholds that its manifest has now.

        `suite` is by default the workspace's `watch.suite`, `version` the one stored last. NotFound if
        nothing was measured.
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

    async def retry_notifications(self, hook: str | None = None) -> tuple[NotificationDelivery, ...]:
        """Send the notifications again that failed or were never finished: to one webhook, or to all.

        They are sent as they were written. Raises NotFound for a webhook that the workspace does not have.
        """
        hooks = [known for known in self.workspace.notify if hook in (None, known.name)]
        if hook is not None and not hooks:
            names = ", ".join(known.name for known in self.workspace.notify) or "those that you add to it"
            raise NotFound(f"the workspace has no webhook {hook!r}: use one of {names}")
        sent = await send_again(self.engine, hooks, self.environment, clock=self._clock, rng=self._rng)
        return tuple(sent)

    async def _notify(self, ended: WatchDay) -> WatchDay:
        """Send the changes of a day to the workspace's webhooks."""
        hooks = self.workspace.notify
        if not hooks:
            return ended
        new = notifications(ended.changes, simulated=ended.simulated)
        sent = await send(self.engine, hooks, new, self.environment, clock=self._clock, rng=self._rng)
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
    """Raise InvalidInput for names in place of a suite or models."""
    if isinstance(suite, str):
        raise InvalidInput(f"invalid suite {suite!r}: pass `work.suite({suite!r})`")
    names = [model for model in ([models] if isinstance(models, str) else models) if isinstance(model, str)]
    if names:
        raise InvalidInput(f"invalid models {names!r}: pass `work.models({names!r})`")


def open_work(
    folder: Path | str = ".",
    *,
    workspace: Path | str | None = None,
    environment: Mapping[str, str] | None = None,
    concurrency: int | None = None,
    durable: bool = False,
    on: Place = "here",
) -> Work:
    """Open the workspace of a folder: its `assay.yaml`, else the defaults, and the environment.

    `on` is where runs are executed: in this process, or on the Ray cluster that RAY_ADDRESS names.
    """
    opened, complete = open_workspace(
        Path(folder),
        os.environ if environment is None else environment,
        None if workspace is None else Path(workspace),
    )
    return Work(opened, complete, concurrency=concurrency, durable=durable, on=on)
