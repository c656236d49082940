"""Who reviews the bank: their disciplines and daily caps, and the work that each has done."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import orjson
from sqlalchemy import Connection, Engine, Row, case, func, insert, select, update

from assay.core.errors import Conflict, NotFound
from assay.store.engine import reading, writing
from assay.store.schema_bank import reviewers, reviews


@dataclass(frozen=True, slots=True)
class Reviewer:
    """A reviewer. `disciplines` are codes of primary ones; none means all. `daily_cap` is per day in UTC.

    `hourly_rate` is US dollars, None where nothing is paid or known.
    """

    id: int
    name: str
    disciplines: tuple[str, ...]
    daily_cap: int
    hourly_rate: float | None
    created_at: float
    left_at: float | None

    def reads(self, discipline: str) -> bool:
        """Whether questions of a discipline are for this reviewer."""
        return not self.disciplines or discipline in self.disciplines


@dataclass(frozen=True, slots=True)
class ReviewWork:
    """What a reviewer has done: decisions by kind, those that were mechanical, and the time of the others.

    `untimed` decisions were read without a time: `seconds` does not cover them. `today` counts what was read
    since the given time.
    """

    accepted: int = 0
    rejected: int = 0
    mechanical: int = 0
    seconds: float = 0.0
    untimed: int = 0
    today: int = 0

    @property
    def hours(self) -> float:
        """The hours of reading."""
        return self.seconds / 3600


def add_reviewer(
    engine: Engine,
    *,
    name: str,
    disciplines: Sequence[str],
    daily_cap: int,
    hourly_rate: float | None,
    now: float,
) -> Reviewer:
    """Store a reviewer. Raises Conflict where there is one of that name."""
    values = {
        "name": name,
        "disciplines": orjson.dumps(list(disciplines)).decode(),
        "daily_cap": daily_cap,
        "hourly_rate": hourly_rate,
        "created_at": now,
    }
    with writing(engine) as connection:
        taken = select(reviewers.c.id).where(reviewers.c.name == name)
        if connection.execute(taken).scalar() is not None:
            raise Conflict(f"there is a reviewer {name!r} already: choose another name")
        connection.execute(insert(reviewers).values(values))
        return reviewer_named(connection, name)


def reviewer_named(connection: Connection, name: str) -> Reviewer:
    """Return a reviewer. Raises NotFound for an unknown name."""
    row = connection.execute(select(reviewers).where(reviewers.c.name == name)).first()
    if row is None:
        raise NotFound(f"there is no reviewer {name!r}: `assay bank reviewer add` makes one")
    return _reviewer(row)


def list_reviewers(engine: Engine) -> list[Reviewer]:
    """Return all reviewers by name."""
    with reading(engine) as connection:
        return [_reviewer(row) for row in connection.execute(select(reviewers).order_by(reviewers.c.name))]


def leave(engine: Engine, name: str, now: float) -> Reviewer:
    """Record that a reviewer has left; what was decided stays. Raises NotFound for an unknown name."""
    with writing(engine) as connection:
        found = reviewer_named(connection, name)
        connection.execute(
            update(reviewers)
            .where(reviewers.c.id == found.id, reviewers.c.left_at.is_(None))
            .values(left_at=now)
        )
        return reviewer_named(connection, name)


def hold_reviewer(connection: Connection, reviewer: int) -> None:
    """Make others who record this reviewer's work wait until the transaction ends: caps hold for all."""
    connection.execute(
        update(reviewers).where(reviewers.c.id == reviewer).values(daily_cap=reviewers.c.daily_cap)
    )


def read_since(connection: Connection, reviewer: int, since: float, *, mechanical: str) -> int:
    """Return how many questions a reviewer has read since a time; `mechanical` reasons do not count."""
    query = (
        select(func.count())
        .select_from(reviews)
        .where(reviews.c.reviewer == reviewer, reviews.c.at >= since, reviews.c.reason != mechanical)
    )
    return int(connection.execute(query).scalar_one())


def review_work(engine: Engine, *, since: float, mechanical: str) -> dict[int, ReviewWork]:
    """Return the work of each reviewer who has done any, by the reviewer's row."""
    by_hand = reviews.c.reason != mechanical
    query = select(
        reviews.c.reviewer,
        func.sum(case((reviews.c.decision == "accept", 1), else_=0)).label("accepted"),
        func.sum(case((reviews.c.decision == "reject", 1), else_=0)).label("rejected"),
        func.sum(case((by_hand, 0), else_=1)).label("mechanical"),
        func.coalesce(func.sum(case((by_hand, reviews.c.seconds))), 0.0).label("seconds"),
        func.sum(case((by_hand & reviews.c.seconds.is_(None), 1), else_=0)).label("untimed"),
        func.sum(case((by_hand & (reviews.c.at >= since), 1), else_=0)).label("today"),
    ).group_by(reviews.c.reviewer)
    with reading(engine) as connection:
        return {
            row.reviewer: ReviewWork(
                int(row.accepted),
                int(row.rejected),
                int(row.mechanical),
                float(row.seconds),
                int(row.untimed),
                int(row.today),
            )
            for row in connection.execute(query)
        }


def _reviewer(row: Row[tuple[object, ...]]) -> Reviewer:
    return Reviewer(
        row.id,
        row.name,
        tuple(orjson.loads(row.disciplines)),
        row.daily_cap,
        row.hourly_rate,
        row.created_at,
        row.left_at,
    )
