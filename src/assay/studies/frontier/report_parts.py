"""The parts of a frontier's report other than the frontier, computed from one tensor and its posterior."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TypedDict

import numpy as np
import numpy.typing as npt

from assay.core.errors import InvalidInput
from assay.frontier import reliability
from assay.frontier.carriers.cheapest import cheapest
from assay.frontier.carriers.shapley import carriers
from assay.frontier.methods.method import ProgressCallback
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
from assay.studies.frontier.simulating import recorded_uplift
from assay.studies.frontier.tensor_source import TensorSource

FloatArray = npt.NDArray[np.float64]
ERRORS = (0.0, 0.01, 0.05, 0.1, 0.2)
"""Error rates of the judge for which selection among answers is shown."""
STEPS = 400
"""The most steps of a sequential plan."""
DRAWS = 50
"""The most draws for the bias and the correlations of reliability, which hardly vary between draws."""


class Bootstrap(TypedDict):
    """The settings of the intervals of every part."""

    level: float
    resamples: int
    seed: int


@dataclass(frozen=True, slots=True)
class ReportParts:
    """The parts of a report, each computed by a method, from one tensor and its posterior."""

    tensor: Tensor
    posterior: Posterior | None
    settings: ReportSettings
    progress: ProgressCallback

    @property
    def _bootstrap(self) -> Bootstrap:
        return {
            "level": self.settings.level,
            "resamples": self.settings.resamples,
            "seed": self.settings.seed,
        }

    def methods(self) -> tuple[OracleEstimate, ...]:
        """Return the oracle by the report's method, then by the methods for comparison."""
        settings = self.settings
        self.progress("the oracle by " + ", ".join((settings.method, *settings.beside)))
        gathered = gather(self.tensor, level=settings.level, resamples=settings.resamples, seed=settings.seed)
        first = value_by(gathered, settings.method, posterior=self.posterior)
        return (first, *(self._estimate(gathered, method) for method in settings.beside))

    def _estimate(self, gathered: OracleInputs, method: str) -> OracleEstimate:
        try:
            return value_by(gathered, method, progress=self.progress)
        except InvalidInput as error:
            return without_value(gathered, method, "; ".join(map(str, error.problems)))

    def reliability(self, notes: list[str]) -> ReliabilityTable | None:
        """Return each model's reliability; None, with a note in `notes`, if it has no meaning."""
        if not self.tensor.binary:
            notes.append(
                "quality is not 0/1: reliability (equation 24) is left out, it needs right and wrong"
            )
            return None
        if self.tensor.generations < 2:
            notes.append("G = 1: reliability (equation 24) is left out, it would be 1 for every model")
            return None
        self.progress("reliability")
        return reliability_table(self.tensor, self.posterior, **self._bootstrap)

    def carriers(self) -> Carriers:
        """Return each model's share of the oracle's gain."""
        self.progress("the models that carry the frontier, and the cheapest set")
        return carriers(self._cells(), self.tensor.models, **self._bootstrap)

    def cheapest(self) -> Cheapest:
        """Return the cheapest set of models that keeps most of the gain."""
        cost = self.tensor.mean_cost() if self.posterior is None else None
        return cheapest(self._cells(), self.tensor.models, cost=cost, **self._bootstrap)

    def _cells(self) -> Posterior | FloatArray:
        return self.tensor.mean_quality() if self.posterior is None else self.posterior

    def sequential(self, notes: list[str]) -> Sequential | None:
        """Return sequential prompting on the recorded answers; None, with a note, unless quality is 0/1."""
        if not self.tensor.binary:
            notes.append(
                "quality is not 0/1: sequential prompting and judges are left out, they need right and wrong"
            )
            return None
        self.progress("sequential prompting")
        return sequential(self.tensor, most=STEPS, splits=1, **self._bootstrap)

    def judged(self) -> tuple[Judged, ...]:
        """Return selection by judges that err; empty unless quality is 0/1."""
        if not self.tensor.binary:
            return ()
        self.progress("judges that err")
        return tuple(
            Judged(error, posthoc(self.tensor, erring(error), **self._bootstrap)) for error in ERRORS
        )

    def break_even(self) -> BreakEven | None:
        """Return the judge's error from which selection among one answer of each model has no gain."""
        if not self.tensor.binary:
            return None
        return break_even(self.tensor, 1, **self._bootstrap)

    def uplift(self, read: TensorSource, notes: list[str]) -> RecordedUplift | None:
        """Return the uplift by topic entropy; None, with a note, without two categories."""
        names = set(self.tensor.categories or ())
        if len(names) < 2:
            notes.append(
                "prompts have no categories: figures by category and topic entropy are left out"
                if not names
                else f"all prompts are of one category, {next(iter(names))!r}: topic entropy is left out"
            )
            return None
        self.progress("uplift by topic entropy")
        posterior = self.posterior
        return recorded_uplift(
            replace(read, tensor=self.tensor),
            fit=None if posterior is None else lambda tensor: posterior,
            seed=self.settings.seed,
        )


def reliability_table(
    tensor: Tensor, posterior: Posterior | None, *, level: float, resamples: int, seed: int
) -> ReliabilityTable:
    """Return every model's reliability (equation 24), the greatest corrected one first.

    Each model's reliability is over the prompts that it has. `remaining` is the posterior's 2 E|p - 0.5|,
    corrected for luck; its intervals are over prompts and over draws. Raises InvalidInput for quality other
    than 0 and 1.
    """
    fitted = reliability.measure(tensor, None if posterior is None else thinned(posterior, DRAWS))
    weighed = weigh(len(tensor.prompts), resamples, level, np.random.default_rng(seed))
    observed = tensor.observed
    shares = tensor.mean_quality()
    by_prompt = 2.0 * np.abs(shares - 0.5)
    measured = weighed.estimates(fitted.measured, weighed.means(by_prompt), None)
    remaining: list[Estimate | None] = [None] * len(tensor.models)
    if posterior is not None and fitted.remaining is not None:
        distance = 2.0 * np.abs(posterior.quality - 0.5)
        cells = np.where(observed, distance.mean(axis=0), np.nan)
        count = np.maximum(observed.sum(axis=0), 1)
        draws = np.einsum("snl,nl->sl", distance, observed.astype(np.float64)) / count
        remaining = list(weighed.estimates(draws.mean(axis=0), weighed.means(cells), draws))
    quality, costs = np.nanmean(shares, axis=0), tensor.mean_cost()
    spent = None if costs is None else np.nanmean(costs, axis=0)
    bias = None
    if fitted.expected is not None and fitted.remaining is not None:
        bias = fitted.expected - fitted.remaining
    models = [
        ModelReliability(
            name,
            int(fitted.prompts[column]),
            float(quality[column]),
            None if spent is None else float(spent[column]),
            measured[column],
            float(fitted.coin[column]),
            remaining[column],
            None if bias is None else float(bias[column]),
        )
        for column, name in enumerate(tensor.models)
    ]
    return ReliabilityTable(
        tuple(sorted(models, key=_order)),
        fitted.with_quality,
        fitted.with_cost,
        fitted.remaining_with_quality,
        fitted.remaining_with_cost,
    )


def _order(row: ModelReliability) -> tuple[float, str]:
    shown = row.remaining or row.measured
    return (-(shown.value or 0.0), row.model)
