"""Storing near-duplicates."""

from __future__ import annotations

import uuid

import pytest
from bank_rows import NOW, SPACE, add_source, row
from sqlalchemy import Engine

from assay.core.errors import NotFound
from assay.core.question import QuestionState
from assay.results.review import Resolution
from assay.store.bank.changes import set_state
from assay.store.bank.duplicates import (
    PairRow,
    flagged,
    keep_pairs,
    last_question,
    paired_families,
    resolve,
    walk_wordings,
    wordings_by_id,
)
from assay.store.bank.questions import keep_questions
from assay.store.engine import reading, writing

STEMS = ("alpha", "beta", "gamma")


def named(stem: str) -> str:
    """Return the uuid of the question with a stem."""
    return str(uuid.uuid5(SPACE, stem))


@pytest.fixture
def bank(engine: Engine) -> Engine:
    """Return a bank of three originals, the second with passage and options, and a variant of the first."""
    with writing(engine) as connection:
        source = add_source(connection)
        rows = [row(source, stem) for stem in STEMS]
        rows[1] = rows[1]._replace(passage="A tale.", options=("x", "y"))
        keep_questions(connection, rows)
        keep_questions(connection, [row(source, "alpha again", parent=1)])
    return engine


def test_wordings_are_walked_in_order_without_rejected_ones(bank: Engine) -> None:
    """Texts come with family, options and passage; rejected questions are left out."""
    with writing(bank) as connection:
        set_state(connection, [3], QuestionState.REJECTED, revision=1)
    walked = list(walk_wordings(bank))
    assert [(entry.id, entry.family, entry.stem) for entry in walked] == [
        (1, 1, "alpha"),
        (2, 2, "beta"),
        (4, 1, "alpha again"),
    ]
    assert (walked[1].options, walked[1].material, walked[0].passage) == (("x", "y"), "A tale.", None)


def test_wordings_are_found_by_id(bank: Engine) -> None:
    """Existing questions are returned by their ids."""
    assert {number: entry.stem for number, entry in wordings_by_id(bank, {2, 3, 99}).items()} == {
        2: "beta",
        3: "gamma",
    }


def test_the_last_question_is_the_greatest_id(bank: Engine) -> None:
    """It is the end of a walk."""
    assert last_question(bank) == 4


def test_pairs_are_kept_with_their_families(bank: Engine) -> None:
    """A pair of a variant counts for its family."""
    with writing(bank) as connection:
        keep_pairs(connection, [PairRow(3, 4, 0.9)], NOW)
    with reading(bank) as connection:
        assert paired_families(connection) == {(1, 3)}


def test_flagged_pairs_come_most_alike_first(bank: Engine) -> None:
    """Pairs can be listed: all, unresolved ones, and those of one question."""
    with writing(bank) as connection:
        keep_pairs(connection, [PairRow(1, 2, 0.8), PairRow(2, 3, 0.95)], NOW)
        resolve(connection, named("beta"), named("alpha"), Resolution.BOTH)
    assert [(entry.similarity, entry.resolution) for entry in flagged(bank)] == [
        (0.95, None),
        (0.8, Resolution.BOTH),
    ]
    assert [entry.other for entry in flagged(bank, unresolved=True)] == [named("gamma")]
    assert [entry.question for entry in flagged(bank, of=named("alpha"))] == [named("alpha")]


@pytest.mark.parametrize("other", ["gamma", "nobody"])
def test_questions_that_are_no_pair_are_not_resolved(bank: Engine, other: str) -> None:
    """Questions that are no pair, or do not exist, are refused with both uuids."""
    with writing(bank) as connection:
        keep_pairs(connection, [PairRow(1, 2, 0.8)], NOW)
    with pytest.raises(NotFound, match=f"{named('alpha')}.*{named(other)}"), writing(bank) as connection:
        resolve(connection, named("alpha"), named(other), Resolution.ONE)
