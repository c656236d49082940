"""A bank to review with reviewers who may, answers to mark blind, and a server over both, for tests."""

from __future__ import annotations

import random
import socket
import threading
import time
import uuid
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Any

import exam_rows
import uvicorn
from banked import SEALER, Item, choice, fill
from exam_room import Room, add_organisation, add_user
from exam_server import Reply, Served
from fastapi import FastAPI
from sqlalchemy import Engine, select, update

from assay.core.exam import EXAM_JUDGE, Role
from assay.core.question import Question, QuestionKind
from assay.core.sealed import AnswerKey, key_about
from assay.exam import people
from assay.exam.coverage import CoverageTarget
from assay.exam.human import assign
from assay.exam.keys import Keyring
from assay.results.exam_service import NewUser
from assay.store.bank.reviewers import add_reviewer
from assay.store.engine import writing
from assay.store.schema_bank import questions, reviewers
from assay.store.schema_exam import users
from assay.web.app import create_app

LAB = "Lovelace Labs"
MODEL, JUDGE = "acme/model-under-test-zqv", EXAM_JUDGE


def numbered(
    number: int, kind: QuestionKind, stem: str, discipline: str, key: AnswerKey, *options: str
) -> Item:
    """Return a question with the uuid of that number."""
    return Question(str(uuid.UUID(int=number)), kind, stem, discipline, options), key


LAW, SECOND = choice(1), choice(2)
SCIENCE = numbered(
    9, QuestionKind.FILL_IN_THE_BLANK, "The square of three is ____.", "science", AnswerKey(("9",))
)
ITEMS = [LAW, SECOND, SCIENCE]
FIRST = LAW[0].uuid


@dataclass(frozen=True, slots=True)
class Desk:
    """A database with a bank and the operator's reviewers; users' ids by their reviewers' names."""

    room: Room
    users: dict[str, str]

    @property
    def engine(self) -> Engine:
        """The database."""
        return self.room.engine


def furnish(engine: Engine, items: Sequence[Item], *, cap: int = 100) -> Desk:
    """Fill a bank with raw questions; Ada reads all, Bo law, Cy has left, Dee is linked to nobody."""
    fill(engine, items)
    organisation = add_organisation(engine, LAB, operator=True)
    for name, disciplines in (("Ada", []), ("Bo", ["law"]), ("Cy", [])):
        add_reviewer(
            engine, name=name, disciplines=disciplines, daily_cap=cap, hourly_rate=None, now=time.time()
        )
    known = {name: add_user(engine, organisation, name, "reviewer") for name in ("Ada", "Bo", "Cy", "Dee")}
    with writing(engine) as connection:
        numbers = dict(connection.execute(select(reviewers.c.name, reviewers.c.id)).tuples().all())
        for name, number in numbers.items():
            connection.execute(update(users).where(users.c.id == known[name]).values(reviewer=number))
        connection.execute(update(reviewers).where(reviewers.c.name == "Cy").values(left_at=time.time()))
    candidate = add_user(engine, organisation, "candidate")
    return Desk(Room(engine, organisation, candidate, candidate), known)


def with_secret(engine: Engine, name: str, reviewer: str) -> NewUser:
    """Add a user of the operator's who can sign in as a reviewer."""
    return people.add_user(
        engine, name, organisation=LAB, role=Role.REVIEWER, reviewer=reviewer, now=time.time()
    )


def give_answers(engine: Engine, text: str = "True, for it follows.", *, each: int = 2) -> None:
    """Let a candidate of another organisation answer questions on law, and give them to reviewers to mark."""
    filled = exam_rows.fill_bank(engine, {"law": 4})
    _seal_anew(engine, filled["law"])
    organisation = exam_rows.add_organisation(engine, "acme")
    draw = exam_rows.add_draw(engine, filled)
    session = exam_rows.add_session(
        engine, organisation, draw, [exam_rows.Answered(text)] * 4, n=4, model=MODEL, owner="acme"
    )
    exam_rows.add_marks(engine, session, {1: 3, 2: 0}, judge=JUDGE)
    assign(engine, CoverageTarget(experts=2, each=each, shared=0.0), random.Random(1), now=time.time())


def _seal_anew(engine: Engine, ids: Sequence[int]) -> None:
    """Seal keys with the key that the server has."""
    with writing(engine) as connection:
        query = select(questions.c.id, questions.c.uuid, questions.c.key).where(questions.c.id.in_(ids))
        for row in connection.execute(query).all():
            about = key_about(row.uuid, 1)
            sealed = SEALER.seal(exam_rows.SEALER.open(bytes(row.key), about), about)
            connection.execute(update(questions).where(questions.c.id == row.id).values(key=sealed))


@contextmanager
def reviewing(
    desk: Desk,
    *,
    clock: Callable[[], float] = time.time,
    prepare: Callable[[FastAPI], None] = lambda app: None,
) -> Iterator[Served]:
    """Serve on a free port until the end of the block; `prepare` may change the application before."""
    Keyring(desk.engine, SEALER).signing(now=time.time())
    app = create_app(desk.engine, SEALER, clock=clock)
    prepare(app)
    listening = socket.create_server(("127.0.0.1", 0))
    server = uvicorn.Server(uvicorn.Config(app, log_level="warning", lifespan="on", access_log=False))
    thread = threading.Thread(target=server.run, kwargs={"sockets": [listening]})
    thread.start()
    try:
        while not server.started:
            assert thread.is_alive(), "the server did not start"
            time.sleep(0.005)
        yield Served(desk.room, listening.getsockname()[1])
    finally:
        server.should_exit = True
        thread.join()
        listening.close()


class Page:
    """What a reviewer's page sends."""

    def __init__(self, served: Served, user: str) -> None:
        self.served = served
        self.token = served.token(user)

    def next(self, skip: str = "") -> Any:
        """Return the next question, None for none."""
        found = self.served.send("GET", f"/review/question{skip}", token=self.token)
        assert found.status == 200, found.raw
        return found.json["question"]

    def decide(self, about: str = FIRST, decision: str = "accept", **more: Any) -> Reply:
        """Decide on a question."""
        body = {"version": 1, "decision": decision, "reason": "", "seconds": 12.5, **more}
        return self.served.send("POST", f"/review/questions/{about}/decision", body, token=self.token)

    def edit(self, about: str = FIRST, **changes: Any) -> Reply:
        """Put a question right."""
        question, key = LAW
        body = {
            "version": 1,
            "stem": question.stem,
            "options": list(question.options),
            "key": list(key.answers),
            "explanation": key.explanation,
            "discipline": question.discipline,
            "reason": "the key was wrong",
            **changes,
        }
        return self.served.send("PUT", f"/review/questions/{about}", body, token=self.token)
