"""`power` and `smooth`: the limit of a form of decay that is fitted to the biased curve.

`power` is alpha + beta g^-lambda (seed 004, equation 11), `smooth` is alpha + beta [1 + ((g -
gamma)/delta)^2]^(-lambda/2) (equation 12). lambda stays within 0.25-0.75 (the only bound in the seed), gamma
within -G..1, so that the form is monotone, and delta within 0.1..G, so that the bend lies among the observed
sizes.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from itertools import product

import numpy as np
import numpy.typing as npt

from assay.core.errors import InvalidInput, Problem
from assay.frontier.biased.swept import DRAWS, swept_curves
from assay.frontier.methods.least_squares import RATES, CurveFamily, CurveFits, fit_curves
from assay.frontier.methods.method import Method, SweepRequest
from assay.frontier.methods.value import MethodValue, OracleInputs, ReplicatedMean, describe_ties
from assay.frontier.posterior import Posterior
from assay.frontier.sweep.curve import MOST_EXTRAPOLATED, MethodCurve
from assay.results.frontier_report import Extrapolation, FormParameter
from assay.results.note import Note, NoteKind, not_of_kind

FloatArray = npt.NDArray[np.float64]
ANY_REGIME = 10
NOISE = 0.01
"""Identifiability is reported at this noise in each value of the curve, as a share of the curve's range."""
NARROWEST = 0.1


@dataclass(frozen=True, slots=True)
class DecayForm:
    """A form of decay with its `equation` in the seed (004) and its number of `parameters`.

    At least as many sizes as parameters are needed; with exactly as many the form passes through every value,
    so that the fit cannot be tested. `family` returns its curves over sizes (K,). The seed expects the form
    from about `regime` generations on; None if it names no number.
    """

    name: str
    equation: str
    parameters: int
    family: Callable[[FloatArray], CurveFamily]
    regime: int | None = None

    def fit(self, curve: npt.ArrayLike, sizes: npt.ArrayLike | None = None) -> Extrapolation:
        """Fit the form by least squares to a falling or rising curve (K,) at `sizes` (K,), by default 1..K.

        Raises InvalidInput for fewer sizes than parameters.
        """
        values, checked_sizes = self._check(np.atleast_2d(np.asarray(curve, dtype=np.float64)), sizes)
        family = self.family(checked_sizes)
        fits = fit_curves(values, family)
        columns = (
            np.ones(len(checked_sizes)),
            family.basis(fits.theta)[0],
            fits.scale[0] * family.slopes(fits.theta)[0],
        )
        rank, condition, errors = _identifiability(np.column_stack(columns), float(np.ptp(values)))
        parameters = _parameters(family, fits, errors)
        theta = dict(zip(family.names, map(float, fits.theta[0]), strict=True))
        fit_notes = _fit_notes(values[0], checked_sizes, rank, parameters)
        return Extrapolation(
            form=self.name,
            limit=float(fits.limit[0]),
            scale=float(fits.scale[0]),
            rate=theta["lambda"],
            shift=theta.get("gamma"),
            width=theta.get("delta"),
            misfit=float(np.sqrt(fits.squares[0] / len(checked_sizes))),
            rank=rank,
            condition=condition,
            parameters=parameters,
            notes=(*self.warnings(int(checked_sizes.max())), *fit_notes),
        )

    def limits(self, curves: npt.ArrayLike, sizes: npt.ArrayLike | None = None) -> FloatArray:
        """Return the limit of each of `curves` (R, K), as by `fit`: shape (R,)."""
        values, checked_sizes = self._check(curves, sizes)
        return fit_curves(values, self.family(checked_sizes)).limit

    def warnings(self, generations: int) -> tuple[str, ...]:
        """Return warnings about an extrapolation from this number of generations; none if it is enough."""
        notes = []
        if self.regime is not None and generations < self.regime:
            notes.append(f"a {self.name} form is expected only from about G = {self.regime} on")
        if generations < ANY_REGIME:
            notes.append(f"extrapolations are unreliable below G = {ANY_REGIME}")
        return tuple(Note(f"G = {generations}: {note}", NoteKind.FEW_GENERATIONS) for note in notes)

    def _check(self, curves: npt.ArrayLike, sizes: npt.ArrayLike | None) -> tuple[FloatArray, FloatArray]:
        """Return curves (R, K) and sizes (K,) to which the form can be fitted."""
        values = np.asarray(curves, dtype=np.float64)
        numbers = (
            np.arange(1.0, values.shape[-1] + 1) if sizes is None else np.asarray(sizes, dtype=np.float64)
        )
        if values.ndim != 2 or numbers.shape != values.shape[1:]:
            text = f"curves have shape {values.shape!r}, sizes {numbers.shape!r}: give K sizes for K values"
            raise InvalidInput(Problem(text))
        if len(np.unique(numbers)) < self.parameters or np.any(numbers < 1):
            raise InvalidInput(
                Problem(
                    f"{len(np.unique(numbers))} sizes: the {self.name} form needs {self.parameters} "
                    "different sizes of 1 or more; record more generations, or use mixture or bracket"
                )
            )
        if not np.isfinite(values).all():
            raise InvalidInput(Problem("the curve has values that are not finite: leave those sizes out"))
        return values, numbers


def _power_family(sizes: FloatArray) -> CurveFamily:
    """Return g^-lambda over `sizes` (K,): theta is (lambda,)."""
    logs = np.log(sizes)

    def basis(theta: FloatArray) -> FloatArray:
        return np.asarray(np.exp(-theta[..., :1] * logs))

    return CurveFamily(
        names=("lambda",),
        low=np.array(RATES[:1]),
        high=np.array(RATES[1:]),
        grid=np.linspace(*RATES, 15)[:, None],
        basis=basis,
        slopes=lambda theta: -(logs * basis(theta))[..., None],
    )


def _smooth_family(sizes: FloatArray) -> CurveFamily:
    """Return [1 + ((g - gamma)/delta)^2]^(-lambda/2) over `sizes` (K,): theta is (gamma, delta, lambda)."""
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

    return CurveFamily(
        names=("gamma", "delta", "lambda"),
        low=np.array([-most, NARROWEST, RATES[0]]),
        high=np.array([1.0, most, RATES[1]]),
        grid=np.array([(shift, width, rate) for rate, shift, width in product(rates, shifts, widths)]),
        basis=basis,
        slopes=slopes,
    )


POWER = DecayForm("power", "equation 11", 3, _power_family, regime=50)
SMOOTH = DecayForm("smooth", "equation 12", 5, _smooth_family)


def _identifiability(jacobian: FloatArray, spread: float) -> tuple[int, float, list[float | None]]:
    """Return rank and condition number of the scaled Jacobian, and each parameter's error at `NOISE`."""
    lengths = np.linalg.norm(jacobian, axis=0)
    scaled = jacobian / np.where(lengths > 0, lengths, 1.0)
    _, singular, directions = np.linalg.svd(scaled, full_matrices=False)
    rank = int(np.count_nonzero(singular > NOISE * singular[0]))
    known = singular > np.finfo(np.float64).eps * len(jacobian) * singular[0]
    condition = float(singular[0] / singular[-1]) if known.all() else float("inf")
    errors: list[float | None] = []
    for column, length in enumerate(lengths):
        unidentified = length == 0 or np.any(np.abs(directions[~known, column]) > 1e-6)
        parts = directions[known, column] / singular[known]
        errors.append(None if unidentified else float(NOISE * spread * np.linalg.norm(parts) / length))
    return rank, condition, errors


def _parameters(
    family: CurveFamily, fits: CurveFits, errors: list[float | None]
) -> tuple[FormParameter, ...]:
    linear = [
        FormParameter("alpha", float(fits.limit[0]), errors[0], False),
        FormParameter("beta", float(fits.scale[0]), errors[1], False),
    ]
    theta = fits.theta[0]
    tolerance = 1e-6 * (family.high - family.low)
    at_bound = (theta <= family.low + tolerance) | (theta >= family.high - tolerance)
    rest = zip(family.names, theta, errors[2:], at_bound, strict=True)
    return (
        *linear,
        *(FormParameter(name, float(value), error, bool(bound)) for name, value, error, bound in rest),
    )


def _fit_notes(
    curve: FloatArray, sizes: FloatArray, rank: int, parameters: tuple[FormParameter, ...]
) -> tuple[str, ...]:
    spread = float(np.ptp(curve))
    if spread <= 1e-12 * max(1.0, float(np.abs(curve).max())):
        return ("the curve is flat: its limit is its value for every form",)
    notes = []
    steps = np.diff(curve[np.argsort(sizes)])
    if np.any(steps > 1e-9 * spread) and np.any(steps < -1e-9 * spread):
        notes.append("the curve both rises and falls, which the form cannot follow")
    if rank < len(parameters):
        notes.append(
            f"the curve determines {rank} of the form's {len(parameters)} parameters: with noise of "
            f"{NOISE:.0%} of its range, {_list(parameters)}"
        )
    bounded = [parameter for parameter in parameters if parameter.at_bound]
    if bounded:
        notes.append(
            "at the bound of the allowed range: "
            + ", ".join(f"{parameter.name} = {parameter.value:.4g}" for parameter in bounded)
            + (f" (lambda is kept within {RATES[0]}-{RATES[1]})" if bounded[-1].name == "lambda" else "")
        )
    return tuple(notes)


def _list(parameters: tuple[FormParameter, ...]) -> str:
    return ", ".join(
        f"{parameter.name} = {parameter.value:.4g} "
        + ("unknown" if parameter.error is None else f"+- {parameter.error:.2g}")
        for parameter in parameters
    )


def _extrapolation(form: DecayForm) -> Method:
    """Return the method that fits a form to the mean biased curve, and to that of every replicate."""
    value_cost = f"{form.equation} fitted to the cost of the models chosen at g = 1..G"

    def unmet_need(generations: int) -> str | None:
        if generations >= form.parameters:
            return None
        return (
            f"G = {generations}: {form.equation} has {form.parameters} parameters and cannot be fitted to "
            f"{generations} sizes"
        )

    def limit(inputs: OracleInputs, curves: FloatArray) -> tuple[ReplicatedMean, tuple[str, ...]]:
        fitted = form.fit(curves.mean(axis=0))
        replicates = inputs.replicates.means(curves)
        limits = form.limits(replicates) if len(replicates) else np.zeros(0)
        return ReplicatedMean(fitted.limit, limits), fitted.notes

    def value(inputs: OracleInputs, posterior: Posterior | None) -> MethodValue:
        quality, notes = limit(inputs, inputs.quality)
        notes += _short_cells(inputs)
        cost = None
        if inputs.cost is not None:
            cost, cost_notes = limit(inputs, inputs.cost)
            notes += describe_ties(inputs)
            of_curve = not_of_kind(cost_notes, NoteKind.FEW_GENERATIONS)
            notes += tuple(f"cost curve: {note}" for note in of_curve)
        return MethodValue(quality, cost, value_cost, notes)

    def curve(request: SweepRequest) -> MethodCurve:
        generations = request.tensor.generations
        form.limits(np.zeros((1, generations)))  # raises for too few generations before the long computation
        curves = swept_curves(request.tensor, request.rule, request.alphas, request.rng)
        notes = [
            *form.warnings(generations),
            f"intervals of extrapolations use at most {MOST_EXTRAPOLATED} replicates",
        ]
        if curves.error > 0.0:
            notes.append(
                f"curves below alpha = 1 are means over {DRAWS} orders of the generations: Monte-Carlo "
                f"standard error of a mean quality at most {curves.error:.1e}, before extrapolation"
            )
        return MethodCurve(
            curves.quality,
            curves.cost,
            curves.share,
            None,
            None if curves.cost is None else f"{form.equation} fitted to the cost of the choices at g = 1..G",
            limits=form.limits,
            notes=tuple(notes),
        )

    return Method(form.name, value_cost, value, curve, unmet_need=unmet_need)


def _short_cells(inputs: OracleInputs) -> tuple[str, ...]:
    """Return a note on cells with fewer than G generations; none if there are no such cells."""
    answers = inputs.tensor.answers
    short = (answers > 0) & (answers < answers.max())
    if not short.any():
        return ()
    return (
        f"{int(short.sum())} of {int((answers > 0).sum())} cells have fewer than G = {int(answers.max())} "
        "generations: their bias does not decay along the curve, so its limit is too high",
    )


POWER_METHOD = _extrapolation(POWER)
SMOOTH_METHOD = _extrapolation(SMOOTH)
