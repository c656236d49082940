"""What a board's judges are like: leniency, coverage, exclusions, and the board without each."""

from __future__ import annotations

from dataclasses import dataclass

from assay.ranking.board import Board, Standing
from assay.ranking.score import JudgeMean
from assay.report.board_figures import Axis, axis


@dataclass(frozen=True, slots=True)
class JudgeView:
    """One judge on a board of models.

    `effect` is how far it marks above the panel, None where nothing connects it with the others; `bar` is
    where the effect stands in per cent of the axis. `complete` models have all their answers marked by it,
    `own` are those it may not mark, `partial` those that it marked in part.
    """

    judge: str
    effect: float | None
    bar: float | None
    marks: int
    complete: int
    own: tuple[str, ...]
    partial: tuple[tuple[str, JudgeMean], ...]


@dataclass(frozen=True, slots=True)
class JudgeCell:
    """One judge's mean for one model, and the change of the composite (points) without that judge."""

    found: JudgeMean
    composite: float | None
    change: float | None


@dataclass(frozen=True, slots=True)
class JudgesView:
    """The judges, the axis of their leniency, and one row of cells a model in the board's order."""

    judges: tuple[JudgeView, ...]
    axis: Axis
    rows: tuple[tuple[Standing, tuple[JudgeCell, ...]], ...]


def judges_view(found: Board) -> JudgesView:
    """Return the view of a board's judges."""
    effects = [each.effect for each in found.judges if each.effect is not None]
    scale = axis([*effects, -0.1, 0.1], 0.1)
    return JudgesView(
        judges=tuple(_judge(found, place, scale) for place in range(len(found.judges))),
        axis=scale,
        rows=tuple((standing, _cells(standing)) for standing in found.standings),
    )


def _judge(found: Board, place: int, scale: Axis) -> JudgeView:
    leniency = found.judges[place]
    means = [(standing.model, standing.judges[place]) for standing in found.standings]
    return JudgeView(
        judge=leniency.judge,
        effect=leniency.effect,
        bar=None if leniency.effect is None else scale.at(leniency.effect),
        marks=leniency.marks,
        complete=sum(each.counts for _, each in means),
        own=tuple(model for model, each in means if each.own),
        partial=tuple((model, each) for model, each in means if not each.counts and not each.own),
    )


def _cells(standing: Standing) -> tuple[JudgeCell, ...]:
    whole = standing.score.composite
    return tuple(
        JudgeCell(
            mean,
            left.composite,
            None if whole is None or left.composite is None else 100.0 * (left.composite - whole),
        )
        for mean, left in zip(standing.judges, standing.without, strict=True)
    )
