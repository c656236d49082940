"""Expanding the bank's choices into true-or-false statements (seed 003, figure 7)."""

from __future__ import annotations

from collections.abc import Callable, Collection
from itertools import islice

import numpy as np
from sqlalchemy import Engine

from assay.core.question import QuestionKind, QuestionState
from assay.core.sealed import Sealer, key_about, open_key
from assay.questions.digest import content_digest
from assay.questions.expand import (
    VERSION,
    MadeStatement,
    Unexpanded,
    choose,
    statements,
)
from assay.results.expansion import ExpandedChoices, StatementKeys, StatementTally
from assay.store.bank.changes import next_revision
from assay.store.bank.questions import (
    QuestionRow,
    StoredQuestion,
    keep_questions,
    known_uuids,
    walk_questions,
)
from assay.store.engine import reading, writing

PAGE = 2000
OPEN = (QuestionState.RAW, QuestionState.REVIEWED, QuestionState.SCREENED, QuestionState.ACCEPTED)
"""The states of questions that can be expanded: all but rejected ones."""

MADE_BY = f"assay {VERSION}"


def expand_choices(
    engine: Engine,
    sealer: Sealer,
    *,
    keys: StatementKeys,
    rng: np.random.Generator,
    now: float,
    progress: Callable[[int], None] | None = None,
    states: Collection[QuestionState] = OPEN,
) -> ExpandedChoices:
    """Make the statements of every choice in these states that is not retired; the choice itself stays.

    Statements are raw and refer to their parent. A second call adds only missing ones. `progress` is called
    with the number of choices read. Raises Denied if a key cannot be opened.
    """
    expanded, count = ExpandedChoices(keys), 0
    choices = walk_questions(engine, states=states, kinds=[QuestionKind.MULTIPLE_CHOICE], retired=False)
    while page := list(islice(choices, PAGE)):
        _expand(engine, sealer, page, expanded, rng)
        count += len(page)
        if progress is not None:
            progress(count)
    if expanded.added:
        with writing(engine) as connection:
            next_revision(
                connection,
                "expand",
                f"{expanded.added:,} statements of {expanded.parents:,} choices, {keys}",
                now,
            )
    return expanded


def _expand(
    engine: Engine,
    sealer: Sealer,
    page: list[StoredQuestion],
    expanded: ExpandedChoices,
    rng: np.random.Generator,
) -> None:
    made: list[tuple[StoredQuestion, tuple[MadeStatement, ...]]] = []
    for stored in page:
        key = open_key(sealer, stored.sealed, stored.question.uuid, stored.version)
        outcome = statements(stored.question, key)
        if isinstance(outcome, Unexpanded):
            expanded.left[outcome.why] += 1
        else:
            made.append((stored, outcome))
    uuids = [statement.question.uuid for _, own in made for statement in own]
    with reading(engine) as connection:
        known = known_uuids(connection, uuids)
    rows: list[QuestionRow] = []
    for stored, own in made:
        expanded.parents += 1
        tally = expanded.tallies.setdefault(stored.question.discipline, StatementTally())
        for statement in choose(own, expanded.keys, known=known, rng=rng):
            tally.true += statement.true
            tally.false += not statement.true
            if statement.question.uuid in known:
                expanded.known += 1
            else:
                rows.append(variant_row(stored, statement, sealer, MADE_BY))
    if rows:
        with writing(engine) as connection:
            added = sum(row is not None for row in keep_questions(connection, rows))
        expanded.added += added
        expanded.taken += len(rows) - added


def variant_row(
    parent: StoredQuestion, statement: MadeStatement, sealer: Sealer, made_by: str
) -> QuestionRow:
    """Return a statement as a new question of the bank with its sealed key."""
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
