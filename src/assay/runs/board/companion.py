"""A suite of the other kind, whose results for the same models are shown beside a board but not combined."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Generic, TypeVar

import numpy as np
from sqlalchemy import Engine

from assay.core.errors import InvalidInput, NotFound
from assay.core.suite import Suite
from assay.ranking.board.cells import cells
from assay.ranking.board.keyed import rights_overall
from assay.ranking.board.score import count_samples, score
from assay.results.board import JudgedScore
from assay.results.board_keyed import Rights
from assay.runs.board.judged_table import SampleTable
from assay.runs.board.keyed_table import read_answers
from assay.runs.board.kind import BoardKind, board_kind
from assay.runs.board.source import BoardSource, find_runs, find_suite

USUAL = {BoardKind.JUDGED: "generalist", BoardKind.KEYED: "causal"}
"""The default suite of each kind."""
NO_SUITE = "none"
Exclusions = Mapping[str, Mapping[str, str]]
"""By suite name: the names of excluded models, with the reason."""

Line = TypeVar("Line", JudgedScore, Rights)


@dataclass(frozen=True, slots=True)
class Companion(Generic[Line]):
    """A suite of the other kind, with the result of each model of the board that it measured, by name.

    `excluded` has the board's models that are excluded from it, with the reason.
    """

    suite: Suite
    runs: tuple[int, ...]
    lines: Mapping[str, Line]
    excluded: Mapping[str, str]
    simulated: bool


def keyed_companion(
    engine: Engine, source: BoardSource, name: str | None, exclusions: Exclusions
) -> Companion[Rights] | None:
    """Return a keyed suite's results for a judged board's models; None if it measured none of them.

    `name` is the suite's; None for the default one, if it is stored, and `none` for none. NotFound or
    InvalidInput for a named suite that is not stored or of the wrong kind.
    """
    other = _find_source(engine, BoardKind.KEYED, name, exclusions)
    if other is None:
        return None
    answers = read_answers(engine, other).originals
    lines = {row: rights_overall(answers, model) for model, row in enumerate(other.rows)}
    return _companion(source, other, lines, exclusions)


def judged_companion(
    engine: Engine, source: BoardSource, name: str | None, exclusions: Exclusions
) -> Companion[JudgedScore] | None:
    """Return a judged suite's results for a keyed board's models, in the same way."""
    other = _find_source(engine, BoardKind.JUDGED, name, exclusions)
    if other is None:
        return None
    measured = cells(SampleTable(engine, other).measured())
    prompts = np.ones(len(measured.prompts), dtype=np.bool_)
    models = {model: ordinal for ordinal, model in enumerate(measured.models)}
    lines = {
        row: JudgedScore(
            score(measured, models[model], measured.counting[models[model]], prompts),
            count_samples(measured, models[model], prompts),
        )
        for row, model in other.names.items()
    }
    return _companion(source, other, lines, exclusions)


def _find_source(
    engine: Engine, kind: BoardKind, name: str | None, exclusions: Exclusions
) -> BoardSource | None:
    """Return the runs of the companion suite; None if none is wanted, or the default one is not there."""
    if name == NO_SUITE:
        return None
    chosen = name or USUAL[kind]
    try:
        suite = find_suite(engine, chosen, None, None)
        if board_kind(suite) is kind:
            return find_runs(engine, suite, exclude=exclusions.get(chosen))
    except (NotFound, InvalidInput):
        if name is not None:
            raise
        return None
    if name is not None:
        raise InvalidInput(
            f"suite {name!r} is of the same kind as the board: name a suite of the other kind, since judged "
            "suites are shown beside multiple-choice suites"
        )
    return None


def _companion(
    source: BoardSource, other: BoardSource, lines: Mapping[int, Line], exclusions: Exclusions
) -> Companion[Line] | None:
    reasons, names = exclusions.get(other.suite.name, {}), source.names
    excluded = {
        names[row]: reasons[model.name] for row, model in source.models.items() if model.name in reasons
    }
    common = {names[row]: line for row, line in lines.items() if row in names}
    if not common:
        return None
    runs = tuple(sorted({other.chosen[row] for row in lines if row in names}))
    simulated = any(run.simulated for run in other.stored if run.id in runs)
    return Companion(other.suite, runs, common, excluded, simulated)
