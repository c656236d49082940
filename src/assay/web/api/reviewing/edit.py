"""Putting a question right while it is reviewed: what a reviewer sends, made into an edit of the bank's."""

from __future__ import annotations

from dataclasses import replace

from assay.bank import editing
from assay.core.errors import Conflict, Denied, InvalidInput
from assay.core.question import Question
from assay.core.sealed import AnswerKey
from assay.store.bank.questions import StoredQuestion, question_by_uuid
from assay.web.api.reviewing.admit import Admitted
from assay.web.api.reviewing.shapes import ReviewEdit


def read_version(one: Admitted, uuid: str, version: int) -> StoredQuestion:
    """Return a question in the version that a reviewer has read.

    Raises NotFound for none, Denied for another reviewer's discipline, Conflict where it was edited since.
    """
    stored = question_by_uuid(one.engine, uuid)
    if not one.who.reads(stored.question.discipline):
        raise Denied(f"{uuid!r} is of {stored.question.discipline!r}, which {one.who.name!r} does not read")
    if stored.version != version:
        raise Conflict(f"{uuid!r} was edited meanwhile: read it again")
    return stored


def edit(one: Admitted, uuid: str, given: ReviewEdit) -> StoredQuestion:
    """Give a question other words, and return it.

    Raises what `read_version` and the bank's edit raise, and InvalidInput where nothing is changed or left.
    """
    stored = read_version(one, uuid, given.version)
    key = one.reviewing.key_of(stored)
    edited = _edited(stored.question, given)
    new = AnswerKey(tuple(_stripped("an answer", each) for each in given.key), given.explanation.strip())
    if (edited, new) == (stored.question, key):
        raise InvalidInput("nothing is changed: accept or reject the question as it is")
    editing.edit(
        one.engine,
        one.reviewing.opener(),
        one.who.name,
        edited,
        new,
        version=given.version,
        reason=given.reason,
        now=one.now,
    )
    return question_by_uuid(one.engine, uuid)


def _edited(question: Question, given: ReviewEdit) -> Question:
    return replace(
        question,
        stem=_stripped("the question", given.stem),
        options=tuple(_stripped("an option", each) for each in given.options),
        discipline=given.discipline,
        secondary=question.secondary if given.discipline == question.discipline else None,
    )


def _stripped(what: str, text: str) -> str:
    if not text.strip():
        raise InvalidInput(f"{what} is empty: write it, or take it out")
    return text.strip()
