"""Published report on a ranking: `assay rank report`. It has the parts of seed 003's sections 3.3 and 3.4."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Annotated, Final

from assay.results.contamination import RecallReport
from assay.results.figure import Figure, Flat
from assay.results.judge_choice import JudgeRecommendation
from assay.results.rank import RankSource, ScoreRanking
from assay.results.rank_items import Fragility, ItemReport
from assay.results.rank_stability import StabilityResult
from assay.results.study import CorrelationStudy
from assay.results.table import Table


@dataclass(frozen=True, slots=True)
class Finding:
    """What the data say on one question about a ranking; `limit` is None if they answer it."""

    question: Annotated[str, Figure("question")]
    answer: Annotated[str, Figure("answer", meaning="what the data say, in a sentence or two")]
    limit: Annotated[str | None, Figure("limit", meaning="why the data do not answer the question")] = None


@dataclass(frozen=True, slots=True)
class RankReportParts:
    """The results that a report is made of. Those that need more data than the scores are None without it."""

    scores: ScoreRanking
    stability: StabilityResult
    items: ItemReport
    fragility: Fragility
    correlations: CorrelationStudy | None = None
    recalls: RecallReport | None = None
    judges: JudgeRecommendation | None = None


@dataclass(frozen=True, slots=True)
class RankReport:
    """What is known about a ranking, question by question, with the results that the answers rest on."""

    source: Annotated[RankSource, Flat()]
    findings: tuple[Finding, ...]
    limits: Annotated[tuple[str, ...], Figure("limits", meaning="what the report cannot conclude, and why")]
    parts: RankReportParts


FINDINGS: Final = Table(Finding, name="findings")
SCHEMAS: Final[dict[str, tuple[type | Table, str]]] = {
    "rank-report": (RankReport, "assay rank report --json"),
}
