"""Excluding questions that turned out to be faulty: from one sitting, or wherever they were served."""

from __future__ import annotations

from collections.abc import Collection

from sqlalchemy import Engine

from assay.core.errors import InvalidInput
from assay.store.exam.exclusions import Exclusion, exclude, where_served


def exclude_positions(
    engine: Engine, session: str, positions: Collection[int], *, reason: str, by: str, now: float
) -> list[Exclusion]:
    """Exclude questions of one session; they leave the denominator of its S. Returns those that are new.

    Raises InvalidInput without a reason or positions, NotFound for an unknown session, Conflict for a
    position that was not served.
    """
    if not positions:
        raise InvalidInput(f"no position of session {session!r} is named: give one or more, as in 12 40")
    return exclude(engine, session, positions, reason=_told(reason), by=by, now=now)


def exclude_question(engine: Engine, uuid: str, *, reason: str, by: str, now: float) -> list[Exclusion]:
    """Exclude a question from every session in which it was served. Returns the exclusions that are new.

    A question that only some sittings leave out would favour some models. Raises InvalidInput without a
    reason, NotFound for an unknown question.
    """
    told = _told(reason)
    made: list[Exclusion] = []
    for session, position in where_served(engine, uuid):
        made += exclude(engine, session, [position], reason=told, by=by, now=now)
    return made


def _told(reason: str) -> str:
    if not reason.strip():
        raise InvalidInput(f"--reason {reason!r} gives none: say what is wrong with the question")
    return reason.strip()
