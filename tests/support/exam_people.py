"""Two organisations with a user of every role, and sessions of their candidates, in a real database."""

from __future__ import annotations

from dataclasses import dataclass, field

from sqlalchemy import Connection, Engine, insert, select

from assay.core.exam import Role
from assay.exam.access import AccessRequest, Allowed, Refusal, Refused, decide
from assay.exam.keys import Keyring
from assay.exam.token import read_token
from assay.files.sealing import KeySealer
from assay.store.engine import reading, writing
from assay.store.exam.access import access_rows
from assay.store.exam.people import keep_organisation, keep_user
from assay.store.schema_exam import draws, organisations, sessions

NOW = 1_795_176_000.0
SEALER = KeySealer(bytes(range(32)))
OPERATOR, OTHER = "Lab", "Acme"


def user_id(number: int) -> str:
    """The id of the user that was added with this number."""
    return f"00000000-0000-4000-8000-{number:012d}"


def session_id(number: int) -> str:
    """The id of the session that was opened with this number."""
    return f"11111111-0000-4000-8000-{number:012d}"


@dataclass(slots=True)
class Populated:
    """A database with people in it. Users and sessions are known by (organisation, role or what it is)."""

    engine: Engine
    users: dict[tuple[str, str], str] = field(default_factory=dict)
    sessions: dict[tuple[str, str], str] = field(default_factory=dict)

    @property
    def keyring(self) -> Keyring:
        """A keyring as another process would open it."""
        return Keyring(self.engine, SEALER)

    def admit(
        self, token: str, wanted: AccessRequest, *, now: float = NOW, ring: Keyring | None = None
    ) -> Allowed | Refusal:
        """Carry out Algorithm 1 as a service does: the token, then one query, then the decision."""
        try:
            claims = read_token(token, (ring or self.keyring).verifying(token, now=now), now=now)
            with reading(self.engine) as connection:
                found = access_rows(connection, claims.jti, claims.user_id, wanted.session)
            return decide(claims, found, wanted, now=now)
        except Refused as refused:
            return refused.refusal


def populate(engine: Engine) -> Populated:
    """Fill a database: everybody's secret is unknown, as no hash is made here."""
    made = Populated(engine)
    with writing(engine) as connection:
        for organisation in (OPERATOR, OTHER):
            keep_organisation(connection, organisation, operator=organisation == OPERATOR, now=NOW)
            number = _organisation(connection, organisation)
            for role in Role:
                made.users[organisation, role.value] = _user(connection, number, role, role.value, made)
            made.users[organisation, "second"] = _user(connection, number, Role.CANDIDATE, "second", made)
            for what, state in (("candidate", "open"), ("second", "open"), ("closed", "closed")):
                candidate = made.users[organisation, "candidate" if what == "closed" else what]
                session = session_id(len(made.sessions))
                open_session(connection, session, number, candidate, state=state)
                made.sessions[organisation, what] = session
    return made


def open_session(
    connection: Connection, session: str, organisation: int, candidate: str, *, state: str = "open"
) -> None:
    """Write a session of one question down, with a draw of its own, ending an hour from `NOW`."""
    row = {"organisation": organisation, "revision": 1, "n": 1, "allocation": "{}", "made_at": NOW}
    drawn = connection.execute(insert(draws).values(row).returning(draws.c.id)).scalar_one()
    connection.execute(
        insert(sessions).values(
            id=session,
            organisation=organisation,
            candidate=candidate,
            model="simulated/steady",
            prompting="zero-shot",
            draw=drawn,
            revision=1,
            quota=1,
            allocated=1,
            pending=0,
            completed=0,
            state=state,
            simulated=1,
            opened_at=NOW,
            deadline=NOW + 3600,
            question_seconds=60,
        )
    )


def _organisation(connection: Connection, name: str) -> int:
    query = select(organisations.c.id).where(organisations.c.name == name)
    return int(connection.execute(query).scalar_one())


def _user(connection: Connection, organisation: int, role: Role, name: str, made: Populated) -> str:
    user = user_id(len(made.users))
    keep_user(
        connection,
        user,
        organisation=organisation,
        name=name,
        role=role,
        secret_hash="none",
        reviewer=None,
        now=NOW,
    )
    return user
