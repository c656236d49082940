"""Stopping at a cost."""

from __future__ import annotations

from assay.calls.budget import Budget
from assay.core.money import Spend


def test_serial_calls_stop_before_the_limit_is_passed() -> None:
    """At 0.30 a call and a limit of 1.00 three calls start, the fourth does not."""
    budget = Budget(1.0)
    started = 0
    while budget.start():
        budget.finish(0.30)
        started += 1
    assert started == 3
    assert budget.spent.known <= 1.0


def test_calls_in_flight_are_counted_at_the_mean() -> None:
    """With 0.30 known as the mean and one call paid, only two more may be in flight under 1.00."""
    budget = Budget(1.0)
    assert budget.start()
    budget.finish(0.30)
    assert [budget.start() for _ in range(3)] == [True, True, False]


def test_the_estimate_stands_in_until_a_cost_is_known() -> None:
    """With nothing known yet, an expected 0.60 a call lets one call start under 1.00."""
    budget = Budget(1.0, expected=0.60)
    assert [budget.start(), budget.start()] == [True, False]


def test_without_a_limit_everything_starts() -> None:
    """No limit, no stop; unknown costs are counted as unknown."""
    budget = Budget(None)
    assert all(budget.start() for _ in range(1000))
    budget.finish(None)
    assert budget.spent == Spend(0.0, 1, 1)


def test_what_a_resumed_run_spent_before_counts() -> None:
    """A run that spent 0.95 of 1.00 at 0.10 a call may not start another."""
    assert not Budget(1.0, spent=Spend(0.95, 10, 0)).start()


def test_without_any_estimate_the_first_call_goes_alone() -> None:
    """Nobody knows what a call costs: a second one waits until the first has told, or has no cost to tell."""
    budget = Budget(1.0)
    assert not budget.alone()
    assert budget.start()
    assert budget.alone()
    budget.finish(None)
    assert budget.start()
    assert not budget.alone()


def test_each_model_is_counted_at_its_own_mean() -> None:
    """After a subject's cent and a judge's dime, eight more of the judge's fit under a dollar, not eighty."""
    budget = Budget(1.0)
    for model, cost in ((1, 0.01), (2, 0.10)):
        assert budget.start(model)
        budget.finish(cost, model)
    assert sum(budget.start(2) for _ in range(100)) == 8
    assert budget.start(1)


def test_a_model_of_which_nothing_is_expected_goes_alone_first() -> None:
    """The subject's price is known, the judge's is not: one judge's call is sent, the others wait for it."""
    budget = Budget(1.0, expected=0.001, each={1: 0.001})
    assert budget.start(1)
    assert not budget.alone(1)
    assert not budget.alone(2)
    assert budget.start(2)
    assert budget.alone(2)
    assert not budget.alone(1)
    budget.finish(0.1, 2)
    assert not budget.alone(2)
