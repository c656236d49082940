"""Expanding material analysis: a model writes statements about the material, another verifies them blind."""

from __future__ import annotations

import asyncio
from collections import Counter
from collections.abc import Callable, Collection, Sequence
from dataclasses import dataclass, field, replace
from itertools import islice
from typing import Final, TypeVar

from assay.bank.augment import OPEN, Tally, variant_row
from assay.calls.asking import Asking, Place, begin_asking, open_asking
from assay.calls.budget import Budget
from assay.calls.lease import hold, hold_run
from assay.calls.progress import add_reason
from assay.calls.steering import Steering
from assay.calls.subjects import check_keys
from assay.core.ask import ModelAsk
from assay.core.errors import AssayError
from assay.core.model import Model
from assay.core.question import QuestionKind, QuestionState
from assay.core.sealed import Sealer
from assay.questions.expand import Statement
from assay.questions.prompt_text import prompt_text
from assay.questions.statements import (
    Draft,
    Unreadable,
    material_of,
    read_statements,
    sift,
    statement_of,
    statements_ask,
)
from assay.questions.verify import blind_order, read_answers, unverified, verify_ask
from assay.store.bank.changes import next_revision
from assay.store.bank.questions import StoredQuestion, keep_questions, walk_questions
from assay.store.bank.variants import asked_parents
from assay.store.engine import writing
from assay.store.ledger import SampleRow, write
from assay.store.locks import ensure_held
from assay.store.runs import StoredRun, count_runs, end_run
from assay.store.schema import samples

KIND: Final = "expand"
EXPANDING: Final = "expansion of the bank"
"""The lock that keeps two expansions from asking about the same questions."""
TRIES: Final = 2
"""An ask, and once more after a reply that cannot be read."""

T = TypeVar("T")
Again = Sequence[tuple[str, str]]


@dataclass(slots=True)
class Written:
    """What became of the questions that a model was asked about.

    Of the `before` ones statements were asked for earlier, by the same prompt. `parents` were asked about
    now. Of what was written `added` is in the bank, `dropped` is not for these reasons, and `taken` read like
    another question. `unread` questions had no readable reply, or none at all: they are asked about again the
    next time. `reason` says why it stopped early, None where it did not.
    """

    run: int | None = None
    before: int = 0
    parents: int = 0
    added: int = 0
    taken: int = 0
    dropped: Counter[str] = field(default_factory=Counter)
    unread: Counter[str] = field(default_factory=Counter)
    tally: Tally = field(default_factory=Tally)
    cost: float | None = None
    unknown_costs: int = 0
    simulated: bool = False
    left: int = 0
    reason: str | None = None


async def expand_materials(
    place: Place,
    sealer: Sealer,
    *,
    writer: Model,
    verifier: Model,
    each: int = 3,
    limit: int | None = None,
    max_cost: float | None = None,
    states: Collection[QuestionState] = OPEN,
    steering: Steering | None = None,
) -> Written:
    """Ask for `each` true and as many false statements about every material analysis, and verify them.

    The verifier answers from the material alone, in an order that tells nothing; what it does not agree with
    is dropped and counted. Each question's statements are stored at once, as raw: stopped or out of budget,
    the same call goes on with what is left. `limit` bounds how many questions are asked about. Raises
    InvalidInput for an unknown provider or a missing key.
    """
    steering = steering or Steering()
    models = list({model.name: model for model in (writer, verifier)}.values())
    check_keys(models, place.providers, place.environment)
    async with hold(place.engine, EXPANDING, steering.stop):
        return await _expand(place, sealer, writer, verifier, each, limit, max_cost, states, steering)


async def _expand(
    place: Place,
    sealer: Sealer,
    writer: Model,
    verifier: Model,
    each: int,
    limit: int | None,
    max_cost: float | None,
    states: Collection[QuestionState],
    steering: Steering,
) -> Written:
    models = list({model.name: model for model in (writer, verifier)}.values())
    version = f"{prompt_text('statements').version} {prompt_text('verify').version}"
    jobs, before = await asyncio.to_thread(_due, place, version, states, limit)
    told = Written(before=before)
    steering.progress.total = len(jobs)
    if not jobs:
        return told
    plan = {"prompt": version, "writer": writer.name, "verifier": verifier.name, "each": each}
    run = await asyncio.to_thread(begin_asking, place, KIND, models, plan)
    told.run, told.simulated = run.id, run.simulated
    if steering.started is not None:
        steering.started(run)
    async with hold_run(place.engine, run.id, steering.stop) as lease:
        place = replace(place, lease=lease)
        work = _Work(place, sealer, run, writer, verifier, each, told, steering)
        failure: AssayError | None = None
        try:
            async with open_asking(place, run, budget=Budget(max_cost), steering=steering) as asking:
                await asking.each(jobs, lambda stored: work.expand(asking, stored))
        except AssayError as error:
            failure = error
        told.reason = str(failure) if failure is not None else steering.stop.reason
        told.left = len(jobs) - told.parents - told.unread.total()
        await asyncio.to_thread(_finish, place, run, told)
    return told


def _due(
    place: Place, version: str, states: Collection[QuestionState], limit: int | None
) -> tuple[list[StoredQuestion], int]:
    done = asked_parents(place.engine, version)
    kinds = [QuestionKind.MATERIAL_ANALYSIS]
    found = list(walk_questions(place.engine, states=states, kinds=kinds, retired=False))
    due = [stored for stored in found if (stored.id, stored.version) not in done]
    return list(islice(due, limit)), len(found) - len(due)


def _finish(place: Place, run: StoredRun, told: Written) -> None:
    status = "finished" if told.reason is None else "stopped"
    end_run(place.engine, run.id, status=status, reason=told.reason, clock=place.clock, lease=place.lease)
    counts = count_runs(place.engine, [run.id])[run.id]
    told.cost = counts.cost if counts.calls > counts.unknown_costs else None
    told.unknown_costs = counts.unknown_costs
    if told.added:
        with writing(place.engine) as connection:
            deed = f"{told.added:,} statements about {told.parents:,} materials, run {run.id}"
            next_revision(connection, "expand", deed, place.clock())


class _Work:
    """One expansion: asking about each question and keeping what holds."""

    def __init__(
        self,
        place: Place,
        sealer: Sealer,
        run: StoredRun,
        writer: Model,
        verifier: Model,
        each: int,
        told: Written,
        steering: Steering,
    ) -> None:
        self._place, self._sealer, self._run = place, sealer, run
        self._writer, self._verifier, self._each = writer, verifier, each
        self._told, self._steering = told, steering
        self._rows = {model.name: row for row, model in run.models}

    async def expand(self, asking: Asking, stored: StoredQuestion) -> None:
        """Ask for a question's statements, have them verified, and store those that hold."""
        question, told = stored.question, self._told
        drafts = await self._read(
            asking,
            stored.id,
            lambda again: statements_ask(self._writer.name, question, self._each, again=again),
            lambda text: read_statements(text, self._each),
        )
        if isinstance(drafts, Unreadable):
            add_reason(told.unread, f"{self._writer.name}: {drafts.why}")
            return
        sound, dropped = sift(drafts, material_of(question))
        shuffled = [sound[number] for number in blind_order(question.uuid, len(sound))]
        kept: list[Draft] = []
        if shuffled:
            texts = [draft.text for draft in shuffled]
            answers = await self._read(
                asking,
                stored.id,
                lambda again: verify_ask(self._verifier.name, material_of(question), texts, again=again),
                lambda text: read_answers(text, len(texts)),
            )
            if isinstance(answers, Unreadable):
                add_reason(told.unread, f"{self._verifier.name}: {answers.why}")
                return
            for draft, answer in zip(shuffled, answers, strict=True):
                why = unverified(draft.true, answer)
                if why is None:
                    kept.append(draft)
                else:
                    dropped[why] += 1
        made = [statement_of(question, draft) for draft in kept]
        await asyncio.to_thread(self._keep, stored, made)
        told.parents += 1
        told.dropped += dropped
        told.tally.true += sum(each.true for each in made)
        told.tally.false += sum(not each.true for each in made)
        self._steering.progress.done += 1

    async def _read(
        self,
        asking: Asking,
        position: int,
        ask: Callable[[Again], ModelAsk],
        read: Callable[[str], T | Unreadable],
    ) -> T | Unreadable:
        """Return what a reply says; one that cannot be read is asked for once more."""
        again: list[tuple[str, str]] = []
        found: T | Unreadable = Unreadable("it was not asked")
        for _ in range(TRIES):
            reply = await asking.ask(ask(again), position)
            if reply.text is None:
                return Unreadable(f"no answer: {reply.error}")
            found = read(reply.text)
            if not isinstance(found, Unreadable):
                return found
            again.append((reply.text, found.why))
        return found

    def _keep(self, stored: StoredQuestion, made: Sequence[Statement]) -> None:
        """Store statements, and that this question has been asked about, in one transaction."""
        done = SampleRow(
            self._run.id,
            stored.id,
            self._rows[self._writer.name],
            0,
            stored.version,
            "ok",
            100 * len(made) / (2 * self._each),
            0,
            self._place.clock(),
        )
        by = f"{self._writer.name}, verified by {self._verifier.name} ({prompt_text('statements').version})"
        rows = [variant_row(stored, one, self._sealer, by) for one in made]
        with writing(self._place.engine) as connection:
            kept = sum(row is not None for row in keep_questions(connection, rows))
            write(connection, samples, [done])
            ensure_held(connection, self._place.lease)
        self._told.added += kept
        self._told.taken += len(made) - kept
