"""A model's day: its verdict, the cases that changed, and every case with its samples."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import date, datetime

from assay.report.frame import SiteFrame
from assay.report.site.style import site_page
from assay.report.watch.page import labels, simulation_of
from assay.results.run_pages import SamplePage
from assay.results.watch import ModelVerdict
from assay.runs.site.watched import DayCase, ModelDay, Watched


@dataclass(frozen=True, slots=True)
class DayView:
    """A model's day. `texts` holds the samples by `run.position` where the page shows them itself."""

    suite: str
    title: str
    label: str
    row: int
    private: bool
    model_day: ModelDay
    titles: Mapping[str, str]
    simulation: str | None
    made: datetime
    texts: Mapping[str, SamplePage]

    @property
    def verdict(self) -> ModelVerdict:
        """The verdict on the day."""
        return self.model_day.verdict

    @property
    def flipped(self) -> tuple[DayCase, ...]:
        """The cases that moved by a half or more."""
        return tuple(case for case in self.model_day.cases if case.flipped)

    @property
    def compared_with(self) -> date | None:
        """The scored day that the cases are compared with."""
        return self.model_day.compared_with


def day_page(
    watched: Watched, day: ModelDay, site: SiteFrame, texts: Mapping[str, SamplePage] | None = None
) -> str:
    """Return the page of a model's day. With `texts` the page holds the samples; else it links to them."""
    verdicts = watched.verdicts
    place = watched.position(day.row)
    view = DayView(
        suite=verdicts.stored.suite.name,
        title=verdicts.stored.suite.title,
        label=labels(verdicts.names())[place],
        row=day.row,
        private=watched.private and not site.reveal,
        model_day=day,
        titles={use_case.name: use_case.title for use_case in verdicts.stored.suite.use_cases},
        simulation=simulation_of(verdicts, [place]),
        made=watched.changed_at,
        texts=texts or {},
    )
    return site_page("site_day.html", view, site)
