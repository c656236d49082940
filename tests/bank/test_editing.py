"""Editing questions of the bank."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest
from banked import CHOICE, CHOICE_KEY, NOW, SEALER, choice, fill
from sqlalchemy import Engine, text

from assay.bank.augment import expand_choices
from assay.bank.editing import EditOutcome, edit
from assay.bank.review import decide
from assay.core.errors import AssayError, Conflict, Denied, InvalidInput, NotFound
from assay.core.question import FALSE, TRUE, Question, QuestionKind, QuestionState
from assay.core.sealed import AnswerKey, key_about, read_key
from assay.questions.screen import Decided, Decision
from assay.results.expansion import StatementKeys
from assay.store.bank.questions import question_by_uuid, walk_questions
from assay.store.bank.reviewers import add_reviewer
from assay.store.engine import reading

BETTER = replace(CHOICE, options=("39", "52", "110", "119"))


@pytest.fixture
def bank(engine: Engine) -> Engine:
    """A bank with the paper's choice and another one, expanded, and two reviewers."""
    fill(engine, [(CHOICE, CHOICE_KEY), choice(1)])
    expand_choices(engine, SEALER, keys=StatementKeys.ALL, rng=np.random.default_rng(1), now=NOW)
    for name, disciplines in (("ada", []), ("bo", ["law"])):
        add_reviewer(engine, name=name, disciplines=disciplines, daily_cap=9, hourly_rate=None, now=NOW)
    return engine


def edited(
    bank: Engine,
    question: Question = BETTER,
    key: AnswerKey = CHOICE_KEY,
    *,
    who: str = "ada",
    version: int = 1,
    reason: str = "a typing error",
) -> EditOutcome:
    """Edit the paper's choice."""
    return edit(bank, SEALER, who, question, key, version=version, reason=reason, now=NOW)


def live(bank: Engine) -> dict[str, str]:
    """Return the statements of the paper's choice that are not retired, with their keys."""
    return {
        each.question.stem[-40:]: read_key(
            SEALER.open(each.sealed, key_about(each.question.uuid, each.version))
        ).answers[0]
        for each in walk_questions(bank, kinds=[QuestionKind.TRUE_OR_FALSE], retired=False)
        if each.question.parent == CHOICE.uuid
    }


def test_an_edit_keeps_the_earlier_version(bank: Engine) -> None:
    """The new version is raw and sealed; the earlier one is stored with editor and reason."""
    assert edited(bank).version == 2
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
    """All four are made again with the new text, and expanding again adds nothing."""
    assert edited(bank) == EditOutcome(2, 4, 0)
    assert any('"110"' in stem for stem in live(bank))
    again = expand_choices(bank, SEALER, keys=StatementKeys.ALL, rng=np.random.default_rng(1), now=NOW)
    assert (again.added, again.known) == (0, 8)


def test_statements_follow_an_edited_key(bank: Engine) -> None:
    """With another key the keys of all statements change."""
    edited(bank, replace(CHOICE, stem=CHOICE.stem + " "), AnswerKey(("D",)))
    assert list(live(bank).values()) == [FALSE, FALSE, FALSE, TRUE]


def test_the_statement_of_a_removed_option_is_retired(bank: Engine) -> None:
    """Three options have three statements."""
    assert edited(bank, replace(CHOICE, options=("39", "52", "111"))) == EditOutcome(2, 3, 1)
    assert len(live(bank)) == 3


def test_an_accepted_question_can_be_edited(bank: Engine) -> None:
    """It becomes raw, and the reviewer of the first version may decide again."""
    decide(bank, "ada", Decided(CHOICE.uuid, Decision.ACCEPT), now=NOW)
    edited(bank)
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
def test_an_invalid_edit_changes_nothing(
    bank: Engine, changes: dict[str, object], error: type[AssayError]
) -> None:
    """Old version, missing reason, foreign discipline, unknown names and duplicate content are refused."""
    with pytest.raises(error):
        edited(bank, **changes)  # type: ignore[arg-type]
    assert question_by_uuid(bank, CHOICE.uuid).version == 1
