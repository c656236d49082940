"""Access decisions: the order of the checks, and which role may use which session."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from itertools import chain, combinations, product

import pytest
from every_row import every_row
from exam_tokens import CLAIMS, NOW, SECRET

from assay.core.exam import PERMISSIONS, Permission, Role
from assay.exam.access import OPERATORS_ONLY, AccessRequest, Allowed, Claims, Refusal, Refused, decide
from assay.exam.token import read_token, sign
from assay.store.exam.access import AccessRow

SESSION = CLAIMS.session_id
WANTED = AccessRequest((Permission.SIT,), SESSION, open=True)
FOUND = AccessRow(
    organisation=2,
    operator=0,
    role="candidate",
    disabled_at=None,
    reviewer=None,
    token_user=CLAIMS.user_id,
    token_session=SESSION,
    token_kid=CLAIMS.kid,
    token_expires_at=CLAIMS.exp,
    token_revoked_at=None,
    withdrawn_at=None,
    session_organisation=2,
    session_candidate=CLAIMS.user_id,
    session_state="open",
    session_deadline=CLAIMS.exp + 7200,
)


def decided(
    claims: Claims, found: AccessRow, wanted: AccessRequest, *, now: float = NOW
) -> Allowed | Refusal:
    """Return the allowed request or the refusal."""
    try:
        return decide(claims, found, wanted, now=now)
    except Refused as refused:
        return refused.refusal


def test_a_candidate_may_sit_its_own_open_session() -> None:
    """Without a fault the request is allowed for this user and session."""
    assert decided(CLAIMS, FOUND, WANTED) == Allowed(CLAIMS.user_id, 2, None, SESSION, CLAIMS.jti)


Row = Callable[[AccessRow], AccessRow]
FAULTS: dict[str, tuple[Refusal, Row]] = {
    "signature": (Refusal.UNAUTHORIZED, lambda row: row),
    "time": (Refusal.EXPIRED, lambda row: row),
    "user gone": (Refusal.FORBIDDEN, lambda row: row._replace(organisation=None, role=None, operator=None)),
    "disabled": (Refusal.FORBIDDEN, lambda row: row._replace(disabled_at=NOW)),
    "revoked": (Refusal.FORBIDDEN, lambda row: row._replace(token_revoked_at=NOW)),
    "another role": (Refusal.FORBIDDEN, lambda row: row._replace(role="viewer")),
    "another's session": (Refusal.SESSION, lambda row: row._replace(session_candidate="another")),
    "closed": (Refusal.SESSION, lambda row: row._replace(session_state="closed")),
}
SUBSETS = list(chain.from_iterable(combinations(FAULTS, size) for size in range(len(FAULTS) + 1)))


def faulty(faults: tuple[str, ...]) -> Refusal | None:
    """Return the refusal of a request with these faults by the token's and the database's checks."""
    token = sign(CLAIMS, SECRET)
    now = CLAIMS.exp + 1 if "time" in faults else NOW
    keys = {CLAIMS.kid: bytes(32) if "signature" in faults else SECRET}
    found = FOUND
    for fault in faults:
        found = FAULTS[fault][1](found)
    try:
        decide(read_token(token, keys, now=now), found, WANTED, now=now)
    except Refused as refused:
        return refused.refusal
    return None


def test_of_several_faults_the_first_in_order_is_reported() -> None:
    """All 256 combinations of eight faults give the refusal that comes first in Algorithm 1."""
    order = list(Refusal).index
    wrong = {
        faults: ended
        for faults in SUBSETS
        if (ended := faulty(faults)) != min((FAULTS[each][0] for each in faults), key=order, default=None)
    }
    assert (wrong, len(SUBSETS)) == ({}, 256)


def test_the_titles_and_statuses_are_algorithm_1s() -> None:
    """The titles are the paper's words, with its statuses."""
    assert [(each.status, each.title) for each in Refusal] == [
        (401, "Unauthorized"),
        (401, "Token Expired"),
        (403, "Forbidden"),
        (403, "Session Invalid"),
    ]


@pytest.mark.parametrize(
    "change",
    [
        {"token_user": None, "token_session": None, "token_kid": None, "token_expires_at": None},
        {"token_user": "another"},
        {"token_session": None},
        {"token_kid": "k2"},
        {"token_expires_at": CLAIMS.exp - 1},
    ],
    ids=lambda change: next(iter(change)) + str(len(change)),
)
def test_a_token_that_differs_from_its_record_is_forbidden(change: dict[str, object]) -> None:
    """A stolen signing key makes valid signatures, but no record of an issued token."""
    assert decided(CLAIMS, FOUND._replace(**change), WANTED) is Refusal.FORBIDDEN


def test_a_withdrawn_key_is_refused_even_by_a_process_that_still_has_it() -> None:
    """The signature is right, but the stored row says that the key was withdrawn."""
    assert decided(CLAIMS, FOUND._replace(withdrawn_at=NOW), WANTED) is Refusal.UNAUTHORIZED


def test_a_session_takes_requests_until_its_deadline() -> None:
    """It is open up to the deadline; after it only requests that read are allowed."""
    found = FOUND._replace(session_deadline=NOW)
    assert isinstance(decided(CLAIMS, found, WANTED), Allowed)
    late = FOUND._replace(session_deadline=NOW - 1)
    assert decided(CLAIMS, late, WANTED) is Refusal.SESSION
    assert isinstance(decided(CLAIMS, late, replace(WANTED, open=False)), Allowed)


def test_a_token_grants_only_the_permissions_in_it() -> None:
    """An admin's token with one permission allows only that one."""
    claims = replace(CLAIMS, session_id=None, permissions=("results:read",))
    found = FOUND._replace(role="admin", token_session=None)
    assert isinstance(decided(claims, found, AccessRequest((Permission.READ_RESULTS,))), Allowed)
    assert decided(claims, found, AccessRequest((Permission.MANAGE,))) is Refusal.FORBIDDEN


def test_a_demoted_user_loses_permissions_at_once() -> None:
    """Only permissions of the user's role at this moment are granted, whatever the token contains."""
    claims = replace(CLAIMS, session_id=None, permissions=("users:manage", "results:read", "everything"))
    found = FOUND._replace(role="viewer", token_session=None)
    assert decided(claims, found, AccessRequest((Permission.MANAGE,))) is Refusal.FORBIDDEN
    assert isinstance(decided(claims, found, AccessRequest((Permission.READ_RESULTS,))), Allowed)


def test_a_valid_token_is_enough_if_no_permission_is_needed() -> None:
    """A request that needs no permission, such as giving a token back, needs no session either."""
    assert isinstance(decided(CLAIMS, FOUND._replace(session_organisation=None), AccessRequest()), Allowed)


def test_a_candidate_sits_only_in_a_session() -> None:
    """Sitting without a session in the address is Session Invalid, with or without one in the token."""
    free = replace(CLAIMS, session_id=None)
    assert decided(CLAIMS, FOUND, AccessRequest((Permission.SIT,))) is Refusal.SESSION
    assert decided(free, FOUND._replace(token_session=None), WANTED) is Refusal.SESSION


EVERYTHING = tuple(each.value for each in Permission)
OWNERS = ("own", "another's", "elsewhere", "nobody's")
BOUND = ("free", "bound", "bound to another")


def expected(role: Role, operator: bool, permission: Permission, owner: str, bound: str) -> Refusal | None:
    """Return the refusal by the rules of the roles, written independently of the code under test."""
    has = permission in PERMISSIONS[role] and (operator or permission not in OPERATORS_ONLY)
    if not has:
        return Refusal.FORBIDDEN
    if owner in ("elsewhere", "nobody's") or bound == "bound to another":
        return Refusal.SESSION
    if role is Role.CANDIDATE and (owner, bound) != ("own", "bound"):
        return Refusal.SESSION
    return None


def test_no_role_reaches_past_its_organisation_nor_a_candidate_past_its_own() -> None:
    """Every role, permission, owner of the session and binding of the token, for the operator and others."""
    wrong = []
    for role, operator, permission, owner, bound in product(Role, (False, True), Permission, OWNERS, BOUND):
        session = {"free": None, "bound": SESSION, "bound to another": "another"}[bound]
        claims = replace(CLAIMS, session_id=session, permissions=EVERYTHING)
        found = FOUND._replace(
            role=role.value,
            operator=int(operator),
            token_session=session,
            session_organisation={"elsewhere": 3, "nobody's": None}.get(owner, 2),
            session_candidate={"own": CLAIMS.user_id, "nobody's": None}.get(owner, "another"),
        )
        ended = decided(claims, found, AccessRequest((permission,), SESSION, open=True))
        want = expected(role, operator, permission, owner, bound)
        if (ended if isinstance(ended, Refusal) else None) is not want:
            wrong.append((role, operator, permission, owner, bound, ended))
    assert wrong == []


@every_row("role", Role)
@every_row("operator", [False, True])
@every_row("permission", Permission)
def test_nobody_is_ever_allowed_on_another_organisations_session(
    role: Role, operator: bool, permission: Permission
) -> None:
    """No role, the operator's own users included, and no token is allowed."""
    for own, open_ in product((CLAIMS.user_id, "another"), (False, True)):
        found = FOUND._replace(
            role=role.value, operator=int(operator), session_organisation=3, session_candidate=own
        )
        claims = replace(CLAIMS, permissions=EVERYTHING)
        ended = decided(claims, found, AccessRequest((permission,), SESSION, open=open_))
        assert isinstance(ended, Refusal)


def test_a_refusal_does_not_reveal_another_organisations_session() -> None:
    """The text is the same as for an unknown session, open or closed."""
    texts = set()
    for change in ({"session_organisation": None}, {"session_organisation": 3, "session_state": "closed"}):
        with pytest.raises(Refused) as caught:
            decide(CLAIMS, FOUND._replace(**change), WANTED, now=NOW)
        texts.add(str(caught.value))
    assert len(texts) == 1
