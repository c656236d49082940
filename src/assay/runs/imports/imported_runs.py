"""The runs that an import makes of a table, one for each day and label, written batch by batch."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field
from datetime import timedelta
from typing import Any

from sqlalchemy import Engine

from assay.core.ask import CallStatus
from assay.core.model import Model
from assay.core.sample import SampleKey
from assay.core.suite import Suite
from assay.files.long_form import LongForm, LongFormRow
from assay.runs.history import IMPORTED
from assay.runs.imports.imported_rows import EPOCH, RunKey, Seen, fingerprint, grouped
from assay.runs.imports.imported_suite import case_id, widened
from assay.runs.plan import Plan
from assay.store.ledger import Batch, CallRow, GradeRow, SampleRow, request_hashes
from assay.store.runs import StoredRun, end_run, keep_plan, new_run, read_run
from assay.store.suites import keep_suite
from assay.store.writer import LedgerWriter

GRADER = IMPORTED
BATCH = 5_000


class _Target:
    """A stored run that rows are added to, and how many answers each case and model has in it."""

    def __init__(self, engine: Engine, run: StoredRun, suite: Suite) -> None:
        self.run = run
        self.plan = Plan(suite, tuple(model for _, model in run.models), {}, ())
        self.answers: Counter[tuple[int, int]] = Counter()
        self.added = 0
        for position in request_hashes(engine, run.id):
            at = self.plan.locate(position)
            self.answers[at.case, at.model] += 1

    def place(self, case: int, model: int) -> SampleKey:
        """Return the key of the next answer of a model to a case."""
        key = SampleKey(case, model, self.answers[case, model])
        self.answers[case, model] += 1
        self.added += 1
        return key

    def described(self) -> dict[str, Any]:
        """Return the plan that these answers make up."""
        cases = self.plan.suite.cases
        epochs: dict[str, int] = {}
        for (case, _), count in self.answers.items():
            epochs[cases[case].use_case] = max(count, epochs.get(cases[case].use_case, 0))
        chosen = tuple(sorted({case for case, _ in self.answers}))
        return Plan(self.plan.suite, self.plan.models, epochs, chosen).described()


@dataclass(slots=True)
class Importer:
    """Writes a table's new rows, run by run and batch by batch."""

    engine: Engine
    suite: Suite
    known: Mapping[RunKey, list[int]]
    models: Mapping[str, Model]
    names: Mapping[RunKey, tuple[str, ...]]
    clock: Callable[[], float]
    renew: Callable[[], None]
    simulated: bool
    passed: int = 0
    made: int = 0
    counts: Counter[str] = field(default_factory=Counter)

    def add(self, table: LongForm) -> None:
        """Add what is new, one run of the table after the other."""
        ordinals = {case.id: ordinal for ordinal, case in enumerate(self.suite.cases)}
        most: dict[str, int] = {}
        writer = LedgerWriter(self.engine)
        try:
            with grouped(table) as groups:
                for key, rows in groups:
                    self._add_run(key, rows, ordinals, writer, most)
        finally:
            writer.close()
        roomy = widened(self.suite, most)
        if roomy != self.suite:
            keep_suite(self.engine, roomy, clock=self.clock)

    def _add_run(
        self,
        key: RunKey,
        rows: Iterator[LongFormRow],
        ordinals: dict[str, int],
        writer: LedgerWriter,
        most: dict[str, int],
    ) -> None:
        seen = Seen.of(self.engine, self.known.get(key, ()))
        targets = self._targets(key)
        batch = Batch()
        for row in rows:
            mark = fingerprint(row, self.models)
            if mark in seen:
                self.passed += 1
                continue
            target, model = targets[self.models[row.model].fingerprint]
            self._put(batch, target, target.place(ordinals[case_id(row.prompt)], model), row, mark)
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
        """Return, by model, the run that its rows belong to and its place there; makes what is missing."""
        found: dict[str, tuple[_Target, int]] = {}
        for run in self.known.get(key, ()):
            self._enter(found, read_run(self.engine, run))
        wanted = (self.models[name] for name in self.names[key])
        missing = [model for model in wanted if model.fingerprint not in found]
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
            self._enter(found, made)
        return found

    def _enter(self, found: dict[str, tuple[_Target, int]], run: StoredRun) -> None:
        target = _Target(self.engine, run, self.suite)
        for place, (_, model) in enumerate(run.models):
            found.setdefault(model.fingerprint, (target, place))

    def _put(self, batch: Batch, target: _Target, key: SampleKey, row: LongFormRow, mark: bytes) -> None:
        """Put one row into a batch: its call, its sample, and its grade where there is an answer."""
        run, position = target.run.id, target.plan.position(key)
        model, _ = target.run.models[key.model]
        at = row.at or 0.0
        score = None if row.quality is None else 100.0 * row.quality
        batch.calls.append(_call(run, position, model, at, row, mark))
        batch.samples.append(SampleRow(run, position, model, key.case, key.epoch, row.status, score, 0, at))
        if row.status is CallStatus.OK:
            reason = "ungraded in the imported table" if row.quality is None else None
            batch.grades.append(GradeRow(run, position, 0, GRADER, row.quality, reason, "{}"))
        ungraded = row.status is CallStatus.OK and row.quality is None
        self.counts["ungraded" if ungraded else row.status.value] += 1


def _call(run: int, position: int, model: int, at: float, row: LongFormRow, mark: bytes) -> CallRow:
    """Return the call that a row stands for; what the table does not tell is unknown."""
    return CallRow(
        run=run,
        position=position,
        purpose="subject",
        model=model,
        request_hash=mark,
        attempt=1,
        status=row.status,
        error=None,
        detail="imported",
        http_status=None,
        prompt_tokens=None,
        completion_tokens=None,
        reasoning_tokens=None,
        cached_tokens=None,
        cost=row.cost,
        provider=row.provider,
        served_model=None,
        fingerprint=None,
        finish_reason=None,
        native_finish_reason=None,
        started_at=at,
        latency=row.latency,
        answer=None,
    )
