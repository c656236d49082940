"""The reviewing routes: for the operator's reviewers, who alone see keys."""

from __future__ import annotations

from typing import Final

from fastapi import FastAPI
from pydantic import BaseModel

from assay.core.sealed import Sealer
from assay.web.api.reviewing import marking, screening
from assay.web.api.reviewing.held import Reviewing
from assay.web.api.reviewing.shapes import ReviewDecision, ReviewEdit, ReviewMark

GIVEN: Final[list[type[BaseModel]]] = [ReviewDecision, ReviewEdit, ReviewMark]
"""The bodies that reviewers send."""


def add_routes(app: FastAPI, sealer: Sealer | None, *, second_review: bool = False) -> None:
    """Add the reviewing routes. Without a sealer they answer 503, and all others work on.

    With `second_review` two reviewers must agree on a question.
    """
    app.state.reviewing = Reviewing(sealer, second_review)
    screening.add_routes(app)
    marking.add_routes(app)
