"""How often judges agree, two by two."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import combinations

import numpy as np
import numpy.typing as npt

from assay.stats.intervals import Interval
from assay.stats.kappa import Kappa, Label, cohen
from assay.stats.proportion import clopper_pearson


@dataclass(frozen=True, slots=True)
class Pair:
    """Two judges on the `n` items that both marked.

    `agreement` is the share with the same mark, with its exact interval; `within_one` the share at most 1
    apart; `kappa` plain, `linear` and `quadratic` weighted. None without items.
    """

    first: str
    second: str
    n: int
    agreement: float | None
    interval: Interval | None
    within_one: float | None
    kappa: Kappa
    linear: Kappa
    quadratic: Kappa


def pairwise(
    judges: Sequence[str],
    marks: npt.ArrayLike,
    *,
    categories: Sequence[Label] | None = None,
    rng: np.random.Generator | None = None,
    replicates: int = 2000,
    level: float = 0.95,
) -> tuple[Pair, ...]:
    """Compare every two judges' marks, of shape (judges, items), NaN for none.

    The scale is `categories` in order (for marks 1-5: 1, 2, 3, 4, 5), or every value that any judge gave.
    With `rng` the kappas have bootstrap intervals over items.
    """
    table = np.asarray(marks, dtype=np.float64)
    scale = np.unique(table[~np.isnan(table)]).tolist() if categories is None else list(categories)
    found = []
    for one, other in combinations(range(len(judges)), 2):
        both = ~np.isnan(table[one]) & ~np.isnan(table[other])
        left, right = table[one][both], table[other][both]
        n, same = len(left), int(np.count_nonzero(left == right))
        kinds = [
            cohen(
                left.tolist(),
                right.tolist(),
                categories=scale,
                weights=weights,
                rng=rng,
                replicates=replicates,
                level=level,
            )
            for weights in (None, "linear", "quadratic")
        ]
        found.append(
            Pair(
                judges[one],
                judges[other],
                n,
                same / n if n else None,
                clopper_pearson(same, n, level=level) if n else None,
                float(np.mean(np.abs(left - right) <= 1.0)) if n else None,
                *kinds,
            )
        )
    return tuple(found)
