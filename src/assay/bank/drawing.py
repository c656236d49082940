"""Drawing from the bank by hand: what an exam of that seed would hold, without opening one."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from sqlalchemy import Engine

from assay.questions.draw import allocation
from assay.store.bank.changes import current_revision
from assay.store.bank.draw import Drawn, draw
from assay.store.bank.questions import StoredQuestion, questions_by_id
from assay.store.bank.units import count_units
from assay.store.engine import reading


@dataclass(frozen=True, slots=True)
class Draw:
    """What was drawn, in serving order. The same seed and revision of the bank give the same draw."""

    seed: int
    revision: int
    allocation: dict[str, int]
    questions: tuple[StoredQuestion, ...]


def draw_by_hand(engine: Engine, *, n: int | None, seed: int, written: str) -> Draw:
    """Draw questions as an exam does, seen or not, and change nothing.

    Raises InvalidInput for an allocation that cannot be read, Conflict where the bank has too few.
    """
    with reading(engine) as connection:
        revision = current_revision(connection)
        counts = allocation(written, n, sizes=count_units(connection))
        drawn = draw(connection, counts, np.random.default_rng(seed), organisation=None)
    return Draw(seed, revision, counts, _whole(engine, drawn))


def _whole(engine: Engine, drawn: list[Drawn]) -> tuple[StoredQuestion, ...]:
    found = questions_by_id(engine, [each.question for each in drawn])
    return tuple(found[each.question] for each in drawn)
