"""What became of the bank's questions: their variants and edits, and which statements are known."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import dataclass
from functools import cache

from sqlalchemy import Connection, Engine, select

from assay.store.engine import reading
from assay.store.schema import runs, samples
from assay.store.schema_bank import question_versions, questions, sources

CHUNK = 500


@dataclass(frozen=True, slots=True)
class Variant:
    """A question that was made from another: its row, uuid and version, and what made it."""

    id: int
    uuid: str
    version: int
    made_by: str | None
    state: str
    retired: bool


@dataclass(frozen=True, slots=True)
class Edit:
    """That a version of a question was replaced: by whom, why and when."""

    version: int
    by: str
    reason: str
    at: float


def edits_of(connection: Connection, question: int) -> list[Edit]:
    """Return the edits of a question, the first one first."""
    kept = question_versions.c
    query = (
        select(kept.version, kept.edited_by, kept.reason, kept.edited_at)
        .where(kept.question == question)
        .order_by(kept.version)
    )
    return [Edit(*row) for row in connection.execute(query)]


def source_name(connection: Connection, source: int) -> str:
    """Return the name of a source."""
    return str(connection.execute(select(sources.c.name).where(sources.c.id == source)).scalar_one())


def known_uuids(engine: Engine, uuids: Sequence[str]) -> set[str]:
    """Return those of the uuids that the bank holds."""
    found: set[str] = set()
    with reading(engine) as connection:
        for start in range(0, len(uuids), CHUNK):
            part = uuids[start : start + CHUNK]
            statement = _known(connection.dialect.name, len(part))
            found.update(row[0] for row in connection.exec_driver_sql(statement, tuple(part)))
    return found


@cache
def _known(dialect: str, count: int) -> str:
    mark = "?" if dialect == "sqlite" else "%s"
    return f"SELECT uuid FROM questions WHERE uuid IN ({','.join([mark] * count)})"


def variants_of(connection: Connection, parents: Collection[int]) -> list[Variant]:
    """Return what was made from these questions, in the order in which it came."""
    listed = list(parents)
    found: list[Variant] = []
    for start in range(0, len(listed), CHUNK):
        # The family's index leads to the children; `parent` alone has none.
        chosen = listed[start : start + CHUNK]
        families = select(questions.c.family).where(questions.c.id.in_(chosen))
        query = (
            select(
                questions.c.id,
                questions.c.uuid,
                questions.c.version,
                questions.c.made_by,
                questions.c.state,
                questions.c.retired,
            )
            .where(questions.c.family.in_(families), questions.c.parent.in_(chosen))
            .order_by(questions.c.id)
        )
        found += [
            Variant(row.id, row.uuid, row.version, row.made_by, row.state, row.retired is not None)
            for row in connection.execute(query)
        ]
    return found


def asked_parents(engine: Engine, prompt: str) -> set[tuple[int, int]]:
    """Return the questions, by row and version, from which a model made statements by a prompt's version.

    They stand as the samples of the runs whose plan names that prompt, at their row's number.
    """
    query = select(samples.c.position, samples.c.epoch).join(runs, runs.c.id == samples.c.run)
    named = query.where(
        runs.c.kind == "expand", runs.c.plan.contains(f'"prompt":"{prompt}"'), samples.c.status == "ok"
    )
    with reading(engine) as connection:
        return {(row.position, row.epoch) for row in connection.execute(named)}
