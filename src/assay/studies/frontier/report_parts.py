"""The parts of a frontier's report beside the frontier itself, made from one tensor and its posterior."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import TypedDict

import numpy as np
import numpy.typing as npt

from assay.core.errors import InvalidInput
from assay.frontier import reliability
from assay.frontier.carriers.cheapest import cheapest
from assay.frontier.carriers.shapley import carriers
from assay.frontier.methods.value import OracleInputs
from assay.frontier.oracle import gather, value_by, without_value
from assay.frontier.per_prompt import thinned
from assay.frontier.posterior import Posterior
from assay.frontier.selection.break_even import break_even
from assay.frontier.selection.judged import erring
from assay.frontier.selection.posthoc import posthoc
from assay.frontier.selection.sequential import sequential
from assay.frontier.tensor import Tensor
from assay.frontier.weighed import weigh
from assay.results.frontier import Estimate, OracleEstimate
from assay.results.frontier_report import Judged, ModelReliability, ReliabilityTable, ReportSettings
from assay.results.frontier_selection import BreakEven, Carriers, Cheapest, Sequential
from assay.results.frontier_uplift import RecordedUplift
from assay.studies.frontier.read import Read
from assay.studies.frontier.simulating import recorded_uplift

FloatArray = npt.NDArray[np.float64]
ERRORS = (0.0, 0.01, 0.05, 0.1, 0.2)
"""Error rates of the judge at which selection among answers is shown."""
STEPS = 400
"""Sequential plans of more steps than this are cut."""
Tell = Callable[[str], None]
DRAWS = 50
"""The bias and the correlations, which hardly vary by draw, are of at most so many."""


class Bootstrap(TypedDict):
    """What every part's intervals are made with."""

    level: float
    resamples: int
    seed: int


@dataclass(frozen=True, slots=True)
class ReportParts:
    """Makes the parts of a report from one tensor and its posterior."""

    tensor: Tensor
    posterior: Posterior | None
    settings: ReportSettings
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

    def _beside(self, gathered: OracleInputs, method: str) -> OracleEstimate:
        try:
            return value_by(gathered, method, progress=self.tell)
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


def reliability_table(
    tensor: Tensor, posterior: Posterior | None, *, level: float, resamples: int, seed: int
) -> ReliabilityTable:
    """Return every model's reliability (equation 24), the greatest remaining one first.

    Over the prompts that each model has. `remaining` is the posterior's 2 E|p - 0.5|; its intervals are over
    prompts and over draws. InvalidInput for quality other than 0 and 1.
    """
    found = reliability.measure(tensor, None if posterior is None else thinned(posterior, DRAWS))
    weighed = weigh(len(tensor.prompts), resamples, level, np.random.default_rng(seed))
    there = tensor.there
    shares = tensor.mean_quality()
    by_prompt = 2.0 * np.abs(shares - 0.5)
    measured = weighed.estimates(found.measured, weighed.means(by_prompt), None)
    remaining: list[Estimate | None] = [None] * len(tensor.models)
    if posterior is not None and found.remaining is not None:
        away = 2.0 * np.abs(posterior.quality - 0.5)
        cells = np.where(there, away.mean(axis=0), np.nan)
        count = np.maximum(there.sum(axis=0), 1)
        draws = np.einsum("snl,nl->sl", away, there.astype(np.float64)) / count
        remaining = list(weighed.estimates(draws.mean(axis=0), weighed.means(cells), draws))
    quality, costs = np.nanmean(shares, axis=0), tensor.mean_cost()
    spent = None if costs is None else np.nanmean(costs, axis=0)
    bias = None
    if found.expected is not None and found.remaining is not None:
        bias = found.expected - found.remaining
    models = [
        ModelReliability(
            name,
            int(found.prompts[place]),
            float(quality[place]),
            None if spent is None else float(spent[place]),
            measured[place],
            float(found.coin[place]),
            remaining[place],
            None if bias is None else float(bias[place]),
        )
        for place, name in enumerate(tensor.models)
    ]
    return ReliabilityTable(
        tuple(sorted(models, key=_rank)),
        found.with_quality,
        found.with_cost,
        found.remaining_with_quality,
        found.remaining_with_cost,
    )


def _rank(row: ModelReliability) -> tuple[float, str]:
    told = row.remaining or row.measured
    return (-(told.value or 0.0), row.model)
