"""The scores of a series' models on its questions, for rankings and studies."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from sqlalchemy import Engine

from assay.core.errors import InvalidInput
from assay.core.exam import EXAM_JUDGE
from assay.core.wording import counted
from assay.exam.results import read_results
from assay.ranking.exam.hierarchy import marks_of
from assay.ranking.exam.scores import MOST_STARS
from assay.ranking.score_table import ScoreSource, ScoreTable
from assay.results.exam_sitting import SittingResult


def exam_scores(engine: Engine, name: str, judge: str = EXAM_JUDGE) -> ScoreSource:
    """Return the scores of a series' published models, with the marks of each counting sitting.

    Raises NotFound for an unknown series, InvalidInput for fewer than two published models.
    """
    (series,) = read_results(engine, judge, series=name).series
    published = [model for model in series.models if model.published]
    if len(published) < 2:
        raise InvalidInput(
            f"series {series.series.name!r} has {counted(len(published), 'published model')} under judge "
            f"{judge}: a ranking needs two, see `assay exam results --series {series.series.name}`"
        )
    sittings = [[sitting for sitting in model.sittings if sitting.counts] for model in published]
    marks = marks_of([[(sat.questions, sat.sitting.drawn) for sat in own] for own in sittings])
    table = _averaged([str(model.identity) for model in published], sittings)
    notes = [f"{model.identity} is not published" for model in series.models if not model.published]
    simulated = any(model.simulated for model in published)
    return ScoreSource.of(f"exam:{name}", table, notes, simulated=simulated, marks=marks)


def _averaged(models: Sequence[str], sittings: Sequence[Sequence[SittingResult]]) -> ScoreTable:
    """Return each model's mean stars on each question over the sittings that have it."""
    subjects = {
        question.question: question.subject
        for own in sittings
        for sitting in own
        for question in sitting.questions
    }
    columns = {question: column for column, question in enumerate(sorted(subjects))}
    total, n = np.zeros((len(models), len(columns))), np.zeros((len(models), len(columns)))
    for row, own in enumerate(sittings):
        for question in (question for sitting in own for question in sitting.questions):
            total[row, columns[question.question]] += question.stars / MOST_STARS
            n[row, columns[question.question]] += 1.0
    scores = np.divide(total, n, out=np.full(total.shape, np.nan), where=n > 0)
    return ScoreTable(
        tuple(models),
        tuple(str(question) for question in columns),
        scores,
        tuple(subjects[question] for question in columns),
    )
