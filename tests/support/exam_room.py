"""A database with an organisation, candidates, a small bank and sessions, for tests of the exam service."""

from __future__ import annotations

import uuid
from dataclasses import dataclass

from bank_rows import fill
from sqlalchemy import Engine, insert, text

from assay.core.exam import Prompting
from assay.exam.opening import Opening, open_session
from assay.store.engine import reading, writing
from assay.store.schema_exam import organisations, users

NOW = 1_795_176_000.0
SUBJECTS = (
    "engineering",
    "economics",
    "education",
    "law",
    "literature",
    "management",
    "science",
    "history",
    "medicine",
    "military",
)


@dataclass(frozen=True, slots=True)
class Room:
    """Where exams are sat: a database and the people in it. `ada` and `bob` sit for one organisation."""

    engine: Engine
    organisation: int
    ada: str
    bob: str

    def open(
        self,
        n: int = 10,
        *,
        candidate: str | None = None,
        minutes: float = 10.0,
        hours: float = 1.0,
        prompting: Prompting = Prompting.ZERO_SHOT,
        draw: str | None = None,
        seed: int = 7,
        now: float = NOW,
        series: str | None = None,
    ) -> str:
        """Open a session and return its id."""
        session = str(uuid.uuid4())
        opening = Opening(
            candidate=candidate or self.ada,
            model="simulated/steady",
            n=n,
            prompting=prompting,
            draw=draw,
            hours=hours,
            question_minutes=minutes,
            series=series,
        )
        with writing(self.engine) as connection:
            open_session(connection, opening, session=session, seed=seed, now=now)
        return session

    def count(self, query: str, **values: object) -> int:
        """Return the one number that a query gives."""
        with reading(self.engine) as connection:
            return int(connection.execute(text(query), values).scalar_one())


def add_organisation(engine: Engine, name: str, *, operator: bool = False) -> int:
    """Store an organisation and return its number."""
    row = {"name": name, "operator": int(operator), "created_at": NOW}
    with writing(engine) as connection:
        made = insert(organisations).values(row).returning(organisations.c.id)
        return int(connection.execute(made).scalar_one())


def add_user(engine: Engine, organisation: int, name: str, role: str = "candidate") -> str:
    """Store a user without a usable secret and return the id."""
    number = str(uuid.uuid4())
    row = {
        "id": number,
        "organisation": organisation,
        "name": name,
        "role": role,
        "secret_hash": "none",
        "created_at": NOW,
    }
    with writing(engine) as connection:
        connection.execute(insert(users).values(row))
    return number


def room(engine: Engine, families: int = 3) -> Room:
    """Return a room with `families` families of each of the ten subjects in its bank."""
    fill(engine, dict.fromkeys(SUBJECTS, families))
    organisation = add_organisation(engine, "Lovelace Labs")
    return Room(
        engine,
        organisation,
        add_user(engine, organisation, "ada"),
        add_user(engine, organisation, "bob"),
    )
