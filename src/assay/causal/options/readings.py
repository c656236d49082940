"""Which three of several readings of one table are offered beside the figure asked for."""

from __future__ import annotations

import itertools
import random
from collections.abc import Callable, Sequence
from fractions import Fraction

from assay.causal.draft import Answer
from assay.causal.options.numbered import Figure, figures
from assay.causal.queries import Term
from assay.causal.scm import Scm
from assay.causal.search.rough import Rough


def uneven(value: float, places: int) -> bool:
    """Return whether the last of so many decimals is not zero: a round number would stand out."""
    return bool(round(value * 10**places) % 10)


def offered(
    rng: random.Random,
    scm: Scm,
    asked: Figure,
    pool: Sequence[Figure],
    rank: int,
    *,
    central: bool,
    show: Callable[[Fraction], str],
    places: int,
    least: Fraction,
    target: Term | None = None,
) -> tuple[Answer, ...] | None:
    """Return the answers with three of the pool, of which exactly `rank` are smaller than the key.

    None where no three fit: all four are to be `least` apart and to end in a digit other than zero, and a key
    that is neither least nor greatest is the nearest to their mean if it is to be `central`, else not. They
    are looked for in floating point and then made exactly, as `figures` says.
    """
    sketch = Rough(scm)
    key, room = sketch.number(asked.term), float(least)
    near = [(each, sketch.number(each.term)) for each in pool]
    for chosen in rng.sample(choices := list(itertools.combinations(near, 3)), len(choices)):
        values = sorted([key, *(v for _, v in chosen)])
        fits = values.index(key) == rank and all(b - a >= room for a, b in itertools.pairwise(values))
        mean = sum(values) / 4
        middle = abs(key - mean) == min(abs(v - mean) for v in values)
        if rank in (1, 2) and middle != central:
            continue
        if fits and all(uneven(v, places) for v in values):
            others = [each for each, _ in chosen]
            return figures(scm, asked, others, rank, show=show, places=places, least=least, target=target)
    return None
