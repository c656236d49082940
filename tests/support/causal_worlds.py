"""Random graphs and models on which the two routes are compared."""

from __future__ import annotations

import itertools
import random
from collections.abc import Sequence
from fractions import Fraction

from assay.causal.scm import Dag, Scm, binary


def graph(rng: random.Random, names: Sequence[str], density: float, *, hidden: Sequence[str] = ()) -> Dag:
    """Draw a graph over shuffled names: each of the possible arrows is there with chance `density`."""
    order = rng.sample(list(names), len(names))
    parents = {
        name: tuple(cause for cause in order[:place] if rng.random() < density)
        for place, name in enumerate(order)
    }
    return Dag(parents, frozenset(hidden))


def random_scm(seed: int, names: str, density: float = 0.5, hidden: str = "") -> Scm:
    """Return a model over a random graph, binary, with probabilities in twentieths."""
    rng = random.Random(f"world {seed}")
    found = graph(rng, list(names), density, hidden=list(hidden))
    return Scm(
        tuple(
            binary(
                name,
                " ".join(parents),
                {
                    levels: Fraction(rng.randint(1, 19), 20)
                    for levels in itertools.product((0, 1), repeat=len(parents))
                },
                hidden=name in hidden,
            )
            for name, parents in found.parents.items()
        )
    )
