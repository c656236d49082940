"""Waiting before another attempt."""

from __future__ import annotations

import random

from hypothesis import given
from hypothesis import strategies as st

from assay.calls.retry import FIRST, MOST, bearable, delay


@given(st.integers(1, 30), st.integers())
def test_waits_grow_within_bounds(attempt: int, seed: int) -> None:
    """The wait lies between half and the whole of a ceiling that doubles up to thirty seconds."""
    ceiling = min(MOST, FIRST * 2 ** (attempt - 1))
    waited = delay(attempt, None, random.Random(seed))
    assert waited is not None
    assert ceiling / 2 <= waited <= ceiling


@given(st.floats(0, 120), st.integers())
def test_what_the_provider_asks_for_is_honoured(asked: float, seed: int) -> None:
    """The wait is never shorter than Retry-After, and at most a tenth and a moment longer."""
    waited = delay(1, asked, random.Random(seed))
    assert waited is not None
    assert asked <= waited <= asked * 1.1 + 0.05


def test_a_request_to_wait_for_minutes_ends_the_attempts() -> None:
    """Beyond two minutes waiting makes no sense: None."""
    assert delay(1, 600.0, random.Random(0)) is None


def test_only_a_bearable_wait_holds_the_others_back() -> None:
    """A minute is passed on to everybody; a day, or for ever, is not."""
    assert [bearable(asked) for asked in (None, 60.0, 86_400.0, float("inf"))] == [None, 60.0, None, None]
