"""The frontier against the best single model, with intervals: each replicate picks its own best model."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import asdict, dataclass

import numpy as np
import numpy.typing as npt

from assay.frontier.singles import Alone
from assay.frontier.sweep.matched import NO_COSTS, ONE_POINT, Against, gained, reasons
from assay.frontier.sweep.pareto import ROUNDING, cheapest, edges, mean_height
from assay.frontier.sweep.reached import Reached
from assay.frontier.sweep.result import Gains
from assay.frontier.weighed import Weighed

FloatArray = npt.NDArray[np.float64]
BELOW = "the single models' hull begins below the frontier's cheapest point"


@dataclass(frozen=True, slots=True)
class Lines:
    """R frontiers (R, A) beside R sets of single models (R, L); costs None without costs."""

    quality: FloatArray
    cost: FloatArray | None
    alone_quality: FloatArray
    alone_cost: FloatArray | None

    def against(self, models: Alone, best: int | None) -> Against:
        """Return each frontier beside the best of its own single models, or beside a fixed one."""
        chosen = models.best(self.alone_quality, self.alone_cost)
        if best is not None:
            chosen = np.full_like(chosen, best)
        rows = np.arange(len(chosen))
        cost = None if self.alone_cost is None else self.alone_cost[rows, chosen]
        return Against(self.quality, self.cost, self.alone_quality[rows, chosen], cost)

    def hulls(self) -> dict[str, FloatArray]:
        """Return AIQ of the single models and the frontier's mean height above their hull, (R,) each."""
        if self.cost is None or self.alone_cost is None:
            none = np.full(len(self.quality), np.nan)
            return {"aiq_singles": none, "height": none}
        shut = np.isnan(self.alone_quality) | np.isnan(self.alone_cost)
        quality = np.where(shut, -np.inf, self.alone_quality)
        cost = np.where(shut, np.inf, self.alone_cost)
        low, high = _ends(quality, cost)
        singles = mean_height(quality, cost)
        return {"aiq_singles": singles, "height": mean_height(self.quality, self.cost, low, high) - singles}


def _ends(quality: FloatArray, cost: FloatArray) -> tuple[FloatArray, FloatArray]:
    rows, last = np.arange(len(quality)), cheapest(quality, cost)
    low = cost[rows, last]
    for edge in edges(quality, cost, last.copy()):
        last[edge.rows] = edge.end
    return low, cost[rows, last]


def gains_of(
    alphas: FloatArray, lines: Sequence[Lines | None], models: Alone, weighed: Weighed, *, bounded: bool
) -> Gains:
    """Return the gains over the best of `models`.

    `lines` are the one estimate, the bootstrap's replicates, each of which picks its best model anew, and the
    draws of the truth (None without), which keep the estimate's best model.
    """
    whole, replicates, draws = lines
    assert whole is not None and replicates is not None
    one = whole.against(models, None)
    found = _figures(whole, one, bounded)
    many = _figures(replicates, replicates.against(models, None), bounded)
    best = int(models.best(whole.alone_quality, whole.alone_cost)[0])
    each = None if draws is None else _figures(draws, draws.against(models, best), bounded)
    why = reasons(one, bounded=bounded)
    why |= dict.fromkeys(("aiq_singles", "height"), NO_COSTS if whole.cost is None else ONE_POINT)
    if not np.isnan(found["aiq_singles"][0]):
        why["height"] = BELOW
    gains = {
        name: weighed.gain(float(found[name][0]), many[name], None if each is None else each[name], why[name])
        for name in found
    }
    enough = np.flatnonzero(one.quality[0] >= one.best_quality[0] - ROUNDING)
    star = float(alphas[enough[0]]) if enough.size and whole.cost is not None else None
    same = models.best(replicates.alone_quality, replicates.alone_cost) == best
    return Gains(alpha_star=star, same_best=float(same.mean()) if same.size else None, **gains)


def lines_of(reached: Reached, models: Alone, weighed: Weighed | None) -> Lines:
    """Return what each replicate of the prompts gives, the single models over the same replicates.

    Without `weighed`, the estimate itself, as the one row.
    """
    if weighed is None:
        (quality, cost), prompts = reached.estimate(), len(models.quality)
        of_alone = Weighed(np.full((1, prompts), 1.0 / prompts), 1.0)
    else:
        quality, cost = reached.replicated(weighed)
        of_alone = Weighed(weighed.weights[: len(quality)], weighed.level)
    of_cost = None if models.cost is None else of_alone.means(models.cost)
    of_quality = np.where(models.comparable, of_alone.means(models.quality), np.nan)
    return Lines(quality, cost, of_quality, of_cost)


def drawn_lines(reached: Reached) -> Lines | None:
    """Return what each draw of the truth gives; None without draws."""
    drawn = reached.draws
    if drawn is None:
        return None
    return Lines(drawn.quality, drawn.cost, drawn.alone_quality, drawn.alone_cost)


def _figures(lines: Lines, against: Against, bounded: bool) -> dict[str, FloatArray]:
    return asdict(gained(against, bounded=bounded)) | lines.hulls()
