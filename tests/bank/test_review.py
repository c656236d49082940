"""Reviewing questions."""

from __future__ import annotations

import uuid

import pytest
from banked import NOW, SEALER, choice, fill
from sqlalchemy import Engine, select

from assay.bank.augment import expand_choices
from assay.bank.review import admit_clean, decide, next_question, take_decisions
from assay.core.errors import AssayError, Conflict, Denied, InvalidInput, NotFound
from assay.core.question import QuestionState
from assay.questions.screen import Decided, Decision
from assay.results.expansion import StatementKeys
from assay.store.bank.changes import next_revision, retire
from assay.store.bank.questions import question_by_uuid, walk_questions
from assay.store.bank.reviewers import add_reviewer, leave, review_work
from assay.store.bank.reviews import disputed, reviews_of
from assay.store.bank.units import count_units
from assay.store.engine import reading, writing
from assay.store.schema_bank import reviews

YES, NO = Decision.ACCEPT, Decision.REJECT
LAW = choice(1)[0].uuid
MEDICINE = choice(2, discipline="medicine")[0].uuid


@pytest.fixture
def bank(engine: Engine) -> Engine:
    """A bank with a question of law and one of medicine, and three reviewers, one of law only."""
    fill(engine, [choice(1), choice(2, discipline="medicine"), choice(3), choice(4)])
    for name, disciplines, cap in (("ada", [], 3), ("bo", ["law"], 100), ("cy", [], 100)):
        add_reviewer(
            engine, name=name, disciplines=disciplines, daily_cap=cap, hourly_rate=30.0, now=NOW - 100_000
        )
    return engine


def say(
    bank: Engine, who: str, what: Decision = YES, about: str = LAW, *, second: bool = False, at: float = NOW
) -> QuestionState:
    """Store a reviewer's decision."""
    return decide(bank, who, Decided(about, what, "unclear", 60.0), second_review=second, now=at)


def test_one_decision_settles_a_question(bank: Engine) -> None:
    """An accepted question can be drawn, and reviewer, reason and time are stored."""
    assert say(bank, "ada") is QuestionState.ACCEPTED
    stored = question_by_uuid(bank, LAW)
    (review,) = reviews_of(bank, stored.id)
    assert (review.reviewer, review.decision, review.reason, review.at) == ("ada", "accept", "unclear", NOW)
    with reading(bank) as connection:
        assert count_units(connection) == {"law": 1}


def test_two_reviewers_agree(bank: Engine) -> None:
    """The first of two needed decisions leaves the question reviewed, the second settles it."""
    assert say(bank, "ada", second=True) is QuestionState.REVIEWED
    assert say(bank, "bo") is QuestionState.ACCEPTED


def test_a_dispute_waits_for_a_third(bank: Engine) -> None:
    """After two contrary decisions the question is listed as disputed; the third decides."""
    say(bank, "ada", second=True)
    assert say(bank, "bo", NO, second=True) is QuestionState.REVIEWED
    assert [(each.uuid, each.accepts, each.rejects) for each in disputed(bank)] == [(LAW, 1, 1)]
    assert say(bank, "cy", NO, second=True) is QuestionState.REJECTED
    assert disputed(bank) == []


@pytest.mark.parametrize(
    ("who", "decided", "error", "message"),
    [
        ("ada", Decided(str(uuid.UUID(int=9)), YES), NotFound, "unknown question"),
        ("dee", Decided(LAW, YES), NotFound, "reviewer add"),
        ("bo", Decided(MEDICINE, YES), Denied, "'medicine'.*reads law"),
        ("ada", Decided(LAW, NO), InvalidInput, "reason"),
        ("ada", Decided(LAW, YES, "x" * 2001), InvalidInput, "2,001"),
        ("ada", Decided(LAW, YES, "", -1.0), InvalidInput, "-1.0"),
        ("ada", Decided(LAW, YES, "", 1e9), InvalidInput, "seconds"),
    ],
)
def test_an_invalid_decision_is_refused(
    bank: Engine, who: str, decided: Decided, error: type[AssayError], message: str
) -> None:
    """Each fault has its error and message, and nothing is stored."""
    with pytest.raises(error, match=message):
        decide(bank, who, decided, now=NOW)
    assert question_by_uuid(bank, LAW).state is QuestionState.RAW


def test_a_reviewer_cannot_decide_twice(bank: Engine) -> None:
    """The second decision must come from another reviewer."""
    say(bank, "ada", second=True)
    with pytest.raises(Conflict, match="ask another reviewer"):
        say(bank, "ada", second=True)


def test_a_database_constraint_prevents_a_second_decision(bank: Engine) -> None:
    """Question, version and reviewer are unique together."""
    say(bank, "ada", second=True)
    with pytest.raises(AssayError), writing(bank) as connection:
        row = connection.execute(select(reviews)).one()._asdict()
        connection.execute(reviews.insert().values({**row, "id": 99}))


def test_a_settled_or_retired_question_cannot_be_decided(bank: Engine) -> None:
    """The refusal says what to do instead."""
    say(bank, "ada")
    with pytest.raises(Conflict, match="accepted already"):
        say(bank, "cy")
    with writing(bank) as connection:
        ids = [question_by_uuid(bank, MEDICINE).id]
        retire(connection, ids, "leaked", revision=next_revision(connection, "retire", "leaked", NOW))
    with pytest.raises(Conflict, match="retired"):
        say(bank, "ada", about=MEDICINE)


def test_a_reviewer_who_left_cannot_decide(bank: Engine) -> None:
    """Earlier decisions stay; further ones are denied."""
    leave(bank, "bo", NOW)
    with pytest.raises(Denied, match="has left"):
        say(bank, "bo")


def test_the_daily_cap_is_per_day_in_utc(bank: Engine) -> None:
    """After three questions ada can decide again only after midnight."""
    for number in (1, 2, 3):
        say(bank, "ada", about=choice(number)[0].uuid)
    with pytest.raises(Conflict, match=r"daily cap of 3.*tomorrow"):
        say(bank, "ada", about=choice(4)[0].uuid)
    with pytest.raises(Conflict, match="daily cap"):
        next_question(bank, "ada", now=NOW)
    midnight = NOW - NOW % 86_400 + 86_400
    assert say(bank, "ada", about=choice(4)[0].uuid, at=midnight) is QuestionState.ACCEPTED


def test_the_next_question_is_one_for_this_reviewer(bank: Engine) -> None:
    """Questions that another reviewer has read come first; disciplines and own decisions are respected."""
    say(bank, "ada", about=choice(3)[0].uuid, second=True)
    offered = []
    for _ in range(3):
        stored = next_question(bank, "bo", now=NOW)
        assert stored is not None
        offered.append(stored.question.uuid)
        say(bank, "bo", about=stored.question.uuid, second=True)
    assert offered == [choice(3)[0].uuid, LAW, choice(4)[0].uuid]
    assert next_question(bank, "bo", now=NOW) is None


def test_skipped_questions_are_not_offered(bank: Engine) -> None:
    """The next question after the skipped one is offered."""
    first = question_by_uuid(bank, LAW).id
    found = next_question(bank, "bo", now=NOW, skip=[first])
    assert found is not None
    assert found.question.uuid == choice(3)[0].uuid


def test_every_decision_of_a_table_has_an_outcome(bank: Engine) -> None:
    """Stored and refused decisions add up, and each refusal has a reason."""
    numbers = (1, 1, 2, 3, 4)
    table = [Decided(choice(number)[0].uuid, YES) for number in numbers]
    outcomes = take_decisions(bank, "ada", [*table, Decided("nobody", YES)], now=NOW)
    assert outcomes.counts == {"accepted": 3, "refused": 3}
    reasons = [str(refusal) for refusal in outcomes.refused if refusal is not None]
    expected = ("second decision", "cap", "unknown question")
    assert [text for text in reasons if any(part in text for part in expected)] == reasons


def test_rejecting_an_original_rejects_its_statements(bank: Engine) -> None:
    """Statements made from a rejected question are rejected too."""
    import numpy as np

    expand_choices(bank, SEALER, keys=StatementKeys.ALL, rng=np.random.default_rng(1), now=NOW)
    say(bank, "ada", NO)
    family = question_by_uuid(bank, LAW).id
    states = [each.state for each in walk_questions(bank) if each.family == family]
    assert states == [QuestionState.REJECTED] * 5


def test_clean_questions_are_admitted_without_a_review(bank: Engine) -> None:
    """They become screened, no review is stored, and a reviewer can still decide on them."""
    ids = [each.id for each in walk_questions(bank)]
    assert admit_clean(bank, ids, now=NOW) == 4
    assert {each.state for each in walk_questions(bank)} == {QuestionState.SCREENED}
    assert [reviews_of(bank, row) for row in ids] == [[]] * 4
    assert review_work(bank, since=NOW - 60) == {}
    assert say(bank, "ada") is QuestionState.ACCEPTED


def test_a_rejected_question_is_not_admitted(bank: Engine) -> None:
    """Only raw questions are admitted."""
    say(bank, "ada", NO)
    ids = [each.id for each in walk_questions(bank)]
    assert admit_clean(bank, ids, now=NOW) == 3


def test_review_hours_are_summed(bank: Engine) -> None:
    """Two decisions of one minute each are 1/30 hour."""
    say(bank, "cy")
    say(bank, "cy", NO, about=MEDICINE)
    work = review_work(bank, since=NOW - 60)
    assert [(one.accepted, one.rejected, one.hours, one.today) for one in work.values()] == [
        (1, 1, 1 / 30, 2)
    ]


def test_reviewers_names_are_unique(bank: Engine) -> None:
    """A second reviewer of the same name is refused."""
    with pytest.raises(Conflict, match="'ada'"):
        add_reviewer(bank, name="ada", disciplines=[], daily_cap=1, hourly_rate=None, now=NOW)
