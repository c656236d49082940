"""Least squares over many curves at once, for forms that are linear in two of their parameters."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

FloatArray = npt.NDArray[np.float64]
RATES = (0.25, 0.75)
"""The range of decay exponents in the seed (004, section 4.2 and appendix A)."""
ROUNDS = 100
STARTS = 3
FINEST = 1e-9
"""A curve's search ends when its sum of squares falls by less than this share of itself."""
DAMPING = (1e-3, 1e12)


@dataclass(frozen=True, slots=True)
class CurveFamily:
    """Curves alpha + beta * basis(theta): `basis` maps (..., D) to (..., K), `slopes` to (..., K, D).

    theta is searched in the box `low`..`high` (D,), from the best points of `grid` (M, D), in which the rate
    varies most slowly. `names` are the seed's names of theta's components.
    """

    names: tuple[str, ...]
    low: FloatArray
    high: FloatArray
    grid: FloatArray
    basis: Callable[[FloatArray], FloatArray]
    slopes: Callable[[FloatArray], FloatArray]


@dataclass(frozen=True, slots=True)
class CurveFits:
    """The best parameters of R curves: `limit`, `scale`, `squares` (R,) and `theta` (R, D)."""

    limit: FloatArray
    scale: FloatArray
    theta: FloatArray
    squares: FloatArray


def fit_curves(curves: FloatArray, family: CurveFamily) -> CurveFits:
    """Fit the family to each row of `curves` (R, K) by least squares.

    alpha and beta are solved for at every theta (variable projection: G. Golub and V. Pereyra, SIAM J. Numer.
    Anal. 10 (1973) 413-432, with L. Kaufman's Jacobian, BIT 15 (1975) 49-57). theta starts from the best grid
    points with a low, a middle and a high rate, moves by Levenberg-Marquardt steps and stays in the box; the
    best of the three results is returned. A single curve and bootstrap replicates are searched alike.
    """
    middle = curves.mean(axis=1, keepdims=True)
    centred = curves - middle
    explained = (centred @ _unit(family.basis(family.grid)).T) ** 2
    parts = np.array_split(np.arange(len(family.grid)), STARTS)
    starts = np.stack([family.grid[part[np.argmax(explained[:, part], axis=1)]] for part in parts])
    number = len(curves)
    theta = _descend(np.tile(centred, (STARTS, 1)), starts.reshape(STARTS * number, -1), family)
    scale, residuals = _solve_linear(np.tile(centred, (STARTS, 1)), family.basis(theta))
    squares = (residuals**2).sum(axis=1).reshape(STARTS, number)
    best = np.argmin(squares, axis=0) * number + np.arange(number)
    theta, scale = theta[best], scale[best]
    limit = middle[:, 0] - scale * family.basis(theta).mean(axis=1)
    return CurveFits(limit, scale, theta, squares.reshape(-1)[best])


def _descend(centred: FloatArray, theta: FloatArray, family: CurveFamily) -> FloatArray:
    """Return a local minimum of each centred curve's (R, K) sum of squares, starting from `theta` (R, D)."""
    theta = theta.copy()
    damping = np.full(len(theta), DAMPING[0])
    active = np.arange(len(theta))
    for _ in range(ROUNDS):
        if not active.size:
            break
        here, curve = theta[active], centred[active]
        scale, residuals = _solve_linear(curve, family.basis(here))
        step = _step(here, scale, residuals, damping[active], family)
        proposed = np.clip(here + step, family.low, family.high)
        before = (residuals**2).sum(axis=1)
        after = (_solve_linear(curve, family.basis(proposed))[1] ** 2).sum(axis=1)
        better = after < before
        theta[active[better]] = proposed[better]
        damping[active] = np.where(better, damping[active] / 5, damping[active] * 4)
        done = better & (before - after <= FINEST * before)
        active = active[~done & (damping[active] < DAMPING[1])]
    return theta


def _step(
    theta: FloatArray, scale: FloatArray, residuals: FloatArray, damping: FloatArray, family: CurveFamily
) -> FloatArray:
    """Return a damped step (R, D); a parameter at its bound that would leave the box does not move."""
    unit = _unit(family.basis(theta))
    slopes = family.slopes(theta)
    slopes = slopes - slopes.mean(axis=1, keepdims=True)
    slopes = slopes - unit[:, :, None] * np.einsum("rk,rkd->rd", unit, slopes)[:, None, :]
    slopes = scale[:, None, None] * slopes
    gradient = np.einsum("rkd,rk->rd", slopes, residuals)
    held = ((theta <= family.low) & (gradient < 0)) | ((theta >= family.high) & (gradient > 0))
    slopes, gradient = np.where(held[:, None, :], 0.0, slopes), np.where(held, 0.0, gradient)
    normal = np.einsum("rkd,rke->rde", slopes, slopes)
    diagonal = np.einsum("rdd->rd", normal)
    ridge = np.where(diagonal > 0, damping[:, None] * diagonal, 1.0)
    normal = normal + ridge[:, :, None] * np.eye(theta.shape[1])
    step: FloatArray = np.linalg.solve(normal, gradient[..., None])[..., 0]
    return step


def _solve_linear(centred: FloatArray, basis: FloatArray) -> tuple[FloatArray, FloatArray]:
    """Return beta (R,) and the residuals (R, K) of centred curves on a basis (R, K)."""
    deviations = basis - basis.mean(axis=1, keepdims=True)
    scale = (centred * deviations).sum(axis=1) / (deviations**2).sum(axis=1)
    return scale, centred - scale[:, None] * deviations


def _unit(basis: FloatArray) -> FloatArray:
    """Return the basis centred over the sizes and scaled to length 1."""
    deviations = basis - basis.mean(axis=-1, keepdims=True)
    unit: FloatArray = deviations / np.linalg.norm(deviations, axis=-1, keepdims=True)
    return unit
