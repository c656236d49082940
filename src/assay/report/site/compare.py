"""Two samples side by side: the answers of two days or of two models, with what differs marked."""

from __future__ import annotations

from dataclasses import dataclass

from assay.report.frame import SiteFrame
from assay.report.inline import simulation_notice
from assay.report.site.difference import TextPiece, compare_texts
from assay.report.site.style import shortened, site_page
from assay.results.run_pages import SamplePage


@dataclass(frozen=True, slots=True)
class ComparedSample:
    """One of two samples with its answer in pieces; `answer` is None without an answer."""

    sample: SamplePage
    answer: tuple[TextPiece, ...] | None
    day: str | None


@dataclass(frozen=True, slots=True)
class CompareView:
    """Two samples of the same case or of different ones."""

    sides: tuple[ComparedSample, ComparedSample]
    made: None = None

    @property
    def same_case(self) -> bool:
        """Whether both answer the same prompt."""
        first, second = (side.sample for side in self.sides)
        return first.suite == second.suite and first.sample.case == second.sample.case

    @property
    def hidden(self) -> bool:
        """Whether one of them may not be shown."""
        return any(side.sample.hidden for side in self.sides)

    @property
    def simulation(self) -> str | None:
        """The notice of simulated models; None without any."""
        names = [side.sample.sample.model for side in self.sides]
        simulated = [side.sample.sample.model for side in self.sides if side.sample.simulated]
        return simulation_notice(simulated, names) if simulated else None


def compare_page(
    first: SamplePage, second: SamplePage, days: tuple[str | None, str | None], site: SiteFrame
) -> str:
    """Return the page of two samples; `days` are the ISO days that they count for."""
    left, right = compare_texts(shortened(first.answer or ""), shortened(second.answer or ""))
    view = CompareView(
        (
            ComparedSample(first, None if first.answer is None else tuple(left), days[0]),
            ComparedSample(second, None if second.answer is None else tuple(right), days[1]),
        )
    )
    return site_page("site_compare.html", view, site)
