"""Bets on the sign of a mean: hand-worked gains, properties of the sequence, and coverage at all times."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays

from assay.stats.betting import SHARES, log_evidence, log_gains, mean_sequence

VALUES = arrays(np.float64, st.integers(1, 40), elements=st.floats(-1.0, 1.0))


def test_gains_by_hand() -> None:
    """Two wins of 1 and a loss of 1 multiply a share c to (1 + c)^2 (1 - c)."""
    gains = np.exp(log_gains(np.array([1.0, 1.0, -1.0])))
    assert gains == pytest.approx((1 + SHARES) ** 2 * (1 - SHARES))
    # (1.05^2*0.95 + 1.15^2*0.85 + 1.35^2*0.65 + 1.65^2*0.35 + 1.95^2*0.05) / 5
    assert float(np.exp(log_evidence(np.log(gains)))) == pytest.approx(0.899825)


def test_missing_values_bet_nothing() -> None:
    """A missing value leaves every gain as it is."""
    assert log_gains(np.array([0.5, np.nan])).tolist() == log_gains(np.array([0.5])).tolist()


@given(VALUES)
def test_the_interval_contains_the_running_mean(values: np.ndarray) -> None:
    """At any time, for any values in the range."""
    interval = mean_sequence(values)
    assert -1.0 <= interval.low <= values.mean() + 1e-12
    assert values.mean() - 1e-12 <= interval.high <= 1.0


@given(VALUES)
def test_turning_the_values_round_turns_the_interval_round(values: np.ndarray) -> None:
    """Neither direction is favoured."""
    there, back = mean_sequence(values), mean_sequence(-values)
    assert (there.low, there.high) == pytest.approx((-back.high, -back.low))


@given(VALUES)
def test_the_interval_excludes_0_exactly_when_the_evidence_reaches_the_level(values: np.ndarray) -> None:
    """The test and the interval are the same thing."""
    reached = float(log_evidence(log_gains(values))) >= np.log(40.0)
    assert (mean_sequence(values).low > 0.0) == reached


def test_the_ends_at_the_edges() -> None:
    """No values tell nothing; values at the end of the range keep that end."""
    assert (mean_sequence([]).low, mean_sequence([np.nan]).high) == (-1.0, 1.0)
    assert mean_sequence([-1.0] * 9).low == -1.0
    assert mean_sequence([1.0] * 9).high == 1.0


def test_values_outside_the_range_are_refused() -> None:
    """The guarantee needs the range."""
    with pytest.raises(ValueError, match="give values from -1 to 1"):
        mean_sequence([0.0, 1.5])


@pytest.mark.slow
@pytest.mark.parametrize("world", ["graded", "binary", "rare"])
def test_all_intervals_together_contain_the_mean(world: str) -> None:
    """Looked at after every value of 300, at most 5 % of sequences ever miss the mean."""
    rng = np.random.default_rng({"graded": 1, "binary": 2, "rare": 3}[world])
    draws = {
        "graded": lambda shape: rng.beta(8, 2, shape) - rng.beta(8, 2, shape),
        "binary": lambda shape: rng.choice([-1.0, 0.0, 1.0], shape, p=[0.2, 0.6, 0.2]),
        "rare": lambda shape: rng.choice([-1.0, 0.05 / 0.95], shape, p=[0.05, 0.95]),
    }
    values = draws[world]((2000, 300))
    ever = np.zeros(len(values), dtype=bool)
    for side in (1.0, -1.0):
        gains = np.stack([np.cumsum(np.log1p(side * share * values), axis=1) for share in SHARES])
        ever |= (log_evidence(gains) >= np.log(40.0)).any(axis=1)
    assert 0.0 < ever.mean() <= 0.05
