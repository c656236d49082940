"""The mechanical screening."""

from __future__ import annotations

import pytest
from banked import CHOICE, CHOICE_KEY, NOW, SEALER, choice, edited, fill
from sqlalchemy import Engine

from assay.bank.redundancy import find_duplicates
from assay.bank.review import accept_mechanically, decide
from assay.bank.screening import Screened, screen_bank
from assay.core.question import QuestionState
from assay.core.sealed import AnswerKey
from assay.questions.screen import Decided, Decision
from assay.questions.validate import Severity
from assay.store.bank.changes import next_revision, retire
from assay.store.bank.reviewers import add_reviewer
from assay.store.engine import writing

TEXT = (
    "An innkeeper on the road to Ghent lets rooms to merchants by the week and keeps two ledgers, one of "
    "which his wife has never seen; which of these would he have to show to the bailiff in spring? ( )"
)


def twins(number: int) -> tuple[tuple[object, ...], ...]:
    """Return two choices that read nearly alike."""
    first = edited(choice(number)[0], stem=TEXT, options=("wine", "oats", "candles", "rent"))
    second = edited(
        choice(number + 1)[0], stem=TEXT.replace("in spring", "in the spring"), options=first.options
    )
    return (first, AnswerKey(("A",))), (second, AnswerKey(("A",)))


def screened(engine: Engine) -> Screened:
    """Screen a bank after looking for near-duplicates."""
    find_duplicates(engine, now=NOW)
    return screen_bank(engine, SEALER)


def flagged(engine: Engine) -> list[str]:
    """Return the uuids that are said to be near-duplicates."""
    found = screened(engine).kinds.get("near-duplicate")
    return [] if found is None else found.examples


def test_findings_are_counted_by_kind_with_examples(engine: Engine) -> None:
    """Of four questions two are clean, one is blocked, one warned of; a settled one is not looked at."""
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
    """The earlier one may be accepted mechanically; the other waits for a reviewer."""
    fill(engine, twins(1))  # type: ignore[arg-type]
    assert flagged(engine) == [choice(2)[0].uuid]


def test_a_near_duplicate_of_what_is_accepted_or_retired_is_flagged(engine: Engine) -> None:
    """What was taken out because it leaked must not come back under another number."""
    first, second = twins(1)
    ids = fill(engine, [second], state=QuestionState.ACCEPTED)  # type: ignore[list-item]
    fill(engine, [first])  # type: ignore[list-item]
    assert flagged(engine) == [choice(1)[0].uuid]
    with writing(engine) as connection:
        retire(connection, ids, "leaked", revision=next_revision(connection, "retire", "leaked", NOW))
    assert flagged(engine) == [choice(1)[0].uuid]


def test_a_rejected_twin_flags_nobody(engine: Engine) -> None:
    """Once one of the two is rejected, the other is free."""
    fill(engine, twins(1))  # type: ignore[arg-type]
    add_reviewer(engine, name="ada", disciplines=[], daily_cap=9, hourly_rate=None, now=NOW)
    assert len(flagged(engine)) == 1
    decide(engine, "ada", Decided(choice(1)[0].uuid, Decision.REJECT, "twin"), now=NOW)
    assert flagged(engine) == []


def test_what_waits_for_a_second_reviewer_is_counted(engine: Engine) -> None:
    """Mechanical acceptance with a second review leaves all as reviewed, waiting."""
    ids = fill(engine, [choice(1), choice(2)])
    add_reviewer(engine, name="ada", disciplines=[], daily_cap=1, hourly_rate=None, now=NOW)
    assert accept_mechanically(engine, "ada", ids, second_review=True, now=NOW) == {"reviewed": 2, "left": 0}
    assert screened(engine).waiting == 2


@pytest.mark.parametrize("number", range(3))
def test_disciplines_choose_what_is_looked_at(engine: Engine, number: int) -> None:
    """Only questions of the named disciplines are screened."""
    fill(engine, [choice(each, discipline=("law", "medicine")[each < number]) for each in range(3)])
    assert screen_bank(engine, SEALER, disciplines=["medicine"]).looked == number
