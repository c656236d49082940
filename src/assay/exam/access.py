"""Access decisions after Algorithm 1 of seed 003 (appendix F): claims, refusals and checks, without I/O."""

from __future__ import annotations

from dataclasses import dataclass
from enum import Enum

from assay.core.documented import HelpText
from assay.core.errors import Denied
from assay.core.exam import PERMISSIONS, Permission, Role, SessionState
from assay.store.exam.access import AccessRow

OPERATORS_ONLY = frozenset({Permission.SCREEN, Permission.MARK})
"""Permissions that a role has only in the operator's organisation: they show others' answers."""
OVER = "the session is over: it takes no more requests"


@dataclass(frozen=True, slots=True)
class Claims:
    """The claims of a token. `timestamp` (issued) and `exp` are UTC seconds; `jti` identifies the token.

    `session_id` is None for a token that is bound to no session. `kid` is the signing key's id from the
    header; the rest is the payload of Algorithm 1.
    """

    user_id: str
    timestamp: float
    exp: float
    session_id: str | None
    permissions: tuple[str, ...]
    jti: str
    kid: str


class Refusal(Enum):
    """The refusals of Algorithm 1 in the order of the checks: title, HTTP status, advice, and help."""

    UNAUTHORIZED = (
        "Unauthorized",
        401,
        "no valid token: get one with your user id and secret",
        HelpText("""
            The exam service could not establish who sends the request. There is no bearer token, its
            signature is wrong, its signing key was withdrawn, or the user id and secret given for a token
            do not match.

            It is the first check of every request, so nothing else was looked at. The answer is the same
            for all these causes, so that nobody learns from it which user ids exist.

            Send `Authorization: Bearer TOKEN` with a token from this service. Get one with your user id and
            secret; if these are refused too, ask the administrator of your organisation for a new secret.
        """),
    )
    EXPIRED = (
        "Token Expired",
        401,
        "get a new token with your user id and secret",
        HelpText("""
            The token was issued by this service and its time is over.

            Tokens live for a limited time so that a stolen one soon becomes worthless. Nothing is lost:
            answers that were received stay recorded.

            Get a new token with your user id and secret, and repeat the request. `assay sit` does so by
            itself if `ASSAY_EXAM_SECRET` is set; with only `ASSAY_EXAM_TOKEN` the sitting stops here.
        """),
    )
    FORBIDDEN = (
        "Forbidden",
        403,
        "this token does not allow the request: ask an administrator for access",
        HelpText("""
            The token is genuine but does not permit this request. The user is disabled, the token was
            revoked, or neither the token nor the user's role now includes the permission.

            Rights are checked anew on every request, so a change by an administrator holds at once, also
            for tokens that were issued before.

            Ask the administrator of your organisation. They see with `assay exam user list` whether the
            user is enabled and which role it has, and with `assay exam token list` whether the token was
            revoked.
        """),
    )
    SESSION = (
        "Session Invalid",
        403,
        "the session is not yours, is over, or is in use by another client",
        HelpText("""
            The exam session in the address cannot be used with this token. It does not exist, belongs to
            somebody else, is bound to another token, is finished, closed or past its deadline, or another
            client is using it.

            One session is one sitting of one model. A second client could see questions twice or mix its
            answers in, so a client holds the session until a minute after its last request.

            With a `Retry-After` header, wait so many seconds and try again; `assay sit` waits by itself.
            Otherwise ask the person who opened the session: `assay exam sessions` shows its state.
        """),
    )

    def __init__(self, title: str, status: int, advice: str, help_text: HelpText) -> None:
        self.title = title
        self.status = status
        self.advice = advice
        self.help = help_text


class Refused(Denied):
    """A request that is refused. The text begins with the refusal's title and repeats nothing of the request.

    `claims` are those of a token that this service has signed, for the access log.
    """

    def __init__(self, refusal: Refusal, advice: str | None = None, *, claims: Claims | None = None) -> None:
        super().__init__(f"{refusal.title}: {advice or refusal.advice}", status=refusal.status)
        self.refusal = refusal
        self.title = refusal.title
        self.claims = claims


@dataclass(frozen=True, slots=True)
class AccessRequest:
    """The rights that a request needs.

    One of `permissions` is enough; with none, any valid token is. `session` is the session in the request's
    address. With `open` that session must still take answers.
    """

    permissions: tuple[Permission, ...] = ()
    session: str | None = None
    open: bool = False


@dataclass(frozen=True, slots=True)
class Allowed:
    """The user and token of an allowed request. `reviewer` is the linked reviewer of the bank, if any."""

    user_id: str
    organisation: int
    reviewer: int | None
    session_id: str | None
    jti: str


def permissions_of(role: Role, *, operator: bool) -> frozenset[Permission]:
    """Return the permissions of a role in the operator's organisation or in another."""
    return PERMISSIONS[role] if operator else PERMISSIONS[role] - OPERATORS_ONLY


def decide(claims: Claims, stored: AccessRow, wanted: AccessRequest, *, now: float) -> Allowed:
    """Decide on a request, given the claims of a verified token and the stored rows behind them.

    Raises Refused in the order of Algorithm 1 (lines 16-27): Unauthorized if the signing key was withdrawn;
    Forbidden if the user is unknown or disabled, if the token is revoked or not on record, or if no needed
    permission is both in the token and in the user's role now; Session Invalid if the session is unknown,
    another organisation's, not the token's, not the candidate's own, or over. Whether another client uses
    the session is checked when its row is locked, in the transaction that serves the request.
    """
    if stored.withdrawn_at is not None:
        raise Refused(Refusal.UNAUTHORIZED, claims=claims)
    if stored.organisation is None or stored.role is None or stored.disabled_at is not None:
        raise Refused(Refusal.FORBIDDEN, claims=claims)
    if stored.token_revoked_at is not None or not _on_record(claims, stored):
        raise Refused(Refusal.FORBIDDEN, claims=claims)
    role = Role(stored.role)
    granted = permissions_of(role, operator=bool(stored.operator)).intersection(claims.permissions)
    if wanted.permissions and granted.isdisjoint(wanted.permissions):
        raise Refused(Refusal.FORBIDDEN, claims=claims)
    check_session(claims, role, stored, wanted, now=now)
    return Allowed(claims.user_id, stored.organisation, stored.reviewer, claims.session_id, claims.jti)


def check_session(
    claims: Claims, role: Role, stored: AccessRow, wanted: AccessRequest, *, now: float
) -> None:
    """Raise Refused as Session Invalid unless the session in the address, if any, may be used like this.

    Without a session in the address only sitting is refused, which needs one. Another organisation's session
    is refused like an unknown one, so that nobody learns whose it is.
    """
    if wanted.session is None:
        if Permission.SIT in wanted.permissions:
            raise Refused(Refusal.SESSION, claims=claims)
        return
    bound = claims.session_id
    own = stored.session_organisation is not None and stored.session_organisation == stored.organisation
    if role is Role.CANDIDATE:
        own = own and bound is not None and stored.session_candidate == claims.user_id
    if not own or (bound is not None and bound != wanted.session):
        raise Refused(Refusal.SESSION, claims=claims)
    if wanted.open:
        deadline = stored.session_deadline
        if stored.session_state != SessionState.OPEN or deadline is None or now > deadline:
            raise Refused(Refusal.SESSION, OVER, claims=claims)


def _on_record(claims: Claims, stored: AccessRow) -> bool:
    """Whether the token was issued with these claims; one forged with a stolen signing key was not."""
    return (stored.token_user, stored.token_session, stored.token_kid, stored.token_expires_at) == (
        claims.user_id,
        claims.session_id,
        claims.kid,
        claims.exp,
    )
