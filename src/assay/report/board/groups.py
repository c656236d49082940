"""Heat maps of a board's composites by category, subcategory and difficulty."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from assay.ranking.board.judged import Board
from assay.report.board.differences import MOST
from assay.report.board.figures import fixed, hundredfold, shade, tally
from assay.report.numerals import points
from assay.results.board_judged import Group, GroupScore, Standing

DIFFICULTIES = ("easy", "medium", "hard")
UNSTATED = "not stated"


@dataclass(frozen=True, slots=True)
class HeatCell:
    """A figure in points with its shade and tooltip.

    `part` says how many samples count, and is empty if all of them do.
    """

    value: float | None
    shade: int
    tooltip: str
    part: str


@dataclass(frozen=True, slots=True)
class GroupColumn:
    """A group of prompts as a column, with its title."""

    title: str
    prompts: int


@dataclass(frozen=True, slots=True)
class Heat:
    """Models (rows) by categories and difficulties (columns).

    A dimension with a single group has no columns.
    """

    categories: tuple[GroupColumn, ...]
    difficulties: tuple[GroupColumn, ...]
    rows: tuple[tuple[Standing, tuple[HeatCell, ...]], ...]


@dataclass(frozen=True, slots=True)
class FineRow:
    """One subcategory with the cells of the models that are shown."""

    category: str
    title: str
    prompts: int
    cells: tuple[HeatCell, ...]


@dataclass(frozen=True, slots=True)
class GroupsView:
    """The heat map of all models, and a finer one by subcategory for the first `models`.

    `only` is the title of the category if all prompts have the same one, else None.
    """

    heat: Heat
    models: tuple[str, ...]
    fine: tuple[FineRow, ...]
    only: str | None


def groups_view(board: Board, titles: Mapping[str, str]) -> GroupsView:
    """Return the view of a board's groups. `titles` has the title of each category."""
    first = board.standings[0].groups
    places = {
        by: [place for place, score in enumerate(first) if score.group.by == by]
        for by in ("category", "subcategory", "difficulty")
    }
    places["difficulty"].sort(key=lambda place: _difficulty_order(first[place].group.name))
    categories = places["category"] if len(places["category"]) > 1 else []
    difficulties = places["difficulty"] if len(places["difficulty"]) > 1 else []
    fine = places["subcategory"] if len(places["subcategory"]) > max(1, len(places["category"])) else []
    only = None if categories else first[places["category"][0]].group.name
    shown = board.standings[:MOST]
    return GroupsView(
        heat=Heat(
            tuple(_column(first[place].group, titles) for place in categories),
            tuple(_column(first[place].group, titles) for place in difficulties),
            _heat_rows(board.standings, [*categories, *difficulties]),
        ),
        models=tuple(standing.model for standing in shown),
        fine=_fine_rows(shown, fine, titles),
        only=None if only is None else titles.get(only, _titled(only)),
    )


def _heat_rows(
    standings: Sequence[Standing], places: list[int]
) -> tuple[tuple[Standing, tuple[HeatCell, ...]], ...]:
    low, high = _bounds(standings, places)
    return tuple(
        (
            standing,
            tuple(_cell(standing.model, standing.groups[place], low, high) for place in places),
        )
        for standing in standings
    )


def _fine_rows(
    standings: Sequence[Standing], places: list[int], titles: Mapping[str, str]
) -> tuple[FineRow, ...]:
    low, high = _bounds(standings, places)
    rows = []
    for place in places:
        group = standings[0].groups[place].group
        category = group.category or ""
        rows.append(
            FineRow(
                titles.get(category, _titled(category)),
                _titled(group.name),
                group.prompts,
                tuple(_cell(standing.model, standing.groups[place], low, high) for standing in standings),
            )
        )
    return tuple(rows)


def _cell(model: str, scored: GroupScore, low: float, high: float) -> HeatCell:
    score, samples = scored.score, scored.samples
    lines = (
        f"{model}, {_titled(scored.group.name)}",
        f"composite {points(hundredfold(score.composite))}",
        f"judges {fixed(score.judge_mean, 2)}, G-Eval {fixed(score.geval_mean, 3)}",
        tally(samples),
    )
    answered = samples.ok + samples.invalid
    value = hundredfold(score.composite)
    part = "" if answered == samples.n else f"n {answered} of {samples.n}"
    return HeatCell(value, shade(value, low, high), "\n".join(lines), part)


def _bounds(standings: Sequence[Standing], places: list[int]) -> tuple[float, float]:
    """Return the lowest and highest composite, in points, of the groups at these positions."""
    composites = [standing.groups[place].score.composite for standing in standings for place in places]
    values = [100.0 * composite for composite in composites if composite is not None]
    return (min(values), max(values)) if values else (0.0, 0.0)


def _column(group: Group, titles: Mapping[str, str]) -> GroupColumn:
    title = titles.get(group.name) if group.by == "category" else None
    return GroupColumn(title or _titled(group.name), group.prompts)


def _titled(name: str) -> str:
    return name.replace("_", " ") or UNSTATED


def _difficulty_order(name: str) -> tuple[int, str]:
    return (DIFFICULTIES.index(name), name) if name in DIFFICULTIES else (len(DIFFICULTIES), name)
