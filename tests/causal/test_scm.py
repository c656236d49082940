"""Models and graphs refuse what is not one."""

from __future__ import annotations

from fractions import Fraction

import pytest

from assay.causal.scm import Dag, Scm, binary, dag, levels
from assay.core.errors import InvalidInput

F = Fraction


def test_arrows_are_read_with_causes_first() -> None:
    """Chains, forks and lone variables; the order is causal whatever the order of writing."""
    found = dag("X>Y Z>X>Y W", hidden="Z")

    assert found.parents == {"Z": (), "W": (), "X": ("Z",), "Y": ("X",)}
    assert found.observed == ("W", "X", "Y")
    assert found.edges == (("Z", "X"), ("X", "Y"))


def test_a_cycle_is_refused() -> None:
    """A graph with a cycle is no causal graph."""
    with pytest.raises(InvalidInput, match="cycle"):
        dag("X>Y Y>Z Z>X")


def test_an_unknown_hidden_variable_is_refused() -> None:
    """Only variables of the graph can be unmeasured."""
    with pytest.raises(InvalidInput, match="'U' is not in the graph"):
        dag("X>Y", hidden="U")


def test_effects_before_causes_are_refused() -> None:
    """A graph given as parents lists causes first."""
    with pytest.raises(InvalidInput, match="comes before its cause"):
        Dag({"Y": ("X",), "X": ()})


@pytest.mark.parametrize("row", [[F(1, 2), F(1, 3)], [F(3, 2), F(-1, 2)]])
def test_a_row_that_is_no_distribution_is_refused(row: list[Fraction]) -> None:
    """Chances are not negative and sum to 1."""
    with pytest.raises(InvalidInput, match="no distribution"):
        Scm((levels("X", "", {(): row}),))


def test_a_missing_row_is_refused() -> None:
    """Every combination of the parents' levels has its row."""
    with pytest.raises(InvalidInput, match="missing or unknown row"):
        Scm((binary("X"), binary("Y", "X", {0: F(1, 2)})))


def test_two_variables_of_one_name_are_refused() -> None:
    """Names are unique."""
    with pytest.raises(InvalidInput, match="share a name"):
        Scm((binary("X"), binary("X")))


def test_values_must_fit_the_levels() -> None:
    """One number a level."""
    with pytest.raises(InvalidInput, match="2 levels but 3 values"):
        Scm((levels("X", "", {(): [F(1, 2), F(1, 2)]}, values=[1, 2, 3]),))
