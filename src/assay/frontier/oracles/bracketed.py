"""The bracket as a value of the oracle: its two ends and what their choices cost."""

from __future__ import annotations

import numpy as np

from assay.frontier.oracles.bracket import LEAST, cross_fitted
from assay.frontier.oracles.gathered import Gathered
from assay.frontier.oracles.valued import Value, over

ESTIMATOR = (
    "cost of the answer left out, of the model chosen by the others: what such a choice pays, a bound of the "
    "true oracle's cost on neither side"
)

ONE_EACH = (
    "one generation in every cell: none can be left out to choose by, so the bracket is open below; the best "
    "single model stands there"
)
NOTHING_ELSE = "no other prompts and no second generations: nothing to choose by, and no lower end"


def bracketed(gathered: Gathered) -> Value:
    """Return both ends; with one generation in every cell, the upper one alone."""
    tensor = gathered.tensor
    ends = cross_fitted(tensor)
    upper = over(gathered, ends.upper)
    if tensor.generations < LEAST:
        return Value(None, None, ESTIMATOR, (ONE_EACH,), upper=upper)
    if np.isnan(ends.lower).all():
        return Value(None, None, ESTIMATOR, (NOTHING_ELSE,), upper=upper)
    lower, notes = over(gathered, ends.lower), []
    alone = float(np.nanmean(gathered.singles.quality[:, gathered.best]))
    if lower.value < alone:
        notes.append(
            f"the lower end lies {100 * (alone - lower.value):.2f} points below the best single model, below "
            "which no oracle can be either"
        )
    cost = None
    if ends.lower_cost is not None:
        cost = over(gathered, ends.lower_cost)
        if tensor.cost_by_cell:
            notes.append("costs are known by cell: the answer left out costs its cell's mean")
    return Value(None, cost, ESTIMATOR, tuple(notes), lower=lower, upper=upper)
