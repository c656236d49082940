"""Editing questions."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest
from banked import CHOICE, CHOICE_KEY, NOW, SEALER, choice, fill
from sqlalchemy import Engine, text

from assay.bank.augment import expand_choices
from assay.bank.editing import Edited, edit
from assay.bank.review import decide
from assay.core.errors import AssayError, Conflict, Denied, InvalidInput, NotFound
from assay.core.question import FALSE, TRUE, Question, QuestionKind, QuestionState
from assay.core.sealed import AnswerKey, key_about, read_key
from assay.questions.expand import Keys
from assay.questions.screen import Decided, Decision
from assay.store.bank.questions import question_by_uuid, walk_questions
from assay.store.bank.reviewers import add_reviewer
from assay.store.engine import reading

BETTER = replace(CHOICE, options=("39", "52", "110", "119"))


@pytest.fixture
def bank(engine: Engine) -> Engine:
    """A bank with the seed's choice and another one, expanded, and two reviewers."""
    fill(engine, [(CHOICE, CHOICE_KEY), choice(1)])
    expand_choices(engine, SEALER, keys=Keys.ALL, rng=np.random.default_rng(1), now=NOW)
    for name, disciplines in (("ada", []), ("bo", ["law"])):
        add_reviewer(engine, name=name, disciplines=disciplines, daily_cap=9, hourly_rate=None, now=NOW)
    return engine


def put_right(
    bank: Engine,
    question: Question = BETTER,
    key: AnswerKey = CHOICE_KEY,
    *,
    who: str = "ada",
    version: int = 1,
    reason: str = "a typing error",
) -> Edited:
    """Edit the seed's choice."""
    return edit(bank, SEALER, who, question, key, version=version, reason=reason, now=NOW)


def live(bank: Engine) -> dict[str, str]:
    """Return the statements about the seed's choice that are not retired, with their keys."""
    return {
        each.question.stem[-40:]: read_key(
            SEALER.open(each.sealed, key_about(each.question.uuid, each.version))
        ).answers[0]
        for each in walk_questions(bank, kinds=[QuestionKind.TRUE_OR_FALSE], retired=False)
        if each.question.parent == CHOICE.uuid
    }


def test_an_edit_keeps_the_original(bank: Engine) -> None:
    """The new version is raw, its key opens, and the old one is kept with editor and reason."""
    assert put_right(bank).version == 2
    stored = question_by_uuid(bank, CHOICE.uuid)
    assert (stored.question.options[2], stored.state) == ("110", QuestionState.RAW)
    assert read_key(SEALER.open(stored.sealed, key_about(CHOICE.uuid, 2))) == CHOICE_KEY
    with reading(bank) as connection:
        query = text("SELECT content, edited_by, reason FROM question_versions WHERE version = 1")
        earlier = connection.execute(query).first()
    assert earlier is not None
    assert "111" in earlier.content
    assert tuple(earlier)[1:] == ("ada", "a typing error")


def test_statements_follow_an_edited_option(bank: Engine) -> None:
    """All four are made anew with the new wording, and expanding again adds nothing."""
    assert put_right(bank) == Edited(2, 4, 0)
    assert any('"110"' in stem for stem in live(bank))
    again = expand_choices(bank, SEALER, keys=Keys.ALL, rng=np.random.default_rng(1), now=NOW)
    assert (again.added, again.known) == (0, 8)


def test_statements_follow_an_edited_key(bank: Engine) -> None:
    """A key that was wrong was wrong in every statement: they are turned round and raw again."""
    put_right(bank, replace(CHOICE, stem=CHOICE.stem + " "), AnswerKey(("D",)))
    assert list(live(bank).values()) == [FALSE, FALSE, FALSE, TRUE]


def test_the_statement_of_an_option_that_is_gone_is_retired(bank: Engine) -> None:
    """Three options leave three statements."""
    assert put_right(bank, replace(CHOICE, options=("39", "52", "111"))) == Edited(2, 3, 1)
    assert len(live(bank)) == 3


def test_an_accepted_question_can_be_put_right(bank: Engine) -> None:
    """It is raw again and must be accepted anew; the reviewer of the first version may decide again."""
    decide(bank, "ada", Decided(CHOICE.uuid, Decision.ACCEPT), now=NOW)
    put_right(bank)
    assert decide(bank, "ada", Decided(CHOICE.uuid, Decision.ACCEPT), now=NOW) is QuestionState.ACCEPTED


@pytest.mark.parametrize(
    ("changes", "error"),
    [
        ({"version": 2}, Conflict),
        ({"reason": " "}, InvalidInput),
        ({"who": "bo"}, Denied),
        ({"who": "nobody"}, NotFound),
        ({"question": replace(choice(1)[0], uuid=CHOICE.uuid)}, Conflict),
        ({"question": replace(CHOICE, uuid="none")}, NotFound),
    ],
)
def test_what_is_wrong_changes_nothing(
    bank: Engine, changes: dict[str, object], error: type[AssayError]
) -> None:
    """A stale version, no reason, another's discipline, a twin: each is refused and nothing is edited."""
    with pytest.raises(error):
        put_right(bank, **changes)  # type: ignore[arg-type]
    assert question_by_uuid(bank, CHOICE.uuid).version == 1
