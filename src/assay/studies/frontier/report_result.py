"""What a frontier's report holds: every figure about one source, with denominators, notes and caveats."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from assay.results.frontier import OracleEstimate
from assay.results.frontier_report import FittedDecay, FrontierGroup, Judged, ReliabilityTable, ReportSettings
from assay.results.frontier_selection import BreakEven, Carriers, Cheapest, Sequential
from assay.results.frontier_uplift import RecordedUplift
from assay.studies.frontier.read import Read


@dataclass(frozen=True, slots=True)
class FrontierReport:
    """Everything about one source. Parts that these data do not allow are None, and `notes` say why.

    `whole` is about all prompts, `groups` about each category with at least 20 of them; `few` counts the
    prompts of the other categories, by name. `methods` are the oracle's values side by side, that of
    `settings.method` first.
    """

    read: Read
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
        """The oracle's value by the method of the report."""
        return self.methods[0]
