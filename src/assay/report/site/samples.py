"""The list of samples: filters, a table or a reading view, and a link to older ones."""

from __future__ import annotations

from dataclasses import dataclass

from assay.report.frame import SiteFrame
from assay.report.inline import render_page
from assay.report.site.style import FILTERS, STYLES
from assay.runs.site.browsing import BrowsedPage
from assay.store.browsing import FilterChoices

STATUSES = ("ok", "invalid", "error", "ungraded")
GENERAL_NOTICE = "Some of these models are not real: nothing was measured of them."


@dataclass(frozen=True, slots=True)
class SamplesView:
    """A page of samples with its filter as the address's query, and what filters can be set to."""

    found: BrowsedPage
    query: dict[str, str]
    choices: FilterChoices
    reading: bool
    made: None = None

    @property
    def simulation(self) -> str | None:
        """The notice of simulated models; None without any."""
        return GENERAL_NOTICE if any(sample.simulated for sample in self.found.window.samples) else None

    @property
    def older(self) -> dict[str, str] | None:
        """The query of the page with older samples; None at the end of the history."""
        continued = self.found.window.continued
        return (
            None if continued is None else {**self.query, "before": f"{continued.run}.{continued.position}"}
        )

    @property
    def newest(self) -> dict[str, str]:
        """The query of the page with the newest samples."""
        return {name: value for name, value in self.query.items() if name != "before"}

    @property
    def other_view(self) -> dict[str, str]:
        """The query of the other view."""
        return {**self.query, "view": "" if self.reading else "read"}


def samples_page(found: BrowsedPage, query: dict[str, str], choices: FilterChoices, site: SiteFrame) -> str:
    """Return the page of samples."""
    return render_page(
        "site_samples.html",
        SamplesView(found, query, choices, query.get("view") == "read"),
        None,
        styles=STYLES,
        scripts=("page.js", "site.js"),
        filters=FILTERS,
        site=site,
        charts=False,
        status_names=STATUSES,
    )
