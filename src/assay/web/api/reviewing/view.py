"""A question of the bank as a reviewer sees it: with key, what screening finds, and what reads like it."""

from __future__ import annotations

from typing import Final

from assay.core.question import QuestionState
from assay.questions.validate import validate
from assay.store.bank.duplicates import flagged
from assay.store.bank.questions import StoredQuestion, question_by_uuid
from assay.web.api.reviewing.admit import Admitted
from assay.web.api.reviewing.shapes import ReviewFinding, ReviewQuestion, ReviewTwin

MOST_TWINS: Final = 3


def shown(one: Admitted, stored: StoredQuestion) -> ReviewQuestion:
    """Return a question for a reviewer. Raises NoKey where its key cannot be opened."""
    question, key = stored.question, one.reviewing.key_of(stored)
    return ReviewQuestion(
        id=question.uuid,
        number=stored.id,
        version=stored.version,
        state=stored.state,
        kind=question.kind,
        discipline=question.discipline,
        secondary=question.secondary,
        language=question.language,
        passage=question.passage,
        stem=question.stem,
        options=list(question.options),
        key=[_sendable(each) for each in key.answers],
        explanation=_sendable(key.explanation),
        place=stored.place,
        made_from=question.parent,
        findings=[
            ReviewFinding(kind=each.kind, severity=each.severity, text=each.text)
            for each in validate(question, key)
        ],
        near=_twins(one, question.uuid),
    )


def _twins(one: Admitted, uuid: str) -> list[ReviewTwin]:
    found = []
    for pair in flagged(one.engine, unresolved=True, of=uuid)[:MOST_TWINS]:
        twin = question_by_uuid(one.engine, pair.other if pair.question == uuid else pair.question)
        if twin.retired is None and twin.state is not QuestionState.REJECTED:
            question = twin.question
            found.append(
                ReviewTwin(
                    id=question.uuid,
                    similarity=round(pair.similarity, 3),
                    stem=question.stem,
                    options=list(question.options),
                    state=twin.state,
                )
            )
    return found


def _sendable(text: str) -> str:
    """Return a sealed text without lone surrogates, which no JSON in UTF-8 can hold."""
    return text.encode("utf-16", "surrogatepass").decode("utf-16", "replace")
