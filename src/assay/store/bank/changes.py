"""Changes of the bank: states, retirement and new content, each under a revision of the bank."""

from __future__ import annotations

from collections.abc import Collection

import orjson
from sqlalchemy import Connection, bindparam, func, insert, select, update

from assay.core.errors import Conflict
from assay.core.question import DRAWABLE, Question, QuestionState
from assay.store.bank.questions import passage_id
from assay.store.bank.units import renew_units
from assay.store.engine import in_parts
from assay.store.schema_bank import bank_revisions, question_versions, questions


def current_revision(connection: Connection) -> int:
    """Return the bank's revision; 0 if it has none yet."""
    return connection.execute(select(func.max(bank_revisions.c.number))).scalar() or 0


def next_revision(connection: Connection, deed: str, description: str, now: float) -> int:
    """Begin the bank's next revision and return its number; `deed` and `description` are kept with it."""
    number = current_revision(connection) + 1
    values = {"number": number, "deed": deed, "told": description, "at": now}
    connection.execute(insert(bank_revisions).values(values))
    return number


def set_state(connection: Connection, ids: Collection[int], state: QuestionState, *, revision: int) -> None:
    """Set the state of questions; accepted and screened ones can be drawn from this revision on."""
    values: dict[str, object] = {"state": state.value}
    if state in DRAWABLE:
        values["since"] = revision
    change = update(questions).where(questions.c.id.in_(bindparam("ids", expanding=True))).values(values)
    for part in in_parts(ids):
        connection.execute(change, {"ids": part})
        renew_units(connection, _families(connection, part))


def retire(
    connection: Connection, ids: Collection[int], why: str, *, revision: int, siblings: bool = True
) -> int:
    """Retire questions for good, with their whole families if `siblings`; return the number newly retired.

    Questions that are retired already keep their revision and reason.
    """
    column = questions.c.family if siblings else questions.c.id
    change = (
        update(questions)
        .where(column.in_(bindparam("chosen", expanding=True)), questions.c.retired.is_(None))
        .values(retired=revision, retired_why=why)
    )
    count = 0
    for part in in_parts(ids):
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
    """Replace a question's content and return its new version; the old one is kept with the editor's name.

    The question becomes raw and must be reviewed again. `sealed` must be sealed for the new version. Raises
    Conflict if another question has that content.
    """
    stored = connection.execute(select(questions).where(questions.c.id == row)).one()
    twin = select(questions.c.uuid).where(questions.c.digest == digest, questions.c.id != row)
    if (other := connection.execute(twin).scalar()) is not None:
        raise Conflict(f"question {other!r} has that content already: reject one of the two")
    content = {
        name: getattr(stored, name)
        for name in ("kind", "discipline", "secondary", "language", "stem", "options", "passage")
    }
    connection.execute(
        insert(question_versions).values(
            question=row,
            version=stored.version,
            content=orjson.dumps(content).decode(),
            key=bytes(stored.key),
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
            version=stored.version + 1,
        )
    )
    renew_units(connection, [stored.family])
    return int(stored.version) + 1


def _families(connection: Connection, ids: list[int]) -> list[int]:
    query = select(questions.c.family).where(questions.c.id.in_(ids)).distinct()
    return list(connection.execute(query).scalars())
