"""Scores of models on items: what a table refuses, and its marks by stratum."""

from __future__ import annotations

import numpy as np
import pytest
from score_tables import NAN, table

from assay.core.errors import InvalidInput


@pytest.mark.parametrize(
    ("scores", "message"),
    [
        ([[1.0, 0.0]], "1 models with scores"),
        ([[1.0, 0.0], [NAN, NAN]], "model 'b' has no scores"),
        ([[1.0, 0.0], [0.5, 1.5]], "score 1.5"),
    ],
)
def test_what_cannot_be_ranked_is_refused(scores: list[list[float]], message: str) -> None:
    """One model, a model without scores, and a score outside 0-1 are named."""
    with pytest.raises(InvalidInput, match=message):
        table(scores)


def test_marks_hold_every_score_once() -> None:
    """Missing scores are left out; a stratum weighs as much as it has items, whoever answered them."""
    marks = table([[1.0, 0.0, 0.5], [NAN, 1.0, 1.0]], "llm").marks()
    assert marks.mark.tolist() == [1.0, 0.0, 0.5, 1.0, 1.0]
    assert marks.model.tolist() == [0, 0, 0, 1, 1]
    assert marks.subject.tolist() == [0, 0, 1, 0, 1]
    assert marks.shares.tolist() == [[2.0, 1.0], [2.0, 1.0]]


def test_items_are_taken_with_their_strata() -> None:
    """An item drawn twice stands twice."""
    taken = table([[1.0, 0.0, 0.5], [0.0, 1.0, 1.0]], "llm").take(np.array([2, 2]))
    assert (taken.items, taken.strata) == (("2", "2"), ("m", "m"))
    assert taken.scores.tolist() == [[0.5, 0.5], [1.0, 1.0]]
