"""Importing a history that was recorded elsewhere, from a long-form table, for the watch to judge."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from datetime import timedelta
from pathlib import Path

from sqlalchemy import Engine

from assay.core.errors import InvalidInput, Problem
from assay.core.model import Model
from assay.files.long_form import open_long_form
from assay.results.imports import ImportReport
from assay.runs.imports.imported_rows import EPOCH, known_runs, refuse_contradictions
from assay.runs.imports.imported_runs import Importer
from assay.runs.imports.imported_suite import imported_cases, imported_suite
from assay.runs.watch.history import IMPORTED
from assay.store.locks import free_lock, renew_lock, take_lock, this_process
from assay.store.runs import IMPORTING
from assay.store.suites import keep_suite


def import_table(
    engine: Engine,
    path: Path,
    *,
    suite: str,
    version: str,
    clock: Callable[[], float],
    simulated: bool = False,
) -> ImportReport:
    """Import a long-form table with times as the history of `suite` at `version`.

    Each UTC day is one run, and each label in a column `run` its own run. A row is identified by prompt,
    model, generation, time and run. Rows that were imported before are skipped, so that a table can be
    imported again after it grew or after an import was killed. Raises InvalidInput for a table that cannot be
    read, and Conflict if it contradicts an earlier import; nothing is then imported.
    """
    table = open_long_form(path, needs=("at",))
    groups = table.runs()
    models = models_named([name for group in groups for name in group.models], path)
    cases = imported_cases(suite, table.prompts())
    with import_lock(engine) as renew:
        made = imported_suite(engine, suite, version, cases)
        known = known_runs(engine, made.digest)
        refuse_contradictions(engine, table, made, known, models)
        keep_suite(engine, made, clock=clock)
        names = {(group.day, group.run): group.models for group in groups}
        importer = Importer(engine, made, known, models, names, clock, renew, simulated)
        importer.add(table)
    return ImportReport(
        suite=suite,
        version=version,
        digest=made.digest,
        rows=table.rows,
        known=importer.skipped,
        runs=importer.made,
        models=tuple(sorted({model.name for model in models.values()})),
        cases=len(cases),
        ok=importer.counts["ok"],
        invalid=importer.counts["invalid"],
        error=importer.counts["error"],
        ungraded=importer.counts["ungraded"],
        first=EPOCH + timedelta(days=groups[0].day),
        last=EPOCH + timedelta(days=groups[-1].day),
        ignored=table.ignored,
        rerouted=table.rerouted(),
        simulated=simulated,
    )


def model_named(name: str) -> Model:
    """Return the model of a name in a table: `provider/upstream`, or `imported/NAME` for a bare name."""
    provider, _, upstream = name.partition("/")
    return Model(provider, upstream) if provider and upstream else Model(IMPORTED, name)


def models_named(names: Iterable[str], path: Path) -> dict[str, Model]:
    """Return the model of each name in a file; InvalidInput if two names are one model."""
    models = {name: model_named(name) for name in names}
    first_names: dict[str, str] = {}
    problems = []
    for name, model in models.items():
        first = first_names.setdefault(model.name, name)
        if first != name:
            text = f"models {first!r} and {name!r} are the same ({model.name}): use one name"
            problems.append(Problem(text, str(path)))
    if problems:
        raise InvalidInput(problems)
    return models


@contextmanager
def import_lock(engine: Engine) -> Iterator[Callable[[], None]]:
    """Hold the lock that keeps a second import out; yield the function that prolongs it."""
    lease = take_lock(engine, IMPORTING, this_process())
    try:
        yield lambda: renew_lock(engine, lease)
    finally:
        free_lock(engine, lease)
