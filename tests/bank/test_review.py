"""Reviewing questions."""

from __future__ import annotations

import uuid

import pytest
from banked import NOW, SEALER, choice, fill
from sqlalchemy import Engine, select

from assay.bank.augment import expand_choices
from assay.bank.review import accept_mechanically, decide, next_question, take_decisions
from assay.core.errors import AssayError, Conflict, Denied, InvalidInput, NotFound
from assay.core.question import QuestionState
from assay.questions.expand import Keys
from assay.questions.screen import MECHANICAL, Decided, Decision
from assay.store.bank.changes import next_revision, retire
from assay.store.bank.questions import question_by_uuid, walk_questions
from assay.store.bank.reviewers import add_reviewer, leave, list_reviewers, review_work
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
    """Let a reviewer decide."""
    return decide(bank, who, Decided(about, what, "unclear", 60.0), second_review=second, now=at)


def test_one_decision_settles_a_question(bank: Engine) -> None:
    """Accepted it can be drawn, with reviewer, reason and time on record."""
    assert say(bank, "ada") is QuestionState.ACCEPTED
    stored = question_by_uuid(bank, LAW)
    (review,) = reviews_of(bank, stored.id)
    assert (review.reviewer, review.decision, review.reason, review.at) == ("ada", "accept", "unclear", NOW)
    with reading(bank) as connection:
        assert count_units(connection) == {"law": 1}


def test_two_reviewers_agree(bank: Engine) -> None:
    """With a second review the first leaves it reviewed, and the second settles it without being told so."""
    assert say(bank, "ada", second=True) is QuestionState.REVIEWED
    assert say(bank, "bo") is QuestionState.ACCEPTED


def test_a_dispute_waits_for_a_third(bank: Engine) -> None:
    """Two who disagree leave it reviewed and listed; the third decides."""
    say(bank, "ada", second=True)
    assert say(bank, "bo", NO, second=True) is QuestionState.REVIEWED
    assert [(each.uuid, each.accepts, each.rejects) for each in disputed(bank)] == [(LAW, 1, 1)]
    assert say(bank, "cy", NO, second=True) is QuestionState.REJECTED
    assert disputed(bank) == []


@pytest.mark.parametrize(
    ("who", "decided", "error", "told"),
    [
        ("ada", Decided(str(uuid.UUID(int=9)), YES), NotFound, "no question"),
        ("dee", Decided(LAW, YES), NotFound, "reviewer add"),
        ("bo", Decided(MEDICINE, YES), Denied, "'medicine'.*reads law"),
        ("ada", Decided(LAW, NO), InvalidInput, "reason"),
        ("ada", Decided(LAW, YES, "mechanical: looked at it"), InvalidInput, "mechanical screening"),
        ("ada", Decided(LAW, YES, "x" * 2001), InvalidInput, "2,001"),
        ("ada", Decided(LAW, YES, "", -1.0), InvalidInput, "-1.0"),
        ("ada", Decided(LAW, YES, "", 1e9), InvalidInput, "seconds"),
    ],
)
def test_what_is_wrong_is_refused(
    bank: Engine, who: str, decided: Decided, error: type[AssayError], told: str
) -> None:
    """Each has its kind of error and its message, and nothing is stored."""
    with pytest.raises(error, match=told):
        decide(bank, who, decided, now=NOW)
    assert question_by_uuid(bank, LAW).state is QuestionState.RAW


def test_nobody_decides_twice(bank: Engine) -> None:
    """The second reviewer is another one."""
    say(bank, "ada", second=True)
    with pytest.raises(Conflict, match="another reviewer"):
        say(bank, "ada", second=True)


def test_the_table_itself_refuses_a_second_decision(bank: Engine) -> None:
    """One decision for each question, version and reviewer stands as a constraint."""
    say(bank, "ada", second=True)
    with pytest.raises(AssayError), writing(bank) as connection:
        row = connection.execute(select(reviews)).one()._asdict()
        connection.execute(reviews.insert().values({**row, "id": 99}))


def test_what_is_settled_or_retired_is_left(bank: Engine) -> None:
    """A decision on an accepted or a retired question says what to do instead."""
    say(bank, "ada")
    with pytest.raises(Conflict, match="accepted already"):
        say(bank, "cy")
    with writing(bank) as connection:
        ids = [question_by_uuid(bank, MEDICINE).id]
        retire(connection, ids, "leaked", revision=next_revision(connection, "retire", "leaked", NOW))
    with pytest.raises(Conflict, match="retired"):
        say(bank, "ada", about=MEDICINE)


def test_who_left_decides_no_more(bank: Engine) -> None:
    """What a reviewer decided stays; further decisions are denied."""
    leave(bank, "bo", NOW)
    with pytest.raises(Denied, match="has left"):
        say(bank, "bo")


def test_the_cap_counts_a_day_in_utc(bank: Engine) -> None:
    """After three questions ada is stopped until midnight, then goes on."""
    for number in (1, 2, 3):
        say(bank, "ada", about=choice(number)[0].uuid)
    with pytest.raises(Conflict, match=r"daily cap of 3.*tomorrow"):
        say(bank, "ada", about=choice(4)[0].uuid)
    with pytest.raises(Conflict, match="daily cap"):
        next_question(bank, "ada", now=NOW)
    midnight = NOW - NOW % 86_400 + 86_400
    assert say(bank, "ada", about=choice(4)[0].uuid, at=midnight) is QuestionState.ACCEPTED


def test_the_next_question_is_one_that_waits_for_this_reviewer(bank: Engine) -> None:
    """What another began comes first, in the own disciplines only, never what was decided already."""
    say(bank, "ada", about=choice(3)[0].uuid, second=True)
    offered = []
    for _ in range(3):
        stored = next_question(bank, "bo", now=NOW)
        assert stored is not None
        offered.append(stored.question.uuid)
        say(bank, "bo", about=stored.question.uuid, second=True)
    assert offered == [choice(3)[0].uuid, LAW, choice(4)[0].uuid]
    assert next_question(bank, "bo", now=NOW) is None


def test_skipped_rows_are_not_offered(bank: Engine) -> None:
    """What somebody else has before him is left to him."""
    first = question_by_uuid(bank, LAW).id
    found = next_question(bank, "bo", now=NOW, skip=[first])
    assert found is not None
    assert found.question.uuid == choice(3)[0].uuid


def test_every_row_of_a_table_is_accounted(bank: Engine) -> None:
    """Taken and refused rows add up, and each refused one has its reason, the cap's too."""
    numbers = (1, 1, 2, 3, 4)
    table = [Decided(choice(number)[0].uuid, YES) for number in numbers]
    taken = take_decisions(bank, "ada", [*table, Decided("nobody", YES)], now=NOW)
    assert taken.counts == {"accepted": 3, "refused": 3}
    told = [str(why) for why in taken.refused if why is not None]
    assert [text for text in told if "twice" in text or "cap" in text or "no question" in text] == told


def test_a_rejected_original_takes_its_statements_along(bank: Engine) -> None:
    """What was made from a wrong question is rejected with it, by the same reviewer."""
    import numpy as np

    expand_choices(bank, SEALER, keys=Keys.ALL, rng=np.random.default_rng(1), now=NOW)
    say(bank, "ada", NO)
    family = question_by_uuid(bank, LAW).id
    states = [each.state for each in walk_questions(bank) if each.family == family]
    assert states == [QuestionState.REJECTED] * 5


def test_mechanical_acceptance_is_signed_and_no_reading(bank: Engine) -> None:
    """It goes past the cap of three, says that it was mechanical, and costs no time."""
    ids = [each.id for each in walk_questions(bank)]
    counts = accept_mechanically(bank, "ada", ids, now=NOW)
    assert counts == {"accepted": 4, "left": 0}
    assert {each.reason for row in ids for each in reviews_of(bank, row)} == {MECHANICAL}
    work = review_work(bank, since=NOW - 60, mechanical=MECHANICAL)[list_reviewers(bank)[0].id]
    assert (work.mechanical, work.today, work.seconds, work.untimed) == (4, 0, 0.0, 0)


def test_mechanical_acceptance_keeps_to_disciplines(bank: Engine) -> None:
    """A reviewer of law signs for law only."""
    counts = accept_mechanically(bank, "bo", [each.id for each in walk_questions(bank)], now=NOW)
    assert counts == {"accepted": 3, "left": 1}


def test_hours_are_summed(bank: Engine) -> None:
    """Two decisions of a minute each make a thirtieth of an hour."""
    say(bank, "cy")
    say(bank, "cy", NO, about=MEDICINE)
    work = review_work(bank, since=NOW - 60, mechanical=MECHANICAL)
    assert [(one.accepted, one.rejected, one.hours, one.today) for one in work.values()] == [
        (1, 1, 1 / 30, 2)
    ]


def test_a_name_is_taken_once(bank: Engine) -> None:
    """A second reviewer of the same name is refused."""
    with pytest.raises(Conflict, match="'ada'"):
        add_reviewer(bank, name="ada", disciplines=[], daily_cap=1, hourly_rate=None, now=NOW)
