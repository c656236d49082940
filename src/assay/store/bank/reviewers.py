"""The bank's reviewers: their disciplines, daily caps and work."""

from __future__ import annotations

from collections.abc import Sequence

import orjson
from sqlalchemy import Connection, Engine, Row, case, func, select, update

from assay.core.errors import Conflict, Denied, NotFound
from assay.results.review import Reviewer, ReviewWork
from assay.store.bank.reviews import UNDONE, in_force
from assay.store.engine import insert_new, reading, writing
from assay.store.schema_bank import reviewers, reviews


def add_reviewer(
    engine: Engine,
    *,
    name: str,
    disciplines: Sequence[str],
    daily_cap: int,
    hourly_rate: float | None,
    now: float,
) -> Reviewer:
    """Store a reviewer. Raises Conflict if the name is taken."""
    values = {
        "name": name,
        "disciplines": orjson.dumps(list(disciplines)).decode(),
        "daily_cap": daily_cap,
        "hourly_rate": hourly_rate,
        "created_at": now,
    }
    with writing(engine) as connection:
        if not insert_new(connection, reviewers, values):
            raise Conflict(f"reviewer {name!r} exists already: choose another name")
        return reviewer_named(connection, name)


def reviewer_named(connection: Connection, name: str) -> Reviewer:
    """Return a reviewer. Raises NotFound for an unknown name."""
    row = connection.execute(select(reviewers).where(reviewers.c.name == name)).first()
    if row is None:
        raise NotFound(f"unknown reviewer {name!r}: add a reviewer with `assay bank reviewer add`")
    return _reviewer(row)


def active_reviewer(connection: Connection, name: str) -> Reviewer:
    """Return a reviewer who has not left. Raises NotFound for an unknown name, Denied for one who left."""
    reviewer = reviewer_named(connection, name)
    if reviewer.left_at is not None:
        raise Denied(f"reviewer {name!r} has left: choose another reviewer")
    return reviewer


def list_reviewers(engine: Engine) -> list[Reviewer]:
    """Return all reviewers by name."""
    with reading(engine) as connection:
        return [_reviewer(row) for row in connection.execute(select(reviewers).order_by(reviewers.c.name))]


def leave(engine: Engine, name: str, now: float) -> Reviewer:
    """Record that a reviewer has left; earlier decisions stay. Raises NotFound for an unknown name."""
    with writing(engine) as connection:
        reviewer = reviewer_named(connection, name)
        connection.execute(
            update(reviewers)
            .where(reviewers.c.id == reviewer.id, reviewers.c.left_at.is_(None))
            .values(left_at=now)
        )
        return reviewer_named(connection, name)


def hold_reviewer(connection: Connection, reviewer: int) -> None:
    """Lock a reviewer until the transaction ends, so that parallel requests cannot exceed the daily cap."""
    connection.execute(
        update(reviewers).where(reviewers.c.id == reviewer).values(daily_cap=reviewers.c.daily_cap)
    )


def read_since(connection: Connection, reviewer: int, since: float) -> int:
    """Return the number of questions that a reviewer has read since a time; undoing gives none back."""
    query = (
        select(func.count())
        .select_from(reviews)
        .where(reviews.c.reviewer == reviewer, reviews.c.at >= since, reviews.c.decision.in_(UNDONE))
    )
    return int(connection.execute(query).scalar_one())


def review_work(engine: Engine, *, since: float) -> dict[int, ReviewWork]:
    """Return the work of each reviewer who has done any, by the reviewer's id."""
    query = select(
        reviews.c.reviewer,
        in_force("accept").label("accepted"),
        in_force("reject").label("rejected"),
        func.coalesce(func.sum(reviews.c.seconds), 0.0).label("seconds"),
        func.sum(case((reviews.c.seconds.is_(None), 1), else_=0)).label("untimed"),
        func.sum(case(((reviews.c.at >= since) & reviews.c.decision.in_(UNDONE), 1), else_=0)).label("today"),
    ).group_by(reviews.c.reviewer)
    with reading(engine) as connection:
        return {
            row.reviewer: ReviewWork(
                int(row.accepted),
                int(row.rejected),
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
