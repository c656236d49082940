"""The bracket as a value of the oracle: its two ends and what their choices cost."""

from __future__ import annotations

import numpy as np

from assay.frontier.bracket import cross_fitted
from assay.frontier.gathered import Gathered
from assay.frontier.valued import Value, over

ESTIMATOR = (
    "cost of the answer left out, of the model chosen by the others: what such a choice pays, a bound of the "
    "true oracle's cost on neither side"
)


def bracketed(gathered: Gathered) -> Value:
    """Return both ends; with one generation in every cell, the upper one alone."""
    tensor = gathered.tensor
    ends = cross_fitted(tensor)
    upper = over(gathered, ends.upper)
    if not ends.split.any():
        told = "one generation in every cell: none can be left out, so the bracket is open below"
        return Value(None, None, ESTIMATOR, (told,), upper=upper)
    notes = []
    few, lower = ~ends.split, ends.lower
    if few.any():
        notes.append(
            f"{int(few.sum())} of {len(few)} prompts have one generation in every cell: their lower end is "
            "the mean of their models, below which no oracle falls"
        )
        lower = np.where(few, np.nanmean(tensor.mean_quality(), axis=1), lower)
    alone = tensor.there & (tensor.given < 2)
    if alone[ends.split].any():
        notes.append(
            f"{int(alone[ends.split].sum())} cells with one generation are not chosen in the lower end, "
            "which they could only raise"
        )
    cost = None
    if ends.lower_cost is not None and tensor.cost is not None:
        cost = over(gathered, np.where(few, np.nanmean(tensor.mean_cost(), axis=1), ends.lower_cost))  # type: ignore[arg-type]
        if tensor.cost_by_cell:
            notes.append("costs are known by cell: the answer left out costs its cell's mean")
    return Value(None, cost, ESTIMATOR, tuple(notes), lower=over(gathered, lower), upper=upper)
