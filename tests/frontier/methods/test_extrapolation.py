"""Extrapolation of curves by the seed's equations 11 and 12, with its limits."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy.optimize import least_squares

from assay.core.errors import InvalidInput
from assay.frontier.methods.extrapolation import POWER, SMOOTH

TEN = np.arange(1.0, 11.0)


def smooth(
    sizes: np.ndarray, alpha: float, beta: float, gamma: float, delta: float, rate: float
) -> np.ndarray:
    """Return equation 12 as the seed prints it."""
    return alpha + beta * (1 + ((sizes - gamma) / delta) ** 2) ** (-rate / 2)


def test_a_power_worked_by_hand() -> None:
    """0.6 + 0.08 g^-1/2 is 0.68, 0.64 and 0.62 at 1, 4 and 16: the limit is 0.6."""
    fitted = POWER.fit([0.68, 0.64, 0.62], [1, 4, 16])
    assert (fitted.limit, fitted.scale, fitted.rate) == pytest.approx((0.6, 0.08, 0.5), abs=1e-9)


@settings(max_examples=30, deadline=None)
@given(
    alpha=st.floats(-5, 5),
    beta=st.one_of(st.floats(-2, -0.01), st.floats(0.01, 2)),
    rate=st.floats(0.26, 0.74),
)
def test_a_power_without_noise_is_recovered(alpha: float, beta: float, rate: float) -> None:
    """For falling and for rising curves."""
    fitted = POWER.fit(alpha + beta * TEN**-rate)
    assert (fitted.limit, fitted.scale, fitted.rate) == pytest.approx((alpha, beta, rate), rel=1e-4, abs=1e-4)


@pytest.mark.parametrize(("truth", "bound"), [(1.0, 0.75), (0.1, 0.25)])
def test_an_exponent_at_its_bound_has_a_note(truth: float, bound: float) -> None:
    """A decay quicker or slower than the seed's range is fitted at the range's end."""
    fitted = POWER.fit(0.5 + 0.1 * TEN**-truth)
    assert fitted.rate == bound
    assert fitted.parameters[-1].at_bound
    assert "at the bound" in " ".join(fitted.notes)


@pytest.mark.parametrize("true", [(0.6, 0.08, -2.0, 12.0, 0.5), (2.0, -0.5, 0.5, 6.0, 0.4)])
def test_a_smooth_curve_without_noise_is_recovered(true: tuple[float, ...]) -> None:
    """With 200 sizes all five parameters are recovered, for a falling and for a rising curve."""
    fitted = SMOOTH.fit(smooth(np.arange(1.0, 201.0), *true))
    parameters = (fitted.limit, fitted.scale, fitted.shift, fitted.width, fitted.rate)
    assert parameters == pytest.approx(true, rel=1e-4)


def test_ten_generations_do_not_determine_the_bend() -> None:
    """With 1 % noise delta has an error of half its value and lambda is unknown; 200 sizes determine them."""
    few = SMOOTH.fit(smooth(TEN, 0.6, 0.08, 0.5, 4.0, 0.5))
    many = SMOOTH.fit(smooth(np.arange(1.0, 201.0), 0.6, 0.08, 0.5, 4.0, 0.5))
    errors = {parameter.name: parameter.error for parameter in few.parameters}
    assert errors["delta"] is not None
    assert errors["delta"] > 2.0
    assert errors["lambda"] is not None
    assert errors["lambda"] > 0.5
    assert (few.rank, few.condition > 1000) == (4, True)
    assert "delta = 4 +- " in " ".join(few.notes)
    assert many.parameters[3].error is not None
    assert many.parameters[3].error < 1.0


def test_the_least_squares_are_as_good_as_scipys() -> None:
    """On noisy curves the misfit is at most that of scipy's own search from many starts."""
    rng = np.random.default_rng(3)
    for curve in smooth(TEN, 0.6, 0.08, 0.5, 4.0, 0.5) + np.cumsum(rng.normal(0, 5e-4, (4, 10)), axis=1):

        def away(theta: np.ndarray, curve: np.ndarray = curve) -> np.ndarray:
            basis = smooth(TEN, 0.0, 1.0, *theta)
            columns = np.column_stack([np.ones(10), basis])
            return columns @ np.linalg.lstsq(columns, curve, rcond=None)[0] - curve

        box = ([-10.0, 0.1, 0.25], [1.0, 10.0, 0.75])
        best = min(least_squares(away, rng.uniform(*box), bounds=box).cost for _ in range(8))
        assert SMOOTH.fit(curve).misfit ** 2 * 10 <= 2 * best * (1 + 1e-4)


def test_many_curves_at_once_have_the_limits_of_single_fits() -> None:
    """Bootstrap replicates are searched in the same way as the point estimate."""
    rng = np.random.default_rng(0)
    curves = 0.6 + rng.uniform(0.05, 0.1, (5, 1)) * TEN ** -rng.uniform(0.3, 0.7, (5, 1))
    for form in (POWER, SMOOTH):
        alone = [form.fit(curve).limit for curve in curves]
        assert form.limits(curves) == pytest.approx(alone, abs=1e-6)


def test_a_flat_curve_is_its_own_limit() -> None:
    """There is nothing to extrapolate, and a note says so."""
    for fit in (POWER.fit, SMOOTH.fit):
        fitted = fit(np.full(10, 0.7))
        assert fitted.limit == pytest.approx(0.7)
        assert "flat" in " ".join(fitted.notes)


def test_a_curve_that_turns_is_fitted_with_a_note() -> None:
    """A cost curve may fall and rise, but the form cannot."""
    assert "both rises and falls" in " ".join(SMOOTH.fit(np.abs(TEN - 5)).notes)


def test_warnings_are_given_below_the_sizes_in_the_seed() -> None:
    """Below G = 50 for a power, below G = 10 for any form."""
    assert [len(POWER.warnings(number)) for number in (50, 49, 10, 9)] == [0, 1, 1, 2]
    assert [len(SMOOTH.warnings(number)) for number in (10, 9)] == [0, 1]


@pytest.mark.parametrize(("fit", "least"), [(POWER.fit, 3), (SMOOTH.fit, 5)])
def test_fewer_sizes_than_parameters_are_refused(fit: object, least: int) -> None:
    """Two sizes for a power, four for the smooth form: the message says how many are needed."""
    assert callable(fit)
    with pytest.raises(InvalidInput, match=f"needs {least} different"):
        fit(0.5 + 0.1 / np.arange(1.0, least))


def test_values_that_are_not_finite_or_have_no_size_are_refused() -> None:
    """NaN in a curve, and another number of sizes than values."""
    with pytest.raises(InvalidInput, match="not finite"):
        POWER.fit([0.5, np.nan, 0.4])
    with pytest.raises(InvalidInput, match="sizes for K values"):
        POWER.fit([0.5, 0.45, 0.4], [1, 2])


def test_the_limit_is_near_the_truth_if_the_form_holds() -> None:
    """Independent models of one rate, 0.5, up to G = 400: the limit is within a point of it."""
    from scipy.special import bdtr

    sizes = np.unique(np.geomspace(50, 400, 20).astype(int))
    curve = [np.sum(1 - bdtr(np.arange(g), g, 0.5) ** 10) / g for g in sizes]
    assert POWER.fit(curve, sizes).limit == pytest.approx(0.5, abs=0.01)
    assert curve[-1] - 0.5 > 0.03
