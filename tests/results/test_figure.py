"""Texts of published times and costs."""

from __future__ import annotations

import pytest

from assay.results.figure import dollars, utc


@pytest.mark.parametrize(
    ("cost", "text"),
    [(None, "unknown"), (0.0, "$0.0000"), (0.00123, "$0.001230"), (0.5, "$0.5000"), (1234.5, "$1,234.50")],
)
def test_an_unknown_cost_is_not_zero_and_a_small_one_keeps_its_digits(cost: float | None, text: str) -> None:
    """None is `unknown`; amounts below a cent have six decimals."""
    assert dollars(cost) == text


def test_a_time_is_written_in_utc_to_the_precision_asked_for() -> None:
    """Documents use seconds, the exam service milliseconds."""
    assert utc(1_800_000_000.25) == "2027-01-15T08:00:00Z"
    assert utc(1_800_000_000.25, "milliseconds") == "2027-01-15T08:00:00.250Z"
