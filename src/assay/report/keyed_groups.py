"""A keyed board by variant and concept, and how many of a bundle are right: cells of heat maps."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from assay.ranking.keyed.board import KeyedBoard, KeyedStanding, Part
from assay.report.board_apart import MOST
from assay.report.board_figures import SHADES, fixed, hundredfold, shade, tally
from assay.report.board_groups import HeatCell
from assay.report.numerals import points


@dataclass(frozen=True, slots=True)
class ConceptRow:
    """One concept with the cells of the models that are shown."""

    title: str
    questions: int
    cells: tuple[HeatCell, ...]


@dataclass(frozen=True, slots=True)
class BundleRow:
    """How many bundles of one model have 0, 1, ... questions right, as cells; empty without a bundle."""

    standing: KeyedStanding
    cells: tuple[HeatCell, ...]


@dataclass(frozen=True, slots=True)
class KeyedGroups:
    """Models (rows) by variant; concepts (rows) by model; models by the number right of a bundle."""

    variants: tuple[tuple[str, int], ...]
    by_variant: tuple[tuple[KeyedStanding, tuple[HeatCell, ...]], ...]
    models: tuple[str, ...]
    by_concept: tuple[ConceptRow, ...]
    most: int
    bundles: tuple[BundleRow, ...]


def keyed_groups(found: KeyedBoard, titles: Mapping[str, str]) -> KeyedGroups:
    """Return the view of a keyed board's parts; `titles` are those of the variants, where they have one."""
    shown = found.standings[:MOST]
    first = found.standings[0]
    return KeyedGroups(
        variants=tuple((titles.get(part.name, part.name), part.questions) for part in first.variants),
        by_variant=tuple(
            (each, tuple(_cell(each.model, part) for part in each.variants)) for each in found.standings
        ),
        models=tuple(each.model for each in shown),
        by_concept=tuple(
            ConceptRow(
                part.name.replace("-", " ").replace("_", " "),
                part.questions,
                tuple(_cell(each.model, each.concepts[place]) for each in shown),
            )
            for place, part in enumerate(first.concepts)
        ),
        most=max((len(each.consistency.spread) for each in found.standings), default=0),
        bundles=tuple(BundleRow(each, _bundles(each)) for each in found.standings),
    )


def _cell(model: str, part: Part) -> HeatCell:
    """Return the accuracy over valid answers, drawn darker from 0 to 100."""
    counts, valid = part.rights.counts, part.rights.valid
    value, interval = hundredfold(valid.value), valid.interval
    told = [
        f"{model}, {part.name}",
        f"{counts.right} of {counts.ok} valid right"
        + (
            ""
            if interval is None
            else f", 95 % {points(100 * interval.low)} to {points(100 * interval.high)}"
        ),
        f"over all {points(hundredfold(part.rights.overall.value))}",
        tally(counts),
    ]
    part_of = "" if counts.ok == counts.n else f"n {counts.ok} of {counts.n}"
    return HeatCell(value, shade(value, 0.0, 100.0), "\n".join(told), part_of)


def _bundles(standing: KeyedStanding) -> tuple[HeatCell, ...]:
    found = standing.consistency
    return tuple(
        HeatCell(
            float(each.bundles),
            round(SHADES * each.bundles / found.bundles),
            f"{standing.model}: {each.bundles} of {found.bundles} bundles have {each.k} right\n"
            f"{fixed(each.expected, 1)} if its right answers were scattered",
            f"exp. {fixed(each.expected, 1)}",
        )
        for each in found.spread
    )
