"""The alternative to the watch's sequential rules: Page's chart of the pooled daily mean."""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

CALIBRATION = 28

FloatArray = npt.NDArray[np.float64]


def plain_alarms(means: FloatArray, k: float, height: float) -> npt.NDArray[np.bool_]:
    """Return the alarms of Page's chart of the pooled mean (replicates, days), calibrated on 28 days."""
    calibration = means[:, :CALIBRATION]
    spread = calibration.std(axis=1, ddof=1, keepdims=True)
    z = (calibration.mean(axis=1, keepdims=True) - means) / spread
    alarms = np.zeros(means.shape, dtype=bool)
    total = np.zeros(len(means))
    for day in range(CALIBRATION, means.shape[1]):
        total = np.maximum(total + z[:, day] - k, 0.0)
        alarms[:, day] = total >= height
        total[alarms[:, day]] = 0.0
    return alarms


def plain_height(means: FloatArray, k: float, false_alarms: float) -> float:
    """Return the least height, to 0.05, with at most `false_alarms` a year on these days without a fall."""
    allowed = false_alarms * means.shape[0] * (means.shape[1] - CALIBRATION) / 365
    low, high = 0.5, 100.0
    while high - low > 0.05:
        middle = (low + high) / 2.0
        if plain_alarms(means, k, middle).sum() > allowed:
            low = middle
        else:
            high = middle
    return round(high, 2)
