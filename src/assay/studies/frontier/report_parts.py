"""The parts of a frontier's report beside the frontier itself, made from one tensor and its posterior."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import TypedDict

import numpy as np
import numpy.typing as npt

from assay.core.errors import InvalidInput
from assay.frontier.carriers.cheapest import Cheapest, cheapest
from assay.frontier.carriers.shapley import Carriers, carriers
from assay.frontier.oracles.gathered import Gathered, gather
from assay.frontier.oracles.oracle import Method, OracleEstimate, value_by, without_value
from assay.frontier.posterior import Posterior
from assay.frontier.selection.break_even import BreakEven, break_even
from assay.frontier.selection.judged import erring
from assay.frontier.selection.posthoc import posthoc
from assay.frontier.selection.sequential import Sequential, sequential
from assay.frontier.shrink.fit import fit_shrink
from assay.frontier.tensor import Tensor
from assay.studies.frontier.read import Read
from assay.studies.frontier.report_reliability import reliability_table
from assay.studies.frontier.report_result import Judged, ReliabilityTable, Settings
from assay.studies.frontier.simulating import RecordedUplift, recorded_uplift

FloatArray = npt.NDArray[np.float64]
ERRORS = (0.0, 0.01, 0.05, 0.1, 0.2)
"""Error rates of the judge at which selection among answers is shown."""
MODELLED = ("shrink", "pgm")
STEPS = 400
"""Sequential plans of more steps than this are cut."""
Tell = Callable[[str], None]


class Bootstrap(TypedDict):
    """What every part's intervals are made with."""

    level: float
    resamples: int
    seed: int


def posterior_of(tensor: Tensor, method: Method, seed: int, tell: Tell) -> Posterior | None:
    """Return the draws of a method that models the generations, None for the others."""
    if method == "shrink":
        tell(f"shrink: a model of {len(tensor.prompts):,} x {len(tensor.models)} cells")
        return fit_shrink(tensor, seed=seed)
    if method == "pgm":
        from assay.frontier.graphical import fit_pgm

        tell("pgm: the graphical model, several seeds")
        return fit_pgm(tensor, seed=seed, progress=tell).posterior
    return None


@dataclass(frozen=True, slots=True)
class Parts:
    """Makes the parts of a report from one tensor and its posterior."""

    tensor: Tensor
    posterior: Posterior | None
    settings: Settings
    tell: Tell

    @property
    def _bootstrap(self) -> Bootstrap:
        return {
            "level": self.settings.level,
            "resamples": self.settings.resamples,
            "seed": self.settings.seed,
        }

    def methods(self) -> tuple[OracleEstimate, ...]:
        """Return the oracle by the report's method and by those beside it."""
        settings = self.settings
        self.tell("the oracle by " + ", ".join((settings.method, *settings.beside)))
        gathered = gather(self.tensor, level=settings.level, resamples=settings.resamples, seed=settings.seed)
        first = value_by(gathered, settings.method, posterior=self.posterior)
        return (first, *(self._beside(gathered, each) for each in settings.beside))

    def _beside(self, gathered: Gathered, method: Method) -> OracleEstimate:
        try:
            posterior = None
            if method in MODELLED and self.tensor.generations > 1:
                posterior = posterior_of(self.tensor, method, self.settings.seed, self.tell)
            return value_by(gathered, method, posterior=posterior)
        except InvalidInput as error:
            return without_value(gathered, method, "; ".join(str(each) for each in error.problems))

    def reliability(self, notes: list[str]) -> ReliabilityTable | None:
        """Return each model's reliability; None, with a note, where it has no meaning."""
        if not self.tensor.binary:
            notes.append(
                "quality is not 0/1: reliability (equation 24), which is of right and wrong, is left out"
            )
            return None
        if self.tensor.generations < 2:
            notes.append("G = 1: reliability (equation 24) measures 1 for every model, and is left out")
            return None
        self.tell("reliability")
        return reliability_table(self.tensor, self.posterior, **self._bootstrap)

    def carriers(self) -> Carriers:
        """Return who carries the oracle."""
        self.tell("who carries the frontier, and the cheapest set")
        return carriers(self._cells(), self.tensor.models, **self._bootstrap)

    def cheapest(self) -> Cheapest:
        """Return the cheapest set of models."""
        cost = self.tensor.mean_cost() if self.posterior is None else None
        return cheapest(self._cells(), self.tensor.models, cost=cost, **self._bootstrap)

    def _cells(self) -> Posterior | FloatArray:
        return self.tensor.mean_quality() if self.posterior is None else self.posterior

    def sequential(self, notes: list[str]) -> Sequential | None:
        """Return a plan's curve, valued on the recorded answers; None, with a note, unless quality is 0/1."""
        if not self.tensor.binary:
            notes.append(
                "quality is not 0/1: sequential prompting and judges, who accept or reject, are left out"
            )
            return None
        self.tell("sequential prompting")
        return sequential(self.tensor, most=STEPS, splits=1, **self._bootstrap)

    def judged(self) -> tuple[Judged, ...]:
        """Return selection by judges that err; nothing unless quality is 0/1."""
        if not self.tensor.binary:
            return ()
        self.tell("judges that err")
        return tuple(
            Judged(error, posthoc(self.tensor, erring(error), **self._bootstrap)) for error in ERRORS
        )

    def break_even(self) -> BreakEven | None:
        """Return the judge's error at which selection among one answer a model stops paying."""
        if not self.tensor.binary:
            return None
        return break_even(self.tensor, 1, **self._bootstrap)

    def uplift(self, read: Read, notes: list[str]) -> RecordedUplift | None:
        """Return uplift by topic entropy; None, with a note, without two categories."""
        names = set(self.tensor.categories or ())
        if len(names) < 2:
            notes.append(
                "prompts have no categories: nothing is said by category or of topic entropy"
                if not names
                else f"all prompts are of one category, {next(iter(names))!r}: no topic entropy"
            )
            return None
        self.tell("uplift by topic entropy")
        posterior = self.posterior
        return recorded_uplift(
            replace(read, tensor=self.tensor),
            fit=None if posterior is None else lambda tensor: posterior,
            seed=self.settings.seed,
        )
