"""Matrix completion: exact structure, coverage of cells and means, and what is refused."""

from __future__ import annotations

import numpy as np
import pytest
from scipy.special import expit

from assay.stats.matrix_completion import complete, resampled_means

NAN = np.nan


def world(rng: np.random.Generator, rows: int, columns: int, factors: int, noise: float) -> np.ndarray:
    """Return scores of a factor model in logits with normal noise."""
    effects = rng.normal(size=(rows, 1)) + rng.normal(size=columns)
    common = rng.normal(size=(rows, factors)) @ rng.normal(size=(factors, columns))
    return expit(0.5 + effects + 0.7 * common + rng.normal(0.0, noise, (rows, columns)))


def test_additive_logits_are_completed() -> None:
    """Row and column effects alone: the missing cell is the sum of its row's and its column's effect."""
    logits = np.linspace(-1.0, 1.0, 8)[:, None] + np.linspace(-0.5, 0.5, 6)
    scores = expit(logits)
    hidden = scores.copy()
    hidden[3, 2] = NAN
    completion = complete(hidden, np.random.default_rng(1))
    assert completion.values[3, 2] == pytest.approx(scores[3, 2], abs=0.03)
    assert completion.low[3, 2] < scores[3, 2] < completion.high[3, 2]


def test_a_common_factor_is_used_where_it_helps() -> None:
    """With a strong factor the chosen model has one, and predicts better than effects alone."""
    rng = np.random.default_rng(4)
    scores = world(rng, 40, 20, 1, 0.1)
    hidden = np.where(rng.random(scores.shape) < 0.2, NAN, scores)
    completion = complete(hidden, rng)
    missing = np.isnan(hidden)
    assert completion.model.rank >= 1
    assert np.abs(completion.values - scores)[missing].mean() < 0.05


def test_too_few_cells_are_refused() -> None:
    """Nothing can be held out of a handful of scores."""
    with pytest.raises(ValueError, match="4 measured cells: give at least 20"):
        complete([[0.5, NAN], [0.5, 0.2], [NAN, 0.1]], np.random.default_rng(0))


@pytest.mark.slow
@pytest.mark.parametrize(
    ("rows", "columns", "factors", "noise", "missing"),
    [(20, 10, 1, 0.3, 0.3), (20, 40, 0, 0.8, 0.5), (12, 8, 2, 0.2, 0.2), (40, 12, 2, 0.5, 0.4)],
)
def test_intervals_cover_missing_cells_and_completed_means(
    rows: int, columns: int, factors: int, noise: float, missing: float
) -> None:
    """91-98 % of cells and of means lie in their 95 % interval; the last two worlds were not tuned on."""
    rng = np.random.default_rng(9)
    cells, means, claimed = [], [], []
    for _ in range(12):
        scores = world(rng, rows, columns, factors, noise)
        hidden = np.where(rng.random(scores.shape) < missing, NAN, scores)
        completion = complete(hidden, rng)
        empty = np.isnan(hidden)
        cells += list(((completion.low <= scores) & (scores <= completion.high))[empty])
        low, high = np.quantile(resampled_means(completion, hidden, rng, 200), [0.025, 0.975], axis=0)
        true = scores.mean(axis=1)
        means += list((low <= true) & (true <= high))
        claimed.append(completion.coverage)
    assert 0.91 <= np.mean(cells) <= 0.98
    assert 0.89 <= np.mean(means) <= 0.99
    assert np.mean(claimed) == pytest.approx(0.95, abs=0.02)
