"""The list of runs, and one run with its progress, errors, scores and commands."""

from __future__ import annotations

from dataclasses import dataclass

from assay.report.frame import SiteFrame
from assay.report.inline import render_page
from assay.report.site.samples import GENERAL_NOTICE
from assay.report.site.style import FILTERS, STYLES
from assay.results.run_pages import RunPage
from assay.runs.site.progress import ListedRuns, RunProgress


@dataclass(frozen=True, slots=True)
class RunsView:
    """A page of runs."""

    listed: ListedRuns
    before: int | None
    made: None = None

    @property
    def simulation(self) -> str | None:
        """The notice of simulated models; None without any."""
        return GENERAL_NOTICE if any(run.simulated for run in self.listed.runs) else None


def runs_page(listed: ListedRuns, before: int | None, site: SiteFrame) -> str:
    """Return the page of runs."""
    return render_page(
        "site_runs.html",
        RunsView(listed, before),
        None,
        styles=STYLES,
        scripts=("page.js", "site.js"),
        filters=FILTERS,
        site=site,
        charts=False,
    )


@dataclass(frozen=True, slots=True)
class RunView:
    """A run's page: what is stored of it, its progress, and the limit of its cost in US dollars."""

    stored: RunPage
    progress: RunProgress
    budget: float | None
    made: None = None

    @property
    def simulation(self) -> str | None:
        """The notice of simulated models; None without any."""
        return GENERAL_NOTICE if self.stored.run.simulated else None


def run_view_page(stored: RunPage, progress: RunProgress, budget: float | None, site: SiteFrame) -> str:
    """Return the page of a run."""
    going_on = progress.going_on and site.live
    data = {"events": site.to(f"events/runs/{stored.run.run}")} if going_on else {}
    return render_page(
        "site_run.html",
        RunView(stored, progress, budget),
        data,
        styles=STYLES,
        scripts=("page.js", "site.js", "runs.js"),
        filters=FILTERS,
        site=site,
        charts=False,
    )
