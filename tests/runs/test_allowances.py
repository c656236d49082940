"""A budget divided among workers is kept by them together."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from assay.calls.budget import Budget
from assay.results.runs import Spend
from assay.runs.cluster.allowances import Allowances


def test_what_is_left_is_divided_among_those_who_wait() -> None:
    """Of $10, $4 are spent: three workers get $2 each, and then nothing is left."""
    allowances = Allowances(Budget(10.0, spent=Spend(4.0, 4)))
    granted = [allowances.grant(waiting) for waiting in (3, 2, 1)]
    assert granted == pytest.approx([2.0, 2.0, 2.0])
    assert not allowances.affordable()


def test_what_a_worker_did_not_spend_comes_back() -> None:
    """A worker that spent $1 of its $10 leaves $9 for the next."""
    allowances = Allowances(Budget(10.0))
    allowances.settle(allowances.grant(1), Spend(1.0, 2))
    assert allowances.grant(1) == pytest.approx(9.0)


def test_an_allowance_is_enough_for_one_call() -> None:
    """With $1 left, a call that reserves 60 cents and two workers, one gets the money and the other waits."""
    allowances = Allowances(Budget(1.0))
    assert allowances.grant(2, 0.6) == pytest.approx(0.6)
    assert not allowances.affordable(0.6)
    assert allowances.affordable(0.4)


def test_what_may_have_been_charged_is_not_handed_out_again() -> None:
    """A worker spent 10 cents and may have been charged 20 more: 70 of a dollar are left."""
    allowances = Allowances(Budget(1.0))
    allowances.settle(allowances.grant(1), Spend(0.1, 2, 1), held=0.2, dearest={7: 0.1})
    allowances.settle(0.0, Spend(), dearest={7: 0.05})
    assert allowances.grant(1) == pytest.approx(0.7)
    assert allowances.dearest == {7: 0.1}


def test_without_a_limit_there_is_none_for_a_worker() -> None:
    """None stands for no limit all the way."""
    assert Allowances(Budget(None)).grant(2) is None


@given(
    st.floats(0.01, 100.0),
    st.lists(st.tuples(st.integers(1, 8), st.floats(0.0, 1.0), st.integers(1, 50)), max_size=30),
)
def test_workers_never_spend_more_than_the_limit(limit: float, turns: list[tuple[int, float, int]]) -> None:
    """Whatever fraction of its allowance each worker spends, in whatever order they come back."""
    allowances, out = Allowances(Budget(limit)), []
    for waiting, fraction, number in turns:
        if allowances.affordable():
            granted = allowances.grant(waiting)
            assert granted is not None
            out.append((granted, Spend(granted * fraction, number)))
        if number % 2 and out:
            allowances.settle(*out.pop(0))
        assert allowances.budget.spent.known + sum(granted for granted, _ in out) <= limit * (1 + 1e-9)
