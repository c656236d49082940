"""From opening a session to a published result."""

from __future__ import annotations

import asyncio

import pytest
from exam_room import NOW, SUBJECTS, Room, add_organisation, add_user
from exam_rows import SEALER, fill_bank
from sqlalchemy import Engine

from assay.calls.asking import AskingContext
from assay.core.model import Model, Provider
from assay.exam.delivery import Delivery, QuestionView, ReceiptView, Sitter, SubmittedAnswer
from assay.exam.mark import mark
from assay.exam.results import read_results
from assay.exam.series import NewSeries, make_series
from assay.results.exam_sitting import QuestionStanding
from assay.store.bank.changes import replace_content
from assay.store.bank.questions import questions_by_id
from assay.store.engine import writing
from assay.store.exam.answers import answered_questions
from assay.store.exam.serving import RawStatements

JUDGE = Model("simulated", "judge")
SIMULATED = {"simulated": Provider("simulated", "http://simulated.invalid/v1", dialect="simulated")}


@pytest.fixture
def hall(engine: Engine) -> Room:
    """Return a room with six sealed questions of each subject and one organisation's candidate."""
    fill_bank(engine, dict.fromkeys(SUBJECTS, 6))
    organisation = add_organisation(engine, "Lovelace Labs")
    return Room(engine, organisation, add_user(engine, organisation, "ada"), "")


def sit(hall: Room, *, late: int = 0, series: str | None = None) -> str:
    """Sit an exam of ten questions; the last `late` answers come after their time."""
    session, delivery = hall.open(10, hours=100.0, series=series), Delivery()
    sitter = Sitter(session, hall.ada, "one client")
    for row in range(10):
        at = NOW + 1000.0 * row
        with writing(hall.engine) as connection:
            asked = delivery.question(RawStatements(connection), sitter, at)
        assert isinstance(asked, QuestionView)
        at += 700.0 if row >= 10 - late else 5.0
        with writing(hall.engine) as connection:
            answer = SubmittedAnswer(f"True, for reason {row}.", completion_tokens=7 + row, seconds=2.0)
            assert isinstance(
                delivery.answer(RawStatements(connection), sitter, asked.position, answer, at), ReceiptView
            )
    return session


def marked(hall: Room, session: str) -> int:
    """Mark a session and return how many answers got stars."""
    context = AskingContext(hall.engine, SIMULATED, {}, clock=lambda: NOW + 1e6)
    return asyncio.run(mark(context, session, [JUDGE], SEALER, by="tester")).marked


def test_three_sittings_make_a_published_result(hall: Room) -> None:
    """S is the mean of ten subjects, and late answers count 0."""
    new = NewSeries("spring", "Lovelace Labs/simulated/steady", 10, hours=100.0)
    make_series(hall.engine, new, now=NOW, by="op")
    sessions = [sit(hall, series="spring"), sit(hall, series="spring"), sit(hall, late=2, series="spring")]
    assert [marked(hall, each) for each in sessions] == [10, 10, 8]
    found = read_results(hall.engine, JUDGE.name).models
    assert [(one.identity.model, one.published, one.simulated) for one in found] == [
        ("simulated/steady", True, True)
    ]
    assert {each.code for each in found[0].subjects} == set(SUBJECTS)
    last = next(one for one in found[0].sittings if one.sitting.session == sessions[2])
    assert last.standings[QuestionStanding.LATE] == 2
    assert last.score is not None
    assert last.score.value == pytest.approx(last.score.plain)


def test_an_edited_question_is_marked_with_the_key_of_the_drawn_version(hall: Room) -> None:
    """The new version's key cannot even be opened, and marking succeeds."""
    session = sit(hall)
    drawn = answered_questions(hall.engine, session)[0]
    held = questions_by_id(hall.engine, [drawn.question])[drawn.question]
    with writing(hall.engine) as connection:
        replace_content(
            connection, held.id, held.question, b"a key that nothing opens", b"x" * 16,
            by="tester", reason="reworded", now=NOW,
        )  # fmt: skip
    assert marked(hall, session) == 10
