"""Extrapolation as a value of the oracle: the mean curve and every replicate's, fitted alike."""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from assay.frontier.oracles.extrapolate import LEAST, FormName, fit_power, fit_smooth, limits
from assay.frontier.oracles.gathered import Gathered
from assay.frontier.oracles.valued import Figure, Value, ties

FloatArray = npt.NDArray[np.float64]
EQUATION = {"power": "equation 11", "smooth": "equation 12"}


def extrapolated(gathered: Gathered, form: FormName) -> Value:
    """Return the limit of the biased curve; none with fewer generations than the form has parameters."""
    estimator = f"{EQUATION[form]} fitted to the cost of the models chosen at g = 1..G"
    most = gathered.quality.shape[1]
    if most < LEAST[form]:
        told = (
            f"G = {most}: {EQUATION[form]} has {LEAST[form]} parameters and cannot be fitted to {most} sizes"
        )
        return Value(None, None, estimator, (told,))
    quality, notes = _limit(gathered, gathered.quality, form)
    notes += _short(gathered)
    cost = None
    if gathered.cost is not None:
        cost, more = _limit(gathered, gathered.cost, form)
        notes += ties(gathered)
        notes += tuple(f"cost curve: {note}" for note in more if not note.startswith("G = "))
    return Value(quality, cost, estimator, notes)


def _limit(gathered: Gathered, curves: FloatArray, form: FormName) -> tuple[Figure, tuple[str, ...]]:
    fit = (fit_power if form == "power" else fit_smooth)(curves.mean(axis=0))
    replicates = gathered.replicates.means(curves)
    found = limits(form, replicates) if len(replicates) else np.zeros(0)
    return Figure(fit.limit, found), fit.notes


def _short(gathered: Gathered) -> tuple[str, ...]:
    given = gathered.tensor.given
    short = (given > 0) & (given < given.max())
    if not short.any():
        return ()
    return (
        f"{int(short.sum())} of {int((given > 0).sum())} cells have fewer than G = {int(given.max())} "
        "generations: their luck does not fade along the curve, so its limit overstates",
    )
