"""Undoing decisions of reviewers: what comes back, what stays, and what is final."""

from __future__ import annotations

import numpy as np
import pytest
from banked import NOW, SEALER, choice, fill
from exam_room import room
from sqlalchemy import Engine, select, update

from assay.bank.augment import expand_choices
from assay.bank.review import admit_clean, decide, next_question
from assay.bank.undo import past_decisions, undo
from assay.core.errors import AssayError, Conflict, Denied, NotFound
from assay.core.question import QuestionKind, QuestionState
from assay.exam.opening import close_by_operator
from assay.questions.screen import Decided, Decision
from assay.results.expansion import StatementKeys
from assay.store.bank.changes import next_revision, retire
from assay.store.bank.counts import count_waiting
from assay.store.bank.questions import question_by_uuid, walk_questions
from assay.store.bank.reviewers import add_reviewer, leave, read_since, review_work
from assay.store.bank.reviews import disputed, reviews_of
from assay.store.bank.units import count_units
from assay.store.engine import reading, writing
from assay.store.schema_bank import questions, reviews

YES, NO = Decision.ACCEPT, Decision.REJECT
LAW, OTHER = choice(1)[0].uuid, choice(2)[0].uuid


@pytest.fixture
def bank(engine: Engine) -> Engine:
    """A bank with two questions of law and three reviewers."""
    fill(engine, [choice(1), choice(2)])
    for name in ("ada", "bo", "cy"):
        add_reviewer(engine, name=name, disciplines=[], daily_cap=5, hourly_rate=30.0, now=NOW)
    return engine


def say(bank: Engine, who: str, what: Decision = YES, about: str = LAW, *, second: bool = False) -> int:
    """Store a reviewer's decision and return its number."""
    decide(bank, who, Decided(about, what, "unclear", 60.0), second_review=second, now=NOW)
    with reading(bank) as connection:
        return int(
            connection.execute(select(reviews.c.id).order_by(reviews.c.id.desc())).scalars().first() or 0
        )


def state(bank: Engine, about: str = LAW) -> QuestionState:
    """Return a question's state."""
    return question_by_uuid(bank, about).state


@pytest.mark.parametrize("what", [YES, NO])
def test_the_state_from_before_comes_back(bank: Engine, what: Decision) -> None:
    """An accepted question cannot be drawn any more; it waits for its reviewer again."""
    number = say(bank, "ada", what)
    undo(bank, "ada", number, now=NOW + 60)
    assert state(bank) is QuestionState.RAW
    with reading(bank) as connection:
        assert count_units(connection) == {}
    waiting = next_question(bank, "ada", now=NOW + 60)
    assert waiting is not None
    assert waiting.question.uuid == LAW
    say(bank, "ada", NO)
    assert state(bank) is QuestionState.REJECTED


def test_a_screened_question_can_be_drawn_again(bank: Engine) -> None:
    """Undoing its rejection returns it to the screened questions."""
    admit_clean(bank, [question_by_uuid(bank, LAW).id], now=NOW)
    undo(bank, "ada", say(bank, "ada", NO), now=NOW)
    assert state(bank) is QuestionState.SCREENED
    with reading(bank) as connection:
        assert count_units(connection) == {"law": 1}


def test_nothing_is_deleted(bank: Engine) -> None:
    """The history has the decision, its undoing and the new decision; reading counts once for each."""
    undo(bank, "ada", say(bank, "ada"), now=NOW + 5)
    say(bank, "ada", NO)
    history = reviews_of(bank, question_by_uuid(bank, LAW).id)
    assert sorted(review.decision for review in history) == ["accept", "reject", "unaccept"]
    work = review_work(bank, since=NOW)[1]
    assert (work.accepted, work.rejected, work.seconds, work.untimed, work.today) == (0, 1, 120.0, 0, 2)
    with reading(bank) as connection:
        assert read_since(connection, 1, NOW) == 2


def test_undoing_gives_nothing_back_of_the_daily_cap(bank: Engine) -> None:
    """Otherwise decisions could be undone to read without limit."""
    for _ in range(5):
        undo(bank, "ada", say(bank, "ada"), now=NOW)
    with pytest.raises(Conflict, match="daily cap"):
        say(bank, "ada")


def test_an_earlier_decision_of_another_reviewer_stays_in_force(bank: Engine) -> None:
    """Of two agreeing reviewers the second undoes: the question waits for a second one again."""
    say(bank, "ada", second=True)
    undo(bank, "bo", say(bank, "bo"), now=NOW)
    assert state(bank) is QuestionState.REVIEWED
    assert count_waiting(bank) == 1
    say(bank, "bo", NO)
    assert [(each.accepts, each.rejects) for each in disputed(bank)] == [(1, 1)]
    say(bank, "cy", NO)
    assert state(bank) is QuestionState.REJECTED


def test_a_rejection_is_undone_with_its_variants(bank: Engine) -> None:
    """Statements that were rejected with their question get their own states back."""
    expand_choices(bank, SEALER, keys=StatementKeys.ALL, rng=np.random.default_rng(1), now=NOW)
    variants = [each for each in walk_questions(bank) if each.question.parent == LAW]
    assert len(variants) == 4
    say(bank, "bo", about=variants[0].question.uuid)
    number = say(bank, "ada", NO)
    (own,) = [past.number for past in past_decisions(bank, "ada", 9)]
    assert {state(bank, variant.question.uuid) for variant in variants} == {QuestionState.REJECTED}
    assert own != number
    with pytest.raises(Conflict, match="undo that decision"):
        undo(bank, "ada", number, now=NOW)
    undo(bank, "ada", own, now=NOW)
    states = [state(bank, variant.question.uuid) for variant in variants]
    assert states == [QuestionState.ACCEPTED, *[QuestionState.RAW] * 3]
    assert state(bank) is QuestionState.RAW


def test_a_decision_is_undone_once(bank: Engine) -> None:
    """Neither twice, nor after another decision on the same version."""
    number = say(bank, "ada")
    undo(bank, "ada", number, now=NOW)
    with pytest.raises(Conflict, match="undone already"):
        undo(bank, "ada", number, now=NOW)
    say(bank, "ada")
    with pytest.raises(Conflict, match="decided again"):
        undo(bank, "ada", number, now=NOW)


def test_a_later_decision_of_another_reviewer_makes_it_final(bank: Engine) -> None:
    """Until the other one is undone."""
    first = say(bank, "ada", second=True)
    second = say(bank, "bo")
    with pytest.raises(Conflict, match="another reviewer has decided"):
        undo(bank, "ada", first, now=NOW)
    assert state(bank) is QuestionState.ACCEPTED
    undo(bank, "bo", second, now=NOW)
    undo(bank, "ada", first, now=NOW)
    assert state(bank) is QuestionState.RAW


def _edited(bank: Engine) -> None:
    with writing(bank) as connection:
        connection.execute(update(questions).where(questions.c.uuid == LAW).values(version=2))


def _retired(bank: Engine) -> None:
    with writing(bank) as connection:
        ids = [question_by_uuid(bank, LAW).id]
        retire(connection, ids, "leaked", revision=next_revision(connection, "retire", "leaked", NOW))


def _unrecorded(bank: Engine) -> None:
    with writing(bank) as connection:
        connection.execute(update(reviews).values(state_before=None))


@pytest.mark.parametrize(
    ("happens", "message"),
    [(_edited, "edited since"), (_retired, "retired"), (_unrecorded, "not recorded")],
)
def test_what_happened_since_makes_it_final(bank: Engine, happens: object, message: str) -> None:
    """The refusal says why, in the list as well."""
    number = say(bank, "ada")
    happens(bank)  # type: ignore[operator]
    with pytest.raises(Conflict, match=message):
        undo(bank, "ada", number, now=NOW)
    (past,) = past_decisions(bank, "ada", 9)
    assert message in str(past.refusal)


def test_a_served_question_stays_accepted(sqlite: Engine) -> None:
    """In an open session, and after it if it was served. A question that was not served is free again."""
    made = room(sqlite, families=1)
    add_reviewer(sqlite, name="ada", disciplines=[], daily_cap=99, hourly_rate=None, now=NOW)
    with writing(sqlite) as connection:
        connection.execute(update(questions).values(state="raw"))
    numbers = {
        each.question.uuid: say(sqlite, "ada", about=each.question.uuid) for each in walk_questions(sqlite)
    }
    session = made.open(10)
    uuid = next(iter(numbers))
    with pytest.raises(Conflict, match="served in an exam"):
        undo(sqlite, "ada", numbers[uuid], now=NOW)
    row = {"id": question_by_uuid(sqlite, uuid).id, "session": session, "at": NOW}
    with writing(sqlite) as connection:
        connection.exec_driver_sql(
            "INSERT INTO served (session, position, at) SELECT :session, position, :at FROM draw_questions "
            "WHERE question = :id",
            row,
        )
    close_by_operator(sqlite, session, now=NOW + 60)
    with pytest.raises(Conflict, match="served in an exam"):
        undo(sqlite, "ada", numbers[uuid], now=NOW)
    other = next(each for each in numbers if each != uuid)
    undo(sqlite, "ada", numbers[other], now=NOW)
    assert state(sqlite, other) is QuestionState.RAW


@pytest.mark.parametrize(
    ("who", "number", "error"), [("bo", 1, NotFound), ("ada", 77, NotFound), ("dee", 1, NotFound)]
)
def test_only_own_decisions_can_be_undone(
    bank: Engine, who: str, number: int, error: type[AssayError]
) -> None:
    """Those of others and unknown ones are not found."""
    assert say(bank, "ada") == 1
    with pytest.raises(error):
        undo(bank, who, number, now=NOW)


def test_an_undoing_cannot_be_undone(bank: Engine) -> None:
    """It is no decision; and reviewers who left can undo nothing."""
    number = say(bank, "ada")
    undo(bank, "ada", number, now=NOW)
    with pytest.raises(NotFound):
        undo(bank, "ada", number + 1, now=NOW)
    leave(bank, "ada", NOW)
    with pytest.raises(Denied):
        undo(bank, "ada", number, now=NOW)


def test_the_list_has_the_last_decisions(bank: Engine) -> None:
    """The last one first, each with its question and its present state, also undone ones."""
    first, second = say(bank, "ada"), say(bank, "ada", NO, OTHER)
    undo(bank, "ada", second, now=NOW + 9)
    listed = past_decisions(bank, "ada", 9)
    assert [(past.number, past.question.uuid, past.state) for past in listed] == [
        (second, OTHER, QuestionState.RAW),
        (first, LAW, QuestionState.ACCEPTED),
    ]
    assert [past.refusal is None for past in listed] == [False, True]
    assert [past.number for past in past_decisions(bank, "ada", 1)] == [second]
    assert past_decisions(bank, "cy", 9) == []


def test_only_questions_of_a_kind_are_offered(bank: Engine) -> None:
    """Statements made from a choice are of another kind than the choice."""
    expand_choices(bank, SEALER, keys=StatementKeys.ALL, rng=np.random.default_rng(1), now=NOW)
    offered = [next_question(bank, "ada", now=NOW, kind=kind) for kind in QuestionKind]
    assert [None if each is None else each.question.kind for each in offered] == [
        QuestionKind.MULTIPLE_CHOICE,
        None,
        QuestionKind.TRUE_OR_FALSE,
        None,
        None,
        None,
    ]
