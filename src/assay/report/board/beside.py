"""The table of a second suite on a board's page: a keyed suite beside a judged board, or the reverse."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

from assay.report.board.figures import hundredfold
from assay.report.numerals import points, thousands
from assay.results.board import JudgedScore
from assay.results.board_keyed import Accuracy, Rights
from assay.results.ranking import BoardSamples
from assay.runs.board.companion import Companion

SAMPLES = ("n", "ok", "invalid", "error", "ungraded")
OF_KEYED = (
    "Accuracy of these models on this suite: right letters among the visible answers and among all samples, "
    "with 95 % intervals over concepts."
)
OF_JUDGED = "The composites of these models on this suite, from judges’ marks and G-Eval, 0 to 100."


@dataclass(frozen=True, slots=True)
class BesideLine:
    """One model's cells, or the reason why it is excluded."""

    model: str
    cells: tuple[str, ...]
    excluded: str | None


@dataclass(frozen=True, slots=True)
class BesideView:
    """The table, with a sentence that explains its columns.

    `lacking` is the number of models of the board that have no line.
    """

    name: str
    title: str
    version: str
    explanation: str
    simulated: bool
    columns: tuple[str, ...]
    lines: tuple[BesideLine, ...]
    lacking: int


def keyed_beside_view(beside: Companion[Rights] | None, models: Sequence[str]) -> BesideView | None:
    """Return the table of a keyed suite for the page of a judged board; its lines follow `models`."""
    if beside is None:
        return None
    columns = ("right of valid", "95 %", "right of all", "95 %", *SAMPLES)
    return _view(beside, models, OF_KEYED, columns, _rights_cells)


def judged_beside_view(beside: Companion[JudgedScore] | None, models: Sequence[str]) -> BesideView | None:
    """Return the table of a judged suite for the page of a keyed board; its lines follow `models`."""
    if beside is None:
        return None
    return _view(beside, models, OF_JUDGED, ("composite", *SAMPLES), _composite_cells)


def _view(
    beside: Companion[Any],
    models: Sequence[str],
    explanation: str,
    columns: tuple[str, ...],
    cells: Callable[[Any], tuple[str, ...]],
) -> BesideView:
    shown = [model for model in models if model in beside.lines or model in beside.excluded]
    lines = tuple(
        BesideLine(model, (), beside.excluded[model])
        if model in beside.excluded
        else BesideLine(model, cells(beside.lines[model]), None)
        for model in shown
    )
    suite = beside.suite
    return BesideView(
        suite.name,
        suite.title,
        suite.version,
        explanation,
        beside.simulated,
        columns,
        lines,
        lacking=len(models) - len(shown),
    )


def _rights_cells(rights: Rights) -> tuple[str, ...]:
    return (
        points(hundredfold(rights.valid.value)),
        _ends(rights.valid),
        points(hundredfold(rights.overall.value)),
        _ends(rights.overall),
        *_sample_cells(rights.samples),
    )


def _composite_cells(scored: JudgedScore) -> tuple[str, ...]:
    basis = scored.score.basis
    marked = "" if basis in ("both", None) else f" ({basis.replace('geval', 'G-Eval')})"
    return (points(hundredfold(scored.score.composite)) + marked, *_sample_cells(scored.samples))


def _sample_cells(samples: BoardSamples) -> tuple[str, ...]:
    return tuple(thousands(getattr(samples, name)) for name in SAMPLES)


def _ends(accuracy: Accuracy) -> str:
    if accuracy.interval is None:
        return ""
    return f"{points(100 * accuracy.interval.low)}–{points(100 * accuracy.interval.high)}"
