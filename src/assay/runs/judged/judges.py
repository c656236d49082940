"""Getting a run's judges ready: who can be asked, and why the others cannot."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress

import aiohttp
from sqlalchemy import Engine

from assay.calls.ask import Caller, Lane
from assay.calls.record import Recorder
from assay.calls.subjects import ready
from assay.core.errors import InvalidInput
from assay.core.judging import Mark
from assay.core.model import Model, Provider
from assay.grading.geval_library import CannotAsk, library
from assay.runs.judged.bench import Bench
from assay.runs.judged.recall import Lookup, Recall
from assay.runs.judged.seating import Judge
from assay.runs.plan import Plan
from assay.store.marks import any_marks, marks_by_key
from assay.store.runs import StoredRun


def ready_judges(
    models: Sequence[tuple[int, Model]],
    providers: Mapping[str, Provider],
    session: aiohttp.ClientSession,
    environment: Mapping[str, str],
    *,
    clock: Callable[[], float],
    concurrency: int | None = None,
    lanes: dict[str, Lane],
) -> dict[str, Judge]:
    """Return the judges by name. One without provider, key or route is absent, with the reason: no run
    stops for it, and its marks can be asked for later.
    """
    judges: dict[str, Judge] = {}
    for row, model in models:
        try:
            subject = ready(
                [(row, model)],
                providers,
                session,
                environment,
                clock=clock,
                concurrency=concurrency,
                lanes=lanes,
            )[0]
        except InvalidInput as error:
            judges[model.name] = Judge(model, row, None, f"cannot judge: {error}")
        else:
            judges[model.name] = Judge(model, row, subject)
    return judges


def open_bench(
    engine: Engine,
    stored: StoredRun,
    plan: Plan,
    judges: Mapping[str, Judge],
    caller: Caller,
    recorder: Recorder,
    *,
    clock: Callable[[], float],
    unread: Counter[str],
    shared: bool = False,
) -> Bench:
    """Return the bench of a run. A watch's marks hold for their day; recorded ones are never used again.

    `unread` takes the missing marks, by reason. With `shared` others mark for the same run meanwhile.
    """
    replayed = any(
        judge.subject is not None and judge.subject.lane.endpoint.provider.dialect == "recorded"
        for judge in judges.values()
    )
    return Bench(
        stored.id,
        caller,
        recorder,
        plan.panel,
        judges,
        None if replayed else Recall(_lookup(engine, judges, shared=shared)),
        clock,
        stored.day if stored.kind == "watch" else None,
        unread=unread,
    )


def _lookup(engine: Engine, judges: Mapping[str, Judge], *, shared: bool) -> Lookup | None:
    """Return what finds marks by key in the store; None where there is nobody's mark to be found."""
    if not shared and not any_marks(engine, {judge.row for judge in judges.values()}):
        return None

    def lookup(keys: list[bytes]) -> dict[bytes, Mark]:
        found = marks_by_key(engine, keys)
        return {key: Mark(row.value, row.rationale, row.reason, row.mode) for key, row in found.items()}

    return lookup


def load_geval() -> None:
    """Import the library of G-Eval, which takes a second; what is wrong with it is told when it is used."""
    with suppress(CannotAsk):
        library()
