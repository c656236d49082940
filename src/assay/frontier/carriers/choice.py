"""Choosing the cheapest of the smallest sets of models that keep a share of the oracle's gain."""

from __future__ import annotations

from dataclasses import dataclass

from assay.frontier.carriers.best_sets import EXACT, TINY, Best, Table, best_sets, cheapest_of_size, table
from assay.frontier.carriers.fewest import fewest
from assay.frontier.per_prompt import best_single, model_means, thinned
from assay.frontier.posterior import Posterior

TRIES = 3


@dataclass(frozen=True, slots=True)
class Picked:
    """The set picked, the best set of its size, the best sets by size, and the least size that could do.

    `single` and `gain` are what they were chosen on: the best single's value and the oracle's gain over it.
    """

    chosen: tuple[int, ...]
    best: Best
    sets: tuple[Best, ...]
    least: int
    single: float
    gain: float

    def kept_at_most(self, best: Best) -> float | None:
        """Return the share of the gain that no set of this size exceeds."""
        return min(1.0, (best.bound - self.single) / self.gain) if self.gain > TINY else None


def choose(
    cells: Posterior,
    models: tuple[str, ...],
    share: float,
    *,
    listed: int = 0,
    draws: int = 10,
    proof: bool = False,
) -> Picked:
    """Pick the cheapest of the smallest sets that keep the share; best sets are found up to `listed` models.

    Above `EXACT` models sets are searched on at most `draws` draws, and checked on all. With `proof` integer
    programming closes the gap between the set found and the fewest models that could do, for cell means.
    """
    full = table(cells.quality, cells.cost, cells.may_choose)
    few = cells if len(models) <= EXACT else thinned(cells, draws)
    rows = full if few is cells else table(few.quality, few.cost, few.may_choose)
    single, every = best_single(*model_means(cells), models), range(len(models))
    alone, gain = full.value([single]), full.value(every) - full.value([single])
    target = alone + share * gain - TINY
    searched = rows.value([single]) + share * (rows.value(every) - rows.value([single])) - TINY
    sets: list[Best] = []
    enough: Best | None = None
    least = 0
    for best in best_sets(rows):
        sets.append(best)
        least = least or (len(sets) if best.bound >= searched else 0)
        enough = enough or (best if full.value(best.chosen) >= target else None)
        if enough is not None and len(sets) >= listed:
            break
    assert enough is not None
    if proof and rows is full and least < len(enough.chosen):
        enough, least = _proved(full, enough, target, least)
    chosen = _cheapest(rows, full, enough, searched, target)
    start = rows.value([single])
    return Picked(chosen, enough, tuple(sets), least, start, rows.value(every) - start)


def _proved(rows: Table, enough: Best, target: float, least: int) -> tuple[Best, int]:
    """Return a smallest set and its size where integer programming proves it; else what is known."""
    found = fewest(rows, target)
    if found is None:
        return enough, least
    if len(found) == len(enough.chosen):
        return enough, len(found)
    return Best(found, rows.value(found), enough.bound, False), len(found)


def _cheapest(rows: Table, full: Table, enough: Best, searched: float, target: float) -> tuple[int, ...]:
    """Return the cheapest set of that size which still keeps the share on all draws."""
    asked = searched
    for _ in range(TRIES):
        chosen = cheapest_of_size(rows, enough, min(asked, enough.value))
        short = target - full.value(chosen)
        if short <= TINY:
            return chosen
        asked += 1.5 * short
    return enough.chosen
