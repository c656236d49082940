"""The independence of a judged board's panel, from the marks of its judges and of people."""

from __future__ import annotations

from typing import Any

import numpy as np

from assay.core.errors import InvalidInput
from assay.core.people import HUMAN
from assay.ranking.panel import FEW, independence, panel_study
from assay.ranking.reference_marks import ReferencedAnswer, ReferenceMarks
from assay.results.judge_panel import PanelIndependence
from assay.runs.board.judged_table import SampleTable


def board_panel(table: SampleTable, rng: np.random.Generator) -> PanelIndependence | None:
    """Return how independent a board's judges are; None with fewer than two judges that marked enough.

    People's marks are the reference where there are enough of them; of several people, the first by name
    counts.
    """
    marks = _marks(table)
    few = int((~np.isnan(marks.reference)).sum()) < FEW
    try:
        study = panel_study(marks, None if few else HUMAN)
    except InvalidInput:
        if few:
            return None
        try:
            study = panel_study(marks, None)
        except InvalidInput:
            return None
    return independence(study, rng).figures


def _marks(table: SampleTable) -> ReferenceMarks:
    """Return the marks on each answer of the board, for each grader and metric that judges marked."""
    columns: dict[tuple[Any, ...], int] = {}
    answers: list[ReferencedAnswer] = []
    cells: list[tuple[int, int, float]] = []
    rows = {judge: row for row, judge in enumerate(table.judges)}
    names = dict(zip(table.rows, table.names, strict=True))
    for mark, sample in table.panel:
        key = (mark.row.run, mark.row.position, mark.row.ordinal, mark.row.metric)
        if key not in columns:
            columns[key] = len(answers)
            case = table.suite.cases[sample.case_ordinal].id
            answers.append(ReferencedAnswer(case, names[sample.model], sample.epoch))
        if mark.row.value is not None:
            cells.append((rows[mark.judge], columns[key], mark.row.value))
    values, reference = np.full((len(rows), len(answers)), np.nan), np.full(len(answers), np.nan)
    for row, column, value in cells:
        values[row, column] = value
    for mark, _ in sorted(table.people, key=lambda person: person[0].judge, reverse=True):
        place = columns.get((mark.row.run, mark.row.position, mark.row.ordinal, mark.row.metric))
        if place is not None and mark.row.value is not None:
            reference[place] = mark.row.value
    return ReferenceMarks(
        judges=table.judges,
        answers=tuple(answers),
        marks=values,
        reference=reference,
        categories=(),
        names=(),
        ordered=True,
        weights=np.ones(len(answers)),
    )
