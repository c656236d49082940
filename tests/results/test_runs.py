"""Published results of runs."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from assay.results.published import document
from assay.results.runs import Spend

COSTS = st.lists(st.none() | st.floats(0, 100), max_size=30)


@given(COSTS)
def test_unknown_costs_are_counted_and_never_added(costs: list[float | None]) -> None:
    """The known part is the sum of the known costs, and every unknown one is counted."""
    spend = Spend()
    for cost in costs:
        spend = spend.add(cost)
    known = [cost for cost in costs if cost is not None]
    assert spend.known == pytest.approx(sum(known))
    assert (spend.calls, spend.unknown) == (len(costs), len(costs) - len(known))


def test_an_unknown_cost_is_shown_as_unknown() -> None:
    """It is never $0, neither in text nor in a document."""
    unknown = Spend().add(None)
    assert [str(spend) for spend in (Spend(), unknown, unknown + Spend(2.5, 1, 0))] == [
        "nothing spent",
        "cost unknown",
        "$2.50 + 1 call of unknown cost",
    ]
    assert document(unknown) == {"calls": 1, "unknown_costs": 1, "cost": None}
    assert document(unknown + Spend(2.5, 1, 0))["cost"] == 2.5
