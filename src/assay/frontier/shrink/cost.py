"""Draws of what a generation of each model on each prompt is expected to cost."""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from assay.frontier.shrink.normal import draw_means
from assay.frontier.tensor import Tensor, cell_means

FloatArray = npt.NDArray[np.float64]
OBSERVED = "cost: each cell's observed mean, held certain (its spread within cells was not recorded)"
LOG_NORMAL = (
    "cost: log-normal, with parts of prompt and model, shrunk by empirical Bayes; scaled so that every "
    "model's total over its cells is the observed one"
)
MOST_LOG = 100.0
ZEROS = "{:,} of {:,} costs are 0: a cell's share of zeros is kept, the rest is log-normal"


def draw_costs(
    tensor: Tensor, draws: int, rng: np.random.Generator
) -> tuple[FloatArray | None, tuple[str, ...]]:
    """Return draws (S, N, L) of expected costs in the tensor's unit, None without costs, and notes on them.

    The logarithm of a cost is a prompt's part, a model's part, a remainder and noise (`draw_means`); a cell's
    expected cost is exp(m + noise/2), as of a log-normal distribution, scaled for each model. Costs known as
    one mean a cell, or by one generation a cell, are held certain. A cell without cost has draws that come
    from its prompt and its model; a model without any cost, and a cell without where observed means are held
    certain, have NaN.
    """
    if tensor.cost is None:
        return None, ()
    costs = tensor.cost
    known = ~np.isnan(costs)
    positive = np.where(known & (costs > 0.0), costs, np.nan)
    if tensor.cost_by_cell or int(known.sum(axis=2).max(initial=0)) < 2 or np.isnan(positive).all():
        observed = cell_means(costs)
        return np.broadcast_to(observed, (draws, *observed.shape)), (OBSERVED,)
    drawn = draw_means(np.log(positive), draws, rng)
    expected = np.exp(np.minimum(drawn.mean + drawn.noise[:, None, :] / 2.0, MOST_LOG))
    number = known.sum(axis=2)
    share = np.where(number > 0, (~np.isnan(positive)).sum(axis=2) / np.maximum(number, 1), 1.0)
    expected = np.where((number > 0).any(axis=0), expected * share, np.nan)
    cells = number > 0
    paid = np.where(cells, np.nan_to_num(cell_means(costs)), 0.0).sum(axis=0)
    modelled = np.where(cells, expected, 0.0).sum(axis=1)
    scale = np.where(modelled.mean(axis=0) > 0.0, paid / np.maximum(modelled.mean(axis=0), 1e-300), 1.0)
    zeros = int((known & (costs == 0.0)).sum())
    notes = (LOG_NORMAL,) if not zeros else (LOG_NORMAL, ZEROS.format(zeros, int(known.sum())))
    return expected * scale, notes
