"""Routes for a reviewer's own decisions: list the last ones, and undo one."""

from __future__ import annotations

import re
from typing import Any, Final

from fastapi import FastAPI
from starlette.requests import Request
from starlette.responses import Response

from assay.bank.undo import PastDecision, past_decisions, undo
from assay.core.errors import NotFound
from assay.questions.screen import Decision
from assay.results.figure import utc
from assay.store.bank.questions import questions_by_id
from assay.store.bank.reviews import IN_PLAY
from assay.web.api.reviewing.admit import AdmittedReviewer, reviewer_body, work
from assay.web.api.reviewing.screening import SCREEN, question_body
from assay.web.api.reviewing.shapes import ReviewDecisions, ReviewPast, ReviewUndone
from assay.web.routes import add, json_response
from assay.web.shapes import MOST_COUNT

MOST_LISTED: Final = 50
LONGEST_STEM: Final = 300
"""Characters of a question's text in the list."""
_NUMBER: Final = re.compile(r"[1-9][0-9]{0,9}")
_DECISION: Final[list[dict[str, Any]]] = [
    {
        "name": "number",
        "in": "path",
        "required": True,
        "schema": {"type": "integer", "minimum": 1, "maximum": MOST_COUNT},
    }
]


def add_routes(app: FastAPI) -> None:
    """Add the routes for decisions."""
    add(app, "GET", "/review/decisions", list_decisions, response=ReviewDecisions)
    add(
        app,
        "POST",
        "/review/decisions/{number}/undo",
        undo_decision,
        response=ReviewUndone,
        query=_DECISION,
        problems=(404, 409),
    )


async def list_decisions(request: Request) -> Response:
    """List the reviewer's last decisions on questions, without keys."""

    def action(admitted: AdmittedReviewer) -> ReviewDecisions:
        listed = past_decisions(admitted.engine, admitted.reviewer.name, MOST_LISTED)
        return ReviewDecisions(reviewer=reviewer_body(admitted), decisions=[_body(past) for past in listed])

    return json_response(await work(request, SCREEN, action))


async def undo_decision(request: Request) -> Response:
    """Undo one of the reviewer's decisions; the decision stays in the history."""

    def action(admitted: AdmittedReviewer) -> ReviewUndone:
        text, name, now = request.path_params["number"], admitted.reviewer.name, admitted.now
        if not _NUMBER.fullmatch(text) or int(text) > MOST_COUNT:
            raise NotFound(f"unknown decision {text[:40]!r}: use the `number` that came with the decision")
        question = undo(admitted.engine, name, int(text), now=now)
        stored = questions_by_id(admitted.engine, [question])[question]
        waits = stored.state in IN_PLAY and admitted.reviewer.reads(stored.question.discipline)
        if waits:
            admitted.reviewing.hold(name, question, now)
        return ReviewUndone(
            reviewer=reviewer_body(admitted), question=question_body(admitted, stored) if waits else None
        )

    return json_response(await work(request, SCREEN, action))


def _body(past: PastDecision) -> ReviewPast:
    question = past.question
    return ReviewPast(
        number=past.number,
        id=question.uuid,
        kind=question.kind,
        discipline=question.discipline,
        stem=question.stem if len(question.stem) <= LONGEST_STEM else f"{question.stem[:LONGEST_STEM]}…",
        decision=Decision(past.row.decision),
        reason=past.row.reason,
        at=utc(past.row.at),
        state=past.state,
        refusal=None if past.refusal is None else str(past.refusal),
    )
