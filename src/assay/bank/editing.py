"""Editing a question of the bank: the earlier version is kept, and its statements are made again."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

from sqlalchemy import Connection, Engine

from assay.bank.review import settled
from assay.core.errors import Conflict, Denied, InvalidInput, NotFound
from assay.core.question import Question, QuestionState
from assay.core.sealed import AnswerKey, Sealer, key_about
from assay.questions.digest import content_digest
from assay.questions.expand import Unexpanded, statements
from assay.results.review import Reviewer
from assay.store.bank.changes import next_revision, replace_content, retire
from assay.store.bank.reviewers import active_reviewer, hold_reviewer
from assay.store.bank.reviews import lock_questions
from assay.store.bank.variants import variants_of
from assay.store.engine import writing

PARENT_EDITED: Final = "the question it was made from was edited"


@dataclass(frozen=True, slots=True)
class EditOutcome:
    """The new version of an edited question, and the numbers of its variants made again and retired."""

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
) -> EditOutcome:
    """Replace a question's content and key; it becomes raw and must be reviewed again.

    `version` is the version that was read. The earlier version is kept with editor, reason and time. Raises
    NotFound for an unknown question or reviewer, Denied for a discipline that the reviewer does not read,
    InvalidInput without a reason, and Conflict if the question was edited since, is rejected or retired, or
    would equal another question.
    """
    if not reason.strip():
        raise InvalidInput(f"no reason for editing {edited.uuid!r}: give one")
    with writing(engine) as connection:
        who = active_reviewer(connection, reviewer)
        hold_reviewer(connection, who.id)
        status = lock_questions(connection, [edited.uuid]).get(edited.uuid)
        if status is None:
            raise NotFound(f"unknown question {edited.uuid!r}: check the uuid")
        check_reader(who, status.uuid, status.discipline)
        if status.version != version:
            raise Conflict(f"question {edited.uuid!r} was edited meanwhile: read it again")
        # An accepted question may be edited: it cannot be drawn until it is accepted again.
        if status.state is not QuestionState.ACCEPTED or status.retired:
            error = settled(status)
            if error is not None:
                raise error
        sealed = sealer.seal(key.written(), key_about(edited.uuid, version + 1))
        new_version = replace_content(
            connection,
            status.id,
            edited,
            sealed,
            content_digest(edited),
            by=who.name,
            reason=reason.strip(),
            now=now,
        )
        renewed, retired = _renew_variants(connection, sealer, status.id, edited, key, by=who.name, now=now)
    return EditOutcome(new_version, renewed, retired)


def check_reader(reviewer: Reviewer, uuid: str, discipline: str) -> None:
    """Raise Denied if a question is of a discipline that a reviewer does not read."""
    if not reviewer.reads(discipline):
        raise Denied(
            f"question {uuid!r} is of {discipline!r}, which {reviewer.name!r} does not read: leave it to "
            "another reviewer"
        )


def _renew_variants(
    connection: Connection,
    sealer: Sealer,
    question: int,
    edited: Question,
    key: AnswerKey,
    *,
    by: str,
    now: float,
) -> tuple[int, int]:
    """Make the statements of an edited question again; return the numbers of renewed and retired variants.

    A variant is retired if its option is gone, if it would equal another question, or if a model wrote it.
    """
    expanded = statements(edited, key) if edited.options else Unexpanded("it has no options")
    by_uuid = {} if isinstance(expanded, Unexpanded) else {made.question.uuid: made for made in expanded}
    renewed, obsolete = 0, []
    for variant in variants_of(connection, [question]):
        if variant.retired:
            continue
        statement = by_uuid.get(variant.uuid)
        if statement is None:
            obsolete.append(variant.id)
            continue
        new = statement.question
        sealed = sealer.seal(statement.key.written(), key_about(new.uuid, variant.version + 1))
        try:
            replace_content(
                connection, variant.id, new, sealed, content_digest(new), by=by, reason=PARENT_EDITED, now=now
            )
            renewed += 1
        except Conflict:
            obsolete.append(variant.id)
    if obsolete:
        revision = next_revision(connection, "retire", f"{by}: {PARENT_EDITED}", now)
        retire(connection, obsolete, PARENT_EDITED, revision=revision, siblings=False)
    return renewed, len(obsolete)
