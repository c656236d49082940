"""The redundancy check over a stored bank."""

from __future__ import annotations

import uuid

import pytest
from banked import NOW, Item, choice, fill, rows
from sqlalchemy import Engine, update

from assay.bank.redundancy import drop_one, find_duplicates, keep_both
from assay.core.errors import NotFound
from assay.core.question import Question, QuestionKind, QuestionState
from assay.core.sealed import AnswerKey
from assay.store.bank.duplicates import Resolution, flagged
from assay.store.bank.questions import keep_questions, question_by_uuid
from assay.store.bank.reviewers import add_reviewer
from assay.store.engine import writing
from assay.store.schema_bank import questions

TOLLS = "Which clause of the treaty of Westphalia ended the quarrel about the Rhine tolls?"
WOOL = "How did the price of wool in Bruges move after the harbour had silted up?"


def asked(number: int, stem: str) -> Item:
    """Return a short-answer question with a uuid that tells its number."""
    name = str(uuid.UUID(int=number))
    return Question(name, QuestionKind.SHORT_ANSWER, stem, "history"), AnswerKey(("So it was.",))


def name(number: int) -> str:
    """Return the uuid of a question made by `asked`."""
    return str(uuid.UUID(int=number))


@pytest.fixture
def bank(engine: Engine) -> Engine:
    """A bank in which the third question repeats the first with a slip."""
    fill(engine, [asked(1, TOLLS), asked(2, WOOL), asked(3, TOLLS.replace("quarrel", "quarel")), choice(4)])
    return engine


def test_a_near_duplicate_is_stored_as_a_pair(bank: Engine) -> None:
    """The pair is counted and found again with both uuids; the rest of the bank is left alone."""
    told = find_duplicates(bank, now=NOW)
    assert (told.questions, told.new, len(told.pairs), told.added, told.faults) == (4, 4, 1, 1, ())
    assert [(each.question, each.other) for each in flagged(bank, unresolved=True)] == [(name(1), name(3))]


def test_the_check_may_be_repeated(bank: Engine) -> None:
    """The second time the same pair is there, and nothing is added; a decision on it stays."""
    find_duplicates(bank, now=NOW)
    keep_both(bank, name(3), name(1))
    told = find_duplicates(bank, now=NOW + 1)
    assert (len(told.pairs), told.added) == (1, 0)
    assert [each.resolution for each in flagged(bank)] == [Resolution.BOTH]


def test_a_new_import_is_compared_with_the_whole_bank(bank: Engine) -> None:
    """After the last question of before, only the new one's pair is found."""
    fill(bank, [asked(5, WOOL.replace("harbour", "harbuor"))])
    told = find_duplicates(bank, now=NOW, after=4)
    assert (told.new, [(pair.question, pair.other) for pair in told.pairs]) == (1, [(2, 5)])


def test_variants_are_told_of_once_and_by_their_originals(bank: Engine) -> None:
    """Two families of which originals and variants are alike make one pair; siblings make none."""
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


def test_content_that_was_altered_behind_the_bank_is_told(bank: Engine) -> None:
    """A digest that does not fit the content and a uuid that is none are faults, each with its uuid."""
    with writing(bank) as connection:
        connection.execute(update(questions).where(questions.c.id == 2).values(stem="Something else"))
        connection.execute(update(questions).where(questions.c.id == 4).values(uuid="X-4"))
    faults = find_duplicates(bank, now=NOW).faults
    assert [name(2) in faults[0], "'X-4'" in faults[1]] == [True, True]


def test_progress_is_told(sqlite: Engine) -> None:
    """Every thousand questions how many were read, of how many."""
    fill(sqlite, [choice(number) for number in range(1001)])
    seen: list[tuple[int, int]] = []
    find_duplicates(sqlite, now=NOW, progress=lambda done, whole: seen.append((done, whole)))
    assert seen == [(1000, 1001)]


def test_dropping_a_raw_one_rejects_it(bank: Engine) -> None:
    """The reviewer's rejection says of what it is a duplicate, and the pair is resolved."""
    add_reviewer(bank, name="ada", disciplines=[], daily_cap=5, hourly_rate=None, now=NOW)
    find_duplicates(bank, now=NOW)
    drop_one(bank, "ada", name(3), name(1), now=NOW)
    assert question_by_uuid(bank, name(3)).state is QuestionState.REJECTED
    assert [each.resolution for each in flagged(bank)] == [Resolution.ONE]


def test_dropping_an_accepted_one_retires_it(engine: Engine) -> None:
    """An accepted question cannot be rejected any more: it is retired with the reason."""
    fill(
        engine, [asked(1, TOLLS), asked(3, TOLLS.replace("quarrel", "quarel"))], state=QuestionState.ACCEPTED
    )
    find_duplicates(engine, now=NOW)
    drop_one(engine, "ada", name(3), name(1), now=NOW)
    assert name(1) in (question_by_uuid(engine, name(3)).retired_why or "")


def test_a_refused_rejection_leaves_the_pair_open(bank: Engine) -> None:
    """Where the reviewer is unknown nothing is resolved."""
    find_duplicates(bank, now=NOW)
    with pytest.raises(NotFound, match="nobody"):
        drop_one(bank, "nobody", name(3), name(1), now=NOW)
    assert [each.resolution for each in flagged(bank)] == [None]
