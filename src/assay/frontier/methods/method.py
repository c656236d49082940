"""The shape that all methods of the frontier have, and the request for a curve."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from assay.frontier.methods.value import MethodValue, OracleInputs
from assay.frontier.posterior import Posterior
from assay.frontier.sweep.curve import MethodCurve
from assay.frontier.sweep.decisions import PhiRule, Views
from assay.frontier.sweep.prices import PriceChange
from assay.frontier.tensor import Tensor

FloatArray = npt.NDArray[np.float64]
ProgressCallback = Callable[[str], None]


@dataclass(frozen=True, slots=True)
class SweepRequest:
    """A request for the quality and cost of decisions by `rule` at `alphas` on a tensor.

    `posterior` holds the method's draws for this tensor, None for a method without a model. With `by_prompt`
    the result has the choices prompt by prompt. With `prices` decisions are made at the recorded prices and
    their costs are counted at the new prices.
    """

    tensor: Tensor
    rule: PhiRule
    alphas: FloatArray
    seed: int
    posterior: Posterior | None = None
    by_prompt: bool = False
    prices: PriceChange | None = None

    def views(self, quality: FloatArray, cost: FloatArray | None, may_choose: npt.NDArray[np.bool_]) -> Views:
        """Return views (S, N, L) that decide by these values and count them, at `prices` if there are any."""
        counted = cost if self.prices is None or cost is None else self.prices.of(cost, models=2)
        return self.rule.views(quality, cost, may_choose, quality, counted)

    @property
    def rng(self) -> np.random.Generator:
        """A generator for what a method draws in addition to its posterior."""
        return np.random.default_rng([self.seed, 2])


def _always_enough(generations: int) -> None:
    """Any number of generations is enough."""


@dataclass(frozen=True, slots=True)
class Method:
    """One way to remove luck from the oracle and the frontier.

    `name` is the name that users write, `cost_estimator` says how the oracle's cost is estimated. `value`
    takes the inputs and the method's own draws, and returns its value of the oracle of two or more models.
    `curve` returns the quality and cost of decisions along alpha, or raises InvalidInput if the method has
    none. `draw` is None for a method that does not model the generations; otherwise it returns draws of the
    true quality for a tensor and a seed, and reports its steps. `unmet_need` returns the reason why a number
    of generations in a cell is too few for any value, None if it is enough. A method that `decides` chooses a
    model for each prompt, so that latency can be weighed and old decisions can be counted at other prices.
    `package` is the name of a required package that is not part of every installation.

    Intervals follow from what a method returns: from the replicates and draws of a `MethodValue` and from
    `MethodCurve.replicates`. A new method is one such object in a file of this package, and a line in the
    registry.
    """

    name: str
    cost_estimator: str
    value: Callable[[OracleInputs, Posterior | None], MethodValue]
    curve: Callable[[SweepRequest], MethodCurve]
    draw: Callable[[Tensor, int, ProgressCallback | None], Posterior] | None = None
    unmet_need: Callable[[int], str | None] = _always_enough
    decides: bool = False
    package: str = ""

    @property
    def modelled(self) -> bool:
        """Whether the method models the generations and computes everything from draws of its model."""
        return self.draw is not None

    def fit(self, tensor: Tensor, *, seed: int, progress: ProgressCallback | None = None) -> Posterior | None:
        """Return draws of the true quality and cost, None for a method without a model.

        Raises InvalidInput if the model cannot be fitted to this tensor.
        """
        return None if self.draw is None else self.draw(tensor, seed, progress)
