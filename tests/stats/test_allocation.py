"""Allocation of human marks: Neyman by hand, limits, and that the planned half-width comes out."""

from __future__ import annotations

import numpy as np
import pytest

from assay.stats.allocation import PilotStrata, allocate, half_width, least_marks, pilot_strata
from assay.stats.rectified import rectified_mean

NONE = np.zeros(2, dtype=np.int64)
EVEN = PilotStrata(np.array([0.2, 0.8]), np.array([0.16, 0.04]))


def test_neyman_by_hand() -> None:
    """300 answers with spread 0.4 and 600 with 0.2 have the same weight: half of the marks each."""
    assert allocate(EVEN, np.array([300, 600]), NONE, 100).tolist() == [50, 50]


def test_what_is_done_and_what_exists_are_limits() -> None:
    """A stratum never gets fewer marks than it has, nor more than it has answers."""
    assert allocate(EVEN, np.array([300, 600]), np.array([0, 80]), 100).tolist() == [20, 80]
    assert allocate(EVEN, np.array([10, 600]), NONE, 610).tolist() == [10, 600]


def test_half_width_by_hand() -> None:
    """Shares 1/3 and 2/3, 50 marks each: 1.96 sqrt(0.16/9/50 + 4 0.04/9/50 + (2/9 0.6^2)/900)."""
    expected = 1.959964 * np.sqrt(0.16 / 450 + 0.16 / 450 + (2 / 9) * 0.36 / 900)
    found = half_width(EVEN, np.array([300, 600]), np.array([50, 50]), NONE)
    assert found == pytest.approx(expected, rel=1e-6)


def test_too_few_answers_are_said() -> None:
    """900 answers cannot give one point; they give five."""
    sizes = np.array([300, 600])
    assert least_marks(EVEN, sizes, NONE, NONE, 0.01) is None
    fewest = least_marks(EVEN, sizes, NONE, NONE, 0.05)
    assert fewest is not None
    assert half_width(EVEN, sizes, allocate(EVEN, sizes, NONE, fewest), NONE) <= 0.05
    assert half_width(EVEN, sizes, allocate(EVEN, sizes, NONE, fewest - 4), NONE) > 0.05


def test_a_stratum_in_which_all_agree_is_not_certain() -> None:
    """Its variance is drawn towards that of the others; a stratum without marks has the overall one."""
    found = pilot_strata(np.array([1, 1, 1, 0, 1, 0.0]), np.array([0, 0, 0, 1, 1, 1]), 3)
    assert found.means.tolist() == pytest.approx([1.0, 1 / 3, 4 / 6])
    assert 0.0 < found.variances[0] < found.variances[1]
    assert found.variances[2] >= found.variances[0]


@pytest.mark.slow
@pytest.mark.parametrize(("p", "hit", "correct"), [(0.7, 0.9, 0.85), (0.85, 0.95, 0.8), (0.5, 0.8, 0.8)])
def test_the_planned_half_width_comes_out(p: float, hit: float, correct: float) -> None:
    """From a pilot of 80 marks, the median half-width is within a tenth of what was asked."""
    rng = np.random.default_rng(7)
    widths = []
    for _ in range(100):
        human = (rng.random(2000) < p).astype(float)
        judge = np.where(human == 1.0, rng.random(2000) < hit, rng.random(2000) >= correct).astype(int)
        pilot = rng.choice(2000, 80, replace=False)
        sizes, done = np.bincount(judge), np.bincount(judge[pilot], minlength=2)
        strata = pilot_strata(human[pilot], judge[pilot], 2)
        fewest = least_marks(strata, sizes, done, NONE, 0.04)
        assert fewest is not None
        marks = np.full(2000, np.nan)
        marks[pilot] = human[pilot]
        for code, n in enumerate(allocate(strata, sizes, done, fewest)):
            left = np.flatnonzero((judge == code) & np.isnan(marks))
            taken = rng.choice(left, n - done[code], replace=False)
            marks[taken] = human[taken]
        ends = rectified_mean(marks, judge, judge).interval
        widths.append((ends.high - ends.low) / 2.0)
    assert float(np.median(widths)) == pytest.approx(0.04, rel=0.1)
