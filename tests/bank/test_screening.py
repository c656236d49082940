"""The mechanical screening."""

from __future__ import annotations

import pytest
from banked import CHOICE, CHOICE_KEY, NOW, SEALER, choice, edited, fill
from sqlalchemy import Engine

from assay.bank.redundancy import find_duplicates
from assay.bank.review import decide
from assay.bank.screening import Screened, screen_bank
from assay.core.question import QuestionState
from assay.core.sealed import AnswerKey
from assay.questions.screen import Decided, Decision
from assay.results.review import Severity
from assay.store.bank.changes import next_revision, retire
from assay.store.bank.reviewers import add_reviewer
from assay.store.engine import writing

TEXT = (
    "An innkeeper on the road to Ghent lets rooms to merchants by the week and keeps two ledgers, one of "
    "which his wife has never seen; which of these would he have to show to the bailiff in spring? ( )"
)


def twins(number: int) -> tuple[tuple[object, ...], ...]:
    """Return two choices that are nearly the same."""
    first = edited(choice(number)[0], stem=TEXT, options=("wine", "oats", "candles", "rent"))
    second = edited(
        choice(number + 1)[0], stem=TEXT.replace("in spring", "in the spring"), options=first.options
    )
    return (first, AnswerKey(("A",))), (second, AnswerKey(("A",)))


def screened(engine: Engine) -> Screened:
    """Screen a bank after a search for near-duplicates."""
    find_duplicates(engine, now=NOW)
    return screen_bank(engine, SEALER)


def flagged(engine: Engine) -> list[str]:
    """Return the uuids that the screening reports as near-duplicates."""
    found = screened(engine).kinds.get("near-duplicate")
    return [] if found is None else found.examples


def test_findings_are_counted_by_kind_with_examples(engine: Engine) -> None:
    """Of four raw questions two are clean, one is blocked and one has a warning; others are not checked."""
    fill(engine, [choice(9)], state=QuestionState.ACCEPTED)
    ids = fill(
        engine,
        [
            (CHOICE, CHOICE_KEY),
            choice(1),
            (choice(2)[0], AnswerKey(("F",))),
            (edited(choice(3)[0], stem="Which one, as shown in the figure, is it?"), AnswerKey(("A",))),
        ],
    )
    found = screened(engine)
    assert (found.looked, found.clean, found.blocked) == (4, ids[:2], 1)
    assert {kind: (each.severity, each.examples) for kind, each in found.kinds.items()} == {
        "key-outside-options": (Severity.BLOCKS, [choice(2)[0].uuid]),
        "missing-figure": (Severity.WARNS, [choice(3)[0].uuid]),
    }


def test_of_two_near_duplicates_the_later_is_flagged(engine: Engine) -> None:
    """Only the later one waits for a reviewer."""
    fill(engine, twins(1))  # type: ignore[arg-type]
    assert flagged(engine) == [choice(2)[0].uuid]


def test_a_near_duplicate_of_an_accepted_or_retired_question_is_flagged(engine: Engine) -> None:
    """A question that was retired because it leaked must not return under another id."""
    first, second = twins(1)
    ids = fill(engine, [second], state=QuestionState.ACCEPTED)  # type: ignore[list-item]
    fill(engine, [first])  # type: ignore[list-item]
    assert flagged(engine) == [choice(1)[0].uuid]
    with writing(engine) as connection:
        retire(connection, ids, "leaked", revision=next_revision(connection, "retire", "leaked", NOW))
    assert flagged(engine) == [choice(1)[0].uuid]


def test_a_near_duplicate_of_a_rejected_question_is_not_flagged(engine: Engine) -> None:
    """After one of two is rejected, the other has no finding."""
    fill(engine, twins(1))  # type: ignore[arg-type]
    add_reviewer(engine, name="ada", disciplines=[], daily_cap=9, hourly_rate=None, now=NOW)
    assert len(flagged(engine)) == 1
    decide(engine, "ada", Decided(choice(1)[0].uuid, Decision.REJECT, "twin"), now=NOW)
    assert flagged(engine) == []


def test_questions_that_wait_for_a_second_reviewer_are_counted(engine: Engine) -> None:
    """One of two needed decisions leaves a question waiting."""
    fill(engine, [choice(1), choice(2)])
    add_reviewer(engine, name="ada", disciplines=[], daily_cap=1, hourly_rate=None, now=NOW)
    decided = Decided(choice(1)[0].uuid, Decision.ACCEPT)
    assert decide(engine, "ada", decided, second_review=True, now=NOW) is QuestionState.REVIEWED
    assert screened(engine).waiting == 1


@pytest.mark.parametrize("number", range(3))
def test_screening_can_be_limited_to_disciplines(engine: Engine, number: int) -> None:
    """Only questions of these disciplines are screened."""
    fill(engine, [choice(each, discipline=("law", "medicine")[each < number]) for each in range(3)])
    assert screen_bank(engine, SEALER, disciplines=["medicine"]).looked == number
