"""Expanding material analysis: one model writes statements, another verifies them blind."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Collection, Sequence
from dataclasses import dataclass
from itertools import islice
from typing import Final, TypeVar

from assay.bank.augment import OPEN, variant_row
from assay.calls.asking import Asking, AskingContext, begin_asking, carry_on_asking
from assay.calls.control import RunControl
from assay.calls.lease import hold
from assay.calls.progress import add_reason
from assay.calls.subjects import check_keys
from assay.core.ask import ModelAsk
from assay.core.model import Model
from assay.core.question import QuestionKind, QuestionState
from assay.core.sealed import Sealer
from assay.questions.expand import MadeStatement
from assay.questions.statements import (
    StatementDraft,
    UnreadableStatement,
    blind_order,
    material_of,
    prompt_text,
    read_answers,
    read_statements,
    sift,
    statement_of,
    statements_ask,
    unverified,
    verify_ask,
)
from assay.results.expansion import ExpandedMaterial
from assay.store.bank.changes import next_revision
from assay.store.bank.questions import StoredQuestion, keep_questions, walk_questions
from assay.store.bank.variants import asked_parents
from assay.store.engine import writing
from assay.store.ledger import write
from assay.store.locks import Lease, ensure_held
from assay.store.rows import SampleRow
from assay.store.runs import StoredRun
from assay.store.schema import samples

KIND: Final = "expand"
EXPANDING: Final = "expansion of the bank"
"""The lock that prevents two expansions from asking about the same questions."""
TRIES: Final = 2
"""The first ask, and one more after an unparsable reply."""

T = TypeVar("T")
Again = Sequence[tuple[str, str]]
"""Unparsable replies, each with its fault."""


@dataclass(frozen=True, slots=True)
class MaterialPlan:
    """Which model writes `each` true and `each` false statements for a material, and which one verifies them.

    At most `limit` questions, of these states, are expanded.
    """

    writer: Model
    verifier: Model
    each: int = 3
    limit: int | None = None
    states: Collection[QuestionState] = OPEN

    @property
    def models(self) -> list[Model]:
        """The writer and the verifier, once if they are the same model."""
        return list({model.name: model for model in (self.writer, self.verifier)}.values())


async def expand_materials(
    context: AskingContext,
    sealer: Sealer,
    plan: MaterialPlan,
    *,
    max_cost: float | None = None,
    control: RunControl | None = None,
) -> ExpandedMaterial:
    """Let a model write statements about every material analysis, and another model verify them.

    The verifier answers from the material alone, in random order; statements that it does not confirm are
    dropped and counted. The statements of each question are stored at once as raw, so that the same call
    continues after a stop. Raises InvalidInput for an unknown provider or a missing key.
    """
    control = control or RunControl()
    check_keys(plan.models, context.providers, context.environment)
    async with hold(context.engine, EXPANDING, control.stop):
        return await _expand(context, sealer, plan, max_cost, control)


async def _expand(
    context: AskingContext,
    sealer: Sealer,
    plan: MaterialPlan,
    max_cost: float | None,
    control: RunControl,
) -> ExpandedMaterial:
    version = f"{prompt_text('statements').version} {prompt_text('verify').version}"
    jobs, before = await asyncio.to_thread(_open_questions, context, version, plan)
    written = ExpandedMaterial(plan.writer.name, plan.verifier.name, before=before)
    control.progress.total = len(jobs)
    if not jobs:
        return written
    stored_plan = {
        "prompt": version,
        "writer": plan.writer.name,
        "verifier": plan.verifier.name,
        "each": plan.each,
    }
    run = await asyncio.to_thread(begin_asking, context, KIND, plan.models, stored_plan)
    written.run, written.simulated = run.id, run.simulated
    expansion = _MaterialExpansion(context, sealer, plan, run, written, control)
    end = await carry_on_asking(
        context,
        run,
        lambda asking: asking.each(jobs, lambda stored: expansion.expand(asking, stored)),
        max_cost=max_cost,
        control=control,
    )
    written.reason, written.spend = end.reason, end.spend
    written.left = len(jobs) - written.parents - written.unread.total()
    if written.added:
        await asyncio.to_thread(_add_revision, context, run, written)
    return written


def _open_questions(
    context: AskingContext, version: str, plan: MaterialPlan
) -> tuple[list[StoredQuestion], int]:
    """Return the questions to expand, and the number of those expanded before."""
    done = asked_parents(context.engine, version)
    kinds = [QuestionKind.MATERIAL_ANALYSIS]
    questions = list(walk_questions(context.engine, states=plan.states, kinds=kinds, retired=False))
    remaining = [stored for stored in questions if (stored.id, stored.version) not in done]
    return list(islice(remaining, plan.limit)), len(questions) - len(remaining)


def _add_revision(context: AskingContext, run: StoredRun, written: ExpandedMaterial) -> None:
    with writing(context.engine) as connection:
        description = f"{written.added:,} statements about {written.parents:,} materials, run {run.id}"
        next_revision(connection, "expand", description, context.clock())


class _MaterialExpansion:
    """One expansion: asking about each question and storing the confirmed statements."""

    def __init__(
        self,
        context: AskingContext,
        sealer: Sealer,
        plan: MaterialPlan,
        run: StoredRun,
        written: ExpandedMaterial,
        control: RunControl,
    ) -> None:
        self._context, self._sealer, self._run = context, sealer, run
        self._writer, self._verifier, self._each = plan.writer.name, plan.verifier.name, plan.each
        self._written, self._control = written, control
        self._rows = {model.name: row for row, model in run.models}

    async def expand(self, asking: Asking, stored: StoredQuestion) -> None:
        """Ask for a question's statements, have them verified, and store the confirmed ones."""
        question, written = stored.question, self._written
        drafts = await self._read(
            asking,
            stored.id,
            lambda again: statements_ask(self._writer, question, self._each, again=again),
            lambda text: read_statements(text, self._each),
        )
        if isinstance(drafts, UnreadableStatement):
            add_reason(written.unread, f"{self._writer}: {drafts.why}")
            return
        sound, dropped = sift(drafts, material_of(question))
        shuffled = [sound[number] for number in blind_order(question.uuid, len(sound))]
        confirmed: list[StatementDraft] = []
        if shuffled:
            texts = [draft.text for draft in shuffled]
            answers = await self._read(
                asking,
                stored.id,
                lambda again: verify_ask(self._verifier, material_of(question), texts, again=again),
                lambda text: read_answers(text, len(texts)),
            )
            if isinstance(answers, UnreadableStatement):
                add_reason(written.unread, f"{self._verifier}: {answers.why}")
                return
            for draft, answer in zip(shuffled, answers, strict=True):
                reason = unverified(draft.true, answer)
                if reason is None:
                    confirmed.append(draft)
                else:
                    dropped[reason] += 1
        made = [statement_of(question, draft) for draft in confirmed]
        await asking.store(lambda: self._store(asking.lease, stored, made))
        written.parents += 1
        written.dropped += dropped
        written.statements.true += sum(statement.true for statement in made)
        written.statements.false += sum(not statement.true for statement in made)
        self._control.progress.done += 1

    async def _read(
        self,
        asking: Asking,
        position: int,
        ask: Callable[[Again], ModelAsk],
        read: Callable[[str], T | UnreadableStatement],
    ) -> T | UnreadableStatement:
        """Return a parsed reply; an unparsable one is asked for once more."""
        again: list[tuple[str, str]] = []
        parsed: T | UnreadableStatement = UnreadableStatement("it was not asked")
        for _ in range(TRIES):
            reply = await asking.ask(ask(again), position)
            if reply.text is None:
                return UnreadableStatement(f"no answer: {reply.error}")
            parsed = read(reply.text)
            if not isinstance(parsed, UnreadableStatement):
                return parsed
            again.append((reply.text, parsed.why))
        return parsed

    def _store(self, lease: Lease | None, stored: StoredQuestion, made: Sequence[MadeStatement]) -> None:
        """Store statements together with the sample that marks this question as done."""
        done = SampleRow(
            self._run.id,
            stored.id,
            self._rows[self._writer],
            0,
            stored.version,
            "ok",
            100 * len(made) / (2 * self._each),
            0,
            self._context.clock(),
        )
        by = f"{self._writer}, verified by {self._verifier} ({prompt_text('statements').version})"
        rows = [variant_row(stored, statement, self._sealer, by) for statement in made]
        with writing(self._context.engine) as connection:
            added = sum(row is not None for row in keep_questions(connection, rows))
            write(connection, samples, [done])
            ensure_held(connection, lease)
        self._written.added += added
        self._written.taken += len(made) - added
