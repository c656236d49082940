"""How many questions the bank holds: by source, by discipline, by state, original and made from others."""

from __future__ import annotations

from dataclasses import dataclass

from sqlalchemy import Engine, case, func, select

from assay.core.question import QuestionState
from assay.store.engine import reading
from assay.store.schema_bank import duplicates, questions, reviews, sources


@dataclass(frozen=True, slots=True)
class Held:
    """How many questions of a discipline and a kind of source there are, neither rejected nor retired.

    `originals` were imported, `variants` made from others; `expanded` are originals with a variant.
    `synthetic` counts both kinds from sources that were labelled so.
    """

    discipline: str
    source: str
    originals: int
    expanded: int
    variants: int
    synthetic: int


@dataclass(frozen=True, slots=True)
class States:
    """How many questions stand in each state; retired ones in none but `retired`."""

    raw: int
    reviewed: int
    accepted: int
    rejected: int
    retired: int


def count_held(engine: Engine) -> list[Held]:
    """Return how many questions are held, by discipline and kind of source."""
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
        return [Held(row[0], row[1], *map(int, row[2:])) for row in connection.execute(query)]


def count_states(engine: Engine) -> States:
    """Return how many questions stand in each state."""
    query = select(questions.c.state, questions.c.retired.is_not(None), func.count()).group_by(
        questions.c.state, questions.c.retired.is_not(None)
    )
    counts = dict.fromkeys([*(state.value for state in QuestionState), "retired"], 0)
    with reading(engine) as connection:
        for state, retired, count in connection.execute(query):
            counts["retired" if retired else state] += count
    return States(**counts)


def count_kinds(engine: Engine) -> dict[str, int]:
    """Return how many questions of each kind are held, neither rejected nor retired."""
    query = (
        select(questions.c.kind, func.count())
        .where(questions.c.state != QuestionState.REJECTED.value, questions.c.retired.is_(None))
        .group_by(questions.c.kind)
        .order_by(questions.c.kind)
    )
    with reading(engine) as connection:
        return {row[0]: int(row[1]) for row in connection.execute(query)}


def count_waiting(engine: Engine) -> int:
    """Return how many questions wait for a second reviewer, those on which two disagree left out."""
    here = (reviews.c.question == questions.c.id) & (reviews.c.version == questions.c.version)
    told = select(func.count()).select_from(reviews).where(here).scalar_subquery()
    query = (
        select(func.count())
        .select_from(questions)
        .where(questions.c.state == QuestionState.REVIEWED.value, questions.c.retired.is_(None), told == 1)
    )
    with reading(engine) as connection:
        return int(connection.execute(query).scalar_one())


def count_duplicates(engine: Engine) -> int:
    """Return how many pairs of near-duplicates nobody has resolved."""
    query = select(func.count()).select_from(duplicates).where(duplicates.c.resolution.is_(None))
    with reading(engine) as connection:
        return int(connection.execute(query).scalar_one())
