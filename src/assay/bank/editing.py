"""Editing a question of the bank: its original is kept, and what was made from it follows."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

from sqlalchemy import Connection, Engine

from assay.bank.refusals import settled
from assay.bank.review import working_reviewer
from assay.core.errors import Conflict, Denied, InvalidInput, NotFound
from assay.core.question import Question, QuestionState
from assay.core.sealed import AnswerKey, Sealer, key_about
from assay.questions.digest import content_digest
from assay.questions.expand import Unexpanded, statements
from assay.store.bank.changes import next_revision, replace_content, retire
from assay.store.bank.reviewers import hold_reviewer
from assay.store.bank.reviews import standings
from assay.store.bank.variants import variants_of
from assay.store.engine import writing

FOLLOWED: Final = "the question it was made from was edited"


@dataclass(frozen=True, slots=True)
class Edited:
    """What an edit came to: the new version, and how many variants were made anew or retired for it."""

    version: int
    renewed: int
    retired: int


def edit(
    engine: Engine,
    sealer: Sealer,
    reviewer: str,
    edited: Question,
    key: AnswerKey,
    *,
    version: int,
    reason: str,
    now: float,
) -> Edited:
    """Give the question of that uuid new content and a new key; it is raw again, to be reviewed anew.

    `version` is the one that was read. What it was stays, with editor, reason and time. Raises NotFound for
    an unknown question or reviewer, Denied for another reviewer's discipline, InvalidInput without a reason,
    and Conflict where it was edited since, is rejected or retired, or reads like another question then.
    """
    if not reason.strip():
        raise InvalidInput(f"the edit of {edited.uuid!r} has no reason: give one")
    with writing(engine) as connection:
        who = working_reviewer(connection, reviewer)
        hold_reviewer(connection, who.id)
        standing = standings(connection, [edited.uuid]).get(edited.uuid)
        if standing is None:
            raise NotFound(f"the bank has no question {edited.uuid!r}")
        if not who.reads(standing.discipline):
            raise Denied(f"{edited.uuid!r} is of {standing.discipline!r}, which {who.name!r} does not read")
        if standing.version != version:
            raise Conflict(f"{edited.uuid!r} was edited meanwhile: read it again")
        # An accepted one may be put right: it cannot be drawn until it is accepted anew.
        if standing.state is not QuestionState.ACCEPTED or standing.retired:
            why = settled(standing)
            if why is not None:
                raise why
        sealed = sealer.seal(key.written(), key_about(edited.uuid, version + 1))
        made = replace_content(
            connection,
            standing.id,
            edited,
            sealed,
            content_digest(edited),
            by=who.name,
            reason=reason.strip(),
            now=now,
        )
        renewed, gone = renew_variants(connection, sealer, standing.id, edited, key, by=who.name, now=now)
    return Edited(made, renewed, gone)


def renew_variants(
    connection: Connection,
    sealer: Sealer,
    row: int,
    edited: Question,
    key: AnswerKey,
    *,
    by: str,
    now: float,
) -> tuple[int, int]:
    """Make the statements of an edited question anew, raw; return how many, and how many had to be retired.

    Retired are those whose option is gone, those that read like another question then, and a model's.
    """
    found = statements(edited, key) if edited.options else Unexpanded("it has no options")
    fresh = {} if isinstance(found, Unexpanded) else {each.question.uuid: each for each in found}
    renewed, gone = 0, []
    for variant in variants_of(connection, [row]):
        if variant.retired:
            continue
        statement = fresh.get(variant.uuid)
        if statement is None:
            gone.append(variant.id)
            continue
        made = statement.question
        sealed = sealer.seal(statement.key.written(), key_about(made.uuid, variant.version + 1))
        try:
            replace_content(
                connection, variant.id, made, sealed, content_digest(made), by=by, reason=FOLLOWED, now=now
            )
            renewed += 1
        except Conflict:
            gone.append(variant.id)
    if gone:
        revision = next_revision(connection, "retire", f"{by}: {FOLLOWED}", now)
        retire(connection, gone, FOLLOWED, revision=revision, siblings=False)
    return renewed, len(gone)
