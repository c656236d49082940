"""What a reader must know of the data behind an oracle's value, whatever the method."""

from __future__ import annotations

import numpy as np

from assay.frontier.oracles.gathered import Gathered
from assay.frontier.oracles.valued import Value

ROUNDING = 1e-9


def remarks(gathered: Gathered, value: Value) -> tuple[str, ...]:
    """Return what was left out, what is uneven, and what the method's value contradicts."""
    said = list(gathered.prepared.notes)
    tensor = gathered.tensor
    said += _footing(gathered)
    if gathered.error.any():
        said.append(
            "quality is not 0/1: the curve is by seeded resampling, with a Monte-Carlo standard error up to "
            f"{gathered.error.max():.2g}"
        )
    if tensor.generations == 1 and len(tensor.models) > 1:
        said.append(_luck(gathered))
    if len(tensor.prompts) == 1:
        said.append("one prompt: what other prompts could give cannot be said, and its interval says nothing")
    if value.quality is not None:
        said += _outside(gathered, value, value.quality.value)
    return tuple(said)


def _footing(gathered: Gathered) -> tuple[str, ...]:
    """Say on which prompts the best single model stands, where it lacks some."""
    coverage = float(gathered.singles.coverage[gathered.best])
    if coverage == 1.0:
        return ()
    told = (
        f"the best single model {gathered.tensor.models[gathered.best]!r} has {coverage:.0%} of the prompts: "
    )
    if np.isnan(gathered.singles.quality[:, gathered.best]).any():
        return (told + "no shared prompts join it to the others, so the gain over it compares badly",)
    return (told + "a fit by prompt and model fills in the rest of its mean",)


def _outside(gathered: Gathered, value: Value, reached: float) -> tuple[str, ...]:
    """Say where a value lies where no oracle can be, or can be only by chance."""
    single = float(np.nanmean(gathered.singles.quality[:, gathered.best]))
    naive = float(gathered.quality[:, -1].mean())
    if reached < single - ROUNDING:
        below = 100 * (single - reached)
        told = f"the value lies {below:.2f} points below the best single's observed mean"
        if value.single_draws is not None:
            alone = float(value.single_draws.mean())
            return (f"{told}, part of which is luck: by this method it is {alone:.4g}",)
        return (f"{told}, where hardly any oracle can be: the method fails here",)
    if reached > naive + ROUNDING:
        return (
            f"the value lies {100 * (reached - naive):.2f} points above the naive one, which itself "
            "overstates in expectation: the method's model does not fit these data",
        )
    return ()


def _luck(gathered: Gathered) -> str:
    """Say how far one generation may mislead: what models that are all alike would show (equation 10)."""
    quality = gathered.tensor.mean_quality()
    shown = float(np.mean([alike(row[~np.isnan(row)]) for row in quality]))
    true = float(np.nanmean(np.nanmean(quality, axis=1)))
    gain = float(gathered.quality[:, -1].mean() - np.nanmean(gathered.singles.quality[:, gathered.best]))
    luck = shown - true
    return (
        "one generation in every cell (G = 1): the bias cannot be measured. Were all models alike on each "
        f"prompt, as good as their mean there, luck alone would lift the naive oracle from {true:.4g} to "
        f"about {shown:.4g}; of its lead of {gain:.4g} over the best single model "
        + ("all may be luck" if luck >= gain else f"up to {luck:.4g} may be luck")
    )


def alike(values: np.ndarray) -> float:
    """Return the expected greatest of as many draws, with replacement, as there are values (K,).

    For 0/1 values with mean p this is 1 - (1 - p)^K: equation 10 at G = 1, each prompt's rate being p.
    """
    number = len(values)
    steps = (np.arange(number + 1) / number) ** number
    return float(np.sort(values) @ np.diff(steps))
