"""Stories and their graphs."""

from __future__ import annotations

import pytest

from assay.causal.stories.facts import Story
from assay.core.errors import InvalidInput


def test_the_causes_of_a_variable_are_what_is_on_its_list() -> None:
    """A variable without a list has no causes."""
    on = {"A": frozenset({"L1", "L2"}), "X": frozenset({"L2"}), "Y": frozenset()}
    story = Story(on, {"X": "L1", "Y": "L2"}, frozenset({"A"}), {})
    dag = story.dag()
    assert {name: set(parents) for name, parents in dag.parents.items()} == {
        "A": set(),
        "X": {"A"},
        "Y": {"A", "X"},
    }
    assert dag.observed == ("X", "Y")


def test_a_cycle_is_refused() -> None:
    """A depends on the list with B, and B on the list with A."""
    on = {"A": frozenset({"L1"}), "B": frozenset({"L2"})}
    with pytest.raises(InvalidInput, match="cycle"):
        Story(on, {"A": "L2", "B": "L1"}, frozenset(), {}).dag()


def test_every_choice_of_the_unknown_lists_is_a_completion() -> None:
    """Two unknown facts with two choices each leave four stories."""
    choices = frozenset({"L1", "L2"})
    story = Story({"A": frozenset(), "B": frozenset()}, {}, frozenset(), {"A": choices, "B": choices})
    assert len({tuple(sorted(each.source.items())) for each in story.completions()}) == 4
    with pytest.raises(InvalidInput, match="not known"):
        story.dag()
