"""The page of a keyed board: accuracy, ranks and consistency, in one file without network requests."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from datetime import datetime
from pathlib import Path
from typing import Any

from assay.core.wording import counted
from assay.ranking.board.keyed import KeyedBoard
from assay.report import altair as alt
from assay.report.board.beside import judged_beside_view
from assay.report.board.charts import (
    INK,
    LEAD,
    LINE,
    LINES,
    PAPER,
    ROWS,
    pointed_row,
    row_height,
    specification,
)
from assay.report.board.differences import MOST
from assay.report.board.figures import SHADES, fixed, hundredfold, interval_text, labels, shade, tally
from assay.report.board.groups import HeatCell
from assay.report.board.missing import keyed_gaps
from assay.report.board.view import BoardPage, ShownModel, page_of, rank_charts, render_board
from assay.report.frame import SiteFrame
from assay.report.numerals import points
from assay.report.save import write_page
from assay.results.board_keyed import KEYED_GROUPINGS, KeyedGrouping, KeyedStanding, Part
from assay.results.board_twins import TWINS
from assay.results.table import Column
from assay.runs.board.stored import StoredKeyedBoard

Row = dict[str, Any]


@dataclass(frozen=True, slots=True)
class KeyedPage:
    """The part of the page that only keyed boards have.

    `chance` is the accuracy of blind guessing in points, and `guess` its position in per cent of the axis.
    `twins` is empty for a suite without twins.
    """

    questions: int
    concepts: int
    chance: float
    guess: float
    groups: KeyedGroups
    twins: tuple[TwinTable, ...] = ()


@dataclass(frozen=True, slots=True)
class TwinTable:
    """The table of one kind of twin: title, headings with their legends, and each model's cells."""

    title: str
    columns: tuple[Column, ...]
    rows: tuple[tuple[str, tuple[str, ...]], ...]


def keyed_page(stored: StoredKeyedBoard, *, made: datetime, site: SiteFrame | None = None) -> str:
    """Return the page as HTML, a file of its own or a page of `site`; `made` (UTC) is shown on it.

    The page has no question, option, answer, key or case id, not even for a public suite. Raises InvalidInput
    if the charts' JavaScript was not built.
    """
    board = stored.board
    page = _shared_page(stored, made)
    keyed = KeyedPage(
        questions=board.questions,
        concepts=len(board.concepts),
        chance=100.0 * board.chance,
        guess=page.axis.at(100.0 * board.chance),
        groups=keyed_groups(board, {use_case.name: use_case.title for use_case in stored.suite.use_cases}),
        twins=tuple(twin_tables(board)),
    )
    charts = rank_charts(stored)
    rows = accuracy_rows(board)
    if rows:
        chance = [{"chance": keyed.chance}]
        charts["accuracy"] = {"spec": accuracy_chart(len(rows)), "rows": rows, "lines": chance}
    return render_board("keyed.html", page, charts, site, keyed=keyed)


def write_keyed_board(stored: StoredKeyedBoard, path: Path, *, made: datetime | None = None) -> str:
    """Write the page, completely or not at all, and return its address. `made` defaults to the present."""
    return write_page(path, lambda now: keyed_page(stored, made=made or now))


def _shared_page(stored: StoredKeyedBoard, made: datetime) -> BoardPage:
    board, standings = stored.board, stored.board.standings
    return page_of(
        stored,
        [
            ShownModel(standing, standing.rights.samples, valid.value, valid.interval)
            for standing in standings
            for valid in [standing.rights.valid]
        ],
        drawn=counted(len(board.concepts), "concept"),
        gaps=keyed_gaps(stored),
        beside=judged_beside_view(stored.beside, [standing.model for standing in standings]),
        made=made,
        mark=board.chance,
    )


def accuracy_chart(models: int) -> dict[str, Any]:
    """Return the specification of the chart of accuracies in points, with one line per model, best first.

    Rows: `label`, `place`, `low` and `high` (the interval over valid answers), `valid`, `all`, `leads` and
    `text`. `lines` has one row, `chance`.
    """
    height = row_height(models) + 3
    scale = alt.X(
        "low:Q",
        title="Right of 100",
        scale=alt.Scale(domain=[0, 100], nice=False),
        axis=alt.Axis(tickCount=5, orient="top", grid=True),
    )
    y = alt.Y(
        "label:N",
        title=None,
        sort=alt.SortField("place"),
        axis=alt.Axis(ticks=False, domain=False, labelOverlap="parity", labelColor=INK),
    )
    colour = alt.condition("datum.leads", alt.value(LEAD), alt.value(LINE))
    base = alt.Chart(alt.NamedData(ROWS)).encode(y=y)
    thick = max(3, height - 12)
    intervals = base.mark_bar(height=thick, opacity=0.45, cornerRadius=2).encode(
        x=scale, x2="high:Q", color=colour
    )
    overall = base.mark_point(shape="diamond", size=40, filled=False, strokeWidth=1.5, opacity=1).encode(
        x="all:Q", stroke=alt.value(INK)
    )
    valid = base.mark_point(filled=True, size=52, opacity=1, stroke=PAPER, strokeWidth=0.75).encode(
        x="valid:Q", fill=colour
    )
    guess = (
        alt.Chart(alt.NamedData(LINES))
        .mark_rule(strokeDash=[4, 3], strokeWidth=1.25, color=INK, opacity=0.7)
        .encode(x="chance:Q")
    )
    return specification(
        alt.layer(intervals, guess, overall, valid, pointed_row(base)), height=height * models
    )


def accuracy_rows(board: KeyedBoard) -> list[Row]:
    """Return the rows of the chart of accuracies: one for each model with a visible answer."""
    answered = [standing for standing in board.standings if standing.rights.valid.value is not None]
    short = labels([standing.model for standing in answered])
    return [
        {
            "label": short[standing.model],
            "place": place,
            "low": 100.0 * standing.rights.valid.interval.low,
            "high": 100.0 * standing.rights.valid.interval.high,
            "valid": hundredfold(standing.rights.valid.value),
            "all": hundredfold(standing.rights.overall.value),
            "leads": standing.ranks is not None and standing.ranks.low == 1,
            "text": _tooltip(standing),
        }
        for place, standing in enumerate(answered, start=1)
        if standing.rights.valid.interval is not None
    ]


def _tooltip(standing: KeyedStanding) -> str:
    rights = standing.rights
    accuracies = (("valid", rights.valid), ("all", rights.overall))
    lines = [
        f"right of {name} {points(hundredfold(accuracy.value))}{interval_text(accuracy.interval)}"
        for name, accuracy in accuracies
    ]
    return "\n".join((standing.model, *lines, tally(rights.samples)))


@dataclass(frozen=True, slots=True)
class ConceptRow:
    """One concept with the cells of the models that are shown."""

    title: str
    questions: int
    cells: tuple[HeatCell, ...]


@dataclass(frozen=True, slots=True)
class BundleRow:
    """One model's numbers of bundles with 0, 1, ... right answers, as cells; empty without a bundle."""

    standing: KeyedStanding
    cells: tuple[HeatCell, ...]


@dataclass(frozen=True, slots=True)
class ModelHeat:
    """A heat map of models (rows) by the groups of one grouping (columns), with their titles and sizes.

    `title` is what a group is called, as in *By variant*.
    """

    by: str
    title: str
    columns: tuple[tuple[str, int], ...]
    rows: tuple[tuple[KeyedStanding, tuple[HeatCell, ...]], ...]


@dataclass(frozen=True, slots=True)
class KeyedGroups:
    """Heat maps: models by group, concepts by model, and models by right answers in a bundle.

    `most` is the largest number of questions in a bundle.
    """

    by_model: tuple[ModelHeat, ...]
    models: tuple[str, ...]
    by_concept: tuple[ConceptRow, ...]
    most: int
    bundles: tuple[BundleRow, ...]


def keyed_groups(board: KeyedBoard, titles: Mapping[str, str]) -> KeyedGroups:
    """Return the heat maps of a keyed board. `titles` has the titles of variants that have one."""
    shown = board.standings[:MOST]
    first = board.standings[0]
    return KeyedGroups(
        by_model=tuple(
            _model_heat(board, grouping, titles)
            for grouping in KEYED_GROUPINGS.values()
            if grouping.by != "concept" and first.parts(grouping.by)
        ),
        models=tuple(standing.model for standing in shown),
        by_concept=tuple(
            ConceptRow(
                part.name.replace("-", " ").replace("_", " "),
                part.questions,
                tuple(_cell(standing.model, standing.concepts[place]) for standing in shown),
            )
            for place, part in enumerate(first.concepts)
        ),
        most=max((len(standing.consistency.spread) for standing in board.standings), default=0),
        bundles=tuple(BundleRow(standing, _bundle_cells(standing)) for standing in board.standings),
    )


def _model_heat(board: KeyedBoard, grouping: KeyedGrouping, titles: Mapping[str, str]) -> ModelHeat:
    parts = board.standings[0].parts(grouping.by)
    known = titles if grouping.by == "variant" else {}
    return ModelHeat(
        grouping.by,
        grouping.title,
        tuple((known.get(part.name, part.name), part.questions) for part in parts),
        tuple(
            (standing, tuple(_cell(standing.model, part) for part in standing.parts(grouping.by)))
            for standing in board.standings
        ),
    )


def _cell(model: str, part: Part) -> HeatCell:
    """Return the cell of the accuracy over valid answers; its shade goes from 0 to 100 points."""
    rights, samples = part.rights, part.rights.samples
    value = hundredfold(rights.valid.value)
    lines = (
        f"{model}, {part.name}",
        f"{rights.right} of {samples.ok} valid right{interval_text(rights.valid.interval)}",
        f"right of all {points(hundredfold(rights.overall.value))}",
        tally(samples),
    )
    part_of = "" if samples.ok == samples.n else f"n {samples.ok} of {samples.n}"
    return HeatCell(value, shade(value, 0.0, 100.0), "\n".join(lines), part_of)


def twin_tables(board: KeyedBoard) -> Iterator[TwinTable]:
    """Yield a table for each kind of twin that the suite has."""
    for kind, (title, table) in TWINS.items():
        parts = [(line.model, getattr(line, kind)) for line in board.twins]
        if any(part is not None for _, part in parts):
            cells = table.cells([part for _, part in parts])
            rows = tuple(zip((model for model, _ in parts), cells, strict=True))
            yield TwinTable(title, table.columns, rows)


def _bundle_cells(standing: KeyedStanding) -> tuple[HeatCell, ...]:
    bundles = standing.consistency.bundles
    return tuple(
        HeatCell(
            float(number.bundles),
            round(SHADES * number.bundles / bundles),
            f"{standing.model}: {number.bundles} of {bundles} bundles have {number.k} right\n"
            f"{fixed(number.expected, 1)} expected if its right answers were scattered",
            f"exp. {fixed(number.expected, 1)}",
        )
        for number in standing.consistency.spread
    )
