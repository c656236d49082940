"""What a suite of the other kind says of the same models: shown beside a board, never blended with it."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Generic, TypeVar

import numpy as np
from sqlalchemy import Engine

from assay.core.errors import InvalidInput, NotFound
from assay.core.suite import Suite
from assay.ranking.cells import cells
from assay.ranking.keyed.accuracy import Rights
from assay.ranking.keyed.board import rights_overall
from assay.ranking.score import Counts, Score, count, score
from assay.runs.board_table import Table
from assay.runs.boards.keyed_table import read_answers
from assay.runs.boards.kind import BoardKind, board_kind
from assay.runs.boards.source import Source, find_runs, find_suite

USUAL = {BoardKind.JUDGED: "causal", BoardKind.KEYED: "generalist"}
"""The suite that stands beside each kind of board unless another is named."""
NOTHING = "none"
Exclusions = Mapping[str, Mapping[str, str]]
"""By suite name: the names of models that do not count, with the reason."""


@dataclass(frozen=True, slots=True)
class JudgedLine:
    """One model's composite (0-1) and counts on a judged suite."""

    score: Score
    counts: Counts


Line = TypeVar("Line", JudgedLine, Rights)


@dataclass(frozen=True, slots=True)
class Beside(Generic[Line]):
    """A suite of the other kind, with a line for each model of the board that it measured, by name.

    `excluded` gives the board's models that are excluded from it, with the reason.
    """

    suite: Suite
    runs: tuple[int, ...]
    lines: Mapping[str, Line]
    excluded: Mapping[str, str]
    simulated: bool


def keyed_beside(
    engine: Engine, source: Source, wanted: str | None, exclusions: Exclusions
) -> Beside[Rights] | None:
    """Return what a keyed suite says of a judged board's models; None where none measured any of them.

    `wanted` names the suite; None for the usual one, if it is there, and `none` for none. NotFound or
    InvalidInput for a named one that is not there or of the wrong kind.
    """
    other = _other(engine, BoardKind.KEYED, wanted, exclusions)
    if other is None:
        return None
    answers = read_answers(engine, other)
    lines = {row: rights_overall(answers, place) for place, row in enumerate(other.rows)}
    return _joined(source, other, lines, exclusions)


def judged_beside(
    engine: Engine, source: Source, wanted: str | None, exclusions: Exclusions
) -> Beside[JudgedLine] | None:
    """Return what a judged suite says of a keyed board's models, likewise."""
    other = _other(engine, BoardKind.JUDGED, wanted, exclusions)
    if other is None:
        return None
    found = cells(Table(engine, other).measured())
    every = np.ones(len(found.prompts), dtype=np.bool_)
    places = {name: place for place, name in enumerate(found.models)}
    lines = {
        row: JudgedLine(
            score(found, places[name], found.counting[places[name]], every), count(found, places[name], every)
        )
        for row, name in other.names.items()
    }
    return _joined(source, other, lines, exclusions)


def _other(engine: Engine, kind: BoardKind, wanted: str | None, exclusions: Exclusions) -> Source | None:
    """Return the runs of the suite that is to stand beside; None where there is none and none was named."""
    if wanted == NOTHING:
        return None
    usual = next(suite for one, suite in USUAL.items() if one is not kind)
    name = wanted or usual
    try:
        suite = find_suite(engine, name, None, None)
        if board_kind(suite) is kind:
            return find_runs(engine, suite, exclude=exclusions.get(name))
    except (NotFound, InvalidInput):
        if wanted is not None:
            raise
        return None
    if wanted is not None:
        raise InvalidInput(
            f"suite {wanted!r} cannot stand beside this board, for it is of the same kind: judged suites "
            "stand beside multiple-choice ones"
        )
    return None


def _joined(
    source: Source, other: Source, lines: Mapping[int, Line], exclusions: Exclusions
) -> Beside[Line] | None:
    reasons, names = exclusions.get(other.suite.name, {}), source.names
    excluded = {names[row]: reasons[each.name] for row, each in source.models.items() if each.name in reasons}
    kept = {names[row]: line for row, line in lines.items() if row in names}
    if not kept:
        return None
    runs = tuple(sorted({other.chosen[row] for row in lines if row in names}))
    simulated = any(run.simulated for run in other.stored if run.id in runs)
    return Beside(other.suite, runs, kept, excluded, simulated)
