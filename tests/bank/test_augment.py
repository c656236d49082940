"""Expanding choices into statements."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import pytest
from banked import CHOICE, CHOICE_KEY, NOW, SEALER, Item, choice, fill
from sqlalchemy import Engine

from assay.bank.augment import expand_choices
from assay.core.errors import Denied
from assay.core.question import FALSE, TRUE, QuestionKind, QuestionState
from assay.core.sealed import AnswerKey, key_about, read_key
from assay.files.sealing import KeySealer
from assay.results.expansion import ExpandedChoices, StatementKeys
from assay.store.bank.changes import current_revision, next_revision, retire
from assay.store.bank.questions import StoredQuestion, walk_questions
from assay.store.engine import reading, writing


def expanded(engine: Engine, keys: StatementKeys = StatementKeys.ALL, seed: int = 1) -> ExpandedChoices:
    """Expand a bank."""
    return expand_choices(engine, SEALER, keys=keys, rng=np.random.default_rng(seed), now=NOW)


def variants(engine: Engine) -> list[StoredQuestion]:
    """Return the statements in a bank."""
    return list(walk_questions(engine, kinds=[QuestionKind.TRUE_OR_FALSE]))


def keys_of(found: Sequence[StoredQuestion]) -> list[str]:
    """Return the keys of statements."""
    return [
        read_key(SEALER.open(one.sealed, key_about(one.question.uuid, one.version))).answers[0]
        for one in found
    ]


ITEMS: list[Item] = [(CHOICE, CHOICE_KEY), choice(1, options=5, key="AB"), choice(2, discipline="medicine")]


def test_statements_are_stored_with_their_keys_and_parents(engine: Engine) -> None:
    """Each option has a raw statement in its parent's family with its own sealed key."""
    ids = fill(engine, ITEMS)
    outcome = expanded(engine)
    found = variants(engine)
    assert (outcome.parents, outcome.added) == (3, 13)
    assert [one.family for one in found] == [ids[0]] * 4 + [ids[1]] * 5 + [ids[2]] * 4
    assert {one.state for one in found} == {QuestionState.RAW}
    assert keys_of(found[:4]) == [FALSE, FALSE, TRUE, FALSE]


def test_expanding_twice_adds_nothing(engine: Engine) -> None:
    """All statements are known, and the bank has no new revision."""
    fill(engine, ITEMS)
    first, second = expanded(engine), expanded(engine, seed=2)
    with reading(engine) as connection:
        assert current_revision(connection) == 1
    assert (second.added, second.known, first.known) == (0, 13, 0)


def test_balancing_twice_adds_nothing(engine: Engine) -> None:
    """With another seed the same false statements are chosen."""
    fill(engine, ITEMS)
    first, second = (
        expanded(engine, StatementKeys.BALANCED),
        expanded(engine, StatementKeys.BALANCED, seed=99),
    )
    assert (first.added, second.added, second.known) == (8, 0, 8)


def test_the_constant_baseline_is_computed_overall_and_by_discipline(engine: Engine) -> None:
    """Of 13 statements 4 are true: answering False always gets 9/13, in medicine 3/4."""
    fill(engine, ITEMS)
    outcome = expanded(engine)
    assert outcome.statements.constant_baseline == pytest.approx(9 / 13)
    assert outcome.tallies["medicine"].constant_baseline == 0.75


def test_balanced_statements_have_an_even_baseline(engine: Engine) -> None:
    """With as many false as true statements a constant answer gets one half."""
    fill(engine, ITEMS)
    assert expanded(engine, StatementKeys.BALANCED).statements.constant_baseline == 0.5


def test_rejected_and_retired_choices_are_not_expanded(engine: Engine) -> None:
    """They have no statements."""
    fill(engine, [choice(1)], state=QuestionState.REJECTED)
    ids = fill(engine, [choice(2)])
    with writing(engine) as connection:
        retire(connection, ids, "leaked", revision=next_revision(connection, "retire", "leaked", NOW))
    assert expanded(engine).parents == 0


def test_choices_that_cannot_be_expanded_are_counted_by_reason(engine: Engine) -> None:
    """The key of the choice names no option."""
    question, _ = choice(3)
    fill(engine, [(question, AnswerKey(("F",)))])
    assert expanded(engine).left == {"the question is not consistent: key-outside-options": 1}


def test_another_key_is_refused(engine: Engine) -> None:
    """Expanding with another sealing key is Denied."""
    fill(engine, ITEMS)
    with pytest.raises(Denied, match="another key"):
        expand_choices(
            engine, KeySealer(b"x" * 32), keys=StatementKeys.ALL, rng=np.random.default_rng(1), now=NOW
        )
