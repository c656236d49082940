"""The shared part of the pages of judged and keyed boards. It has no prompt, answer or case id."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, fields
from datetime import datetime
from typing import Any

from assay.core.wording import counted
from assay.report import numerals
from assay.report.board import figures as board_figures
from assay.report.board.beside import BesideView
from assay.report.board.charts import ranks_chart
from assay.report.board.differences import Differences, differences, measure, rank_rows
from assay.report.board.figures import Axis, axis, labels
from assay.report.board.missing import Gap
from assay.report.frame import SiteFrame
from assay.report.inline import render_page, simulation_notice
from assay.results.board_judged import Standing
from assay.results.board_keyed import KeyedStanding
from assay.results.figure import dollars
from assay.results.ranking import BoardSamples, Excluded, NotRanked
from assay.runs.board.stored import StoredBoard, StoredKeyedBoard
from assay.stats.intervals import Interval

SIMULATED = "simulated/"
FILTERS = (
    numerals.points,
    numerals.signed,
    numerals.percent,
    numerals.thousands,
    numerals.probability,
    board_figures.fixed,
    board_figures.signed_to,
    board_figures.hundredfold,
    dollars,
    counted,
    board_figures.tally,
)
Row = dict[str, Any]


@dataclass(frozen=True, slots=True)
class Bar:
    """The positions of a figure and its interval, in per cent of the axis."""

    at: float
    low: float | None
    high: float | None


@dataclass(frozen=True, slots=True)
class ShownModel:
    """A model's standing and samples, the figure (0-1) of its bar, and that figure's interval."""

    standing: Standing | KeyedStanding
    samples: BoardSamples
    value: float | None
    interval: Interval | None


@dataclass(frozen=True, slots=True)
class BoardRow:
    """One model's line: its place in the list, its standing, and its bar (None without a figure)."""

    place: int
    standing: Standing | KeyedStanding
    bar: Bar | None


@dataclass(frozen=True, slots=True)
class BoardPage:
    """The shared part of a board's page.

    `made` is in UTC. `simulation` is a notice about simulated data, None without any. Models are ranked by
    `measure`. `drawn` is the number and name of what the bootstrap resamples, such as "40 prompts". `samples`
    are the counts of all models together, `level` is the level of the intervals, and `labels` has the models'
    short names.
    """

    name: str
    title: str
    version: str
    digest: str
    private: bool
    made: datetime
    simulation: str | None
    runs: tuple[int, ...]
    epochs: int
    replicates: int
    level: float
    measure: str
    drawn: str
    samples: BoardSamples
    axis: Axis
    rows: tuple[BoardRow, ...]
    differences: Differences
    gaps: tuple[Gap, ...]
    labels: dict[str, str]
    excluded: tuple[Excluded, ...]
    not_ranked: tuple[NotRanked, ...]
    beside: BesideView | None


def page_of(
    stored: StoredBoard | StoredKeyedBoard,
    models: Sequence[ShownModel],
    *,
    drawn: str,
    gaps: tuple[Gap, ...],
    beside: BesideView | None,
    made: datetime,
    mark: float | None = None,
) -> BoardPage:
    """Return the shared part of a board's page. The axis of the bars includes `mark` (0-1), if given."""
    board, suite = stored.board, stored.suite
    names = [standing.model for standing in board.standings]
    scale = _axis(models, mark)
    return BoardPage(
        name=suite.name,
        title=suite.title,
        version=suite.version,
        digest=suite.digest,
        private=stored.private,
        made=made,
        simulation=_simulation(stored.simulated, names),
        runs=stored.runs,
        epochs=board.epochs,
        replicates=board.replicates,
        level=1.0 - board.alpha,
        measure=measure(board),
        drawn=drawn,
        samples=_total([model.samples for model in models]),
        axis=scale,
        rows=tuple(
            BoardRow(place, model.standing, _bar(model, scale)) for place, model in enumerate(models, start=1)
        ),
        differences=differences(board),
        gaps=gaps,
        labels=labels(names),
        excluded=stored.excluded,
        not_ranked=stored.not_ranked,
        beside=beside,
    )


def render_board(
    template: str, page: BoardPage, charts: dict[str, Any], site: SiteFrame | None, **parts: Any
) -> str:
    """Return a board's page from its template, its charts by name, and the `parts` of its kind.

    Raises InvalidInput if the charts' JavaScript was not built.
    """
    return render_page(
        template,
        page,
        charts,
        styles=("page.css", "board.css"),
        scripts=("page.js", "board.js"),
        filters=FILTERS,
        site=site,
        **parts,
    )


def rank_charts(stored: StoredBoard | StoredKeyedBoard) -> dict[str, Any]:
    """Return the chart of rank ranges by its name on the page; empty with fewer than two ranked models."""
    rows = rank_rows(stored.board)
    return {"ranks": {"spec": ranks_chart(len(rows)), "rows": rows, "lines": []}} if len(rows) > 1 else {}


def _axis(models: Sequence[ShownModel], mark: float | None) -> Axis:
    """Return the axis in points that includes all figures and intervals, and the mark."""
    ends = [] if mark is None else [mark]
    for model in models:
        ends += [] if model.value is None else [model.value]
        ends += [] if model.interval is None else [model.interval.low, model.interval.high]
    return axis([100.0 * min(max(end, 0.0), 1.0) for end in ends], 10.0)


def _bar(model: ShownModel, scale: Axis) -> Bar | None:
    if model.value is None:
        return None
    at, interval = scale.at(100.0 * model.value), model.interval
    if interval is None:
        return Bar(at, None, None)
    return Bar(at, scale.at(100.0 * interval.low), scale.at(100.0 * interval.high))


def _total(samples: Sequence[BoardSamples]) -> BoardSamples:
    names = [field.name for field in fields(BoardSamples)]
    return BoardSamples(**{name: sum(getattr(counts, name) for counts in samples) for name in names})


def _simulation(simulated: bool, models: Sequence[str]) -> str | None:
    if not simulated:
        return None
    return simulation_notice([name for name in models if name.startswith(SIMULATED)], models)
