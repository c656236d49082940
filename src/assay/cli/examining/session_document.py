"""A session as a JSON document and as a line of a table."""

from __future__ import annotations

from typing import Any

from assay.cli.output import moment
from assay.exams.view import SessionView

COLUMNS = ("session", "model", "prompting", "state", "done", "of", "deadline")


def session_document(view: SessionView) -> dict[str, Any]:
    """Return a session as `assay exam open`, `sessions` and `close` tell it."""
    return {
        "id": view.id,
        "candidate": view.candidate,
        "model": view.model,
        "prompting": view.prompting.value,
        "state": view.state.value,
        "quota": view.quota,
        "allocated": view.allocated,
        "pending": view.pending,
        "completed": view.completed,
        "revision": view.revision,
        "simulated": view.simulated,
        "opened_at": moment(view.opened_at),
        "started_at": moment(view.started_at),
        "closed_at": moment(view.closed_at),
        "deadline": moment(view.deadline),
        "question_seconds": view.question_seconds,
    }


def session_row(view: SessionView) -> tuple[object, ...]:
    """Return a session under `COLUMNS`."""
    return (
        view.id,
        view.model,
        view.prompting.value,
        view.state.value,
        view.completed,
        view.quota,
        moment(view.deadline),
    )
