"""Each model's reliability with intervals, its upward bias, and what remains of it."""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from assay.frontier import reliability
from assay.frontier.estimate import Estimate
from assay.frontier.per_prompt import thinned
from assay.frontier.posterior import Posterior
from assay.frontier.tensor import Tensor
from assay.frontier.weighed import weigh
from assay.studies.frontier.report_result import ModelReliability, ReliabilityTable

FloatArray = npt.NDArray[np.float64]
DRAWS = 50
"""The bias and the correlations, which hardly vary by draw, are of at most so many."""


def reliability_table(
    tensor: Tensor, posterior: Posterior | None, *, level: float, resamples: int, seed: int
) -> ReliabilityTable:
    """Return every model's reliability (equation 24), the greatest remaining one first.

    Over the prompts that each model has. `remaining` is the posterior's 2 E|p - 0.5|; its intervals are over
    prompts and over draws. InvalidInput for quality other than 0 and 1.
    """
    found = reliability.measure(tensor, None if posterior is None else thinned(posterior, DRAWS))
    weighed = weigh(len(tensor.prompts), resamples, level, np.random.default_rng(seed))
    there = tensor.there
    shares = tensor.mean_quality()
    by_prompt = 2.0 * np.abs(shares - 0.5)
    measured = weighed.estimates(found.measured, weighed.means(by_prompt), None)
    remaining: list[Estimate | None] = [None] * len(tensor.models)
    if posterior is not None and found.remaining is not None:
        away = 2.0 * np.abs(posterior.quality - 0.5)
        cells = np.where(there, away.mean(axis=0), np.nan)
        count = np.maximum(there.sum(axis=0), 1)
        draws = np.einsum("snl,nl->sl", away, there.astype(np.float64)) / count
        remaining = list(weighed.estimates(draws.mean(axis=0), weighed.means(cells), draws))
    quality, costs = np.nanmean(shares, axis=0), tensor.mean_cost()
    spent = None if costs is None else np.nanmean(costs, axis=0)
    bias = None
    if found.expected is not None and found.remaining is not None:
        bias = found.expected - found.remaining
    models = [
        ModelReliability(
            name,
            int(found.prompts[place]),
            float(quality[place]),
            None if spent is None else float(spent[place]),
            measured[place],
            float(found.coin[place]),
            remaining[place],
            None if bias is None else float(bias[place]),
        )
        for place, name in enumerate(tensor.models)
    ]
    return ReliabilityTable(
        tuple(sorted(models, key=_rank)),
        found.with_quality,
        found.with_cost,
        found.remaining_with_quality,
        found.remaining_with_cost,
    )


def _rank(row: ModelReliability) -> tuple[float, str]:
    told = row.remaining or row.measured
    return (-(told.value or 0.0), row.model)
