"""Writing the runs of an imported table, one for each day and label, batch by batch."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field
from datetime import timedelta
from typing import Any, Final

from sqlalchemy import Engine

from assay.core.ask import CallStatus
from assay.core.case import SampleKey
from assay.core.model import Model
from assay.core.suite import Suite
from assay.files.long_form import LongForm, LongFormRow
from assay.runs.imports.imported_rows import EPOCH, RunKey, StoredRows, grouped, table_row_hash
from assay.runs.imports.imported_suite import case_id, widened
from assay.runs.plan import Plan
from assay.runs.watch.history import IMPORTED
from assay.store.ledger import request_hashes
from assay.store.rows import Batch, CallRow, GradeRow, SampleRow
from assay.store.runs import StoredRun, end_run, keep_plan, new_run, read_run
from assay.store.suites import keep_suite
from assay.store.writer import LedgerWriter

GRADER = IMPORTED
BATCH = 5_000
IMPORTED_CALL: Final = CallRow(
    **{**dict.fromkeys(CallRow._fields), "purpose": "subject", "attempt": 1, "detail": "imported"}  # type: ignore[arg-type]
)


class _Target:
    """A stored run that rows are added to, with the number of its answers by case and model."""

    def __init__(self, engine: Engine, run: StoredRun, suite: Suite) -> None:
        self.run = run
        self.plan = Plan(suite, tuple(model for _, model in run.models), {}, ())
        self.answers: Counter[tuple[int, int]] = Counter()
        self.added = 0
        for position in request_hashes(engine, run.id):
            sample = self.plan.locate(position)
            self.answers[sample.case, sample.model] += 1

    def next_key(self, case: int, model: int) -> SampleKey:
        """Return the key of a model's next answer to a case, and count it."""
        key = SampleKey(case, model, self.answers[case, model])
        self.answers[case, model] += 1
        self.added += 1
        return key

    def described(self) -> dict[str, Any]:
        """Return the plan of these answers as JSON values."""
        cases = self.plan.suite.cases
        epochs: dict[str, int] = {}
        for (case, _), count in self.answers.items():
            epochs[cases[case].use_case] = max(count, epochs.get(cases[case].use_case, 0))
        chosen = tuple(sorted({case for case, _ in self.answers}))
        return Plan(self.plan.suite, self.plan.models, epochs, chosen).described()


@dataclass(slots=True)
class Importer:
    """The import of a table's new rows, run by run and batch by batch. `renew` prolongs the import's lock."""

    engine: Engine
    suite: Suite
    known: Mapping[RunKey, list[int]]
    models: Mapping[str, Model]
    names: Mapping[RunKey, tuple[str, ...]]
    clock: Callable[[], float]
    renew: Callable[[], None]
    simulated: bool
    skipped: int = 0
    made: int = 0
    counts: Counter[str] = field(default_factory=Counter)

    def add(self, table: LongForm) -> None:
        """Add the new rows, one run of the table after the other."""
        ordinals = {case.id: ordinal for ordinal, case in enumerate(self.suite.cases)}
        most: dict[str, int] = {}
        writer = LedgerWriter(self.engine)
        try:
            with grouped(table) as groups:
                for key, rows in groups:
                    self._add_run(key, rows, ordinals, writer, most)
        finally:
            writer.close()
        suite = widened(self.suite, most)
        if suite != self.suite:
            keep_suite(self.engine, suite, clock=self.clock)

    def _add_run(
        self,
        key: RunKey,
        rows: Iterator[LongFormRow],
        ordinals: dict[str, int],
        writer: LedgerWriter,
        most: dict[str, int],
    ) -> None:
        stored = StoredRows.read(self.engine, self.known.get(key, ()))
        targets = self._targets(key)
        batch = Batch()
        for row in rows:
            row_hash = table_row_hash(row, self.models)
            if row_hash in stored:
                self.skipped += 1
                continue
            target, model = targets[self.models[row.model].fingerprint]
            self._put(batch, target, target.next_key(ordinals[case_id(row.prompt)], model), row, row_hash)
            if len(batch.samples) >= BATCH:
                writer.commit(batch)
                self.renew()
                batch = Batch()
        writer.commit(batch)
        for target in {id(target): target for target, _ in targets.values()}.values():
            if target.added or target.run.status != "finished":
                described = target.described()
                for use_case, count in described["epochs"].items():
                    most[use_case] = max(count, most.get(use_case, 0))
                keep_plan(self.engine, target.run.id, {**described, "run": key[1]})
                end_run(self.engine, target.run.id, status="finished", reason=None, clock=self.clock)
        self.renew()

    def _targets(self, key: RunKey) -> dict[str, tuple[_Target, int]]:
        """Return each model's run and its ordinal there, by fingerprint; create a run for missing models."""
        targets: dict[str, tuple[_Target, int]] = {}
        for run in self.known.get(key, ()):
            self._add_target(targets, read_run(self.engine, run))
        wanted = (self.models[name] for name in self.names[key])
        missing = [model for model in wanted if model.fingerprint not in targets]
        if missing:
            day, label = key
            plan = Plan(self.suite, tuple(missing), {}, ()).described()
            made = new_run(
                self.engine,
                kind="import",
                suite=self.suite.digest,
                subjects=missing,
                plan={**plan, "run": label},
                day=(EPOCH + timedelta(days=day)).isoformat(),
                simulated=self.simulated,
                clock=self.clock,
            )
            self.made += 1
            self._add_target(targets, made)
        return targets

    def _add_target(self, targets: dict[str, tuple[_Target, int]], run: StoredRun) -> None:
        target = _Target(self.engine, run, self.suite)
        for ordinal, (_, model) in enumerate(run.models):
            targets.setdefault(model.fingerprint, (target, ordinal))

    def _put(self, batch: Batch, target: _Target, key: SampleKey, row: LongFormRow, row_hash: bytes) -> None:
        """Put one row into a batch: its call, its sample, and the grade of an answer."""
        run, position = target.run.id, target.plan.position(key)
        model, _ = target.run.models[key.model]
        at = row.at or 0.0
        score = None if row.quality is None else 100.0 * row.quality
        known = {"cost": row.cost, "provider": row.provider, "latency": row.latency}
        batch.calls.append(imported_call(run, position, model, at, row_hash, row.status, **known))
        batch.samples.append(SampleRow(run, position, model, key.case, key.epoch, row.status, score, 0, at))
        if row.status is CallStatus.OK:
            reason = "ungraded in the imported table" if row.quality is None else None
            batch.grades.append(GradeRow(run, position, 0, GRADER, row.quality, reason, "{}"))
        ungraded = row.status is CallStatus.OK and row.quality is None
        self.counts["ungraded" if ungraded else row.status.value] += 1


def imported_call(
    run: int, position: int, model: int, at: float, row_hash: bytes, status: CallStatus, **known: Any
) -> CallRow:
    """Return the call of an imported answer; all that is not `known` is unknown."""
    known |= {"run": run, "position": position, "model": model, "started_at": at, "request_hash": row_hash}
    return IMPORTED_CALL._replace(status=status.value, **known)
