"""The runs that imported workbench answers go into: one for each model, made where it is missing."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Generic, Protocol, TypeVar

from sqlalchemy import Engine

from assay.core.model import Model
from assay.core.sample import SampleKey
from assay.core.suite import Suite
from assay.runs.plan import Plan
from assay.store.ledger import Batch
from assay.store.runs import StoredRun, end_run, keep_plan, new_run
from assay.store.writer import LedgerWriter

BATCH = 500

Given = TypeVar("Given")
Put = TypeVar("Put", contravariant=True)


class Contents(Protocol[Put]):
    """What the rows are of: how one is put into a batch, and which plan a run of these models has."""

    def case(self, given: Put) -> str: ...

    def put(
        self, batch: Batch, run: StoredRun, position: int, key: SampleKey, given: Put, mark: bytes
    ) -> None: ...

    def plan(self, models: Sequence[Model], before: Mapping[str, Any]) -> dict[str, Any]: ...


@dataclass(slots=True)
class Runs(Generic[Given]):
    """Adds rows to the runs of a suite; `made` counts the runs it made."""

    engine: Engine
    suite: Suite
    contents: Contents[Given]
    clock: Callable[[], float]
    renew: Callable[[], None]
    made: int = 0

    def add(
        self,
        runs: Sequence[StoredRun],
        models: Sequence[Model],
        rows: Sequence[tuple[Given, Model, bytes]],
    ) -> None:
        """Add rows that the runs do not hold; `models` are all of the file, whose runs are then finished."""
        homes = self._homes(runs, models)
        places = {case.id: ordinal for ordinal, case in enumerate(self.suite.cases)}
        writer = LedgerWriter(self.engine)
        try:
            for start in range(0, len(rows), BATCH):
                batch = Batch()
                for given, model, mark in rows[start : start + BATCH]:
                    run, place = homes[model.fingerprint]
                    key = SampleKey(places[self.contents.case(given)], place, 0)
                    plan = Plan(self.suite, tuple(subject for _, subject in run.models), {}, ())
                    self.contents.put(batch, run, plan.position(key), key, given, mark)
                writer.commit(batch)
                self.renew()
        finally:
            writer.close()
        grown = {homes[model.fingerprint][0].id for _, model, _ in rows}
        for run in {run.id: run for run, _ in homes.values()}.values():
            if run.id in grown or run.status != "finished":
                subjects = [model for _, model in run.models]
                keep_plan(self.engine, run.id, self.contents.plan(subjects, run.plan))
                end_run(self.engine, run.id, status="finished", reason=None, clock=self.clock)

    def _homes(self, runs: Sequence[StoredRun], models: Sequence[Model]) -> dict[str, tuple[StoredRun, int]]:
        """Return, by model, the run that its answers belong to and its place there; makes what is missing."""
        homes: dict[str, tuple[StoredRun, int]] = {}
        for run in runs:
            for place, (_, model) in enumerate(run.models):
                homes.setdefault(model.fingerprint, (run, place))
        missing = [model for model in models if model.fingerprint not in homes]
        if missing:
            made = new_run(
                self.engine,
                kind="import",
                suite=self.suite.digest,
                subjects=missing,
                plan=self.contents.plan(missing, {}),
                day=None,
                simulated=False,
                clock=self.clock,
            )
            self.made += 1
            homes.update((model.fingerprint, (made, place)) for place, (_, model) in enumerate(made.models))
        return {model.fingerprint: homes[model.fingerprint] for model in models}
