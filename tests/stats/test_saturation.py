"""Growth that levels off: exact curves, straight lines, coverage of the asymptote."""

from __future__ import annotations

import numpy as np
import pytest

from assay.stats.saturation import SaturatingCurve, fit_saturation


def fitted(times: list[float], values: list[float], most: float | None = None) -> SaturatingCurve:
    """Return the curve of data that have one."""
    curve = fit_saturation(times, values, most)
    assert curve is not None
    return curve


def test_an_exact_curve_is_recovered() -> None:
    """90 - 40 exp(-2 t): its asymptote, rate and values, with an interval that is closed on both sides."""
    times = np.linspace(2023, 2026, 25)
    values = 90 - 40 * np.exp(-2 * (times - 2023))
    curve = fitted(times.tolist(), values.tolist())
    assert curve.asymptote == pytest.approx(90, abs=0.5)
    assert curve.rate == pytest.approx(2, rel=0.1)
    assert np.abs(curve.at(times) - values).max() < 0.5
    assert curve.low is not None
    assert curve.high is not None
    assert curve.line_p < 0.001


def test_a_straight_line_has_no_upper_end() -> None:
    """Steady growth of 10 a year: no asymptote is excluded from above."""
    times = np.linspace(0, 2, 20)
    noise = 0.5 * np.cos(7.0 * np.arange(20))
    curve = fitted(times.tolist(), (40 + 10 * times + noise).tolist())
    assert curve.high is None
    assert curve.slope == pytest.approx(10, abs=0.6)
    assert curve.line_p > 0.05


def test_the_end_of_the_scale_bounds_the_asymptote() -> None:
    """No asymptote is above it."""
    times = np.linspace(0, 2, 20)
    curve = fitted(times.tolist(), (70 + 14 * times).tolist(), 100.0)
    assert curve.asymptote is None or curve.asymptote <= 100.0


@pytest.mark.parametrize(
    ("times", "values"),
    [([0, 1, 2, 3, 4], [1, 2, 3, 4, 5]), ([0, 0, 0, 1, 1, 2], [1, 2, 3, 4, 5, 6]), (list(range(8)), [5] * 8)],
)
def test_too_little_gives_no_curve(times: list[float], values: list[float]) -> None:
    """Five values, three dates, or equal values."""
    assert fit_saturation(times, values) is None


@pytest.mark.slow
@pytest.mark.parametrize(
    ("top", "drop", "rate", "sd", "span", "n"),
    [
        (90, 50, 2.0, 4.0, 3.0, 50),
        (90, 60, 0.5, 4.0, 2.0, 40),
        (90, 40, 1.5, 3.0, 2.0, 12),
        (70, 30, 6.0, 6.0, 2.0, 25),
    ],
)
def test_the_interval_covers_the_asymptote(
    top: float, drop: float, rate: float, sd: float, span: float, n: int
) -> None:
    """In 90 % or more of 300 worlds; open ends count as covering, and dominate where growth goes on."""
    rng = np.random.default_rng(n)
    covered = opened = 0
    for _ in range(300):
        times = rng.uniform(0, span, n)
        values = top - drop * np.exp(-rate * times) + rng.normal(0, sd, n)
        curve = fitted(times.tolist(), values.tolist())
        low, high = curve.low, curve.high
        covered += (low is None or low <= top) and (high is None or top <= high)
        opened += high is None
    assert covered / 300 >= 0.90
    assert (opened / 300 > 0.4) == (rate == 0.5)
