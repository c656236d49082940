"""The answers with one right letter or number of a board's runs, as arrays."""

from __future__ import annotations

import numpy as np
from sqlalchemy import Engine

from assay.core.case import Case, TwinKind
from assay.ranking.board.keyed_answers import Answers, KeyedQuestion
from assay.ranking.board.measured import Status
from assay.runs.board.kind import concept_of, options_of, variant_of
from assay.runs.board.names import is_truncated, sample_status
from assay.runs.board.source import BoardSource
from assay.store.boards import BoardSample, ReadAnswer, answers_read


def read_answers(engine: Engine, source: BoardSource) -> Answers:
    """Return the answers of a keyed suite's runs that count, models in the order of their names.

    The answers to twins are among them; `Answers.originals` has the others.
    """
    cases = source.suite.cases
    samples = source.samples(engine)
    read_of = answers_read(engine, source.runs)
    rows, names = {row: ordinal for ordinal, row in enumerate(source.rows)}, source.names
    epochs = 1 + max((sample.epoch for sample in samples), default=0)
    shape = (epochs, len(rows), len(cases))
    status = np.full(shape, int(Status.ABSENT), dtype=np.int64)
    right, read, truncated, yielded, refused = (np.zeros(shape, dtype=np.bool_) for _ in range(5))
    tokens, latency, cost = (np.full(shape, np.nan) for _ in range(3))
    for sample in samples:
        cell = sample.epoch, rows[sample.model], sample.case_ordinal
        cell_status = _status(sample, read_of)
        status[cell] = int(cell_status)
        truncated[cell] = is_truncated(sample)
        if cell_status is Status.OK:
            mark, given = read_of[sample.run, sample.position]
            right[cell], read[cell] = mark == 1.0, given is not None
            if given is not None:
                case = cases[sample.case_ordinal]
                yielded[cell] = given in _letters(case, "pressed_for")
                refused[cell] = given in _letters(case, "refusals")
        for array, value in ((tokens, sample.tokens), (latency, sample.latency), (cost, sample.cost)):
            if value is not None:
                array[cell] = value
    return Answers(
        tuple(names[row] for row in rows),
        tuple(_question(case) for case in cases),
        *(status, right, read, truncated, tokens, latency, cost),
        yielded=yielded,
        refused=refused,
    )


def _status(sample: BoardSample, read_of: dict[tuple[int, int], ReadAnswer]) -> Status:
    status = sample_status(sample)
    graded = (sample.run, sample.position) in read_of
    return Status.UNGRADED if status is Status.OK and not graded else status


def _question(case: Case) -> KeyedQuestion:
    metadata, refusals = case.metadata, _letters(case, "refusals")
    twin = metadata.get("twin")
    return KeyedQuestion(
        case.id,
        str(concept_of(case)),
        variant_of(case),
        options_of(case),
        level=metadata.get("level"),
        rung=metadata.get("rung"),
        twin=None if twin is None else TwinKind(twin),
        twin_of=metadata.get("twin_of"),
        pressed=bool(_letters(case, "pressed_for")),
        unsettled=_key(case) in refusals if refusals else None,
    )


def _letters(case: Case, name: str) -> str:
    return str(case.metadata.get(name, "")).upper()


def _key(case: Case) -> str:
    return str(case.graders[0].parameters["expect"]).upper()
