"""`shrink`: the default way to see through the luck of few generations, by empirical Bayes."""

from __future__ import annotations

import numpy as np

from assay.core.errors import InvalidInput, Problem
from assay.frontier.posterior import Posterior
from assay.frontier.shrink_cost import draw_costs
from assay.frontier.shrink_counts import coded
from assay.frontier.shrink_draws import draw_rates
from assay.frontier.shrink_normal import draw_means
from assay.frontier.tensor import Tensor

METHOD = "shrink"
MOST_NUMBERS = 40_000_000
LEAST_DRAWS = 20
ONE_EACH = (
    "no cell has two generations: how far an answer is luck cannot be learnt from one; use the method "
    "'naive', whose result says by how much it may mislead, or generate at least 2, better 5 or 10"
)


def fit_shrink(tensor: Tensor, *, draws: int = 200, seed: int = 0) -> Posterior:
    """Return draws of every cell's expected quality and cost, given all of the tensor.

    Quality of 0 and 1: success rates, whose distribution among cells alike in expectation is learnt from
    those cells (`shrink_draws`). Any other quality: normal, with parts of prompt and model
    (`shrink_normal`). Costs: log-normal (`shrink_cost`). `draws` is cut, and a note says so, where they would
    hold over 40 million numbers. The same seed gives the same draws. Raises InvalidInput where no cell has
    two generations.
    """
    given = tensor.given
    if int(given.max(initial=0)) < 2:
        raise InvalidInput(Problem(ONE_EACH))
    notes = []
    most = max(LEAST_DRAWS, MOST_NUMBERS // max(given.size, 1))
    if draws > most:
        notes.append(f"{most} draws in place of {draws}: {given.size:,} cells would need too much memory")
        draws = most
    pairs = float((given >= 2).sum() / max(int((given >= 1).sum()), 1))
    if pairs < 0.5:
        notes.append(
            f"only {100 * pairs:.0f} % of the cells have two generations: the rest borrows from them"
        )
    rng = np.random.default_rng(seed)
    if tensor.binary:
        quality = draw_rates(coded(tensor.correct, given), draws, rng)
    else:
        quality = draw_means(tensor.quality, draws, rng).mean
        notes.append("quality is not 0 or 1: normal, with parts of prompt and model")
    cost, told = draw_costs(tensor, draws, rng)
    return Posterior(METHOD, quality, cost, tensor.there, (*notes, *told))
