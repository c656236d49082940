"""The result of a frontier's report: all figures about one source, with denominators, notes and caveats."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from assay.results.frontier import OracleEstimate
from assay.results.frontier_report import FittedDecay, FrontierGroup, Judged, ReliabilityTable, ReportSettings
from assay.results.frontier_selection import BreakEven, Carriers, Cheapest, Sequential
from assay.results.frontier_uplift import RecordedUplift
from assay.studies.frontier.tensor_source import TensorSource


@dataclass(frozen=True, slots=True)
class FrontierReport:
    """All figures about one source. Parts that the data do not allow are None, and `notes` has the reasons.

    `whole` has the figures of all prompts, `groups` those of each category with at least 20 prompts; `few`
    has the number of prompts of the other categories, by name. `methods` has the oracle's value by each
    method, with that of `settings.method` first.
    """

    read: TensorSource
    settings: ReportSettings
    whole: FrontierGroup
    groups: tuple[FrontierGroup, ...]
    few: Mapping[str, int]
    methods: tuple[OracleEstimate, ...]
    decay: FittedDecay
    reliability: ReliabilityTable | None
    carriers: Carriers
    cheapest: Cheapest
    sequential: Sequential | None
    judged: tuple[Judged, ...]
    break_even: BreakEven | None
    uplift: RecordedUplift | None
    notes: tuple[str, ...]
    caveats: tuple[str, ...]

    @property
    def main(self) -> OracleEstimate:
        """The oracle's value by the report's method."""
        return self.methods[0]
