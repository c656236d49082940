"""What a biased curve tends to when generations grow: a form is fitted to it and read at infinity."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

import numpy as np
import numpy.typing as npt

from assay.core.errors import InvalidInput, Problem
from assay.frontier.oracles.profile import RATES, Fits, Form, power_form, profile, smooth_form

FloatArray = npt.NDArray[np.float64]
FormName = Literal["power", "smooth"]
LEAST = {"power": 3, "smooth": 5}
"""As many sizes as the form has parameters: with so few it runs through each, and nothing can disagree."""
POWER_REGIME = 50
ANY_REGIME = 10
NOISE = 0.01
"""Identifiability is told at this noise in each value of the curve, as a share of the curve's range."""


@dataclass(frozen=True, slots=True)
class Parameter:
    """One fitted number. `error` is its standard error at `NOISE`; None where the curve does not show it."""

    name: str
    value: float
    error: float | None
    at_bound: bool


@dataclass(frozen=True, slots=True)
class Extrapolation:
    """A fitted form: `limit` is alpha, `scale` beta, `rate` lambda, `shift` gamma, `width` delta of the seed.

    `shift` and `width` are None for a power. `misfit` is the root mean square residual, in the curve's unit.
    `rank` counts the directions of the parameters that noise of 1 % of the curve's range would leave known
    (singular values of the Jacobian, columns scaled to length 1, above `NOISE` of the greatest), `condition`
    is that Jacobian's condition number. `parameters` tells each one's standard error at that noise.
    """

    form: FormName
    limit: float
    scale: float
    rate: float
    shift: float | None
    width: float | None
    misfit: float
    rank: int
    condition: float
    parameters: tuple[Parameter, ...]
    notes: tuple[str, ...]


def fit_power(curve: npt.ArrayLike, sizes: npt.ArrayLike | None = None) -> Extrapolation:
    """Fit alpha + beta g^-lambda by least squares, lambda within 0.25-0.75 (seed 004, equation 11).

    `curve` (K,) is the value at each of `sizes` (K,), 1..K unless given. Falling and rising curves both fit.
    InvalidInput below 3 sizes. The exponent's bounds are the seed's (its appendix A).
    """
    return _fit("power", curve, sizes)


def fit_smooth(curve: npt.ArrayLike, sizes: npt.ArrayLike | None = None) -> Extrapolation:
    """Fit alpha + beta [1 + ((g - gamma)/delta)^2]^(-lambda/2) by least squares (seed 004, equation 12).

    Shapes and errors as for `fit_power`, with 5 sizes at the least. lambda keeps within 0.25-0.75; gamma
    within -G..1, so that the form falls or rises throughout; delta within 0.1..G, so that the bend lies among
    the sizes seen. The seed bounds lambda alone.
    """
    return _fit("smooth", curve, sizes)


def limits(form: FormName, curves: npt.ArrayLike, sizes: npt.ArrayLike | None = None) -> FloatArray:
    """Return what each of many curves tends to: shape (R,) for `curves` (R, K), as `fit_*` finds it."""
    values, at = _checked(form, curves, sizes)
    return profile(values, _form(form, at)).limit


def warnings(form: FormName, generations: int) -> tuple[str, ...]:
    """Return what must be said of an extrapolation from so few generations; nothing from enough of them."""
    told = []
    if form == "power" and generations < POWER_REGIME:
        told.append(f"G = {generations}: a power of g is expected only from about G = {POWER_REGIME} on")
    if generations < ANY_REGIME:
        told.append(f"G = {generations}: below G = {ANY_REGIME} no extrapolation is to be relied on")
    return tuple(told)


def _fit(form: FormName, curve: npt.ArrayLike, sizes: npt.ArrayLike | None) -> Extrapolation:
    values, at = _checked(form, np.atleast_2d(np.asarray(curve, dtype=np.float64)), sizes)
    shape = _form(form, at)
    fits = profile(values, shape)
    jacobian = np.column_stack(
        [np.ones(len(at)), shape.basis(fits.theta)[0], fits.scale[0] * shape.slopes(fits.theta)[0]]
    )
    rank, condition, errors = _identified(jacobian, float(np.ptp(values)))
    parameters = _parameters(shape, fits, errors)
    rest = dict(zip(shape.names, fits.theta[0], strict=True))
    return Extrapolation(
        form=form,
        limit=float(fits.limit[0]),
        scale=float(fits.scale[0]),
        rate=float(rest["lambda"]),
        shift=float(rest["gamma"]) if form == "smooth" else None,
        width=float(rest["delta"]) if form == "smooth" else None,
        misfit=float(np.sqrt(fits.squares[0] / len(at))),
        rank=rank,
        condition=condition,
        parameters=parameters,
        notes=(*warnings(form, int(at.max())), *_remarks(values[0], at, rank, parameters)),
    )


def _form(form: FormName, sizes: FloatArray) -> Form:
    return power_form(sizes) if form == "power" else smooth_form(sizes)


def _checked(
    form: FormName, curves: npt.ArrayLike, sizes: npt.ArrayLike | None
) -> tuple[FloatArray, FloatArray]:
    """Return curves (R, K) and sizes (K,) that the form can be fitted to."""
    values = np.asarray(curves, dtype=np.float64)
    at = np.arange(1.0, values.shape[-1] + 1) if sizes is None else np.asarray(sizes, dtype=np.float64)
    if values.ndim != 2 or at.shape != values.shape[1:]:
        raise InvalidInput(
            Problem(f"curves {values.shape!r} at sizes {at.shape!r}: give (K,) sizes for K values")
        )
    if len(np.unique(at)) < LEAST[form] or np.any(at < 1):
        raise InvalidInput(
            Problem(
                f"{len(np.unique(at))} sizes: the {form} form needs {LEAST[form]} different ones, of 1 or "
                "more; record more generations, or use shrink or bracket"
            )
        )
    if not np.isfinite(values).all():
        raise InvalidInput(Problem("the curve has values that are not finite: leave those sizes out"))
    return values, at


def _identified(jacobian: FloatArray, spread: float) -> tuple[int, float, list[float | None]]:
    """Return rank and condition number of the scaled Jacobian, and each parameter's error at `NOISE`."""
    lengths = np.linalg.norm(jacobian, axis=0)
    scaled = jacobian / np.where(lengths > 0, lengths, 1.0)
    _, singular, turned = np.linalg.svd(scaled, full_matrices=False)
    rank = int(np.count_nonzero(singular > NOISE * singular[0]))
    known = singular > np.finfo(np.float64).eps * len(jacobian) * singular[0]
    condition = float(singular[0] / singular[-1]) if known.all() else float("inf")
    errors: list[float | None] = []
    for place, length in enumerate(lengths):
        hidden = length == 0 or np.any(np.abs(turned[~known, place]) > 1e-6)
        parts = turned[known, place] / singular[known]
        errors.append(None if hidden else float(NOISE * spread * np.linalg.norm(parts) / length))
    return rank, condition, errors


def _parameters(form: Form, fits: Fits, errors: list[float | None]) -> tuple[Parameter, ...]:
    linear = [
        Parameter("alpha", float(fits.limit[0]), errors[0], False),
        Parameter("beta", float(fits.scale[0]), errors[1], False),
    ]
    theta = fits.theta[0]
    reach = 1e-6 * (form.high - form.low)
    bound = (theta <= form.low + reach) | (theta >= form.high - reach)
    rest = zip(form.names, theta, errors[2:], bound, strict=True)
    return (*linear, *(Parameter(name, float(value), error, bool(at)) for name, value, error, at in rest))


def _remarks(
    curve: FloatArray, sizes: FloatArray, rank: int, parameters: tuple[Parameter, ...]
) -> tuple[str, ...]:
    spread = float(np.ptp(curve))
    if spread <= 1e-12 * max(1.0, float(np.abs(curve).max())):
        return ("the curve is flat: its limit is its value, whatever the form",)
    told = []
    steps = np.diff(curve[np.argsort(sizes)])
    if np.any(steps > 1e-9 * spread) and np.any(steps < -1e-9 * spread):
        told.append("the curve both rises and falls, which the form cannot follow")
    if rank < len(parameters):
        told.append(
            f"the curve shows {rank} of the form's {len(parameters)} parameters: with {NOISE:.0%} of its "
            f"range as noise, {_spelled(parameters)}"
        )
    bounded = [each for each in parameters if each.at_bound]
    if bounded:
        told.append(
            "at the bound of what is allowed: "
            + ", ".join(f"{each.name} = {each.value:.4g}" for each in bounded)
            + (f" (lambda is kept within {RATES[0]}-{RATES[1]})" if bounded[-1].name == "lambda" else "")
        )
    return tuple(told)


def _spelled(parameters: tuple[Parameter, ...]) -> str:
    return ", ".join(
        f"{each.name} = {each.value:.4g} " + ("unknown" if each.error is None else f"+- {each.error:.2g}")
        for each in parameters
    )
