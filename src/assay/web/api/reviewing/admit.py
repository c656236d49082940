"""Admission of reviewers: users of the operator's organisation who are linked to a reviewer of the bank."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from dataclasses import dataclass
from typing import Final, TypeVar

from sqlalchemy import Engine
from starlette.requests import Request

from assay.bank.review import day_start
from assay.bank.reviewing import Reviewing
from assay.core.errors import AssayError, Denied, Upstream
from assay.core.exam import Permission
from assay.exam.access import Allowed
from assay.exam.desk import ServiceBusy
from assay.results.review import Reviewer as StoredReviewer
from assay.store.bank.reviewers import list_reviewers, read_since
from assay.store.engine import reading
from assay.store.exam.human import assigned, marked_since
from assay.store.exam.serving import RawStatements
from assay.web.api.reviewing.shapes import ReviewerBody
from assay.web.auth import LOGGED, carry_out, claims_of
from assay.web.service import service_of

T = TypeVar("T")
MOST_AT_ONCE: Final = 32
_UNLINKED: Final = (
    "this user is not linked to a reviewer of the bank: ask the operator to link them "
    "(`assay exam user add --reviewer`)"
)
_running = 0


@dataclass(frozen=True, slots=True)
class AdmittedReviewer:
    """A reviewer who has the permissions for a request. `now` is in UTC seconds."""

    engine: Engine
    reviewing: Reviewing
    reviewer: StoredReviewer
    now: float


async def admit(request: Request, *permissions: Permission) -> Callable[[], AdmittedReviewer]:
    """Check and log a request, and return a function that reads its reviewer; call it in a thread.

    Raises Refused for a request that is not allowed, and Denied for a user without a reviewer of the bank.
    The function raises NoKey if this process has no key of the bank.
    """
    claims = await claims_of(request)

    def action(raw: RawStatements, allowed: Allowed, at: float) -> int | AssayError:
        return Denied(_UNLINKED) if allowed.reviewer is None else allowed.reviewer

    number = await carry_out(request, claims, action, *permissions)
    service, reviewing = service_of(request), reviewing_of(request)

    def read_reviewer() -> AdmittedReviewer:
        reviewing.check_sealer()
        reviewer = next(reviewer for reviewer in list_reviewers(service.engine) if reviewer.id == number)
        if reviewer.left_at is not None:
            raise Denied(f"reviewer {reviewer.name!r} has left and cannot review: ask the operator")
        return AdmittedReviewer(service.engine, reviewing, reviewer, service.clock())

    return read_reviewer


async def work(
    request: Request, permissions: tuple[Permission, ...], action: Callable[[AdmittedReviewer], T]
) -> T:
    """Carry out the action of an admitted reviewer in a thread, beside the desk, and return its result.

    The access log has the request before the action begins, and a second entry if the action is refused.
    """
    global _running
    read_reviewer = await admit(request, *permissions)
    if _running >= MOST_AT_ONCE:
        raise ServiceBusy("too many requests of reviewers are waiting: repeat after a second")
    _running += 1
    try:
        return await asyncio.to_thread(lambda: action(read_reviewer()))
    except Upstream as error:
        # The message names the database, so the client may not see it.
        request.scope[LOGGED] = False
        raise ServiceBusy("the database does not respond: repeat the request") from error
    except AssayError:
        request.scope[LOGGED] = False
        raise
    finally:
        _running -= 1


def reviewer_body(admitted: AdmittedReviewer) -> ReviewerBody:
    """Return a reviewer's work of today (UTC), and the number of answers to mark."""
    reviewer, since = admitted.reviewer, day_start(admitted.now)
    with reading(admitted.engine) as connection:
        read = read_since(connection, reviewer.id, since)
        waiting = sum(answer.marked_at is None for answer in assigned(connection, reviewer.id))
        marked = marked_since(connection, reviewer.id, since)
    return ReviewerBody(
        name=reviewer.name,
        disciplines=list(reviewer.disciplines),
        daily_cap=reviewer.daily_cap,
        read_today=read,
        to_mark=waiting,
        marked_today=marked,
    )


def reviewing_of(request: Request) -> Reviewing:
    """Return the state that the reviewing routes share."""
    reviewing: Reviewing = request.app.state.reviewing
    return reviewing
