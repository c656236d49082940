"""Whether a request may proceed, after its token was proven: the rest of Algorithm 1, without I/O."""

from __future__ import annotations

from dataclasses import dataclass

from assay.core.exam import PERMISSIONS, Permission, Role, SessionState
from assay.exams.refused import Refusal, Refused
from assay.exams.token import Claims
from assay.store.exam.access import AccessRow

OPERATORS_ONLY = frozenset({Permission.SCREEN, Permission.MARK})
"""What a role gives to the operator's own people alone: its answers are nobody else's to see."""
OVER = "the session is over: it takes no more requests"


@dataclass(frozen=True, slots=True)
class Wanted:
    """What a request wants to do.

    Any one of `permissions` suffices; none at all asks only for somebody with a valid token. `session` is
    the one in the request's address. With `open` it must still take answers.
    """

    permissions: tuple[Permission, ...] = ()
    session: str | None = None
    open: bool = False


@dataclass(frozen=True, slots=True)
class Allowed:
    """Who may proceed, and with what: `granted` are the permissions that hold now, in `organisation` only."""

    user_id: str
    organisation: int
    operator: bool
    role: Role
    reviewer: int | None
    granted: frozenset[Permission]
    session_id: str | None
    jti: str


def permissions_of(role: Role, *, operator: bool) -> frozenset[Permission]:
    """Return what a role allows in the operator's own organisation, or in another."""
    return PERMISSIONS[role] if operator else PERMISSIONS[role] - OPERATORS_ONLY


def decide(claims: Claims, found: AccessRow, wanted: Wanted, *, now: float) -> Allowed:
    """Return who may proceed, from a proven token's claims and what `access_rows` found for them.

    Raises Refused, in Algorithm 1's order (seed 003, appendix F, lines 16-27): Unauthorized where the
    signing key was withdrawn; Forbidden where the user is not there or disabled, the token is revoked or
    not on record, or none of the wanted permissions is both in the token and in the user's role now;
    Session Invalid where the session is not there, another organisation's, not the one that the token is
    bound to, not the candidate's own, or over. Whether another client holds it is seen where its row is
    taken, in the transaction that serves it.
    """
    if found.withdrawn_at is not None:
        raise Refused(Refusal.UNAUTHORIZED, claims=claims)
    if found.organisation is None or found.role is None or found.disabled_at is not None:
        raise Refused(Refusal.FORBIDDEN, claims=claims)
    if found.token_revoked_at is not None or not _on_record(claims, found):
        raise Refused(Refusal.FORBIDDEN, claims=claims)
    role, operator = Role(found.role), bool(found.operator)
    granted = frozenset(
        each for each in permissions_of(role, operator=operator) if each in claims.permissions
    )
    if wanted.permissions and granted.isdisjoint(wanted.permissions):
        raise Refused(Refusal.FORBIDDEN, claims=claims)
    check_session(claims, role, found, wanted, now=now)
    return Allowed(
        user_id=claims.user_id,
        organisation=found.organisation,
        operator=operator,
        role=role,
        reviewer=found.reviewer,
        granted=granted,
        session_id=claims.session_id,
        jti=claims.jti,
    )


def check_session(claims: Claims, role: Role, found: AccessRow, wanted: Wanted, *, now: float) -> None:
    """Raise Refused as Session Invalid unless the session that is wanted, if any, may be used like that.

    Without a session in the address nothing is refused, but a candidate can only sit in one. Whose a
    session is, is never told: another organisation's is refused like one that is not there.
    """
    if wanted.session is None:
        if Permission.SIT in wanted.permissions:
            raise Refused(Refusal.SESSION, claims=claims)
        return
    bound = claims.session_id
    own = found.session_organisation is not None and found.session_organisation == found.organisation
    if role is Role.CANDIDATE:
        own = own and bound is not None and found.session_candidate == claims.user_id
    if not own or (bound is not None and bound != wanted.session):
        raise Refused(Refusal.SESSION, claims=claims)
    if wanted.open:
        deadline = found.session_deadline
        if found.session_state != SessionState.OPEN or deadline is None or now > deadline:
            raise Refused(Refusal.SESSION, OVER, claims=claims)


def _on_record(claims: Claims, found: AccessRow) -> bool:
    """Whether the token was issued like that: a stolen signing key alone makes none that was."""
    return (found.token_user, found.token_session, found.token_kid, found.token_expires_at) == (
        claims.user_id,
        claims.session_id,
        claims.kid,
        claims.exp,
    )
