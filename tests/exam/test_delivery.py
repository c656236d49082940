"""Serving a session: order, answers that cannot be changed, one client, time limits, repetitions."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from typing import TypeVar

import pytest
from exam_room import NOW, Room, room
from sqlalchemy import Engine, text
from sqlalchemy.exc import DBAPIError

from assay.core.errors import Conflict, NotFound
from assay.core.exam import AnswerStatus, Prompting, SessionState
from assay.exam.access import Refused
from assay.exam.delivery import Delivery, QuestionView, ReceiptView, SessionInUse, Sitter, SubmittedAnswer
from assay.results.exam_service import SessionView
from assay.store.engine import writing
from assay.store.exam.serving import RawStatements

T = TypeVar("T")


@dataclass
class Sitting:
    """One client in one session, with one transaction for each request."""

    room: Room
    session: str
    user: str
    holder: str = "first client"
    delivery: Delivery = field(default_factory=Delivery)

    def _do(self, job: Callable[[RawStatements, Sitter], T]) -> T:
        with writing(self.room.engine) as connection:
            return job(RawStatements(connection), Sitter(self.session, self.user, self.holder))

    def question(self, at: float = NOW) -> object:
        """Request a question."""
        return self._do(lambda raw, sitter: self.delivery.question(raw, sitter, at))

    def answer(self, position: int, text_: str = "True", at: float = NOW, **more: float) -> object:
        """Give an answer."""
        given = SubmittedAnswer(text_, **more)  # type: ignore[arg-type]
        return self._do(lambda raw, sitter: self.delivery.answer(raw, sitter, position, given, at))

    def finish(self, at: float = NOW) -> object:
        """End the session."""
        return self._do(lambda raw, sitter: self.delivery.finish(raw, sitter, at))

    def through(self, count: int) -> None:
        """Answer `count` questions."""
        for _ in range(count):
            asked = self.question()
            assert isinstance(asked, QuestionView)
            assert isinstance(self.answer(asked.position), ReceiptView)


@pytest.fixture
def sitting(engine: Engine) -> Sitting:
    """Ada in a session of ten questions."""
    made = room(engine)
    return Sitting(made, made.open(10), made.ada)


def test_questions_come_in_the_order_of_the_draw(sitting: Sitting) -> None:
    """Positions run from 1 to n, each once, and the n-th answer finishes the session."""
    positions = []
    for _ in range(10):
        asked = sitting.question()
        assert isinstance(asked, QuestionView)
        positions.append(asked.position)
        sitting.answer(asked.position)
    assert positions == list(range(1, 11))
    assert (
        sitting.room.count("SELECT count(*) FROM sessions WHERE state = 'finished' AND completed = 10") == 1
    )


def test_a_repeated_request_gets_the_same_question(sitting: Sitting) -> None:
    """A client that lost the reply gets the same question, and nothing more is served."""
    first, again = sitting.question(), sitting.question()
    assert first == again
    assert sitting.room.count("SELECT count(*) FROM served") == 1


def test_the_drawn_question_is_served(sitting: Sitting) -> None:
    """The messages contain the stem of the question at that position of the draw."""
    asked = sitting.question()
    assert isinstance(asked, QuestionView)
    with sitting.room.engine.connect() as connection:
        query = "SELECT stem FROM questions q JOIN draw_questions d ON d.question = q.id WHERE d.position = 1"
        stem = connection.execute(text(query)).scalar_one()
    assert stem in asked.messages[0].content


def test_an_edited_question_is_served_as_it_was_drawn(sitting: Sitting) -> None:
    """An edit after the draw does not change what is served."""
    from dataclasses import replace

    from assay.store.bank.changes import replace_content
    from assay.store.bank.questions import questions_by_id

    number = sitting.room.count("SELECT question FROM draw_questions WHERE position = 1")
    stored = questions_by_id(sitting.room.engine, [number])[number]
    with writing(sitting.room.engine) as connection:
        edited = replace(stored.question, stem="Wholly new", passage="a new passage")
        replace_content(connection, number, edited, b"k", b"digest", by="x", reason="y", now=NOW)
    asked = sitting.question()
    assert isinstance(asked, QuestionView)
    assert stored.question.stem in asked.messages[0].content
    assert "new" not in asked.messages[0].content


def test_the_same_answer_again_gets_the_same_receipt(sitting: Sitting) -> None:
    """A client that lost the receipt gets it again; the answer is stored once."""
    sitting.question()
    first, again = sitting.answer(1), sitting.answer(1, at=NOW + 5)
    assert isinstance(first, ReceiptView)
    assert first == again
    assert sitting.room.count("SELECT count(*) FROM answers") == 1


@pytest.mark.parametrize("other", [{"text_": "False"}, {"text_": "True", "completion_tokens": 3}])
def test_another_answer_is_refused(sitting: Sitting, other: dict[str, object]) -> None:
    """Another text or another token count for an answered question is a conflict."""
    sitting.question()
    sitting.answer(1)
    refused = sitting.answer(1, **other)  # type: ignore[arg-type]
    assert isinstance(refused, Conflict)
    assert "cannot be changed" in str(refused)
    assert sitting.room.count("SELECT count(*) FROM answers WHERE text = 'True'") == 1


def test_answers_out_of_order_are_refused(sitting: Sitting) -> None:
    """A question that was not served cannot be answered; the refusal names the next step."""
    early = sitting.answer(1)
    sitting.question()
    ahead = sitting.answer(2)
    assert isinstance(early, Conflict)
    assert "request question 1 first" in str(early)
    assert "answer question 1 first" in str(ahead)
    assert sitting.room.count("SELECT count(*) FROM answers") == 0


@pytest.mark.parametrize("position", [0, 11, -1, 2**62])
def test_a_position_outside_the_session_is_not_found(sitting: Sitting, position: int) -> None:
    """Positions count from 1 to the number of questions."""
    assert isinstance(sitting.answer(position), NotFound)


def test_after_the_last_answer_there_is_no_question(sitting: Sitting) -> None:
    """A further request is a conflict; the last receipt can still be fetched again."""
    sitting.through(10)
    assert isinstance(sitting.question(), Conflict)
    assert isinstance(sitting.answer(10), ReceiptView)
    assert isinstance(sitting.answer(10, "other"), Conflict)


def test_another_candidate_is_refused(sitting: Sitting) -> None:
    """Bob of the same organisation cannot use Ada's session in any way."""
    bob = Sitting(sitting.room, sitting.session, sitting.room.bob)
    for refused in (bob.question(), bob.answer(1), bob.finish()):
        assert isinstance(refused, Refused)
        assert refused.title == "Session Invalid"
    assert sitting.room.count("SELECT count(*) FROM served") == 0


def test_an_unknown_session_is_refused_like_another_candidates(sitting: Sitting) -> None:
    """The texts are equal, so nobody can find out whether a session exists."""
    unknown = Sitting(sitting.room, "f" * 36, sitting.room.bob).question()
    others = Sitting(sitting.room, sitting.session, sitting.room.bob).question()
    assert str(unknown) == str(others)


def test_a_second_client_is_refused_while_the_first_is_active(sitting: Sitting) -> None:
    """Within 60 s of the first client's last request the refusal says when to retry."""
    sitting.question()
    second = Sitting(sitting.room, sitting.session, sitting.user, holder="second client")
    refused = second.question(NOW + 59)
    assert isinstance(refused, SessionInUse)
    assert refused.title == "Session Invalid"
    assert refused.retry_after == 1
    assert isinstance(second.answer(1, at=NOW + 59), SessionInUse)


def test_an_idle_session_can_be_taken_over(sitting: Sitting) -> None:
    """After 60 s a second client gets the pending question, and the first is refused."""
    first = sitting.question()
    second = Sitting(sitting.room, sitting.session, sitting.user, holder="second client")
    taken = second.question(NOW + 61)
    assert isinstance(first, QuestionView)
    assert isinstance(taken, QuestionView)
    assert taken.messages == first.messages
    assert isinstance(sitting.question(NOW + 62), SessionInUse)


def test_every_request_renews_the_hold(sitting: Sitting) -> None:
    """With a request at 50 s the client still holds the session at 100 s."""
    sitting.question()
    sitting.question(NOW + 50)
    second = Sitting(sitting.room, sitting.session, sitting.user, holder="second client")
    assert isinstance(second.question(NOW + 100), SessionInUse)


def test_a_late_answer_is_stored_as_late(sitting: Sitting) -> None:
    """After the question's time the answer is stored with the status late."""
    sitting.question()
    receipt = sitting.answer(1, at=NOW + 601)
    assert isinstance(receipt, ReceiptView)
    assert receipt.status is AnswerStatus.LATE
    assert sitting.room.count("SELECT count(*) FROM answers WHERE status = 'late' AND text = 'True'") == 1


def test_a_request_after_the_time_closes_the_question(sitting: Sitting) -> None:
    """The pending question is closed as timed out, the next is served, and the late answer is refused."""
    sitting.question()
    asked = sitting.question(NOW + 601)
    assert isinstance(asked, QuestionView)
    assert asked.position == 2
    assert sitting.room.count("SELECT count(*) FROM answers WHERE status = 'timed-out'") == 1
    refused = sitting.answer(1, at=NOW + 602)
    assert isinstance(refused, Conflict)
    assert "time for question 1 ran out" in str(refused)


def test_the_last_question_can_time_out(sitting: Sitting) -> None:
    """A request after the last question's time finishes the session."""
    sitting.through(9)
    sitting.question()
    assert isinstance(sitting.question(NOW + 601), Conflict)
    assert sitting.room.count("SELECT count(*) FROM sessions WHERE state = 'finished'") == 1


def test_a_session_ends_at_its_deadline(sitting: Sitting) -> None:
    """Afterwards nothing is served or accepted, and unserved questions no longer count as met."""
    sitting.through(2)
    refused = sitting.question(NOW + 3601)
    assert isinstance(refused, Refused)
    assert refused.title == "Session Invalid"
    assert sitting.room.count("SELECT count(*) FROM sessions WHERE state = 'expired'") == 1
    assert sitting.room.count("SELECT count(*) FROM exposures") == 2


def test_a_receipt_can_be_fetched_after_the_deadline(sitting: Sitting) -> None:
    """A client that lost the reply to an answer in time still gets its receipt."""
    sitting.question()
    receipt = sitting.answer(1)
    assert sitting.answer(1, at=NOW + 3601) == receipt


def test_finishing_early_closes_the_session(sitting: Sitting) -> None:
    """The pending question is closed without an answer, and finishing again returns the same view."""
    sitting.through(3)
    sitting.question()
    view = sitting.finish()
    assert isinstance(view, SessionView)
    assert (view.state, view.completed, view.pending) == (SessionState.CLOSED, 4, 0)
    assert sitting.finish(NOW + 9) == view
    assert isinstance(sitting.question(), Refused)
    assert sitting.room.count("SELECT count(*) FROM exposures") == 4


def test_database_constraints_enforce_the_rules(sitting: Sitting) -> None:
    """Two pending questions, wrong counts, a second or a changed answer violate a constraint."""
    sitting.question()
    sitting.answer(1)
    statements = (
        "UPDATE sessions SET pending = 2, allocated = allocated - 2",
        "UPDATE sessions SET allocated = -1, completed = 11",
        "UPDATE sessions SET completed = completed + 1",
        "INSERT INTO answers (session, position, status, digest, receipt, received_at) "
        "SELECT session, position, status, digest, receipt, received_at FROM answers",
        "UPDATE answers SET text = 'other'",
        "DELETE FROM answers",
        "INSERT INTO answers (session, position, status, digest, receipt, received_at) "
        "SELECT session, 5, status, digest, receipt, received_at FROM answers",
    )
    for statement in statements:
        with pytest.raises(DBAPIError), sitting.room.engine.begin() as connection:
            connection.execute(text(statement))


def test_the_prompting_of_the_session_is_used(engine: Engine) -> None:
    """Chain-of-thought adds the step-by-step line, zero-shot does not."""
    made = room(engine)
    contents = []
    for prompting, user in ((Prompting.ZERO_SHOT, made.ada), (Prompting.CHAIN_OF_THOUGHT, made.bob)):
        session = made.open(10, candidate=user, prompting=prompting)
        asked = Sitting(made, session, user).question()
        assert isinstance(asked, QuestionView)
        contents.append(asked.messages[0].content)
    assert "step" in contents[1]
    assert "step" not in contents[0]


def test_the_remaining_time_is_given(sitting: Sitting) -> None:
    """It decreases from the question's time and never exceeds the session's."""
    sitting.question()
    again = sitting.question(NOW + 100)
    assert isinstance(again, QuestionView)
    assert again.seconds_left == 500.0
    sitting.answer(1, at=NOW + 100)
    near = sitting.question(NOW + 3540)
    assert isinstance(near, QuestionView)
    assert near.seconds_left == 60.0
