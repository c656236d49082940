"""The scores of a board's runs on its prompts, for rankings and studies."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from sqlalchemy import Engine

from assay.ranking.board.cells import cells, over
from assay.ranking.board.measured import Status
from assay.ranking.board.resampled import seed_halves
from assay.ranking.score_table import ScoreSource, ScoreTable
from assay.runs.board.judged_table import SampleTable
from assay.runs.board.keyed_table import read_answers
from assay.runs.board.kind import BoardKind, board_kind
from assay.runs.board.source import BoardSource, find_runs, find_suite


def board_scores(engine: Engine, name: str, judges: Sequence[str] = ()) -> ScoreSource:
    """Return the scores of the runs that the board of a suite ranks.

    A score is the composite of a judged board, or whether the answer is right on a keyed one, whose twins are
    left out; epochs are averaged. Raises NotFound and InvalidInput as the board does.
    """
    return scores_of(engine, find_runs(engine, find_suite(engine, name, None, None), judges=judges))


def scores_of(engine: Engine, source: BoardSource) -> ScoreSource:
    """Return the scores of runs that a board ranks. Raises InvalidInput as the board does."""
    suite = source.suite
    read = _keyed if board_kind(suite) is BoardKind.KEYED else _judged
    table = read(engine, source)
    notes = [f"{model.model} is not ranked: {model.reasons[0].reason}" for model in source.not_ranked]
    return ScoreSource.of(f"board:{suite.name}", table, [*notes, *source.newer], simulated=source.simulated)


def _judged(engine: Engine, source: BoardSource) -> ScoreTable:
    table = cells(SampleTable(engine, source).measured())
    halves = seed_halves(table, table.counting)
    scores = over(np.stack(halves), 0)
    if not np.isnan(halves[1]).all():
        scores = np.where(np.isnan(halves[0]) | np.isnan(halves[1]), np.nan, scores)
    return ScoreTable(
        table.models,
        tuple(prompt.id for prompt in table.prompts),
        scores,
        tuple(prompt.category for prompt in table.prompts),
    )


def _keyed(engine: Engine, source: BoardSource) -> ScoreTable:
    answers = read_answers(engine, source).originals
    asked = np.isin(answers.status, (Status.OK, Status.INVALID))
    return ScoreTable(
        answers.models,
        tuple(question.id for question in answers.questions),
        over(np.where(asked, answers.right, np.nan), 0),
        tuple(question.concept for question in answers.questions),
    )
