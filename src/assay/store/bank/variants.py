"""The edits and variants of the bank's questions, and the questions that a model has made statements from."""

from __future__ import annotations

from collections.abc import Collection

from sqlalchemy import Connection, Engine, select

from assay.core.question import QuestionState
from assay.results.bank import Edit, QuestionVariant
from assay.store.engine import in_parts, reading
from assay.store.schema import runs, samples
from assay.store.schema_bank import question_versions, questions, sources


def edits_of(connection: Connection, question: int) -> list[Edit]:
    """Return the edits of a question, oldest first."""
    versions = question_versions.c
    query = (
        select(versions.version, versions.edited_by, versions.reason, versions.edited_at)
        .where(versions.question == question)
        .order_by(versions.version)
    )
    return [Edit(*row) for row in connection.execute(query)]


def source_name(connection: Connection, source: int) -> str:
    """Return the name of a source."""
    return str(connection.execute(select(sources.c.name).where(sources.c.id == source)).scalar_one())


def variants_of(connection: Connection, parents: Collection[int]) -> list[QuestionVariant]:
    """Return the questions that were made from these, in the order in which they were stored."""
    variants: list[QuestionVariant] = []
    for part in in_parts(parents):
        # `parent` has no index, but `family` does.
        families = select(questions.c.family).where(questions.c.id.in_(part))
        query = (
            select(*(questions.c[name] for name in ("id", "uuid", "version", "made_by", "state", "retired")))
            .where(questions.c.family.in_(families), questions.c.parent.in_(part))
            .order_by(questions.c.id)
        )
        variants += [
            QuestionVariant(
                row.id, row.uuid, row.version, row.made_by, QuestionState(row.state), row.retired is not None
            )
            for row in connection.execute(query)
        ]
    return variants


def asked_parents(engine: Engine, prompt: str) -> set[tuple[int, int]]:
    """Return the questions (row, version) from which a model made statements with this version of the prompt.

    They are stored as samples of the runs whose plan has that prompt: position is the row, epoch the version.
    """
    query = select(samples.c.position, samples.c.epoch).join(runs, runs.c.id == samples.c.run)
    query = query.where(
        runs.c.kind == "expand", runs.c.plan.contains(f'"prompt":"{prompt}"'), samples.c.status == "ok"
    )
    with reading(engine) as connection:
        return {(row.position, row.epoch) for row in connection.execute(query)}
