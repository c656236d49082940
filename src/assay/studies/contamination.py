"""The contamination study: models are asked to restore hidden pieces of questions, word for word.

A replayed question has been shown to a model and its provider. Private questions are therefore retired,
together with their families, before the first of them is sent.
"""

from __future__ import annotations

import asyncio
import random
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from sqlalchemy import Engine

from assay.calls.asking import Asking, AskingContext, begin_asking, carry_on_asking
from assay.calls.control import RunControl
from assay.calls.subjects import check_keys
from assay.core.ask import ModelAsk
from assay.core.errors import InvalidInput
from assay.core.model import Model
from assay.core.suite import Suite
from assay.questions.replay import ATTEMPTS, NEEDED, replay_messages, replay_version
from assay.results.contamination import Contamination, ReplayedSource, SourceRecall
from assay.store.bank.changes import next_revision, retire
from assay.store.bank.units import count_to_retire
from assay.store.engine import reading, writing
from assay.store.ledger import subject_calls
from assay.store.rows import CallRow
from assay.store.runs import StoredRun
from assay.studies.contamination_figures import compared_with_control, leak_tests, recall, split
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
RETIRED_WHY: Final = "replayed in a contamination study"


@dataclass(frozen=True, slots=True)
class ReplayRequest:
    """The sources to replay: `n` questions of each and `control` made-up questions, chosen by `seed`."""

    bank: bool = False
    suites: tuple[Suite, ...] = ()
    files: tuple[Path, ...] = ()
    n: int = 1000
    control: int = 200
    seed: int = 0


def choose(engine: Engine, request: ReplayRequest) -> list[ClozeSource]:
    """Choose the questions to replay. Nothing is sent or changed.

    Raises InvalidInput if no source is given, if two have the same name, or if one has no usable question.
    """
    rng = random.Random(request.seed)
    sources = [bank_source(engine, request.n, rng)] if request.bank else []
    sources += [suite_source(suite, request.n, rng) for suite in request.suites]
    sources += [file_source(path, request.n, rng) for path in request.files]
    if not sources:
        raise InvalidInput("nothing to replay: give --bank, --suite NAME or --file FILE")
    names = [source.name for source in sources]
    if len(set(names)) < len(names) or CONTROL in names:
        raise InvalidInput(
            f"sources need different names, other than {CONTROL!r}, not {', '.join(names)}: rename a source"
        )
    for source in sources:
        if not source.items:
            raise InvalidInput(
                f"{source.name} has no question that can be replayed ({source.short} are too short): "
                "give another source" + (", or accept questions first" if source.kind == "bank" else "")
            )
    if request.control:
        languages = sorted({item.language for source in sources for item in source.items})
        sources.append(control_source(languages, request.control, rng))
    return sources


def to_retire(engine: Engine, sources: Sequence[ClozeSource]) -> int:
    """Count the bank's questions that a replay of these sources retires, with their siblings."""
    ids = [question for source in sources for question in source.questions]
    with reading(engine) as connection:
        return count_to_retire(connection, ids)


def begin_study(
    context: AskingContext, models: Sequence[Model], sources: Sequence[ClozeSource], *, may_retire: bool
) -> StoredRun:
    """Store a new study. Nothing is sent yet.

    Raises InvalidInput if private questions would be retired and `may_retire` is false (the message has their
    number), and for a model whose provider is unknown or has no key.
    """
    check_keys(models, context.providers, context.environment)
    retires = to_retire(context.engine, sources)
    if retires and not may_retire:
        raise InvalidInput(
            f"a replay shows questions to models: {retires:,} questions of the bank would be retired for "
            "good, including their siblings; confirm this with --yes-retire, or leave out --bank"
        )
    plan = {
        "attempts": ATTEMPTS,
        "wording": replay_version(),
        "retires": retires,
        "sources": [source.described() for source in sources],
    }
    return begin_asking(context, KIND, models, plan)


async def carry_on(
    context: AskingContext,
    run: StoredRun,
    *,
    max_cost: float | None = None,
    control: RunControl | None = None,
) -> Contamination:
    """Make the missing attempts of a study and return its result.

    Before anything is sent, the study's private questions are retired in one transaction. An error that stops
    the study is in `error` of the result.
    """
    control = control or RunControl()
    sources = tuple(described_source(description) for description in run.plan["sources"])
    clozes = [item for source in sources for item in source.items]
    planned = range(ATTEMPTS * len(clozes) * len(run.models))
    revision: int | None = None

    async def ask(asking: Asking) -> None:
        nonlocal revision
        revision = await asyncio.to_thread(_retire, context, run, sources)
        known = await asyncio.to_thread(subject_calls, context.engine, run.id, planned)
        progress = control.progress
        progress.total, progress.done = len(planned), len(known)

        async def attempt(position: int) -> None:
            model, number = divmod(position, ATTEMPTS * len(clozes))
            messages = replay_messages(clozes[number // ATTEMPTS])
            request = ModelAsk("subject", run.models[model][1].name, messages, about=ABOUT)
            progress.count(await asking.ask(request, position))

        await asking.each((position for position in planned if position not in known), attempt)

    end = await carry_on_asking(context, run, ask, max_cost=max_cost, control=control)
    rows = study_rows(run, sources, await asyncio.to_thread(subject_calls, context.engine, run.id, planned))
    return Contamination(
        run.id,
        end.status,
        end.reason,
        end.error,
        ATTEMPTS,
        NEEDED,
        tuple(
            ReplayedSource(source.name, source.kind, len(source.items), source.short) for source in sources
        ),
        rows,
        leak_tests(rows),
        run.plan["retires"],
        revision,
        end.spend,
        run.simulated,
    )


def study_rows(
    run: StoredRun, sources: Sequence[ClozeSource], attempts: Mapping[int, CallRow]
) -> tuple[SourceRecall, ...]:
    """Return a row for each model and source, compared with the model's own control.

    `attempts` has the calls by position: all attempts of the first model, then those of the next.
    """
    rows: list[SourceRecall] = []
    first = 0
    for _, model in run.models:
        for source in sources:
            rows.append(recall(model.name, source, split(attempts, first, len(source.items))))
            first += ATTEMPTS * len(source.items)
    return compared_with_control(rows)


def _retire(context: AskingContext, run: StoredRun, sources: Sequence[ClozeSource]) -> int | None:
    """Retire the bank's questions that the study replays and return the revision.

    Return None if all of them are retired already.
    """
    ids = [question for source in sources for question in source.questions]
    with writing(context.engine) as connection:
        count = count_to_retire(connection, ids)
        if not count:
            return None
        why = f"{RETIRED_WHY}, run {run.id}"
        revision = next_revision(connection, KIND, f"{why}: {count} questions", context.clock())
        retire(connection, ids, why, revision=revision)
        return revision
