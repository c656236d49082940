"""Verdicts as they were issued: records that are added to and never replaced."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

from sqlalchemy import Engine, func, insert, select

from assay.store.engine import reading, writing
from assay.store.schema import issued_verdicts


@dataclass(frozen=True, slots=True)
class KeptVerdict:
    """A verdict on a model's day as it is recorded.

    `model` is the model's row, `verdict` the whole verdict as JSON text, `thresholds` the digest of the
    thresholds it was judged by and `rules` the version of the watch's rules; None where that is not known.
    """

    model: int
    day: str
    state: str
    verdict: str
    thresholds: str | None = None
    rules: int | None = None


@dataclass(frozen=True, slots=True)
class IssuedVerdict:
    """A verdict that was issued, and when (UTC seconds since 1970)."""

    kept: KeptVerdict
    issued_at: float


def keep_verdicts(
    engine: Engine, suite: str, verdicts: Sequence[KeptVerdict], *, clock: Callable[[], float]
) -> None:
    """Record verdicts as issued now, after what was issued earlier for the same model and day."""
    now = clock()
    rows = [
        {
            "model": kept.model,
            "suite": suite,
            "day": kept.day,
            "state": kept.state,
            "verdict": kept.verdict,
            "thresholds": kept.thresholds,
            "rules": kept.rules,
            "issued_at": now,
        }
        for kept in verdicts
    ]
    if rows:
        with writing(engine) as connection:
            connection.execute(insert(issued_verdicts), rows)


def read_issued(engine: Engine, suite: str, *, model: int, day: str) -> list[IssuedVerdict]:
    """Return the verdicts issued on a model's day, oldest first."""
    v = issued_verdicts.c
    query = (
        select(v.model, v.day, v.state, v.verdict, v.thresholds, v.rules, v.issued_at)
        .where(v.suite == suite, v.model == model, v.day == day)
        .order_by(v.id)
    )
    with reading(engine) as connection:
        return [
            IssuedVerdict(KeptVerdict(*row[:-1]), row.issued_at) for row in connection.execute(query).all()
        ]


def last_states(engine: Engine, suite: str, *, before: str) -> dict[int, str]:
    """Return each model's last recorded state before an ISO day; GAP days say nothing and are skipped.

    A day's state is the one issued last.
    """
    v = issued_verdicts.c
    newest = select(func.max(v.id)).where(v.suite == suite, v.day < before).group_by(v.model, v.day)
    standing = select(v.model, v.day, v.state).where(v.id.in_(newest), v.state != "GAP")
    with reading(engine) as connection:
        rows = connection.execute(standing.order_by(v.day)).all()
    return {row.model: row.state for row in rows}
