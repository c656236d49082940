"""Prices."""

from __future__ import annotations

import math

import pytest
from hypothesis import given
from hypothesis import strategies as st

from assay.core.money import LARGEST_COST, LARGEST_COUNT, Prices, Usage, credible_cost


def test_a_cost_is_tokens_times_prices_a_million() -> None:
    """1,000 prompt tokens at $2 and 500 answered at $8 are 0.2 + 0.4 cents."""
    assert Prices(2.0, 8.0).cost(Usage(1000, 500)) == pytest.approx(0.006)


def test_cached_tokens_have_their_own_price_where_there_is_one() -> None:
    """They are part of the prompt; without a price of their own they cost what the prompt does."""
    usage = Usage(1000, 0, cached=800)
    assert Prices(2.0, 8.0, cached=0.2).cost(usage) == pytest.approx((200 * 2.0 + 800 * 0.2) / 1e6)
    assert Prices(2.0, 8.0).cost(usage) == pytest.approx(0.002)


def test_reasoning_is_part_of_the_answer_and_not_paid_twice() -> None:
    """Completion tokens include it."""
    assert Prices(0.0, 8.0).cost(Usage(0, 500, reasoning=400)) == pytest.approx(0.004)


def test_a_request_may_have_a_price() -> None:
    """It is added once."""
    assert Prices(0.0, 0.0, request=0.01).cost(Usage(5, 5)) == 0.01


@pytest.mark.parametrize("usage", [Usage(), Usage(prompt=5), Usage(completion=5)])
def test_without_token_counts_the_cost_is_unknown(usage: Usage) -> None:
    """Unknown, not 0."""
    assert Prices(1.0, 1.0, request=0.5).cost(usage) is None


@pytest.mark.parametrize(
    "usage",
    [
        Usage(10, 5, cached=1_000_000),
        Usage(10, 5, cached=6, written=5),
        Usage(10, 5, reasoning=6),
        Usage(-1, 5),
        Usage(10, 5, cached=-1),
        Usage(10, LARGEST_COUNT + 1),
    ],
)
def test_counts_that_cannot_be_right_have_no_cost(usage: Usage) -> None:
    """Ten prompt tokens of which a million were cached would cost less than nothing."""
    assert usage.contradiction() is not None
    assert Prices(1.0, 1.0, 0.1, cache_write=1.0).cost(usage) is None


def test_tokens_written_to_a_cache_have_their_own_price() -> None:
    """Without one their cost is unknown: providers charge more for them than for the prompt."""
    usage = Usage(1000, 0, cached=500, written=400)
    assert Prices(2.0, 8.0, 0.2, cache_write=2.5).cost(usage) == pytest.approx(0.0013)
    assert Prices(2.0, 8.0, 0.2).cost(usage) is None


@pytest.mark.parametrize("dollars", [-0.01, math.nan, math.inf, 1e308, LARGEST_COST + 0.01])
def test_a_cost_that_cannot_be_right_is_unknown(dollars: float) -> None:
    """The largest cost itself still counts."""
    assert credible_cost(dollars) is None
    assert credible_cost(LARGEST_COST) == LARGEST_COST


@given(st.builds(Usage, *[st.none() | st.integers(-5, 3 * LARGEST_COUNT)] * 5))
def test_prices_never_give_a_cost_below_0(usage: Usage) -> None:
    """Whatever the counts, the cost is unknown or at least 0."""
    cost = Prices(2.0, 8.0, 0.1, request=0.01, cache_write=2.5).cost(usage)
    assert cost is None or 0 <= cost <= LARGEST_COST
