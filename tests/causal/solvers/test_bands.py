"""Bands for a form's difficulty: how far its solvers' scores lie outside."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from assay.causal.solvers.bands import BANDS, Band, off
from assay.causal.solvers.solver import Solver

BAND = Band(0.25, 0.5)


@pytest.mark.parametrize(
    ("accuracy", "far"), [(0.0, 0.25), (0.25, 0.0), (0.4, 0.0), (0.5, 0.0), (0.75, 0.25)]
)
def test_inside_is_no_distance(accuracy: float, far: float) -> None:
    """Both ends belong to a band; outside the distance is that to the nearer end."""
    assert BAND.off(accuracy) == far


def test_a_form_is_judged_by_its_means_over_questions() -> None:
    """Means of 3/4 and 1/2 lie 1/4 above and 1/8 below their bands: together 3/8."""
    odds = [
        {Solver.MARGINAL: 1.0, Solver.ADJUSTING: 0.0},
        {Solver.MARGINAL: 0.5, Solver.ADJUSTING: 1.0},
    ]

    assert off(odds, {Solver.MARGINAL: BAND, Solver.ADJUSTING: Band(0.625, 0.75)}) == 0.375


@given(st.lists(st.floats(0, 1), min_size=1, max_size=20))
def test_solvers_without_a_band_do_not_count(scores: list[float]) -> None:
    """Whatever the guesser and the correct solver get."""
    odds = [{Solver.MARGINAL: 0.3, Solver.GUESSER: score, Solver.CORRECT: 1.0} for score in scores]

    assert off(odds, {Solver.MARGINAL: BAND}) == 0


def test_naive_solvers_land_in_bands_of_their_own() -> None:
    """The published bands do not meet each other, nor certainty; both naive solvers have one."""
    low, high = sorted(BANDS.values(), key=lambda band: band.low)

    assert set(BANDS) == {Solver.MARGINAL, Solver.ADJUSTING}
    assert low.low < low.high < high.low < high.high < 1
