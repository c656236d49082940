"""What changes the bank: states, retirement, new content, each within a revision of the bank."""

from __future__ import annotations

from collections.abc import Collection, Iterator

import orjson
from sqlalchemy import Connection, bindparam, func, insert, select, update

from assay.core.errors import Conflict
from assay.core.question import Question, QuestionState
from assay.store.bank.questions import passage_id
from assay.store.bank.units import renew_units
from assay.store.schema_bank import bank_revisions, question_versions, questions

CHUNK = 500


def current_revision(connection: Connection) -> int:
    """Return the bank's revision; 0 before its first."""
    return connection.execute(select(func.max(bank_revisions.c.number))).scalar() or 0


def next_revision(connection: Connection, deed: str, told: str, now: float) -> int:
    """Begin the bank's next revision and return its number. `told` says in words what was done."""
    number = current_revision(connection) + 1
    values = {"number": number, "deed": deed, "told": told, "at": now}
    connection.execute(insert(bank_revisions).values(values))
    return number


def set_state(connection: Connection, ids: Collection[int], state: QuestionState, *, revision: int) -> None:
    """Give questions a state. Accepted ones can be drawn from this revision on, others not."""
    values: dict[str, object] = {"state": state.value}
    if state is QuestionState.ACCEPTED:
        values["since"] = revision
    change = update(questions).where(questions.c.id.in_(bindparam("ids", expanding=True))).values(values)
    for part in _parts(ids):
        connection.execute(change, {"ids": part})
        renew_units(connection, _families(connection, part))


def retire(
    connection: Connection, ids: Collection[int], why: str, *, revision: int, siblings: bool = True
) -> int:
    """Retire questions for good, with all of their families unless told otherwise; return how many.

    What is retired already keeps its revision and reason.
    """
    column = questions.c.family if siblings else questions.c.id
    change = (
        update(questions)
        .where(column.in_(bindparam("chosen", expanding=True)), questions.c.retired.is_(None))
        .values(retired=revision, retired_why=why)
    )
    count = 0
    for part in _parts(ids):
        families = _families(connection, part)
        count += connection.execute(change, {"chosen": families if siblings else part}).rowcount
        renew_units(connection, families)
    return count


def replace_content(
    connection: Connection,
    row: int,
    question: Question,
    sealed: bytes,
    digest: bytes,
    *,
    by: str,
    reason: str,
    now: float,
) -> int:
    """Give the question of a row new content and return its new version; the old one stays, with its editor.

    The question is raw again, to be reviewed anew. `sealed` must be sealed for the new version. Raises
    Conflict where another question has that content.
    """
    held = connection.execute(select(questions).where(questions.c.id == row)).one()
    twin = select(questions.c.uuid).where(questions.c.digest == digest, questions.c.id != row)
    if (other := connection.execute(twin).scalar()) is not None:
        raise Conflict(f"question {other!r} has that content already: reject one of the two")
    content = {
        name: getattr(held, name)
        for name in ("kind", "discipline", "secondary", "language", "stem", "options", "passage")
    }
    connection.execute(
        insert(question_versions).values(
            question=row,
            version=held.version,
            content=orjson.dumps(content).decode(),
            key=bytes(held.key),
            edited_by=by,
            reason=reason,
            edited_at=now,
        )
    )
    connection.execute(
        update(questions)
        .where(questions.c.id == row)
        .values(
            kind=question.kind.value,
            discipline=question.discipline,
            secondary=question.secondary,
            language=question.language,
            stem=question.stem,
            options=orjson.dumps(question.options).decode(),
            passage=None if question.passage is None else passage_id(connection, question.passage),
            key=sealed,
            digest=digest,
            state=QuestionState.RAW.value,
            version=held.version + 1,
        )
    )
    renew_units(connection, [held.family])
    return int(held.version) + 1


def _families(connection: Connection, ids: list[int]) -> list[int]:
    query = select(questions.c.family).where(questions.c.id.in_(ids)).distinct()
    return list(connection.execute(query).scalars())


def _parts(ids: Collection[int]) -> Iterator[list[int]]:
    listed = list(ids)
    for start in range(0, len(listed), CHUNK):
        yield listed[start : start + CHUNK]
