"""Importing the results of the evaluation of seed 002: answers, judges' marks, G-Eval and flags."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path

from sqlalchemy import Engine

from assay.core.errors import Conflict, InvalidInput, Problem
from assay.core.model import Model
from assay.files.workbench import Workbench
from assay.files.workbench_file import read_workbench
from assay.runs.history import IMPORTED
from assay.runs.imports.import_table import import_lock, model_named
from assay.runs.imports.imported_rows import SHOWN, Seen
from assay.runs.imports.workbench_ledger import Importer, Row, fingerprint
from assay.runs.imports.workbench_replay import Replay, write_replay
from assay.runs.imports.workbench_suite import GEVAL, suite_prompts, workbench_suite
from assay.store.runs import imported_runs, keep_models, read_run
from assay.store.suites import keep_suite

SUITE = "generalist"


@dataclass(frozen=True, slots=True)
class WorkbenchReport:
    """What an import came to.

    `rows` = `added` + `known` (imported before) + `earlier` (attempts that a later one replaced) + `causal`
    (multiple choice, left out) + the rows of `problems`. The counts by status, `marks` and `unread`
    (marks without a value) are of the rows added. `replay` says what was written for a replay, if anything.
    """

    suite: str
    version: str
    digest: str
    rows: int
    added: int
    known: int
    earlier: int
    causal: int
    problems: tuple[Problem, ...]
    runs: int
    models: tuple[str, ...]
    judges: tuple[str, ...]
    cases: int
    ok: int
    invalid: int
    ungraded: int
    marks: int
    unread: int
    replay: Replay | None


def import_workbench(
    engine: Engine,
    path: Path,
    *,
    suite: str = SUITE,
    recordings: Path | None = None,
    clock: Callable[[], float],
) -> WorkbenchReport:
    """Import a results file, as rows (.jsonl) or in one model's own layout (.json), packed or not.

    Wrong rows are told, good ones imported. A row is known by model and prompt: rows that were imported
    before are passed over. With `recordings` the same is also written for the recorded provider, with the
    suite beside it. Raises InvalidInput where no row is good, and Conflict where a row was imported before
    with other values; nothing is then imported.
    """
    found = read_workbench(path)
    if not found.answers:
        raise InvalidInput(found.problems or [Problem("holds no answer", str(path))])
    models = _models(found.models, path)
    with import_lock(engine, clock) as renew:
        stub = workbench_suite(engine, suite, found.prompts.values(), found.judges)
        runs = [read_run(engine, number) for number, _, _ in imported_runs(engine, stub.digest)]
        seen = Seen.of(engine, [run.id for run in runs])
        answered = [(answer, models[answer.model]) for answer in found.answers]
        rows = [(answer, model, fingerprint(answer, model)) for answer, model in answered]
        _refuse_contradictions(found, seen, rows, stub.version)
        new = [row for row in rows if row[2] not in seen]
        keep_suite(engine, stub, clock=clock)
        judges = {name: model_named(name) for name in found.judges}
        kept = keep_models(engine, [*judges.values(), Model(IMPORTED, GEVAL)])
        importer = Importer(engine, stub, dict(zip(judges, kept, strict=False)), kept[-1], clock, renew)
        importer.add(runs, list(models.values()), new)
    return WorkbenchReport(
        suite=stub.name,
        version=stub.version,
        digest=stub.digest,
        rows=found.rows,
        added=len(new),
        known=len(rows) - len(new),
        earlier=found.earlier,
        causal=found.causal,
        problems=tuple(found.problems),
        runs=importer.made,
        models=tuple(model.name for model in models.values()),
        judges=tuple(model.name for model in judges.values()),
        cases=len(stub.cases),
        ok=importer.counts["ok"],
        invalid=importer.counts["invalid"],
        ungraded=importer.counts["ungraded"],
        marks=importer.marks,
        unread=importer.unread,
        replay=None if recordings is None else write_replay(recordings, found, suite, suite_prompts(stub)),
    )


def _models(names: Sequence[str], path: Path) -> dict[str, Model]:
    """Return the model of each name; InvalidInput when two names are one model."""
    found = {name: model_named(name) for name in names}
    spelled: dict[str, str] = {}
    for name, model in found.items():
        other = spelled.setdefault(model.name, name)
        if other != name:
            text = f"models {other!r} and {name!r} are the same ({model.name}): use one name"
            raise InvalidInput(Problem(text, str(path)))
    return found


def _refuse_contradictions(found: Workbench, seen: Seen, rows: Sequence[Row], version: str) -> None:
    """Raise Conflict where rows that were imported before have other values now."""
    changed = [answer for answer, _, mark in rows if seen.contradicts(mark)]
    if not changed:
        return
    shown = "; ".join(
        f"{answer.place} (model {answer.model!r}, prompt {answer.prompt.id!r})" for answer in changed[:SHOWN]
    )
    more = f"; and {len(changed) - SHOWN} more" if len(changed) > SHOWN else ""
    raise Conflict(
        f"{len(changed)} rows of {found.path.name} were imported before (version {version}) with other "
        f"values: {shown}{more}; nothing was imported. If they were put right, import the file as another "
        "--suite"
    )
