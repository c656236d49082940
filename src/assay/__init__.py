"""Assay measures language models honestly. The Python interface: docs/reference/python.md."""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from assay.calls.control import RunControl as RunControl
    from assay.core.errors import AssayError as AssayError
    from assay.exam.scores import exam_scores as exam_scores
    from assay.frontier.oracle import oracle as oracle
    from assay.frontier.tensor import Tensor as Tensor
    from assay.frontier.tensor import from_counts as from_counts
    from assay.ranking.fragility import rank_fragility as rank_fragility
    from assay.ranking.items import report_items as report_items
    from assay.ranking.judge_choice import choose_judge as choose_judge
    from assay.ranking.relative_scores import rank_scores as rank_scores
    from assay.ranking.stability import measure_stability as measure_stability
    from assay.results.rank_comparisons import Covariate as Covariate
    from assay.results.rank_comparisons import TieRule as TieRule
    from assay.results.table import record as record
    from assay.results.watch import DayReport as DayReport
    from assay.runs.board.scores import board_scores as board_scores
    from assay.runs.judging.panels import JudgeChoice as JudgeChoice
    from assay.runs.score_run import score_run as score_run
    from assay.runs.watch.verdicts import Verdicts as Verdicts
    from assay.runs.work import Work as Work
    from assay.runs.work import open_work as open_work
    from assay.store.runs import read_run as read_run
    from assay.store.samples import read_samples as read_samples
    from assay.studies.frontier.source import read_tensor as read_tensor
    from assay.studies.rank.comparisons import ComparisonOptions as ComparisonOptions
    from assay.studies.rank.comparisons import bradley_terry as bradley_terry
    from assay.studies.rank.comparisons import derive_comparisons as derive_comparisons
    from assay.studies.rank.comparisons import elo as elo
    from assay.studies.rank.comparisons import read_comparisons as read_comparisons
    from assay.studies.rank.source import SourceOptions as SourceOptions
    from assay.studies.rank.source import read_scores as read_scores
    from assay.studies.reference_marks import ReferenceOptions as ReferenceOptions
    from assay.studies.reference_marks import read_reference_marks as read_reference_marks

_NAMES = {
    "calls.control": ("RunControl",),
    "core.errors": ("AssayError",),
    "exam.scores": ("exam_scores",),
    "frontier.oracle": ("oracle",),
    "frontier.tensor": ("Tensor", "from_counts"),
    "ranking.fragility": ("rank_fragility",),
    "ranking.items": ("report_items",),
    "ranking.judge_choice": ("choose_judge",),
    "ranking.relative_scores": ("rank_scores",),
    "ranking.stability": ("measure_stability",),
    "results.rank_comparisons": ("Covariate", "TieRule"),
    "results.table": ("record",),
    "results.watch": ("DayReport",),
    "runs.board.scores": ("board_scores",),
    "runs.judging.panels": ("JudgeChoice",),
    "runs.score_run": ("score_run",),
    "runs.watch.verdicts": ("Verdicts",),
    "runs.work": ("Work", "open_work"),
    "store.runs": ("read_run",),
    "store.samples": ("read_samples",),
    "studies.frontier.source": ("read_tensor",),
    "studies.rank.comparisons": (
        *("ComparisonOptions", "bradley_terry", "derive_comparisons", "elo", "read_comparisons"),
    ),
    "studies.rank.source": ("SourceOptions", "read_scores"),
    "studies.reference_marks": ("ReferenceOptions", "read_reference_marks"),
}
_HOMES = {name: f"assay.{module}" for module, names in _NAMES.items() for name in names}
__all__ = list(_HOMES)


def __getattr__(name: str) -> Any:
    """Import a public name when it is first used, so that `import assay` costs nothing."""
    if name not in _HOMES:
        raise AttributeError(f"module 'assay' has no attribute {name!r}")
    return getattr(import_module(_HOMES[name]), name)
