"""The contamination study: do models restore hidden pieces of questions verbatim, more often than they guess?

Whatever is replayed has been shown to a model and its provider: private questions are retired, with their
families, before the first of them is sent.
"""

from __future__ import annotations

import asyncio
import random
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from functools import partial
from pathlib import Path
from typing import Final, Literal

from sqlalchemy import Engine

from assay.calls.asking import Asking, AskingContext, begin_asking, open_asking
from assay.calls.budget import budget_of
from assay.calls.control import RunControl
from assay.calls.lease import hold_run
from assay.calls.subjects import check_keys
from assay.core.ask import ModelAsk
from assay.core.errors import AssayError, Conflict, InvalidInput
from assay.core.model import Model
from assay.core.suite import Suite
from assay.questions.replay import ATTEMPTS, NEEDED, replay_messages, replay_version
from assay.results.contamination import Contamination, ReplayedSource, SourceRecall
from assay.store.bank.changes import next_revision, retire
from assay.store.bank.units import count_to_retire
from assay.store.engine import reading, writing
from assay.store.ledger import subject_calls
from assay.store.rows import CallRow
from assay.store.runs import StoredRun, count_runs, end_run, read_run
from assay.studies.contamination_figures import difference, recall, split
from assay.studies.contamination_sources import (
    CONTROL,
    ClozeSource,
    bank_source,
    control_source,
    described_source,
    file_source,
    suite_source,
)

KIND: Final = "contamination"
ABOUT: Final = {"instrument": "replay"}
WHY: Final = "replayed in a contamination study"


@dataclass(frozen=True, slots=True)
class ReplayRequest:
    """What is to be replayed: `n` questions of each source, `control` made-up ones, chosen by `seed`."""

    bank: bool = False
    suites: tuple[Suite, ...] = ()
    files: tuple[Path, ...] = ()
    n: int = 1000
    control: int = 200
    seed: int = 0


def choose(engine: Engine, wanted: ReplayRequest) -> list[ClozeSource]:
    """Choose what is replayed; nothing is sent or changed. InvalidInput where a source has nothing."""
    rng = random.Random(wanted.seed)
    sources = [bank_source(engine, wanted.n, rng)] if wanted.bank else []
    sources += [suite_source(suite, wanted.n, rng) for suite in wanted.suites]
    sources += [file_source(path, wanted.n, rng) for path in wanted.files]
    if not sources:
        raise InvalidInput("there is nothing to replay: give --bank, --suite NAME or --file FILE")
    names = [source.name for source in sources]
    if len(set(names)) < len(names) or CONTROL in names:
        raise InvalidInput(f"sources must differ in name, and none be called {CONTROL!r}: {', '.join(names)}")
    for source in sources:
        if not source.items:
            raise InvalidInput(
                f"{source.name} has no question that could be replayed ({source.short} are too short): "
                "give another source" + (", or accept questions first" if source.kind == "bank" else "")
            )
    if wanted.control:
        languages = sorted({item.language for source in sources for item in source.items})
        sources.append(control_source(languages, wanted.control, rng))
    return sources


def to_retire(engine: Engine, sources: Sequence[ClozeSource]) -> int:
    """Return how many of the bank's questions replaying these sources retires, siblings included."""
    ids = [each for source in sources for each in source.questions]
    with reading(engine) as connection:
        return count_to_retire(connection, ids)


def begin_study(
    place: AskingContext, models: Sequence[Model], sources: Sequence[ClozeSource], *, may_retire: bool
) -> StoredRun:
    """Store a new study. Nothing is sent yet.

    Raises InvalidInput, with the number, where private questions would be retired and `may_retire` is false,
    and for a model whose provider is unknown or has no key.
    """
    check_keys(models, place.providers, place.environment)
    retires = to_retire(place.engine, sources)
    if retires and not may_retire:
        raise InvalidInput(
            f"replaying shows questions to models: {retires:,} questions of the bank would be retired for "
            "good, siblings included; say so with --yes-retire, or leave --bank out"
        )
    plan = {
        "attempts": ATTEMPTS,
        "wording": replay_version(),
        "retires": retires,
        "sources": [source.described() for source in sources],
    }
    return begin_asking(place, KIND, models, plan)


def stored_study(engine: Engine, number: int) -> StoredRun:
    """Return a study that was begun; Conflict where that run is something else."""
    run = read_run(engine, number)
    if run.kind != KIND:
        raise Conflict(f"run {number} is no contamination study but of kind {run.kind!r}: see `assay runs`")
    return run


async def carry_on(
    place: AskingContext, run: StoredRun, *, max_cost: float | None = None, control: RunControl | None = None
) -> Contamination:
    """Make the attempts that a study still lacks and return what it found.

    Before anything is sent, its private questions are retired in one transaction. What stops it is in
    `error`.
    """
    control = control or RunControl()
    engine = place.engine
    sources = tuple(described_source(told) for told in run.plan["sources"])
    check_keys([model for _, model in run.models], place.providers, place.environment)
    async with hold_run(engine, run.id, control.stop) as lease:
        return await _carry_on(replace(place, lease=lease), run, sources, max_cost, control)


async def _carry_on(
    place: AskingContext,
    run: StoredRun,
    sources: tuple[ClozeSource, ...],
    max_cost: float | None,
    control: RunControl,
) -> Contamination:
    engine = place.engine
    end = partial(end_run, engine, run.id, clock=place.clock, lease=place.lease)
    revision = await asyncio.to_thread(_retire, place, run, sources)
    await asyncio.to_thread(end, status="running", reason=None)
    if control.started is not None:
        control.started(run)
    error = await _attempt(place, run, sources, max_cost, control)
    found = await asyncio.to_thread(_found, engine, run, sources)
    stopped = error is not None or control.stop.reason is not None
    reason = (str(error) if error is not None else control.stop.reason) if stopped else None
    status: Literal["finished", "stopped"] = "stopped" if stopped else "finished"
    await asyncio.to_thread(end, status=status, reason=reason)
    counts = await asyncio.to_thread(count_runs, engine, [run.id])
    return Contamination(
        run.id,
        status,
        reason,
        error,
        ATTEMPTS,
        NEEDED,
        tuple(ReplayedSource(each.name, each.kind, len(each.items), each.short) for each in sources),
        study_rows(run, sources, found),
        run.plan["retires"],
        revision,
        counts[run.id].spend,
        run.simulated,
    )


async def _attempt(
    place: AskingContext,
    run: StoredRun,
    sources: Sequence[ClozeSource],
    max_cost: float | None,
    control: RunControl,
) -> AssayError | None:
    """Ask for what is missing; return what made going on impossible."""
    budget = await asyncio.to_thread(budget_of, place.engine, max_cost, [run.id])
    known = await asyncio.to_thread(_found, place.engine, run, sources)
    clozes = [item for source in sources for item in source.items]
    size = ATTEMPTS * len(clozes)
    progress = control.progress
    progress.total, progress.done = size * len(run.models), len(known)
    lacking = (position for position in range(progress.total) if position not in known)

    async def work(asking: Asking, position: int) -> None:
        model, place_of = divmod(position, size)
        messages = replay_messages(clozes[place_of // ATTEMPTS])
        ask = ModelAsk("subject", run.models[model][1].name, messages, about=ABOUT)
        progress.count(await asking.ask(ask, position))

    try:
        async with open_asking(place, run, budget=budget, control=control) as asking:
            await asking.each(lacking, lambda position: work(asking, position))
    except AssayError as error:
        return error
    return None


def study_rows(
    run: StoredRun, sources: Sequence[ClozeSource], found: Mapping[int, CallRow]
) -> tuple[SourceRecall, ...]:
    """Return a row for each model and source, each beside the model's own control."""
    rows: list[SourceRecall] = []
    first = 0
    for _, model in run.models:
        own = []
        for source in sources:
            own.append(recall(model.name, source, split(found, first, len(source.items))))
            first += ATTEMPTS * len(source.items)
        control = next((row for row in own if row.kind == CONTROL), None)
        rows += [
            row if control is None or row is control else replace(row, above=difference(row, control))
            for row in own
        ]
    return tuple(rows)


def _found(engine: Engine, run: StoredRun, sources: Sequence[ClozeSource]) -> dict[int, CallRow]:
    asked = ATTEMPTS * sum(len(source.items) for source in sources) * len(run.models)
    return subject_calls(engine, run.id, range(asked))


def _retire(place: AskingContext, run: StoredRun, sources: Sequence[ClozeSource]) -> int | None:
    """Retire what the study replays of the bank, in one revision; None where all of it is retired already."""
    ids = [each for source in sources for each in source.questions]
    with writing(place.engine) as connection:
        count = count_to_retire(connection, ids)
        if not count:
            return None
        revision = next_revision(connection, KIND, f"{WHY}, run {run.id}: {count} questions", place.clock())
        retire(connection, ids, f"{WHY}, run {run.id}", revision=revision)
        return revision
