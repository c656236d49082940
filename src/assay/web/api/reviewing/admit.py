"""Who may review: a reviewer of the operator's organisation who is linked to one of the bank's reviewers."""

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
    "this user is none of the bank's reviewers: whoever runs the service links them "
    "(`assay exam user add --reviewer`)"
)
_at_work = 0


@dataclass(frozen=True, slots=True)
class Admitted:
    """A reviewer who may do what the request asks, with all that this takes. `now` is UTC seconds."""

    engine: Engine
    reviewing: Reviewing
    who: StoredReviewer
    now: float


async def admit(request: Request, *permissions: Permission) -> Callable[[], Admitted]:
    """Return what gives the reviewer, in a thread, after the request was allowed and is in the access log.

    Raises Refused like every route, Denied for a user who is none of the bank's reviewers, and NoKey where
    this process has no key to the bank.
    """
    claims = await claims_of(request)

    def deed(raw: RawStatements, allowed: Allowed, at: float) -> int | AssayError:
        return Denied(_UNLINKED) if allowed.reviewer is None else allowed.reviewer

    number = await carry_out(request, claims, deed, *permissions)
    service, reviewing = service_of(request), reviewing_of(request)

    def admitted() -> Admitted:
        reviewing.check_sealer()
        who = next(each for each in list_reviewers(service.engine) if each.id == number)
        if who.left_at is not None:
            raise Denied(f"reviewer {who.name!r} has left: reviewing is for those who are there")
        return Admitted(service.engine, reviewing, who, service.clock())

    return admitted


async def work(request: Request, permissions: tuple[Permission, ...], deed: Callable[[Admitted], T]) -> T:
    """Return what a deed of an admitted reviewer comes to; it runs in a thread, beside the desk.

    The access log holds the request before the deed begins, and a second line where the deed is refused.
    """
    global _at_work
    admitted = await admit(request, *permissions)
    if _at_work >= MOST_AT_ONCE:
        raise ServiceBusy("too many reviewers' requests are waiting: repeat this one after a second")
    _at_work += 1
    try:
        return await asyncio.to_thread(lambda: deed(admitted()))
    except Upstream as error:
        # What the database says names its place: that is not for the wire.
        request.scope[LOGGED] = False
        raise ServiceBusy("the database does not answer: repeat the request") from error
    except AssayError:
        request.scope[LOGGED] = False
        raise
    finally:
        _at_work -= 1


def standing(one: Admitted) -> ReviewerBody:
    """Return how much a reviewer has done today, and what waits for stars."""
    since = day_start(one.now)
    with reading(one.engine) as connection:
        read = read_since(connection, one.who.id, since)
        waiting = sum(each.marked_at is None for each in assigned(connection, one.who.id))
        marked = marked_since(connection, one.who.id, since)
    return ReviewerBody(
        name=one.who.name,
        disciplines=list(one.who.disciplines),
        daily_cap=one.who.daily_cap,
        read_today=read,
        to_mark=waiting,
        marked_today=marked,
    )


def reviewing_of(request: Request) -> Reviewing:
    """Return what the reviewing routes share."""
    reviewing: Reviewing = request.app.state.reviewing
    return reviewing
