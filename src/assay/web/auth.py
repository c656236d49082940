"""Authentication and permissions (Algorithm 1) of every request, and its entry in the access log."""

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
Action = Callable[[RawStatements, Allowed, float], T | AssayError]
LOGGED: Final = "assay.logged"
CLAIMS: Final = "assay.claims"
_NO_SESSION: Final = "no session"


def session_in(request: Request) -> str | None:
    """Return the session id in a request's address, None without one.

    A text that cannot be an id becomes `_NO_SESSION`, which matches no session.
    """
    session = request.path_params.get("session")
    if session is None:
        return None
    return session if is_user_id(session) else _NO_SESSION


async def claims_of(request: Request) -> Claims:
    """Return the verified claims of a request's token. Raises Refused for a missing or bad token."""
    service = service_of(request)
    headers = request.headers.getlist("authorization")
    scheme, _, token = headers[0].partition(" ") if len(headers) == 1 else ("", "", "")
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
            raise keys_unavailable(error) from error
    try:
        claims = read_token(token, keys, now=now)
    except Refused as refused:
        request.scope[CLAIMS] = refused.claims
        raise
    request.scope[CLAIMS] = claims
    return claims


def keys_unavailable(error: Denied) -> ServiceBusy:
    """Log that the bank's key was changed while the service runs, and return the error for the client."""
    logger.error("the signing keys cannot be opened, restart with the new key: %s", error)
    return ServiceBusy("the service cannot open its signing keys: tell the operator of the service")


async def carry_out(
    request: Request, claims: Claims, action: Action[T], *permissions: Permission, status: int = 200
) -> T:
    """Check that the claims allow a request, carry out its action in one transaction, and return the result.

    An error that the action returns is raised. In both cases the request is in the access log first.
    """
    service = service_of(request)
    session, at = session_in(request), service.clock()
    access_request = AccessRequest(permissions, session)
    method, path = request.method, request.scope["path"]
    key = (claims.jti, claims.user_id, session)

    def job(raw: RawStatements) -> T | AssayError:
        state = access_of(raw, key)
        try:
            outcome = action(raw, decide(claims, state, access_request, now=at), at)
        except Refused as refused:
            outcome = refused
        logged = (outcome.status, title_of(outcome)) if isinstance(outcome, AssayError) else (status, None)
        logged_session = claims.session_id if session is None else session
        raw.accesses.append(Access(at, claims.user_id, logged_session, claims.jti, method, path, *logged))
        return outcome

    outcome = await service.desk.do(job, session=session or "", access=key)
    request.scope[LOGGED] = True
    if isinstance(outcome, AssayError):
        raise outcome
    return outcome


def access_without_action(service: Service, scope: Scope, status: int, title: str | None) -> Access:
    """Return the entry in the access log of a request whose action was not carried out."""
    claims = scope.get(CLAIMS)
    user, jti = (claims.user_id, claims.jti) if isinstance(claims, Claims) else (None, None)
    parameters = scope.get("path_params")
    session = parameters.get("session") if isinstance(parameters, dict) else None
    shown = session if isinstance(session, str) and is_user_id(session) else None
    return Access(service.clock(), user, shown, jti, str(scope["method"]), str(scope["path"]), status, title)
