"""The scores of runs, or of a table in a file, for rankings and studies."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path

import numpy as np
import numpy.typing as npt
from sqlalchemy import Engine

from assay.core.errors import InvalidInput, NotFound
from assay.core.wording import counted
from assay.files.data_frame import NamedFile, TableSource, table_file
from assay.files.rows import open_rows
from assay.frontier.tensor import cell_means
from assay.ranking.score_table import ScoreSource, ScoreTable
from assay.studies.frontier.source import named_runs, read_tensor
from assay.studies.marks import read_file

FloatArray = npt.NDArray[np.float64]
ALL = "all"
"""The group of items that have none."""


@dataclass(frozen=True, slots=True)
class SourceOptions:
    """How a source is read.

    For tables: `columns` maps Assay's column names to the table's, `where` has conditions such as
    `release=v1`, `value_range` the scores that become 0 and 1 (default: the ends of the table's scale), and
    `judges` the judges whose marks count. `least_coverage` is the smallest share of a table's or run's items
    that a model must have a score on.
    """

    columns: Mapping[str, str] = field(default_factory=dict)
    where: Sequence[str] = ()
    value_range: tuple[float, float] | None = None
    judges: Sequence[str] = ()
    least_coverage: float = 0.0


def read_scores(
    source: TableSource, options: SourceOptions | None = None, engine: Engine | None = None
) -> ScoreSource:
    """Read the scores of models on items from runs or from a table.

    `source` is `run:3` (or `run:3,run:4`, of the same suite), a file or a DataFrame. A table has one row per
    score: either `prompt`, `model` and `quality` (long form), or `item`, `judge`, `model` and `mark`; then a
    score is the mean over judges. Raises NotFound for an unknown source, InvalidInput for one that cannot be
    read.
    """
    options = options or SourceOptions()
    if named_runs(source) is not None:
        return _outcomes(str(source), str(source), options, engine)
    with table_file(source) as table:
        if not table.path.is_file():
            raise NotFound(
                f"no file {table.name!r}: give a table, or run:NUMBER, board:SUITE or exam:SERIES of this "
                "workspace"
            )
        columns = {column.strip().lower() for column in open_rows(table.path).columns}
        if {"judge", "rater", "annotator"} & columns:
            return _judged_file(table, options)
        return _outcomes(table.path, table.name, options, None)


def _outcomes(source: str | Path, name: str, options: SourceOptions, engine: Engine | None) -> ScoreSource:
    """Read runs or a long-form table; generations are averaged."""
    read = read_tensor(
        source,
        columns=options.columns,
        where=options.where,
        quality_range=options.value_range,
        least_coverage=options.least_coverage,
        engine=engine,
    )
    tensor = read.tensor
    table = ScoreTable(
        tensor.models,
        tensor.prompts,
        cell_means(tensor.quality).T,
        tensor.categories or (ALL,) * len(tensor.prompts),
    )
    notes = [f"{left.kind} {left.name!r} {left.reason}" for left in read.left_out]
    return ScoreSource.of(name, table, notes, simulated=read.simulated)


def _judged_file(file: NamedFile, options: SourceOptions) -> ScoreSource:
    """Read a table of judges' marks; a score is the mean over judges and generations."""
    if options.columns or options.where:
        raise InvalidInput("a table with a column 'judge' is read by its own names: rename its columns")
    read = read_file(file.path, options.judges)
    marks = read.marks
    low, high = options.value_range or _ends_of(marks.scale.codes, marks.table)
    models = sorted({answer.model for answer in marks.answers if answer.model is not None})
    if not models:
        raise InvalidInput(f"{file.name!r} has no column 'model': a ranking needs the model of each mark")
    items = sorted({answer.item for answer in marks.answers})
    rows = {model: row for row, model in enumerate(models)}
    columns = {item: column for column, item in enumerate(items)}
    total, n = np.zeros((len(models), len(items))), np.zeros((len(models), len(items)))
    for place, answer in enumerate(marks.answers):
        given = marks.table[:, place]
        known = given[~np.isnan(given)]
        if answer.model is not None:
            cell = rows[answer.model], columns[answer.item]
            total[cell] += float(known.sum())
            n[cell] += len(known)
    scores = np.divide(total, n, out=np.full(total.shape, np.nan), where=n > 0)
    kept = ~np.isnan(scores).all(axis=1)
    table = ScoreTable(
        tuple(model for model, keep in zip(models, kept, strict=True) if keep),
        tuple(items),
        (scores[kept] - low) / (high - low),
        (ALL,) * len(items),
    )
    notes = [f"scores are means over {counted(len(marks.judges), 'judge')}: {', '.join(marks.judges)}"]
    if read.problems:
        first = file.renamed(str(read.problems[0]))
        notes.append(f"{counted(len(read.problems), 'row')} refused; the first: {first}")
    return ScoreSource.of(file.name, table, notes, simulated=False)


def _ends_of(codes: Mapping[str, float], marks: FloatArray) -> tuple[float, float]:
    values = list(codes.values()) or [float(np.nanmin(marks)), float(np.nanmax(marks))]
    low, high = min(values), max(values)
    if low == high:
        raise InvalidInput(f"every mark is {low:g}: give the ends of the scale with --range LOW HIGH")
    return low, high
