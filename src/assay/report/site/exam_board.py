"""The board of an exam's official series: S, R, rank ranges, and subjects as a heat map."""

from __future__ import annotations

from dataclasses import dataclass

from assay.report.frame import SiteFrame
from assay.report.site.samples import GENERAL_NOTICE
from assay.report.site.style import site_page
from assay.results.exam import ExamResults, ModelResult, SeriesResult, SubjectMean


@dataclass(frozen=True, slots=True)
class ExamBoardView:
    """One series under one judge."""

    results: ExamResults
    series: SeriesResult
    made: None = None

    @property
    def simulation(self) -> str | None:
        """The notice of simulated models or a simulated judge; None without any."""
        simulated = self.results.judge_simulated or any(model.simulated for model in self.series.models)
        return GENERAL_NOTICE if simulated else None

    @property
    def published(self) -> tuple[ModelResult, ...]:
        """The ranked models, the best first."""
        return tuple(model for model in self.series.models if model.published)

    @property
    def unpublished(self) -> tuple[ModelResult, ...]:
        """The models that do not meet every condition of publication."""
        return tuple(model for model in self.series.models if not model.published)

    @property
    def subjects(self) -> tuple[str, ...]:
        """The subjects of all models, in the order of the first model that has them."""
        return tuple(
            dict.fromkeys(subject.code for model in self.series.models for subject in model.subjects)
        )

    def subject(self, model: ModelResult, code: str) -> SubjectMean | None:
        """Return a model's mean in a subject; None without one."""
        return next((subject for subject in model.subjects if subject.code == code), None)


def exam_board_page(results: ExamResults, series: SeriesResult, site: SiteFrame) -> str:
    """Return the page of a series."""
    return site_page("site_exam_board.html", ExamBoardView(results, series), site)
