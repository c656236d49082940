"""Importing a history that was recorded elsewhere, from a long-form table, for the watch to judge."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from datetime import date, timedelta
from pathlib import Path

from sqlalchemy import Engine

from assay.core.errors import InvalidInput, Problem
from assay.core.model import Model
from assay.files.long_form import RunRows, open_long_form
from assay.runs.history import IMPORTED
from assay.runs.imports.imported_rows import EPOCH, known_runs, refuse_contradictions
from assay.runs.imports.imported_runs import Importer
from assay.runs.imports.imported_suite import imported_cases, imported_suite
from assay.store.holder import this_process
from assay.store.locks import free_lock, renew_lock, take_lock
from assay.store.runs import IMPORTING
from assay.store.suites import keep_suite


@dataclass(frozen=True, slots=True)
class ImportReport:
    """What an import came to. `rows` are the table's, of which `known` were there already.

    The counts by status are of the rows added; `ungraded` are apart from `ok`. `runs` were made, the days
    (UTC) are the table's. `ignored` columns were not read; `rerouted` models were served by more
    than one provider. `digest` is the suite's.
    """

    suite: str
    version: str
    digest: str
    rows: int
    known: int
    runs: int
    models: tuple[str, ...]
    cases: int
    ok: int
    invalid: int
    error: int
    ungraded: int
    first: date
    last: date
    ignored: tuple[str, ...]
    rerouted: tuple[str, ...]
    simulated: bool

    @property
    def added(self) -> int:
        """How many rows were new."""
        return self.rows - self.known


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

    Each UTC day is one run, and each label in a column `run` one of its own. A row is known by prompt, model,
    generation, time and run: rows that were imported before are passed over, so that a table can be imported
    again, or after it grew, or after an import was killed. Raises InvalidInput for a table that
    cannot be read, and Conflict where it contradicts what was imported before; nothing is then imported.
    """
    table = open_long_form(path, needs=("at",))
    groups = table.runs()
    models = _models(groups, path)
    cases = imported_cases(suite, table.prompts())
    with import_lock(engine) as renew:
        stub = imported_suite(engine, suite, version, cases)
        known = known_runs(engine, stub.digest)
        refuse_contradictions(engine, table, stub, known, models)
        keep_suite(engine, stub, clock=clock)
        names = {(group.day, group.run): group.models for group in groups}
        importer = Importer(engine, stub, known, models, names, clock, renew, simulated)
        importer.add(table)
    return ImportReport(
        suite=suite,
        version=version,
        digest=stub.digest,
        rows=table.rows,
        known=importer.passed,
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
    """Return the model a table means: `provider/upstream` as it stands, a bare name as `imported/NAME`."""
    provider, _, upstream = name.partition("/")
    return Model(provider, upstream) if provider and upstream else Model(IMPORTED, name)


def _models(groups: Sequence[RunRows], path: Path) -> dict[str, Model]:
    """Return the model of each name in a table; InvalidInput when two names are one model."""
    found = {name: model_named(name) for group in groups for name in group.models}
    spelled: dict[str, str] = {}
    problems = []
    for name, model in found.items():
        if spelled.setdefault(model.name, name) != name:
            text = f"models {spelled[model.name]!r} and {name!r} are the same ({model.name}): use one name"
            problems.append(Problem(text, str(path)))
    if problems:
        raise InvalidInput(problems)
    return found


@contextmanager
def import_lock(engine: Engine) -> Iterator[Callable[[], None]]:
    """Keep a second import off the database; yields what prolongs the lock."""
    lease = take_lock(engine, IMPORTING, this_process())
    try:
        yield lambda: renew_lock(engine, lease)
    finally:
        free_lock(engine, lease)
