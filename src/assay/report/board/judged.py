"""The page of a judged board: composites, ranks, judges and cost, in one file without network requests."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime
from pathlib import Path

from assay.core.wording import counted
from assay.ranking.board.judged import Board
from assay.report.board.beside import keyed_beside_view
from assay.report.board.charts import Scatter, scatters
from assay.report.board.figures import Axis, axis, labels
from assay.report.board.groups import GroupsView, groups_view
from assay.report.board.missing import judged_gaps
from assay.report.board.view import BoardPage, ShownModel, page_of, rank_charts, render_board
from assay.report.frame import SiteFrame
from assay.report.save import write_page
from assay.results.board_judged import JudgeMean, Standing
from assay.results.judge_panel import panel_sentences
from assay.runs.board.names import geval_by
from assay.runs.board.stored import StoredBoard


@dataclass(frozen=True, slots=True)
class JudgedPage:
    """The part of the page that only judged boards have.

    `geval` is the judge of G-Eval; `judge_labels` has the judges' short names, `panel` says in sentences how
    independent they are. `strict` is true if a
    composite changes when the G-Eval of invalid answers counts as 0. `halves` is true if a composite has only
    one half.
    """

    prompts: int
    geval: str | None
    metrics: tuple[str, ...]
    judges: JudgesView
    panel: tuple[str, ...]
    judge_labels: dict[str, str]
    groups: GroupsView
    scatters: tuple[Scatter, ...]
    strict: bool
    halves: bool


@dataclass(frozen=True, slots=True)
class JudgeView:
    """One judge of a board.

    `leniency` is how far it marks above the panel, or None if it shares no answers with the other judges;
    `bar` is the leniency's position in per cent of the axis. `complete` is the number of models that it
    marked completely. It may not mark the models in `own`, and it marked those in `partial` incompletely.
    """

    judge: str
    leniency: float | None
    bar: float | None
    marks: int
    complete: int
    own: tuple[str, ...]
    partial: tuple[tuple[str, JudgeMean], ...]


@dataclass(frozen=True, slots=True)
class JudgeCell:
    """One judge's mean for one model, the composite without that judge, and its change in points."""

    mean: JudgeMean
    composite: float | None
    change: float | None


@dataclass(frozen=True, slots=True)
class JudgesView:
    """The judges, the axis of their leniency, and one row of cells for each model in the board's order."""

    judges: tuple[JudgeView, ...]
    axis: Axis
    rows: tuple[tuple[Standing, tuple[JudgeCell, ...]], ...]


def board_page(stored: StoredBoard, *, made: datetime, site: SiteFrame | None = None) -> str:
    """Return the page as HTML, a file of its own or a page of `site`; `made` (UTC) is shown on it.

    The page has no prompt, answer, rationale or case id, not even for a public suite. Raises InvalidInput if
    the charts' JavaScript was not built.
    """
    judged = _judged_page(stored)
    charts = {
        scatter.key: {"spec": scatter.spec, "rows": scatter.rows, "lines": scatter.lines}
        for scatter in judged.scatters
        if scatter.spec is not None
    }
    charts |= rank_charts(stored)
    return render_board("board.html", _shared_page(stored, made), charts, site, judged=judged)


def write_board(stored: StoredBoard, path: Path, *, made: datetime | None = None) -> str:
    """Write the page, completely or not at all, and return its address. `made` defaults to the present."""
    return write_page(path, lambda now: board_page(stored, made=made or now))


def _shared_page(stored: StoredBoard, made: datetime) -> BoardPage:
    standings = stored.board.standings
    return page_of(
        stored,
        [
            ShownModel(standing, standing.samples, standing.score.composite, standing.interval)
            for standing in standings
        ],
        drawn=counted(stored.board.prompts, "prompt"),
        gaps=judged_gaps(stored),
        beside=keyed_beside_view(stored.beside, [standing.model for standing in standings]),
        made=made,
    )


def _judged_page(stored: StoredBoard) -> JudgedPage:
    board = stored.board
    scores = [standing.score for standing in board.standings]
    return JudgedPage(
        prompts=board.prompts,
        geval=None if stored.geval is None else geval_by(stored.geval),
        metrics=tuple(metric.metric for metric in board.standings[0].metrics),
        judges=judges_view(board),
        panel=() if stored.panel is None else panel_sentences(stored.panel),
        judge_labels=labels([judge.judge for judge in board.judges]),
        groups=groups_view(board, {use_case.name: use_case.title for use_case in stored.suite.use_cases}),
        scatters=scatters(board.standings),
        strict=any(score.composite_invalid_zero not in (None, score.composite) for score in scores),
        halves=any(score.basis not in ("both", None) for score in scores),
    )


def judges_view(board: Board) -> JudgesView:
    """Return the view of a board's judges."""
    leniencies = [judge.leniency for judge in board.judges if judge.leniency is not None]
    scale = axis([*leniencies, -0.1, 0.1], 0.1)
    return JudgesView(
        judges=tuple(_judge_view(board, place, scale) for place in range(len(board.judges))),
        axis=scale,
        rows=tuple((standing, _judge_cells(standing)) for standing in board.standings),
    )


def _judge_view(board: Board, place: int, scale: Axis) -> JudgeView:
    judge = board.judges[place]
    means = [(standing.model, standing.judges[place]) for standing in board.standings]
    return JudgeView(
        judge=judge.judge,
        leniency=judge.leniency,
        bar=None if judge.leniency is None else scale.at(judge.leniency),
        marks=judge.marks,
        complete=sum(mean.counts for _, mean in means),
        own=tuple(model for model, mean in means if mean.own),
        partial=tuple((model, mean) for model, mean in means if not mean.counts and not mean.own),
    )


def _judge_cells(standing: Standing) -> tuple[JudgeCell, ...]:
    whole = standing.score.composite
    return tuple(
        JudgeCell(
            mean,
            without.composite,
            None if whole is None or without.composite is None else 100.0 * (without.composite - whole),
        )
        for mean, without in zip(standing.judges, standing.without, strict=True)
    )
