"""Importing the results of the evaluation of seed 002: answers with judges' marks, and causal choices."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any, Generic

from sqlalchemy import Engine

from assay.core.errors import Conflict, InvalidInput, Problem
from assay.core.model import Model
from assay.core.suite import Suite
from assay.files.workbench import GivenAnswer, GivenChoice, Workbench
from assay.files.workbench_file import read_workbench
from assay.runs.history import IMPORTED
from assay.runs.imports import workbench_choices, workbench_ledger
from assay.runs.imports.import_table import import_lock, model_named
from assay.runs.imports.imported_rows import SHOWN, Seen
from assay.runs.imports.workbench_causal import causal_suite, causal_texts, stored_keys, suite_keys
from assay.runs.imports.workbench_choices import Choices
from assay.runs.imports.workbench_ledger import Judged
from assay.runs.imports.workbench_replay import CAUSAL, JUDGED, Replay, write_replay
from assay.runs.imports.workbench_runs import Given, Runs
from assay.runs.imports.workbench_suite import GEVAL, suite_prompts, suite_texts, workbench_suite
from assay.store.runs import StoredRun, imported_runs, keep_models, read_run
from assay.store.suites import keep_suite

SUITE = "generalist"
CAUSAL_SUITE = "causal-workbench"


@dataclass(frozen=True, slots=True)
class SuiteImport:
    """What came into one suite: its rows are `added` + `known` (imported before).

    The counts by status, `marks`, `unread` (marks without a value) and `differing` (letters that were read
    otherwise by the project; None where judges mark) are of the rows added. `replay` says what was written
    for a replay, if anything.
    """

    suite: str
    version: str
    digest: str
    added: int
    known: int
    runs: int
    models: tuple[str, ...]
    judges: tuple[str, ...]
    cases: int
    ok: int
    invalid: int
    error: int
    ungraded: int
    marks: int
    unread: int
    differing: int | None
    replay: Replay | None = None


@dataclass(frozen=True, slots=True)
class WorkbenchReport:
    """What an import came to, suite by suite: the judged one first, then the causal one, as far as it goes.

    `rows` = the rows of `suites` + `earlier` (attempts that a later one replaced) + those of `problems`.
    """

    rows: int
    earlier: int
    problems: tuple[Problem, ...]
    suites: tuple[SuiteImport, ...]


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
    before are passed over. The suites are `generalist` and `causal-workbench`, or `suite` and `suite`-causal.
    With `recordings` the same is also written for the recorded provider, with the suites beside it. Raises
    InvalidInput where no row is good, and Conflict where a row was imported before with other values;
    nothing is then imported.
    """
    found = read_workbench(path)
    names = (suite, CAUSAL_SUITE if suite == SUITE else f"{suite}-causal")
    _give_keys(engine, names[1], found)
    if not found.answers and not found.choices:
        raise InvalidInput(found.problems or [Problem("holds no answer", str(path))])
    with import_lock(engine) as renew:
        judged = _judged_part(engine, found, names[0]) if found.answers else None
        causal = _causal_part(engine, found, names[1]) if found.choices else None
        _refuse_contradictions(found, [part for part in (judged, causal) if part is not None])
        reports = {}
        if judged is not None:
            reports[JUDGED] = _add_judged(engine, found, judged, clock, renew)
        if causal is not None:
            reports[CAUSAL] = _add_choices(engine, causal, clock, renew)
    if recordings is not None:
        texts = {}
        if judged is not None:
            texts[JUDGED] = suite_texts(names[0], suite_prompts(judged.suite), found.judges)
        if causal is not None:
            texts[CAUSAL] = causal_texts(names[1], suite_keys(causal.suite))
        for key, replay in write_replay(recordings, found, texts).items():
            reports[key] = replace(reports[key], replay=replay)
    return WorkbenchReport(found.rows, found.earlier, tuple(found.problems), tuple(reports.values()))


def _give_keys(engine: Engine, name: str, found: Workbench) -> None:
    """Refuse the choices whose key neither the file nor an earlier import tells."""
    known = {**stored_keys(engine, name), **found.keys}
    for choice in found.choices:
        if choice.question not in known:
            told = f"{choice.place}: the key of {choice.question!r} is told neither here nor by an earlier"
            found.refuse(f"{told} import: import rows that have it first")
    found.choices = [choice for choice in found.choices if choice.question in known]
    found.keys = {choice.question: known[choice.question] for choice in found.choices}


@dataclass(frozen=True, slots=True)
class _Part(Generic[Given]):
    """The rows of a file that belong to one suite, what was imported of it before, and in which runs."""

    suite: Suite
    models: dict[str, Model]
    runs: list[StoredRun]
    seen: Seen
    rows: list[tuple[Given, Model, bytes]]

    @property
    def new(self) -> list[tuple[Given, Model, bytes]]:
        """The rows that are not known."""
        return [row for row in self.rows if row[2] not in self.seen]


def _part(engine: Engine, suite: Suite, models: dict[str, Model], rows: list[Any]) -> _Part[Any]:
    runs = [read_run(engine, number) for number, _, _ in imported_runs(engine, suite.digest)]
    return _Part(suite, models, runs, Seen.of(engine, [run.id for run in runs]), rows)


def _judged_part(engine: Engine, found: Workbench, name: str) -> _Part[GivenAnswer]:
    models = _models(found.models, found.path)
    suite = workbench_suite(engine, name, found.prompts.values(), found.judges)
    given = [(answer, models[answer.model]) for answer in found.answers]
    return _part(engine, suite, models, [(*row, workbench_ledger.fingerprint(*row)) for row in given])


def _causal_part(engine: Engine, found: Workbench, name: str) -> _Part[GivenChoice]:
    models = _models(found.choosers, found.path)
    suite = causal_suite(engine, name, found.keys)
    given = [(choice, models[choice.model]) for choice in found.choices]
    return _part(engine, suite, models, [(*row, workbench_choices.fingerprint(*row)) for row in given])


def _add_judged(
    engine: Engine,
    found: Workbench,
    part: _Part[GivenAnswer],
    clock: Callable[[], float],
    renew: Callable[[], None],
) -> SuiteImport:
    keep_suite(engine, part.suite, clock=clock)
    judges = {name: model_named(name) for name in found.judges}
    kept = keep_models(engine, [*judges.values(), Model(IMPORTED, GEVAL)])
    contents = Judged(part.suite, dict(zip(judges, kept, strict=False)), kept[-1], clock)
    runs = Runs(engine, part.suite, contents, clock, renew)
    runs.add(part.runs, list(part.models.values()), part.new)
    return replace(
        _report(part, runs.made, contents.counts),
        judges=tuple(model.name for model in judges.values()),
        marks=contents.marks,
        unread=contents.unread,
    )


def _add_choices(
    engine: Engine, part: _Part[GivenChoice], clock: Callable[[], float], renew: Callable[[], None]
) -> SuiteImport:
    keep_suite(engine, part.suite, clock=clock)
    contents = Choices(part.suite, clock)
    runs = Runs(engine, part.suite, contents, clock, renew)
    runs.add(part.runs, list(part.models.values()), part.new)
    return replace(_report(part, runs.made, contents.counts), differing=contents.differing)


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


def _refuse_contradictions(found: Workbench, parts: Sequence[_Part[Any]]) -> None:
    """Raise Conflict where rows that were imported before have other values now."""
    changed = [
        (given, part.suite) for part in parts for given, _, mark in part.rows if part.seen.contradicts(mark)
    ]
    if not changed:
        return
    shown = "; ".join(_told(given) for given, _ in changed[:SHOWN])
    more = f"; and {len(changed) - SHOWN} more" if len(changed) > SHOWN else ""
    raise Conflict(
        f"{len(changed)} rows of {found.path.name} were imported before (version {changed[0][1].version}) "
        f"with other values: {shown}{more}; nothing was imported. If they were put right, import the file as "
        "another --suite"
    )


def _told(given: GivenAnswer | GivenChoice) -> str:
    if isinstance(given, GivenChoice):
        return f"{given.place} (model {given.model!r}, question {given.question!r})"
    return f"{given.place} (model {given.model!r}, prompt {given.prompt.id!r})"
