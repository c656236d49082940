"""The number of questions in the bank by source, discipline, kind and state."""

from __future__ import annotations

from dataclasses import dataclass

from sqlalchemy import Engine, case, func, select

from assay.core.question import QuestionKind, QuestionState
from assay.results.bank import StateCounts
from assay.store.bank.reviews import in_force
from assay.store.engine import reading
from assay.store.schema_bank import duplicates, questions, reviews, sources


@dataclass(frozen=True, slots=True)
class QuestionCount:
    """The number of questions of a discipline and a kind of source, without rejected and retired ones.

    `originals` were imported and `variants` made from them; `expanded` are originals with a variant.
    `synthetic` counts both kinds from sources labelled synthetic.
    """

    discipline: str
    source: str
    originals: int
    expanded: int
    variants: int
    synthetic: int


def count_held(engine: Engine) -> list[QuestionCount]:
    """Return the numbers of questions by discipline and kind of source."""
    live = (questions.c.state != QuestionState.REJECTED.value) & questions.c.retired.is_(None)
    with_variants = (
        select(questions.c.family).where(live, questions.c.parent.is_not(None)).distinct().subquery()
    )
    original = questions.c.parent.is_(None)
    query = (
        select(
            questions.c.discipline,
            sources.c.kind,
            func.sum(case((original, 1), else_=0)),
            func.sum(case((original & with_variants.c.family.is_not(None), 1), else_=0)),
            func.sum(case((original, 0), else_=1)),
            func.sum(case((sources.c.synthetic == 1, 1), else_=0)),
        )
        .join(sources, sources.c.id == questions.c.source)
        .outerjoin(with_variants, with_variants.c.family == questions.c.id)
        .where(live)
        .group_by(questions.c.discipline, sources.c.kind)
        .order_by(questions.c.discipline, sources.c.kind)
    )
    with reading(engine) as connection:
        return [QuestionCount(row[0], row[1], *map(int, row[2:])) for row in connection.execute(query)]


def count_states(engine: Engine) -> StateCounts:
    """Return the number of questions in each state."""
    query = select(questions.c.state, questions.c.retired.is_not(None), func.count()).group_by(
        questions.c.state, questions.c.retired.is_not(None)
    )
    counts = dict.fromkeys([*(state.value for state in QuestionState), "retired"], 0)
    with reading(engine) as connection:
        for state, retired, count in connection.execute(query):
            counts["retired" if retired else state] += count
    return StateCounts(**counts)


def count_kinds(engine: Engine) -> dict[QuestionKind, int]:
    """Return the number of questions of each kind, without rejected and retired ones."""
    query = (
        select(questions.c.kind, func.count())
        .where(questions.c.state != QuestionState.REJECTED.value, questions.c.retired.is_(None))
        .group_by(questions.c.kind)
        .order_by(questions.c.kind)
    )
    with reading(engine) as connection:
        return {QuestionKind(row[0]): int(row[1]) for row in connection.execute(query)}


def count_waiting(engine: Engine) -> int:
    """Return the number of questions that wait for a second reviewer, without those on which two disagree."""
    on_version = (reviews.c.question == questions.c.id) & (reviews.c.version == questions.c.version)
    decisions = select(in_force("accept") + in_force("reject")).where(on_version).scalar_subquery()
    query = (
        select(func.count())
        .select_from(questions)
        .where(
            questions.c.state == QuestionState.REVIEWED.value,
            questions.c.retired.is_(None),
            decisions == 1,
        )
    )
    with reading(engine) as connection:
        return int(connection.execute(query).scalar_one())


def count_duplicates(engine: Engine) -> int:
    """Return the number of unresolved pairs of near-duplicates."""
    query = select(func.count()).select_from(duplicates).where(duplicates.c.resolution.is_(None))
    with reading(engine) as connection:
        return int(connection.execute(query).scalar_one())
