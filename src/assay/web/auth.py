"""Who asks, and whether they may: Algorithm 1 around every request, each noted in the access log."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Callable
from typing import Final, TypeVar

from starlette.requests import Request
from starlette.types import Scope

from assay.core.errors import AssayError, Denied
from assay.core.exam import Permission
from assay.exam.access import AccessRequest, Allowed, Claims, Refusal, Refused, decide
from assay.exam.desk import ServiceBusy
from assay.exam.people import is_user_id
from assay.exam.token import read_token
from assay.store.exam.access import Access
from assay.store.exam.serving import RawStatements, access_of
from assay.web.problems import title_of
from assay.web.service import Service, service_of

logger = logging.getLogger("assay.web")
T = TypeVar("T")
Deed = Callable[[RawStatements, Allowed, float], T | AssayError]
LOGGED: Final = "assay.logged"
CLAIMS: Final = "assay.claims"
_NOWHERE: Final = "no session"


def session_in(request: Request) -> str | None:
    """Return the session in a request's address; what cannot be one is a session that nobody has."""
    found = request.path_params.get("session")
    if found is None:
        return None
    return found if is_user_id(found) else _NOWHERE


async def claims_of(request: Request) -> Claims:
    """Return what the token of a request says, after it was proven. Raises Refused."""
    service = service_of(request)
    given = request.headers.getlist("authorization")
    scheme, _, token = given[0].partition(" ") if len(given) == 1 else ("", "", "")
    token = token.strip()
    if scheme.lower() != "bearer" or not token:
        raise Refused(Refusal.UNAUTHORIZED)
    now = service.clock()
    if service.keyring.knows(token):
        keys = service.keyring.verifying(token, now=now)
    else:
        try:
            keys = await asyncio.to_thread(service.keyring.verifying, token, now=now)
        except Denied as error:
            raise unopened(error) from error
    try:
        claims = read_token(token, keys, now=now)
    except Refused as refused:
        request.scope[CLAIMS] = refused.claims
        raise
    request.scope[CLAIMS] = claims
    return claims


def unopened(error: Denied) -> ServiceBusy:
    """Return the error where the bank's key was changed under a running service, without the key."""
    logger.error("the signing keys cannot be opened, restart with the new key: %s", error)
    return ServiceBusy("the service has not the keys that it needs: tell whoever runs it")


async def carry_out(
    request: Request, claims: Claims, deed: Deed[T], *permissions: Permission, status: int = 200
) -> T:
    """Return what a deed comes to, after checking that the claims allow it, in one transaction.

    The request is in the access log when this returns or raises what the deed returned as an error.
    """
    service = service_of(request)
    session, at = session_in(request), service.clock()
    wanted = AccessRequest(permissions, session)
    method, path = request.method, request.scope["path"]
    key = (claims.jti, claims.user_id, session)

    def job(raw: RawStatements) -> T | AssayError:
        found = access_of(raw, key)
        try:
            outcome = deed(raw, decide(claims, found, wanted, now=at), at)
        except Refused as refused:
            outcome = refused
        noted = (outcome.status, title_of(outcome)) if isinstance(outcome, AssayError) else (status, None)
        place = claims.session_id if session is None else session
        raw.accesses.append(Access(at, claims.user_id, place, claims.jti, method, path, *noted))
        return outcome

    outcome = await service.desk.do(job, session=session or "", access=key)
    request.scope[LOGGED] = True
    if isinstance(outcome, AssayError):
        raise outcome
    return outcome


def unproven(service: Service, scope: Scope, status: int, told: str | None) -> Access:
    """Return how a request is noted that came to no deed."""
    claims = scope.get(CLAIMS)
    user, jti = (claims.user_id, claims.jti) if isinstance(claims, Claims) else (None, None)
    parameters = scope.get("path_params")
    session = parameters.get("session") if isinstance(parameters, dict) else None
    shown = session if isinstance(session, str) and is_user_id(session) else None
    return Access(service.clock(), user, shown, jti, str(scope["method"]), str(scope["path"]), status, told)
