"""Whether a request may proceed: the order of the checks, and who reaches what."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from itertools import chain, combinations, product

import pytest
from exam_tokens import CLAIMS, NOW, SECRET

from assay.core.exam import PERMISSIONS, Permission, Role
from assay.exams.access import OPERATORS_ONLY, Allowed, Wanted, decide
from assay.exams.refused import Refusal, Refused
from assay.exams.token import Claims, read_token, sign
from assay.store.exam.access import AccessRow

SESSION = CLAIMS.session_id
WANTED = Wanted((Permission.SIT,), SESSION, open=True)
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


def decided(claims: Claims, found: AccessRow, wanted: Wanted, *, now: float = NOW) -> Allowed | Refusal:
    """Who may proceed, or why not."""
    try:
        return decide(claims, found, wanted, now=now)
    except Refused as refused:
        return refused.refusal


def test_a_candidate_may_sit_its_own_open_session() -> None:
    """With nothing wrong the request proceeds, and says for whom."""
    allowed = decided(CLAIMS, FOUND, WANTED)
    assert isinstance(allowed, Allowed)
    assert (allowed.user_id, allowed.organisation, allowed.role, allowed.granted, allowed.session_id) == (
        CLAIMS.user_id,
        2,
        Role.CANDIDATE,
        {Permission.SIT},
        SESSION,
    )


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
    """Carry a request with these faults through the token's and the database's checks."""
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


def test_of_several_faults_the_first_in_order_is_told() -> None:
    """All 256 combinations of eight faults end as the first line of Algorithm 1 that finds one says."""
    order = list(Refusal).index
    wrong = {
        faults: ended
        for faults in SUBSETS
        if (ended := faulty(faults)) != min((FAULTS[each][0] for each in faults), key=order, default=None)
    }
    assert (wrong, len(SUBSETS)) == ({}, 256)


def test_the_titles_and_statuses_are_algorithm_1s() -> None:
    """What a client reads is the paper's wording, with its status."""
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
def test_a_token_that_was_never_issued_like_that_is_forbidden(change: dict[str, object]) -> None:
    """Who steals a signing key can sign, but no record says that such a token was issued."""
    assert decided(CLAIMS, FOUND._replace(**change), WANTED) is Refusal.FORBIDDEN


def test_a_withdrawn_key_proves_nothing_even_where_it_is_still_known() -> None:
    """A server that has the key in memory refuses as one that has not: the row says it is withdrawn."""
    assert decided(CLAIMS, FOUND._replace(withdrawn_at=NOW), WANTED) is Refusal.UNAUTHORIZED


def test_a_session_takes_requests_until_its_deadline() -> None:
    """At the deadline it is open, after it no more, and whoever only reads is not held up by that."""
    found = FOUND._replace(session_deadline=NOW)
    assert isinstance(decided(CLAIMS, found, WANTED), Allowed)
    late = FOUND._replace(session_deadline=NOW - 1)
    assert decided(CLAIMS, late, WANTED) is Refusal.SESSION
    assert isinstance(decided(CLAIMS, late, replace(WANTED, open=False)), Allowed)


def test_a_token_gives_no_more_than_it_says() -> None:
    """An admin's token with one permission in it allows that one only."""
    claims = replace(CLAIMS, session_id=None, permissions=("results:read",))
    found = FOUND._replace(role="admin", token_session=None)
    assert isinstance(decided(claims, found, Wanted((Permission.READ_RESULTS,))), Allowed)
    assert decided(claims, found, Wanted((Permission.MANAGE,))) is Refusal.FORBIDDEN


def test_a_demoted_user_loses_what_its_token_says() -> None:
    """The role's permissions now count, not those when the token was signed; unknown ones count nothing."""
    claims = replace(CLAIMS, session_id=None, permissions=("users:manage", "results:read", "everything"))
    found = FOUND._replace(role="viewer", token_session=None)
    allowed = decided(claims, found, Wanted((Permission.MANAGE, Permission.READ_RESULTS)))
    assert isinstance(allowed, Allowed)
    assert allowed.granted == {Permission.READ_RESULTS}


def test_being_somebody_is_enough_where_nothing_is_wanted() -> None:
    """A request that needs no permission, such as giving a token back, needs no session either."""
    assert isinstance(decided(CLAIMS, FOUND._replace(session_organisation=None), Wanted()), Allowed)


def test_a_candidate_sits_only_in_a_session() -> None:
    """Sitting without a session in the address is Session Invalid, with or without one in the token."""
    free = replace(CLAIMS, session_id=None)
    assert decided(CLAIMS, FOUND, Wanted((Permission.SIT,))) is Refusal.SESSION
    assert decided(free, FOUND._replace(token_session=None), WANTED) is Refusal.SESSION


EVERYTHING = tuple(each.value for each in Permission)
OWNERS = ("own", "another's", "elsewhere", "nobody's")
BOUND = ("free", "bound", "bound to another")


def expected(role: Role, operator: bool, permission: Permission, owner: str, bound: str) -> Refusal | None:
    """What the roles of the paper allow, said once more and in another way."""
    has = permission in PERMISSIONS[role] and (operator or permission not in OPERATORS_ONLY)
    if not has:
        return Refusal.FORBIDDEN
    if owner in ("elsewhere", "nobody's") or bound == "bound to another":
        return Refusal.SESSION
    if role is Role.CANDIDATE and (owner, bound) != ("own", "bound"):
        return Refusal.SESSION
    return None


def test_no_role_reaches_past_its_organisation_nor_a_candidate_past_its_own() -> None:
    """Every role x permission x owner of the session x binding of the token, the operator's and others."""
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
        ended = decided(claims, found, Wanted((permission,), SESSION, open=True))
        want = expected(role, operator, permission, owner, bound)
        if (ended if isinstance(ended, Refusal) else None) is not want:
            wrong.append((role, operator, permission, owner, bound, ended))
    assert wrong == []


@pytest.mark.parametrize("role", Role)
@pytest.mark.parametrize("operator", [False, True])
@pytest.mark.parametrize("permission", Permission)
def test_nobody_is_ever_allowed_on_another_organisations_session(
    role: Role, operator: bool, permission: Permission
) -> None:
    """Whoever asks, the operator's people too, whatever the token says: it is never allowed."""
    for own, open_ in product((CLAIMS.user_id, "another"), (False, True)):
        found = FOUND._replace(
            role=role.value, operator=int(operator), session_organisation=3, session_candidate=own
        )
        claims = replace(CLAIMS, permissions=EVERYTHING)
        ended = decided(claims, found, Wanted((permission,), SESSION, open=open_))
        assert isinstance(ended, Refusal)


def test_a_refusal_tells_nothing_about_a_session_that_is_not_ones_own() -> None:
    """Another organisation's session reads like one that is not there, open or closed."""
    texts = set()
    for change in ({"session_organisation": None}, {"session_organisation": 3, "session_state": "closed"}):
        with pytest.raises(Refused) as caught:
            decide(CLAIMS, FOUND._replace(**change), WANTED, now=NOW)
        texts.add(str(caught.value))
    assert len(texts) == 1
