"""The study of correlations: scores are read, models matched by name, and rankings correlated."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from pathlib import Path

import numpy as np

from assay.core.errors import InvalidInput
from assay.core.wording import counted
from assay.ranking.correlation import correlate_rankings
from assay.ranking.score_table import ScoreSource
from assay.results.study import CorrelationStudy, StudySource
from assay.studies.rank.score_columns import ScoreColumn, column_of, is_model_table, read_model_table

ReadSource = Callable[[str], ScoreSource]
"""Reads a source of items: a table, runs, a board or an exam."""


def correlate_sources(
    sources: Sequence[str],
    read_source: ReadSource,
    *,
    chosen: Sequence[str] = (),
    same: Mapping[str, str] | None = None,
    seed: int = 0,
) -> CorrelationStudy:
    """Correlate the first list of scores with all others.

    `chosen` are the columns of tables that count. `same` has the name by which a model is to be known, by
    other names of it. Raises InvalidInput for a single list of scores.
    """
    columns: list[ScoreColumn] = []
    for source in sources:
        path = Path(source)
        if not is_model_table(path):
            columns.append(column_of(read_source(source)))
        elif len(sources) == 1:
            columns += read_model_table(path, chosen)
        else:
            columns += _chosen(read_model_table(path), chosen)
    if len(columns) < 2:
        raise InvalidInput(
            f"{', '.join(sources)} has one list of scores, {columns[0].name!r}: give another source, or a "
            "table with two columns of numbers"
        )
    renamed = [_renamed(column, same or {}) for column in _with_own_names(columns)]
    first, *others = renamed
    rows = correlate_rankings(
        (first.name, first.scores, first.errors),
        [(other.name, other.scores, other.errors) for other in others],
        np.random.default_rng(seed),
    )
    notes = [note for column in renamed for note in column.notes]
    for other in others:
        notes += _unmatched(first, other)
    models = {model for column in renamed for model in column.scores}
    about = StudySource(
        " ".join(sources), any(column.simulated for column in renamed), len(models), tuple(notes)
    )
    return CorrelationStudy(about, seed, rows)


def _chosen(read: list[ScoreColumn], chosen: Sequence[str]) -> list[ScoreColumn]:
    """Return the chosen columns of one of several sources; without any chosen among its columns, all."""
    wanted = {name.strip().lower() for name in chosen}
    return [column for column in read if column.name.strip().lower() in wanted] or read


def _with_own_names(columns: Sequence[ScoreColumn]) -> list[ScoreColumn]:
    """Return the columns with numbers behind names that several of them have."""
    names = [column.name for column in columns]
    if len(set(names)) == len(names):
        return list(columns)
    return [replace(column, name=f"{column.name} ({place})") for place, column in enumerate(columns, 1)]


def _renamed(column: ScoreColumn, same: Mapping[str, str]) -> ScoreColumn:
    scores: dict[str, float] = {}
    for model, score in column.scores.items():
        name = same.get(model, model)
        if name in scores:
            raise InvalidInput(f"{column.name!r} has two scores of {name!r}: leave out one --same")
        scores[name] = score
    errors = {same.get(model, model): error for model, error in column.errors.items()}
    return replace(column, scores=scores, errors=errors)


def _unmatched(first: ScoreColumn, other: ScoreColumn) -> list[str]:
    notes = []
    for one, two in ((first, other), (other, first)):
        lacking = sorted(model for model in one.scores if model not in two.scores)
        if lacking:
            shown = ", ".join(lacking[:5]) + (", ..." if len(lacking) > 5 else "")
            notes.append(f"{two.name} lacks {counted(len(lacking), 'model')} of {one.name}: {shown}")
    return notes
