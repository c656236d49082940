"""Expanding the bank's choices into true-or-false statements (seed 003, figure 7)."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Collection, Iterator
from dataclasses import dataclass, field
from itertools import islice
from typing import TypeVar

import numpy as np
from sqlalchemy import Engine

from assay.core.question import QuestionKind, QuestionState
from assay.core.sealed import Sealer, key_about, read_key
from assay.questions.digest import content_digest
from assay.questions.expand import VERSION, Keys, Statement, Unexpanded, choose, constant_baseline, statements
from assay.store.bank.changes import next_revision
from assay.store.bank.questions import QuestionRow, StoredQuestion, keep_questions, walk_questions
from assay.store.bank.variants import known_uuids
from assay.store.engine import writing

PAGE = 2000
OPEN = (QuestionState.RAW, QuestionState.REVIEWED, QuestionState.ACCEPTED)
"""What may be expanded: everything but what was rejected."""

MADE_BY = f"assay {VERSION}"
T = TypeVar("T")


@dataclass(slots=True)
class Tally:
    """How many statements are true and how many false."""

    true: int = 0
    false: int = 0

    @property
    def baseline(self) -> float | None:
        """What always giving the same answer gets right, 0-1; None without statements."""
        return constant_baseline(self.true, self.false)


@dataclass(slots=True)
class Expanded:
    """What became of the choices that were looked at: `parents` were expanded, the others left for a reason.

    Of the statements `added` are new, `known` were made before, and `taken` read like another question of
    the bank. `tallies` counts true and false ones, old and new, by discipline.
    """

    keys: Keys
    parents: int = 0
    added: int = 0
    known: int = 0
    taken: int = 0
    left: Counter[str] = field(default_factory=Counter)
    tallies: dict[str, Tally] = field(default_factory=dict)

    @property
    def whole(self) -> Tally:
        """The true and the false statements of all disciplines."""
        counts = self.tallies.values()
        return Tally(sum(each.true for each in counts), sum(each.false for each in counts))


def expand_choices(
    engine: Engine,
    sealer: Sealer,
    *,
    keys: Keys,
    rng: np.random.Generator,
    now: float,
    progress: Callable[[int], None] | None = None,
    states: Collection[QuestionState] = OPEN,
) -> Expanded:
    """Make the statements of every choice in these states that is not retired; the choice itself stays.

    Statements are raw and point to their parent. Doing it again adds what is missing, and nothing else.
    `progress` is told how many choices were looked at. Raises Denied where a key cannot be opened.
    """
    told, looked = Expanded(keys), 0
    walked = walk_questions(engine, states=states, kinds=[QuestionKind.MULTIPLE_CHOICE], retired=False)
    for page in _pages(walked, PAGE):
        _expand(engine, sealer, page, told, rng)
        looked += len(page)
        if progress is not None:
            progress(looked)
    if told.added:
        with writing(engine) as connection:
            next_revision(
                connection, "expand", f"{told.added:,} statements of {told.parents:,} choices, {keys}", now
            )
    return told


def _expand(
    engine: Engine, sealer: Sealer, page: list[StoredQuestion], told: Expanded, rng: np.random.Generator
) -> None:
    made: list[tuple[StoredQuestion, tuple[Statement, ...]]] = []
    for stored in page:
        key = read_key(sealer.open(stored.sealed, key_about(stored.question.uuid, stored.version)))
        found = statements(stored.question, key)
        if isinstance(found, Unexpanded):
            told.left[found.why] += 1
        else:
            made.append((stored, found))
    known = known_uuids(engine, [each.question.uuid for _, found in made for each in found])
    rows: list[QuestionRow] = []
    for stored, found in made:
        told.parents += 1
        tally = told.tallies.setdefault(stored.question.discipline, Tally())
        for statement in choose(found, told.keys, known=known, rng=rng):
            tally.true += statement.true
            tally.false += not statement.true
            if statement.question.uuid in known:
                told.known += 1
            else:
                rows.append(variant_row(stored, statement, sealer, MADE_BY))
    if rows:
        with writing(engine) as connection:
            kept = sum(row is not None for row in keep_questions(connection, rows))
        told.added += kept
        told.taken += len(rows) - kept


def variant_row(parent: StoredQuestion, statement: Statement, sealer: Sealer, made_by: str) -> QuestionRow:
    """Return a statement as a new row of the bank, its key sealed."""
    made = statement.question
    return QuestionRow(
        uuid=made.uuid,
        kind=made.kind.value,
        discipline=made.discipline,
        secondary=made.secondary,
        language=made.language,
        stem=made.stem,
        options=(),
        passage=made.passage,
        key=sealer.seal(statement.key.written(), key_about(made.uuid, 1)),
        digest=content_digest(made),
        source=parent.source,
        place=parent.place,
        made_by=made_by,
        parent=parent.id,
    )


def _pages(walked: Iterator[T], size: int) -> Iterator[list[T]]:
    while page := list(islice(walked, size)):
        yield page
