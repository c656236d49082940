"""What a reader must know of the data behind an oracle's value, whatever the method."""

from __future__ import annotations

import numpy as np

from assay.frontier.gathered import Gathered
from assay.frontier.valued import Told

ROUNDING = 1e-9


def remarks(gathered: Gathered, told: Told) -> tuple[str, ...]:
    """Return what was left out, what is uneven, and what the method's value contradicts."""
    said = list(gathered.prepared.notes)
    tensor = gathered.tensor
    coverage = float(gathered.singles.coverage[gathered.best])
    if coverage < 1.0:
        said.append(
            f"the best single model {tensor.models[gathered.best]!r} has {coverage:.0%} of the prompts: a "
            "fit by prompt and model fills in the rest of its mean"
        )
    if gathered.error.any():
        said.append(
            "quality is not 0/1: the curve is by seeded resampling, with a Monte-Carlo standard error up to "
            f"{gathered.error.max():.2g}"
        )
    if tensor.generations == 1 and len(tensor.models) > 1:
        said.append(_luck(gathered))
    value, single = told.quality.value, float(np.nanmean(gathered.singles.quality[:, gathered.best]))
    if value is not None:
        said += _outside(value, single, float(gathered.quality[:, -1].mean()))
    return tuple(said)


def _outside(value: float, single: float, naive: float) -> tuple[str, ...]:
    """Say where a value lies where no oracle can be, or can be only by chance."""
    if value < single - ROUNDING:
        return (
            f"the value lies {100 * (single - value):.2f} points below the best single model, where no "
            "oracle can be: the method fails here",
        )
    if value > naive + ROUNDING:
        return (
            f"the value lies {100 * (value - naive):.2f} points above the naive one, which itself overstates "
            "in expectation: the method's model does not fit these data",
        )
    return ()


def _luck(gathered: Gathered) -> str:
    """Say how far one generation may mislead: what models that are all alike would show (equation 10)."""
    quality = gathered.tensor.quality[:, :, 0]
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
