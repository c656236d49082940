"""The numbers of questions in the bank."""

from __future__ import annotations

import numpy as np
import pytest
from banked import NOW, SEALER, choice, fill
from every_row import every_row
from sqlalchemy import Engine

from assay.bank.augment import expand_choices
from assay.bank.stats import bank_stats, by_source
from assay.core.question import QuestionState, SourceKind
from assay.results.bank import Growth, StateCounts
from assay.results.expansion import StatementKeys
from assay.store.bank.counts import QuestionCount

TABLE_6 = [
    ("Philosophical Sciences", 2194, 10969, 8775, 399.95),
    ("Medicine", 30772, 109974, 79202, 257.38),
    ("Law", 9262, 30116, 20854, 225.16),
    ("Management Sciences", 2448, 7945, 5497, 224.55),
    ("Engineering", 4926, 13263, 8337, 169.24),
    ("Sciences", 6182, 15669, 9487, 153.46),
    ("Economic Sciences", 9245, 18124, 8879, 96.04),
    ("Military Science", 611, 1187, 576, 94.27),
    ("Education", 2781, 5094, 2313, 83.17),
    ("History", 1749, 3178, 1429, 81.70),
    ("Literature", 7839, 13085, 5246, 66.92),
    ("Total", 78009, 228604, 150595, 193.05),
]
"""Seed 003, table 6."""


@every_row("name, original, rewritten, increase, percentage", TABLE_6)
def test_growth_is_computed_as_in_the_paper(
    name: str, original: int, rewritten: int, increase: int, percentage: float
) -> None:
    """Each row of table 6 follows from its two counts."""
    growth = Growth(original, rewritten)
    assert growth.increase == increase
    assert growth.percentage is not None
    assert round(growth.percentage, 2) == percentage


def test_shares_are_computed_as_in_the_paper() -> None:
    """Table 5: 34.1 and 65.9 % before expanding, 31.1 and 68.9 % after."""
    undergraduate, postgraduate = SourceKind.UNDERGRADUATE.value, SourceKind.POSTGRADUATE.value
    held = [
        QuestionCount("law", undergraduate, 26633, 20000, 71038 - 26633 + 20000, 0),
        QuestionCount("law", postgraduate, 51376, 0, 157566 - 51376, 0),
    ]
    found = {
        each.source: (each.original, each.original_share, each.rewritten, each.rewritten_share)
        for each in by_source(held)
    }
    assert found[SourceKind.UNDERGRADUATE] == (
        26633,
        pytest.approx(34.1, abs=0.05),
        71038,
        pytest.approx(31.1, abs=0.05),
    )
    assert found[SourceKind.POSTGRADUATE] == (
        51376,
        pytest.approx(65.9, abs=0.05),
        157566,
        pytest.approx(68.9, abs=0.05),
    )


def test_an_expanded_original_is_replaced_by_its_statements(engine: Engine) -> None:
    """Two choices of law become nine statements; the original of medicine stays one."""
    fill(engine, [choice(1), choice(2, options=5)])
    fill(engine, [choice(3, discipline="medicine", options=1)], kind="other", synthetic=True)
    expand_choices(engine, SEALER, keys=StatementKeys.ALL, rng=np.random.default_rng(1), now=NOW)
    found = bank_stats(engine)
    assert [(each.discipline, each.growth.original, each.growth.rewritten) for each in found.disciplines] == [
        ("Law", 2, 9),
        ("Medicine", 1, 1),
    ]
    assert (found.total.original, found.total.rewritten, found.held, found.synthetic) == (3, 10, 12, 1)
    assert found.kinds == {"multiple-choice": 3, "true-or-false": 9}


def test_rejected_questions_are_counted_by_state_alone(engine: Engine) -> None:
    """Other counts leave rejected questions out."""
    fill(engine, [choice(1)], state=QuestionState.REJECTED)
    fill(engine, [choice(2)], state=QuestionState.ACCEPTED)
    found = bank_stats(engine)
    assert (found.total.original, found.states) == (1, StateCounts(0, 0, 0, 1, 1, 0))


def test_an_empty_bank_has_no_percentage(engine: Engine) -> None:
    """Growth from zero questions is undefined."""
    assert bank_stats(engine).total.percentage is None
