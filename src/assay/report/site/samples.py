"""The list of samples: filters, a table or a reading view, and links to older and newer ones."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Final

from assay.report.frame import SiteFrame
from assay.report.inline import simulation_notice
from assay.report.site.style import site_page
from assay.runs.site.browsing import BrowsedPage
from assay.store.browsing import FilterChoices, SamplePlace

STATUSES: Final = ("ok", "invalid", "error", "ungraded")
MORE: Final = frozenset(("case", "grader", "above", "below", "run", "flipped"))
"""The conditions that the form folds away while none of them is set."""
GENERAL_NOTICE: Final = "Some of these models are not real: nothing was measured of them."
READ_CHARACTERS: Final = 5_000
"""Characters of a prompt or an answer in the reading view; the sample's own page has more."""


@dataclass(frozen=True, slots=True)
class SamplesView:
    """A page of samples with its filter as the address's query, and what filters can be set to."""

    found: BrowsedPage
    query: Mapping[str, str]
    choices: FilterChoices
    made: None = None

    @property
    def reading(self) -> bool:
        """Whether prompts and answers are shown."""
        return self.query.get("view") == "read"

    @property
    def simulation(self) -> str | None:
        """The notice of simulated models; None without any."""
        samples = self.found.window.samples
        names = {sample.model for sample in samples}
        if not any(sample.simulated for sample in samples):
            return None
        return simulation_notice(self.found.simulated, sorted(names))

    @property
    def forward(self) -> bool:
        """Whether the page was reached from older samples."""
        return "after" in self.query and "before" not in self.query

    @property
    def filter(self) -> dict[str, str]:
        """The query of the page with the newest samples."""
        return {name: value for name, value in self.query.items() if name not in ("before", "after")}

    @property
    def filtered(self) -> bool:
        """Whether there is any condition."""
        return any(name != "view" for name in self.filter)

    @property
    def more(self) -> bool:
        """Whether one of the less frequent conditions is set."""
        return not MORE.isdisjoint(self.filter)

    @property
    def older(self) -> dict[str, str] | None:
        """The query of the page with older samples; None at the end of the history."""
        return self._turned("before", self.found.window.older)

    @property
    def newer(self) -> dict[str, str] | None:
        """The query of the page with newer samples; None on the first page."""
        return self._turned("after", self.found.window.newer)

    @property
    def other_view(self) -> dict[str, str]:
        """The query of the other view."""
        return {**self.filter, "view": "" if self.reading else "read"}

    def _turned(self, name: str, place: SamplePlace | None) -> dict[str, str] | None:
        return None if place is None else {**self.filter, name: f"{place.run}.{place.position}"}


def samples_page(
    found: BrowsedPage, query: Mapping[str, str], choices: FilterChoices, site: SiteFrame
) -> str:
    """Return the page of samples."""
    return site_page(
        "site_samples.html",
        SamplesView(found, query, choices),
        site,
        status_names=STATUSES,
        most=READ_CHARACTERS,
    )
