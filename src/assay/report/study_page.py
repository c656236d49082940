"""The page of a ranking or a study: charts with the table behind each, in one file that fetches nothing."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from typing import Any

from assay.report.frame import SiteFrame
from assay.report.inline import code_spans, render_page
from assay.results.rank import RankSource
from assay.results.study import StudySource
from assay.results.table import Table

Row = dict[str, Any]


@dataclass(frozen=True, slots=True)
class StudyChart:
    """A chart: its specification with the data under the name `rows`, and what it shows in one sentence."""

    spec: Row
    rows: Sequence[Row]
    caption: str


@dataclass(frozen=True, slots=True)
class StudySection:
    """One part of a page: what it says in a sentence or two, and a chart and a table where it has them.

    Backticks in `lede` and `notes` mark code.
    """

    heading: str
    lede: str
    table: Table | None = None
    rows: Sequence[object] = ()
    chart: StudyChart | None = None
    notes: Sequence[str] = ()

    @property
    def key(self) -> str:
        """The section's anchor, from its heading."""
        return "".join(letter if letter.isalnum() else "-" for letter in self.heading.lower())

    @property
    def cells(self) -> list[tuple[str, ...]]:
        """The rows as texts."""
        return [] if self.table is None else self.table.cells(self.rows)


@dataclass(frozen=True, slots=True)
class StudyPage:
    """A page: title, source, facts (a term and a text), sections, and notes on what was left out."""

    title: str
    source: str
    simulated: bool
    facts: Sequence[tuple[str, str]]
    sections: Sequence[StudySection]
    notes: Sequence[str] = ()
    made: datetime = datetime.min

    @classmethod
    def of(
        cls,
        title: str,
        about: RankSource | StudySource,
        facts: Sequence[tuple[str, str]],
        sections: Sequence[StudySection],
    ) -> StudyPage:
        """Return a page with what is known about its source."""
        return cls(title, about.source, about.simulated, facts, sections, about.notes)

    @property
    def simulation(self) -> str | None:
        """The notice of a page with simulated data; None without any."""
        return "At least one model here is not real: nothing was measured of it." if self.simulated else None


def study_page(
    page: StudyPage, made: datetime, site: SiteFrame | None = None, above: Sequence[tuple[str, str]] = ()
) -> str:
    """Return a page made at a time as HTML, a file of its own or a page of `site`.

    `above` are the names and paths of the site's pages that lead to it. Raises InvalidInput if the charts'
    JavaScript was not built.
    """
    charts = {
        section.key: {"spec": section.chart.spec, "rows": list(section.chart.rows), "lines": []}
        for section in page.sections
        if section.chart is not None
    }
    return render_page(
        "study.html",
        replace(page, made=made),
        charts,
        styles=("page.css", "board.css"),
        scripts=("page.js", "board.js"),
        filters=(code_spans,),
        site=site,
        above=above,
    )
