"""Exams made for tests: sessions with answers and marks, written straight into the tables."""

from __future__ import annotations

import base64
import uuid
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import orjson
from bank_rows import add_source
from sqlalchemy import Engine, insert

from assay.core.exam import EXAM_JUDGE
from assay.core.question import Question, QuestionKind, QuestionState
from assay.core.sealed import AnswerKey, key_about, mark_about
from assay.files.sealing import KeySealer
from assay.questions.digest import content_digest
from assay.store.bank.changes import next_revision, set_state
from assay.store.bank.questions import QuestionRow, keep_questions
from assay.store.engine import writing
from assay.store.exam.marks import ExamMark, keep_mark
from assay.store.schema_exam import answers, draw_questions, draws, organisations, served, sessions, users

NOW = 1_795_176_000.0
KEY = b"k" * 32
KEY_TEXT = base64.urlsafe_b64encode(KEY).decode()
SEALER = KeySealer(KEY)
NONCE = "zqx-secret-key"
"""Stands in every key: what nobody but a judge may be sent."""


@dataclass(frozen=True, slots=True)
class Answered:
    """An answer to be written: its text, status, and what was declared about it."""

    text: str | None = "True, because it follows."
    status: str = "answered"
    completion_tokens: int | None = None
    seconds: float | None = None
    after: float = 5.0


def fill_bank(engine: Engine, subjects: Mapping[str, int]) -> dict[str, list[int]]:
    """Fill a bank with accepted true-or-false questions by discipline, keys sealed, and return their ids."""
    found: dict[str, list[int]] = {}
    with writing(engine) as connection:
        source = add_source(connection)
        for subject, count in subjects.items():
            rows = [_row(subject, number, source) for number in range(count)]
            found[subject] = [each for each in keep_questions(connection, rows) if each is not None]
        revision = next_revision(connection, "accept", "for a test", NOW)
        everything = [each for ids in found.values() for each in ids]
        set_state(connection, everything, QuestionState.ACCEPTED, revision=revision)
    return found


def _row(subject: str, number: int, source: int) -> QuestionRow:
    name = str(uuid.uuid5(uuid.NAMESPACE_URL, f"{subject} {number}"))
    question = Question(name, QuestionKind.TRUE_OR_FALSE, f"Statement {number} of {subject} holds.", subject)
    key = AnswerKey(("True" if number % 2 else "False",), f"{NONCE} {subject} {number}")
    return QuestionRow(
        name,
        question.kind.value,
        subject,
        None,
        "en",
        question.stem,
        (),
        None,
        SEALER.seal(key.written(), key_about(name, 1)),
        content_digest(question),
        source,
        f"line {number}",
        None,
        None,
    )


def add_organisation(engine: Engine, name: str = "lab", *, operator: bool = False) -> int:
    """Store an organisation with one candidate, `candidate of NAME`."""
    with writing(engine) as connection:
        values = {"name": name, "operator": int(operator), "created_at": NOW}
        made = connection.execute(insert(organisations).values(values).returning(organisations.c.id)).scalar()
        assert made is not None
        connection.execute(
            insert(users).values(
                id=str(uuid.uuid5(uuid.NAMESPACE_URL, name)),
                organisation=made,
                name="candidate",
                role="candidate",
                secret_hash="none",
                created_at=NOW,
            )
        )
    return int(made)


def add_draw(engine: Engine, questions: Mapping[str, Sequence[int]], *, name: str | None = None) -> int:
    """Store a draw of these questions, subject after subject in turn, and return its number."""
    total = max(map(len, questions.values()))
    order = [(code, ids[row]) for row in range(total) for code, ids in questions.items() if row < len(ids)]
    with writing(engine) as connection:
        values = {
            "name": name,
            "revision": 1,
            "n": len(order),
            "allocation": orjson.dumps({code: len(ids) for code, ids in questions.items()}).decode(),
            "made_at": NOW,
        }
        made = connection.execute(insert(draws).values(values).returning(draws.c.id)).scalar()
        assert made is not None
        connection.execute(
            insert(draw_questions),
            [
                {
                    "draw": made,
                    "position": place,
                    "question": one,
                    "version": 1,
                    "family": one,
                    "discipline": code,
                }
                for place, (code, one) in enumerate(order, 1)
            ],
        )
    return int(made)


def add_session(
    engine: Engine,
    organisation: int,
    draw: int,
    given: Sequence[Answered],
    *,
    n: int,
    model: str = "lab/one",
    prompting: str = "zero-shot",
    state: str = "finished",
    simulated: bool = False,
    owner: str = "lab",
    opened: float = NOW,
    series: int | None = None,
) -> str:
    """Store a session with its first answers as given, in the series of that number; return its id."""
    session = str(uuid.uuid4())
    with writing(engine) as connection:
        connection.execute(
            insert(sessions).values(
                id=session,
                organisation=organisation,
                candidate=str(uuid.uuid5(uuid.NAMESPACE_URL, owner)),
                model=model,
                prompting=prompting,
                draw=draw,
                revision=1,
                quota=n,
                allocated=n - len(given),
                pending=0,
                completed=len(given),
                state=state,
                simulated=int(simulated),
                opened_at=opened,
                started_at=opened,
                closed_at=None if state == "open" else opened + 600 * n,
                deadline=opened + 600 * n,
                question_seconds=600.0,
                series=series,
            )
        )
        for place, one in enumerate(given, 1):
            at = opened + 100.0 * place
            connection.execute(insert(served).values(session=session, position=place, at=at))
            connection.execute(
                insert(answers).values(
                    session=session,
                    position=place,
                    status=one.status,
                    text=one.text,
                    digest=f"{place:064d}",
                    receipt=f"{place:032d}",
                    completion_tokens=one.completion_tokens,
                    seconds=one.seconds,
                    received_at=at + one.after,
                )
            )
    return session


def add_marks(
    engine: Engine, session: str, stars: Mapping[int, int | None], *, judge: str = EXAM_JUDGE
) -> None:
    """Store a judge's stars by position; None for a reply that could not be read."""
    for place, given in stars.items():
        about = mark_about(session, place, judge)
        keep_mark(
            engine,
            ExamMark(
                session,
                place,
                judge,
                given,
                None if given is not None else "unreadable",
                SEALER.seal(f"rationale {place}", about),
                SEALER.seal(f"reply {place}", about),
                "test",
                None,
                NOW + 9,
            ),
            reason="for a test",
            by="tester",
        )
