"""The multiple-choice answers of a board's runs as arrays."""

from __future__ import annotations

import numpy as np
from sqlalchemy import Engine

from assay.core.case import Case
from assay.ranking.board.keyed_answers import Answers, KeyedQuestion
from assay.ranking.board.measured import Status
from assay.runs.board.kind import concept_of, variant_of
from assay.runs.board.names import is_truncated, sample_status
from assay.runs.board.source import BoardSource
from assay.store.boards import BoardSample, choices_read

OPTIONS = "ABCD"
"""The default letters of a `choice` grader."""


def read_answers(engine: Engine, source: BoardSource) -> Answers:
    """Return the answers of a keyed suite's runs that count, models in the order of their names."""
    samples = source.samples(engine)
    choices = choices_read(engine, source.runs)
    rows, names = {row: ordinal for ordinal, row in enumerate(source.rows)}, source.names
    epochs = 1 + max((sample.epoch for sample in samples), default=0)
    shape = (epochs, len(rows), len(source.suite.cases))
    status = np.full(shape, int(Status.ABSENT), dtype=np.int64)
    right, read, truncated = (np.zeros(shape, dtype=np.bool_) for _ in range(3))
    tokens, latency, cost = (np.full(shape, np.nan) for _ in range(3))
    for sample in samples:
        cell = sample.epoch, rows[sample.model], sample.case_ordinal
        cell_status = _status(sample, choices)
        status[cell] = int(cell_status)
        truncated[cell] = is_truncated(sample)
        if cell_status is Status.OK:
            mark, letter = choices[sample.run, sample.position]
            right[cell], read[cell] = mark == 1.0, letter
        for array, value in ((tokens, sample.tokens), (latency, sample.latency), (cost, sample.cost)):
            if value is not None:
                array[cell] = value
    questions = tuple(_question(case) for case in source.suite.cases)
    return Answers(
        tuple(names[row] for row in rows), questions, status, right, read, truncated, tokens, latency, cost
    )


def _status(sample: BoardSample, choices: dict[tuple[int, int], tuple[float, bool]]) -> Status:
    status = sample_status(sample)
    graded = (sample.run, sample.position) in choices
    return Status.UNGRADED if status is Status.OK and not graded else status


def _question(case: Case) -> KeyedQuestion:
    letters = str(case.graders[0].parameters.get("options", OPTIONS))
    return KeyedQuestion(case.id, str(concept_of(case)), variant_of(case), len(letters))
