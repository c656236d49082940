"""A board by category, subcategory and difficulty: composites as the cells of heat maps."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from assay.ranking.board import Board, Standing
from assay.ranking.groups import Group, GroupScore
from assay.report.board_apart import MOST
from assay.report.board_figures import fixed, hundredfold, shade, tally
from assay.report.numerals import points

ORDER = ("easy", "medium", "hard")
UNSTATED = "not stated"


@dataclass(frozen=True, slots=True)
class HeatCell:
    """A composite in points, how dark it is drawn, its words, and `part` where not all answers count."""

    value: float | None
    shade: int
    told: str
    part: str


@dataclass(frozen=True, slots=True)
class Column:
    """A group of prompts as a column, with its title."""

    title: str
    prompts: int


@dataclass(frozen=True, slots=True)
class Heat:
    """Models (rows) by categories and by difficulties (columns); empty dimensions have a single group."""

    categories: tuple[Column, ...]
    difficulties: tuple[Column, ...]
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
    """The heat map, the finer one by subcategory with its models, and the only category there is, if so."""

    heat: Heat
    models: tuple[str, ...]
    fine: tuple[FineRow, ...]
    only: str | None


def groups_view(found: Board, titles: Mapping[str, str]) -> GroupsView:
    """Return the view of a board's groups; `titles` are those of the categories."""
    first = found.standings[0].groups
    places = {
        by: [place for place, each in enumerate(first) if each.group.by == by]
        for by in ("category", "subcategory", "difficulty")
    }
    places["difficulty"].sort(key=lambda place: _difficulty(first[place].group.name))
    categories = places["category"] if len(places["category"]) > 1 else []
    difficulties = places["difficulty"] if len(places["difficulty"]) > 1 else []
    fine = places["subcategory"] if len(places["subcategory"]) > max(1, len(places["category"])) else []
    only = None if categories else first[places["category"][0]].group.name
    shown = found.standings[:MOST]
    return GroupsView(
        heat=Heat(
            tuple(_column(first[place].group, titles) for place in categories),
            tuple(_column(first[place].group, titles) for place in difficulties),
            _rows(found.standings, [*categories, *difficulties]),
        ),
        models=tuple(each.model for each in shown),
        fine=_fine(shown, fine, titles),
        only=None if only is None else titles.get(only, _titled(only)),
    )


def _rows(
    standings: tuple[Standing, ...], places: list[int]
) -> tuple[tuple[Standing, tuple[HeatCell, ...]], ...]:
    low, high = _bounds([each.groups[place] for each in standings for place in places])
    return tuple(
        (each, tuple(_cell(each.model, each.groups[place], low, high) for place in places))
        for each in standings
    )


def _fine(
    standings: tuple[Standing, ...], places: list[int], titles: Mapping[str, str]
) -> tuple[FineRow, ...]:
    low, high = _bounds([each.groups[place] for each in standings for place in places])
    rows = []
    for place in places:
        group = standings[0].groups[place].group
        category = group.category or ""
        rows.append(
            FineRow(
                titles.get(category, _titled(category)),
                _titled(group.name),
                group.prompts,
                tuple(_cell(each.model, each.groups[place], low, high) for each in standings),
            )
        )
    return tuple(rows)


def _cell(model: str, found: GroupScore, low: float, high: float) -> HeatCell:
    score, counts = found.score, found.counts
    told = [
        f"{model}, {_titled(found.group.name)}",
        f"composite {points(hundredfold(score.composite))}",
        f"judges {fixed(score.judge_mean, 2)}, G-Eval {fixed(score.geval_mean, 3)}",
        tally(counts),
    ]
    answered = counts.ok + counts.invalid
    value = hundredfold(score.composite)
    part = "" if answered == counts.n else f"n {answered} of {counts.n}"
    return HeatCell(value, shade(value, low, high), "\n".join(told), part)


def _bounds(found: list[GroupScore]) -> tuple[float, float]:
    values = [100.0 * each.score.composite for each in found if each.score.composite is not None]
    return (min(values), max(values)) if values else (0.0, 0.0)


def _column(group: Group, titles: Mapping[str, str]) -> Column:
    title = titles.get(group.name) if group.by == "category" else None
    return Column(title or _titled(group.name), group.prompts)


def _titled(name: str) -> str:
    return name.replace("_", " ") or UNSTATED


def _difficulty(name: str) -> tuple[int, str]:
    return (ORDER.index(name), name) if name in ORDER else (len(ORDER), name)
