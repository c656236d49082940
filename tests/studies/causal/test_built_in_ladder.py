"""The suite `causal-ladder` is what its seed gives with the present data."""

from __future__ import annotations

import pytest

from assay.studies.causal.explained import explain_question
from assay.studies.causal.written import form_items


@pytest.mark.slow
def test_questions_of_the_built_in_ladder_can_be_explained() -> None:
    """Whoever changes words, concepts or recipes raises the generator's number and makes the suite again."""
    items = form_items("causal-ladder", {})
    assert len(items) > 80
    for item in items[::9]:
        explanation = explain_question(item.id, "causal-ladder", seed=None, environment={})
        right = [option for option in explanation.options if option.right]
        assert [option.letter for option in right] == [item.letter]
        assert all(claim.true for claim in right[0].claims)
