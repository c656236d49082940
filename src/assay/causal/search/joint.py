"""Random graphs in which one treatment precedes another, and fast searches in them: they prove nothing."""

from __future__ import annotations

import random

from assay.causal.draws import graph
from assay.causal.scm import Dag
from assay.causal.search.sketch import Sketch


def mediated(
    rng: random.Random, special: tuple[str, str, str], rest: tuple[str, ...], density: float
) -> Dag | None:
    """Draw a graph where the treatment reaches the mediator, that the outcome, and nothing stands alone."""
    x, m, y = special
    drawn = graph(rng, (x, m, y, *rest), density)
    order = [name for name in drawn.names if name in special]
    new = dict(zip(order, special, strict=True)) | {name: name for name in rest}
    turned = Dag({new[name]: tuple(new[each] for each in parents) for name, parents in drawn.parents.items()})
    sketch = Sketch(turned)
    return turned if not sketch.lonely and sketch.causes(x, m) and sketch.causes(m, y) else None


def ways(drawn: Dag, start: str, end: str, without: str = "") -> int:
    """Count the directed paths from one variable to another that avoid a third."""
    ways = dict.fromkeys(drawn.names, 0) | {start: 1}
    for name in drawn.names:
        if name not in (start, without):
            ways[name] = sum(ways[parent] for parent in drawn.parents[name])
    return 0 if without in (start, end) else ways[end]


def serves(drawn: Dag, x: str, m: str, y: str, over: tuple[str, ...]) -> bool:
    """Return whether a set serves for the joint effect, by a fast search (see `ValidAdjustment`)."""
    sketch = Sketch(drawn)
    on = {name for name in drawn.names if name not in (x, m) and ways(drawn, name, y, m)}
    on = {name for name in on if ways(drawn, m, name) or ways(drawn, x, name, m)}
    if any(sketch.below(name).intersection(over) for name in on):
        return False
    cut = Dag(
        {
            name: tuple(each for each in parents if name not in on or each not in (x, m))
            for name, parents in drawn.parents.items()
        }
    )
    return Sketch(cut).separated(x, y, over) and Sketch(cut).separated(m, y, over)
