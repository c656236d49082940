"""What every method of the oracle starts from: each prompt's biased curves, and one bootstrap for all."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from assay.frontier.biased.chosen import chosen_costs, sampled_curves
from assay.frontier.biased.exact import per_prompt_curves
from assay.frontier.estimate import Estimate
from assay.frontier.oracles.extrapolate import LEAST, fit_smooth, limits
from assay.frontier.prepared import Prepared, prepare
from assay.frontier.singles import Alone, alone
from assay.frontier.tensor import Tensor
from assay.frontier.weighed import Weighed, weigh
from assay.stats.resample import percentile

FloatArray = npt.NDArray[np.float64]
IntArray = npt.NDArray[np.int64]


@dataclass(frozen=True, slots=True)
class Gathered:
    """A tensor made ready: `quality` and `cost` (N, G) are what the biased oracle reaches and costs at g.

    Both are of the model chosen by g generations of each cell (equal shares: the cheapest), `cost` None
    without costs. `singles` are the models alone, `best` the position of the best single one. `replicates`
    are the bootstrap's; `error` is the Monte-Carlo standard error of the mean quality at g, 0 where it is
    exact. `paper_cost` is the paper's own estimate of the cost: equation 12 on the mean cost curve, None
    without costs or with fewer than 5 generations. `given` is the tensor as it came, of which `prepared`
    keeps what can be used.
    """

    given: Tensor
    prepared: Prepared
    quality: FloatArray
    cost: FloatArray | None
    error: FloatArray
    singles: Alone
    best: int
    replicates: Weighed
    paper_cost: Estimate | None
    seed: int

    @property
    def tensor(self) -> Tensor:
        """The tensor of what is used."""
        return self.prepared.tensor


def gather(tensor: Tensor, *, level: float = 0.9, resamples: int = 500, seed: int = 0) -> Gathered:
    """Return what every method starts from. InvalidInput for a tensor without any usable answer."""
    prepared = prepare(tensor)
    kept = prepared.tensor
    costs = kept.mean_cost()
    if kept.binary:
        right, number = kept.correct, kept.given
        quality = per_prompt_curves(right, number)
        cost = None if costs is None else chosen_costs(right, number, costs)
        error = np.zeros(quality.shape[1])
    else:
        quality, cost, error = sampled_curves(kept.quality, costs, np.random.default_rng([seed, 1]))
    singles = alone(kept)
    means = np.nanmean(singles.quality, axis=0)[None]
    spent = None if singles.cost is None else np.nanmean(singles.cost, axis=0)[None]
    weighed = weigh(len(kept.prompts), resamples, level, np.random.default_rng(seed))
    best = int(singles.best(means, spent)[0])
    paper = _paper_cost(cost, weighed)
    return Gathered(tensor, prepared, quality, cost, error, singles, best, weighed, paper, seed)


def _paper_cost(cost: FloatArray | None, weighed: Weighed) -> Estimate | None:
    if cost is None or cost.shape[1] < LEAST["smooth"]:
        return None
    found = fit_smooth(cost.mean(axis=0)).limit
    replicates = weighed.means(cost)
    many = percentile(limits("smooth", replicates), weighed.level) if len(replicates) else None
    return Estimate(found, many)
