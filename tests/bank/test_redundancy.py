"""Searching the bank for near-duplicates, and resolving them."""

from __future__ import annotations

import uuid

import pytest
from banked import NOW, Item, choice, fill, rows
from sqlalchemy import Engine, update

from assay.bank.redundancy import drop_one, find_duplicates, keep_both
from assay.core.errors import NotFound
from assay.core.question import Question, QuestionKind, QuestionState
from assay.core.sealed import AnswerKey
from assay.results.review import Resolution
from assay.store.bank.duplicates import flagged
from assay.store.bank.questions import keep_questions, question_by_uuid
from assay.store.bank.reviewers import add_reviewer
from assay.store.engine import writing
from assay.store.schema_bank import questions

TOLLS = "Which clause of the treaty of Westphalia ended the quarrel about the Rhine tolls?"
WOOL = "How did the price of wool in Bruges move after the harbour had silted up?"


def asked(number: int, stem: str) -> Item:
    """Return a short-answer question whose uuid contains its number."""
    name = str(uuid.UUID(int=number))
    return Question(name, QuestionKind.SHORT_ANSWER, stem, "history"), AnswerKey(("So it was.",))


def name(number: int) -> str:
    """Return the uuid of a question made by `asked`."""
    return str(uuid.UUID(int=number))


@pytest.fixture
def bank(engine: Engine) -> Engine:
    """A bank in which the third question is the first with a typing error."""
    fill(engine, [asked(1, TOLLS), asked(2, WOOL), asked(3, TOLLS.replace("quarrel", "quarel")), choice(4)])
    return engine


def test_a_near_duplicate_is_stored_as_a_pair(bank: Engine) -> None:
    """Only this pair is stored, with both uuids."""
    found = find_duplicates(bank, now=NOW)
    assert (found.questions, found.new, len(found.pairs), found.added, found.faults) == (4, 4, 1, 1, ())
    assert [(each.question, each.other) for each in flagged(bank, unresolved=True)] == [(name(1), name(3))]


def test_a_repeated_search_adds_nothing(bank: Engine) -> None:
    """The pair is found again but not added, and its resolution stays."""
    find_duplicates(bank, now=NOW)
    keep_both(bank, name(3), name(1))
    found = find_duplicates(bank, now=NOW + 1)
    assert (len(found.pairs), found.added) == (1, 0)
    assert [each.resolution for each in flagged(bank)] == [Resolution.BOTH]


def test_a_new_import_is_compared_with_the_whole_bank(bank: Engine) -> None:
    """With `after`, only pairs with a new question are found."""
    fill(bank, [asked(5, WOOL.replace("harbour", "harbuor"))])
    found = find_duplicates(bank, now=NOW, after=4)
    assert (found.new, [(pair.question, pair.other) for pair in found.pairs]) == (1, [(2, 5)])


def test_two_similar_families_are_one_pair_of_originals(bank: Engine) -> None:
    """Similar originals and variants of two families give one pair; siblings give none."""
    with writing(bank) as connection:
        for parent, first in ((1, 11), (3, 13)):
            made = [asked(first, f"{TOLLS} Is it the ninth?"), asked(first + 1, f"{TOLLS} Is it the nineth?")]
            kept = keep_questions(
                connection,
                [
                    each._replace(digest=bytes([first, n]))
                    for n, each in enumerate(rows(made, 1, parent=parent))
                ],
            )
            assert None not in kept
    pairs = find_duplicates(bank, now=NOW).pairs
    assert [(pair.question, pair.other) for pair in pairs] == [(1, 3)]


def test_altered_content_and_uuids_are_reported(bank: Engine) -> None:
    """A wrong digest and an invalid uuid are faults."""
    with writing(bank) as connection:
        connection.execute(update(questions).where(questions.c.id == 2).values(stem="Something else"))
        connection.execute(update(questions).where(questions.c.id == 4).values(uuid="X-4"))
    faults = find_duplicates(bank, now=NOW).faults
    assert [name(2) in faults[0], "'X-4'" in faults[1]] == [True, True]


def test_progress_is_reported(sqlite: Engine) -> None:
    """After every thousand questions, with their number and the total."""
    fill(sqlite, [choice(number) for number in range(1001)])
    seen: list[tuple[int, int]] = []
    find_duplicates(sqlite, now=NOW, progress=lambda done, whole: seen.append((done, whole)))
    assert seen == [(1000, 1001)]


def test_dropping_a_raw_question_rejects_it(bank: Engine) -> None:
    """The reviewer's rejection is stored, and the pair is resolved."""
    add_reviewer(bank, name="ada", disciplines=[], daily_cap=5, hourly_rate=None, now=NOW)
    find_duplicates(bank, now=NOW)
    drop_one(bank, "ada", name(3), name(1), now=NOW)
    assert question_by_uuid(bank, name(3)).state is QuestionState.REJECTED
    assert [each.resolution for each in flagged(bank)] == [Resolution.ONE]


def test_dropping_an_accepted_question_retires_it(engine: Engine) -> None:
    """Its reason names the other question."""
    fill(
        engine, [asked(1, TOLLS), asked(3, TOLLS.replace("quarrel", "quarel"))], state=QuestionState.ACCEPTED
    )
    find_duplicates(engine, now=NOW)
    drop_one(engine, "ada", name(3), name(1), now=NOW)
    assert name(1) in (question_by_uuid(engine, name(3)).retired_why or "")


def test_a_refused_rejection_leaves_the_pair_unresolved(bank: Engine) -> None:
    """The reviewer is unknown."""
    find_duplicates(bank, now=NOW)
    with pytest.raises(NotFound, match="nobody"):
        drop_one(bank, "nobody", name(3), name(1), now=NOW)
    assert [each.resolution for each in flagged(bank)] == [None]
