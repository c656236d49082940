"""What a board's page shows of the suite of the other kind: a table of its own, never blended in."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

from assay.ranking.keyed.accuracy import Accuracy, Rights
from assay.report.board_figures import hundredfold
from assay.report.numerals import points, thousands
from assay.runs.boards.beside import Beside, JudgedLine

COUNTS = ("n", "ok", "invalid", "error", "ungraded")
OF_KEYED = "How often these models choose the right letter there, with 95 % intervals over concepts: of the \
answers that are visible, and of all that were asked."
OF_JUDGED = "What these models reach there by judges’ marks and G-Eval, 0 to 100."


@dataclass(frozen=True, slots=True)
class BesideLine:
    """One model's cells, or why it is excluded."""

    model: str
    cells: tuple[str, ...]
    excluded: str | None


@dataclass(frozen=True, slots=True)
class BesideView:
    """The table with what it shows in a sentence; `lacking` models of the board have no line."""

    name: str
    title: str
    version: str
    told: str
    simulated: bool
    columns: tuple[str, ...]
    lines: tuple[BesideLine, ...]
    lacking: int


def keyed_beside_view(beside: Beside[Rights] | None, models: Sequence[str]) -> BesideView | None:
    """Return the table of a keyed suite beside a judged board of these models, in their order."""
    if beside is None:
        return None
    return _view(
        beside, models, OF_KEYED, ("right of valid", "95 %", "right of all", "95 %", *COUNTS), _rights
    )


def judged_beside_view(beside: Beside[JudgedLine] | None, models: Sequence[str]) -> BesideView | None:
    """Return the table of a judged suite beside a keyed board of these models, in their order."""
    if beside is None:
        return None
    return _view(beside, models, OF_JUDGED, ("composite", *COUNTS), _composite)


def _view(
    beside: Beside[Any],
    models: Sequence[str],
    told: str,
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
    lacking = len(models) - len(shown)
    return BesideView(suite.name, suite.title, suite.version, told, beside.simulated, columns, lines, lacking)


def _rights(found: Rights) -> tuple[str, ...]:
    return (
        points(hundredfold(found.valid.value)),
        _interval(found.valid),
        points(hundredfold(found.overall.value)),
        _interval(found.overall),
        *_counts(found.counts),
    )


def _composite(found: JudgedLine) -> tuple[str, ...]:
    basis = found.score.basis
    marked = "" if basis in ("both", None) else f" ({basis.replace('geval', 'G-Eval')})"
    return (points(hundredfold(found.score.composite)) + marked, *_counts(found.counts))


def _counts(counts: Any) -> tuple[str, ...]:
    return tuple(thousands(getattr(counts, name)) for name in COUNTS)


def _interval(found: Accuracy) -> str:
    if found.interval is None:
        return ""
    return f"{points(100 * found.interval.low)}–{points(100 * found.interval.high)}"
