"""Random graphs and models on which the two routes are compared."""

from __future__ import annotations

import itertools
import random
from fractions import Fraction

from assay.causal.draws import graph
from assay.causal.scm import Scm, binary


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
