"""When an optimisation has settled."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np


@dataclass(frozen=True, slots=True)
class Rule:
    """When to stop: two blocks in a row rise above the best by less than a share of its size (or `floor`)."""

    tolerance: float
    floor: float = 0.0
    best: float = -np.inf
    idle: int = 0

    @property
    def settled(self) -> bool:
        """Whether the bound has stopped rising."""
        return self.idle >= 2

    def after(self, elbo: float) -> Rule:
        """Return the rule after another block's mean ELBO."""
        rise = elbo - self.best
        small = np.isfinite(self.best) and rise < self.tolerance * max(abs(self.best), self.floor)
        return Rule(self.tolerance, self.floor, max(self.best, elbo), self.idle + 1 if small else 0)
