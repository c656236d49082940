"""Least squares over many curves at once for forms that are linear in two of their parameters."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from itertools import product

import numpy as np
import numpy.typing as npt

FloatArray = npt.NDArray[np.float64]
RATES = (0.25, 0.75)
"""The range of decay exponents that the seed found (004, section 4.2 and appendix A)."""
NARROWEST = 0.1
ROUNDS = 100
STARTS = 3
FINEST = 1e-9
"""A curve's search ends when its misfit falls by less than this share of itself."""
DAMPING = (1e-3, 1e12)


@dataclass(frozen=True, slots=True)
class Form:
    """A curve alpha + beta * basis(theta): `basis` maps (..., D) to (..., K), `slopes` to (..., K, D).

    theta is searched in the box `low`..`high` (D,), from the best points of `grid` (M, D), which runs through
    the rates slowest. `names` are those of the seed.
    """

    names: tuple[str, ...]
    low: FloatArray
    high: FloatArray
    grid: FloatArray
    basis: Callable[[FloatArray], FloatArray]
    slopes: Callable[[FloatArray], FloatArray]


@dataclass(frozen=True, slots=True)
class Fits:
    """The best parameters of R curves: `limit`, `scale`, `squares` (R,) and `theta` (R, D)."""

    limit: FloatArray
    scale: FloatArray
    theta: FloatArray
    squares: FloatArray


def power_form(sizes: FloatArray) -> Form:
    """Return g^-lambda over `sizes` (K,): theta is (lambda,)."""
    logs = np.log(sizes)

    def basis(theta: FloatArray) -> FloatArray:
        return np.asarray(np.exp(-theta[..., :1] * logs))

    return Form(
        names=("lambda",),
        low=np.array(RATES[:1]),
        high=np.array(RATES[1:]),
        grid=np.linspace(*RATES, 15)[:, None],
        basis=basis,
        slopes=lambda theta: -(logs * basis(theta))[..., None],
    )


def smooth_form(sizes: FloatArray) -> Form:
    """Return [1 + ((g - gamma)/delta)^2]^(-lambda/2): theta is (gamma, delta, lambda)."""
    most = float(sizes.max())
    rates, shifts = np.linspace(*RATES, 9), np.linspace(-most, 1.0, 9)
    widths = np.geomspace(NARROWEST, most, 13)

    def logs(theta: FloatArray) -> tuple[FloatArray, FloatArray]:
        reach = (sizes - theta[..., :1]) / theta[..., 1:2]
        return reach, np.log1p(reach**2)

    def basis(theta: FloatArray) -> FloatArray:
        return np.asarray(np.exp(-0.5 * theta[..., 2:3] * logs(theta)[1]))

    def slopes(theta: FloatArray) -> FloatArray:
        reach, log = logs(theta)
        width, rate = theta[..., 1:2], theta[..., 2:3]
        inner = rate * np.exp(-(0.5 * rate + 1.0) * log) / width
        return np.stack([reach * inner, reach**2 * inner, -0.5 * log * basis(theta)], axis=-1)

    return Form(
        names=("gamma", "delta", "lambda"),
        low=np.array([-most, NARROWEST, RATES[0]]),
        high=np.array([1.0, most, RATES[1]]),
        grid=np.array([(shift, width, rate) for rate, shift, width in product(rates, shifts, widths)]),
        basis=basis,
        slopes=slopes,
    )


def profile(curves: FloatArray, form: Form) -> Fits:
    """Fit the form to each row of `curves` (R, K) by least squares.

    alpha and beta are solved for at every theta (variable projection: G. Golub and V. Pereyra, SIAM J. Numer.
    Anal. 10 (1973) 413-432, with L. Kaufman's Jacobian, BIT 15 (1975) 49-57). theta starts from the best grid
    points with a low, a middle and a high rate and goes on by Levenberg and Marquardt's steps, kept in the
    box; the best of the three stands. The same search serves one curve and the replicates of a bootstrap.
    """
    middle = curves.mean(axis=1, keepdims=True)
    centred = curves - middle
    told = (centred @ _unit(form.basis(form.grid)).T) ** 2
    parts = np.array_split(np.arange(len(form.grid)), STARTS)
    starts = np.stack([form.grid[part[np.argmax(told[:, part], axis=1)]] for part in parts])
    many = len(curves)
    theta = _descend(np.tile(centred, (STARTS, 1)), starts.reshape(STARTS * many, -1), form)
    scale, left = _solved(np.tile(centred, (STARTS, 1)), form.basis(theta))
    squares = (left**2).sum(axis=1).reshape(STARTS, many)
    best = np.argmin(squares, axis=0) * many + np.arange(many)
    theta, scale = theta[best], scale[best]
    limit = middle[:, 0] - scale * form.basis(theta).mean(axis=1)
    return Fits(limit, scale, theta, squares.reshape(-1)[best])


def _descend(centred: FloatArray, theta: FloatArray, form: Form) -> FloatArray:
    """Return where the misfit of each centred curve (R, K) is least, going down from `theta` (R, D)."""
    theta = theta.copy()
    damping = np.full(len(theta), DAMPING[0])
    going = np.arange(len(theta))
    for _ in range(ROUNDS):
        if not going.size:
            break
        here, curve = theta[going], centred[going]
        scale, left = _solved(curve, form.basis(here))
        tried = np.clip(here + _step(here, curve, scale, left, damping[going], form), form.low, form.high)
        before, after = (left**2).sum(axis=1), (_solved(curve, form.basis(tried))[1] ** 2).sum(axis=1)
        better = after < before
        theta[going[better]] = tried[better]
        damping[going] = np.where(better, damping[going] / 5, damping[going] * 4)
        done = better & (before - after <= FINEST * before)
        going = going[~done & (damping[going] < DAMPING[1])]
    return theta


def _step(
    theta: FloatArray, curve: FloatArray, scale: FloatArray, left: FloatArray, damping: FloatArray, form: Form
) -> FloatArray:
    """Return a damped step (R, D); a parameter at its bound and pushed beyond it stays."""
    unit = _unit(form.basis(theta))
    slopes = form.slopes(theta)
    slopes = slopes - slopes.mean(axis=1, keepdims=True)
    slopes = slopes - unit[:, :, None] * np.einsum("rk,rkd->rd", unit, slopes)[:, None, :]
    slopes = scale[:, None, None] * slopes
    pull = np.einsum("rkd,rk->rd", slopes, left)
    held = ((theta <= form.low) & (pull < 0)) | ((theta >= form.high) & (pull > 0))
    slopes, pull = np.where(held[:, None, :], 0.0, slopes), np.where(held, 0.0, pull)
    square = np.einsum("rkd,rke->rde", slopes, slopes)
    size = np.einsum("rdd->rd", square)
    ridge = np.where(size > 0, damping[:, None] * size, 1.0)
    square = square + ridge[:, :, None] * np.eye(theta.shape[1])
    found: FloatArray = np.linalg.solve(square, pull[..., None])[..., 0]
    return found


def _solved(centred: FloatArray, basis: FloatArray) -> tuple[FloatArray, FloatArray]:
    """Return beta (R,) and the residuals (R, K) of centred curves on a basis (R, K)."""
    away = basis - basis.mean(axis=1, keepdims=True)
    scale = (centred * away).sum(axis=1) / (away**2).sum(axis=1)
    return scale, centred - scale[:, None] * away


def _unit(basis: FloatArray) -> FloatArray:
    """Return the basis with its mean over the sizes taken away, scaled to length 1."""
    away = basis - basis.mean(axis=-1, keepdims=True)
    found: FloatArray = away / np.linalg.norm(away, axis=-1, keepdims=True)
    return found
