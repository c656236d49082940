"""Importing the results of the evaluation of seed 002: answers with judges' marks, and causal choices."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any, Generic, TypeVar

from sqlalchemy import Engine

from assay.core.case import SampleKey
from assay.core.errors import Conflict, InvalidInput, Problem
from assay.core.model import Model
from assay.core.suite import Suite
from assay.files.workbench import GivenAnswer, GivenChoice, Workbench
from assay.files.workbench_file import read_workbench
from assay.results.imports import SuiteImport, WorkbenchReport
from assay.runs.imports.import_table import import_lock, model_named, models_named
from assay.runs.imports.imported_rows import SHOWN, StoredRows
from assay.runs.imports.workbench_replay import CAUSAL, JUDGED, write_replay
from assay.runs.imports.workbench_rows import ChoiceRows, JudgedRows, RowMaker, answer_hash, choice_hash
from assay.runs.imports.workbench_suites import (
    GEVAL,
    causal_suite,
    causal_texts,
    judged_suite,
    judged_texts,
    stored_keys,
    suite_keys,
    suite_prompts,
)
from assay.runs.plan import Plan
from assay.runs.watch.history import IMPORTED
from assay.store.rows import Batch
from assay.store.runs import StoredRun, end_run, imported_runs, keep_models, keep_plan, new_run, read_run
from assay.store.suites import keep_suite
from assay.store.writer import LedgerWriter

SUITE = "generalist"
CAUSAL_SUITE = "causal-workbench"
BATCH = 500

Given = TypeVar("Given", GivenAnswer, GivenChoice)


def import_workbench(
    engine: Engine,
    path: Path,
    *,
    suite: str = SUITE,
    recordings: Path | None = None,
    clock: Callable[[], float],
) -> WorkbenchReport:
    """Import a results file: rows (.jsonl) or one model's own layout (.json), packed or not.

    Invalid rows are reported, valid ones imported. A row is identified by model and prompt; rows that were
    imported before are skipped. The suites are `generalist` and `causal-workbench`, or `suite` and
    `suite`-causal. With `recordings` the results are also written for the recorded provider, with the suites
    beside them. Raises InvalidInput if no row is valid, and Conflict if a row was imported before with
    other values; nothing is then imported.
    """
    file = read_workbench(path)
    names = (suite, CAUSAL_SUITE if suite == SUITE else f"{suite}-causal")
    _complete_keys(engine, names[1], file)
    if not file.answers and not file.choices:
        raise InvalidInput(file.problems or [Problem("the file has no answers", str(path))])
    with import_lock(engine) as renew:
        judged = _judged_part(engine, file, names[0]) if file.answers else None
        causal = _causal_part(engine, file, names[1]) if file.choices else None
        _refuse_contradictions(file, [part for part in (judged, causal) if part is not None])
        reports = {}
        if judged is not None:
            reports[JUDGED] = _add_judged(engine, file, judged, clock, renew)
        if causal is not None:
            reports[CAUSAL] = _add_choices(engine, causal, clock, renew)
    if recordings is not None:
        texts = {}
        if judged is not None:
            texts[JUDGED] = judged_texts(names[0], suite_prompts(judged.suite), file.judges)
        if causal is not None:
            texts[CAUSAL] = causal_texts(names[1], suite_keys(causal.suite))
        for kind, replay in write_replay(recordings, file, texts).items():
            reports[kind] = replace(reports[kind], replay=replay)
    return WorkbenchReport(file.rows, file.earlier, tuple(file.problems), tuple(reports.values()))


def _complete_keys(engine: Engine, name: str, file: Workbench) -> None:
    """Add the keys of earlier imports, and refuse the choices without a key."""
    known = {**stored_keys(engine, name), **file.keys}
    for choice in file.choices:
        if choice.question not in known:
            file.refuse(
                f"{choice.place}: the key of {choice.question!r} is neither in the file nor in an earlier "
                "import: import rows that have it first"
            )
    file.choices = [choice for choice in file.choices if choice.question in known]
    file.keys = {choice.question: known[choice.question] for choice in file.choices}


@dataclass(frozen=True, slots=True)
class _Part(Generic[Given]):
    """The rows of a file that belong to one suite, each with its model and its hash.

    `stored` are the rows that were imported before, in `runs`.
    """

    suite: Suite
    models: dict[str, Model]
    runs: list[StoredRun]
    stored: StoredRows
    rows: list[tuple[Given, Model, bytes]]

    @property
    def new(self) -> list[tuple[Given, Model, bytes]]:
        """The rows that were not imported before."""
        return [row for row in self.rows if row[2] not in self.stored]


def _part(engine: Engine, suite: Suite, models: dict[str, Model], rows: list[Any]) -> _Part[Any]:
    runs = [read_run(engine, number) for number, _, _ in imported_runs(engine, suite.digest)]
    return _Part(suite, models, runs, StoredRows.read(engine, [run.id for run in runs]), rows)


def _judged_part(engine: Engine, file: Workbench, name: str) -> _Part[GivenAnswer]:
    models = models_named(file.models, file.path)
    suite = judged_suite(engine, name, file.prompts.values(), file.judges)
    given = [(answer, models[answer.model]) for answer in file.answers]
    return _part(engine, suite, models, [(*row, answer_hash(*row)) for row in given])


def _causal_part(engine: Engine, file: Workbench, name: str) -> _Part[GivenChoice]:
    models = models_named(file.choosers, file.path)
    suite = causal_suite(engine, name, file.keys)
    given = [(choice, models[choice.model]) for choice in file.choices]
    return _part(engine, suite, models, [(*row, choice_hash(*row)) for row in given])


def _add_judged(
    engine: Engine,
    file: Workbench,
    part: _Part[GivenAnswer],
    clock: Callable[[], float],
    renew: Callable[[], None],
) -> SuiteImport:
    keep_suite(engine, part.suite, clock=clock)
    judges = {name: model_named(name) for name in file.judges}
    stored = keep_models(engine, [*judges.values(), Model(IMPORTED, GEVAL)])
    rows = JudgedRows(part.suite, dict(zip(judges, stored, strict=False)), stored[-1], clock)
    made = _RunWriter(engine, part.suite, rows, clock, renew).add(part)
    return replace(
        _report(part, made, rows.counts),
        judges=tuple(model.name for model in judges.values()),
        marks=rows.marks,
        unread=rows.unread,
    )


def _add_choices(
    engine: Engine, part: _Part[GivenChoice], clock: Callable[[], float], renew: Callable[[], None]
) -> SuiteImport:
    keep_suite(engine, part.suite, clock=clock)
    rows = ChoiceRows(part.suite, clock)
    made = _RunWriter(engine, part.suite, rows, clock, renew).add(part)
    return replace(_report(part, made, rows.counts), differing=rows.differing)


@dataclass(frozen=True, slots=True)
class _RunWriter(Generic[Given]):
    """Writes rows into the imported runs of a suite; `renew` prolongs the import's lock."""

    engine: Engine
    suite: Suite
    maker: RowMaker[Given]
    clock: Callable[[], float]
    renew: Callable[[], None]

    def add(self, part: _Part[Given]) -> int:
        """Add a part's new rows, finish the runs of all its models, and return the number of new runs."""
        runs, made = self._runs(part)
        ordinals = {case.id: ordinal for ordinal, case in enumerate(self.suite.cases)}
        rows = part.new
        writer = LedgerWriter(self.engine)
        try:
            for start in range(0, len(rows), BATCH):
                batch = Batch()
                for given, model, row_hash in rows[start : start + BATCH]:
                    run, ordinal = runs[model.fingerprint]
                    key = SampleKey(ordinals[self.maker.case(given)], ordinal, 0)
                    plan = Plan(self.suite, tuple(subject for _, subject in run.models), {}, ())
                    self.maker.put(batch, run, plan.position(key), key, given, row_hash)
                writer.commit(batch)
                self.renew()
        finally:
            writer.close()
        grown = {runs[model.fingerprint][0].id for _, model, _ in rows}
        for run in {run.id: run for run, _ in runs.values()}.values():
            if run.id in grown or run.status != "finished":
                subjects = [model for _, model in run.models]
                keep_plan(self.engine, run.id, self.maker.plan(subjects, run.plan))
                end_run(self.engine, run.id, status="finished", reason=None, clock=self.clock)
        return made

    def _runs(self, part: _Part[Given]) -> tuple[dict[str, tuple[StoredRun, int]], int]:
        """Return each model's run and its ordinal there, by fingerprint, and the number of new runs."""
        runs: dict[str, tuple[StoredRun, int]] = {}
        for run in part.runs:
            for ordinal, (_, model) in enumerate(run.models):
                runs.setdefault(model.fingerprint, (run, ordinal))
        missing = [model for model in part.models.values() if model.fingerprint not in runs]
        if missing:
            new = new_run(
                self.engine,
                kind="import",
                suite=self.suite.digest,
                subjects=missing,
                plan=self.maker.plan(missing, {}),
                day=None,
                simulated=False,
                clock=self.clock,
            )
            runs.update((model.fingerprint, (new, ordinal)) for ordinal, (_, model) in enumerate(new.models))
        wanted = {model.fingerprint: runs[model.fingerprint] for model in part.models.values()}
        return wanted, int(bool(missing))


def _report(part: _Part[Any], made: int, counts: Mapping[str, int]) -> SuiteImport:
    added = len(part.new)
    return SuiteImport(
        suite=part.suite.name,
        version=part.suite.version,
        digest=part.suite.digest,
        added=added,
        known=len(part.rows) - added,
        runs=made,
        models=tuple(model.name for model in part.models.values()),
        judges=(),
        cases=len(part.suite.cases),
        ok=counts.get("ok", 0),
        invalid=counts.get("invalid", 0),
        error=counts.get("error", 0),
        ungraded=counts.get("ungraded", 0),
        marks=0,
        unread=0,
        differing=None,
    )


def _refuse_contradictions(file: Workbench, parts: Sequence[_Part[Any]]) -> None:
    """Raise Conflict if rows were imported before with other values."""
    changed = [
        (given, part.suite)
        for part in parts
        for given, _, row_hash in part.rows
        if part.stored.contradicts(row_hash)
    ]
    if not changed:
        return
    shown = "; ".join(_describe(given) for given, _ in changed[:SHOWN])
    more = f"; and {len(changed) - SHOWN} more" if len(changed) > SHOWN else ""
    raise Conflict(
        f"{len(changed)} rows of {file.path.name} were imported before (version {changed[0][1].version}) "
        f"with other values: {shown}{more}; nothing was imported. If the file was corrected, import it as "
        "another --suite"
    )


def _describe(given: GivenAnswer | GivenChoice) -> str:
    if isinstance(given, GivenChoice):
        return f"{given.place} (model {given.model!r}, question {given.question!r})"
    return f"{given.place} (model {given.model!r}, prompt {given.prompt.id!r})"
