"""The marks and samples of a judged board's runs as arrays."""

from __future__ import annotations

from collections import Counter
from dataclasses import replace

import numpy as np
from sqlalchemy import Engine

from assay.core.people import is_human
from assay.core.suite import Suite
from assay.core.wording import counted
from assay.grading.model_family import excluded
from assay.ranking.board.measured import MeasuredEpoch, PromptKind, Status
from assay.runs.board.kind import is_judged_case
from assay.runs.board.names import geval_by, is_truncated, plain_model, sample_status, shown
from assay.runs.board.source import BoardSource
from assay.store.boards import flag_counts
from assay.store.marks import read_marks

METRICS = ("correctness", "coherence", "instruction_following")


class SampleTable:
    """The samples and marks of the runs that count, and their conversion to arrays."""

    def __init__(self, engine: Engine, source: BoardSource) -> None:
        self.source = source
        self.suite, self.stored = source.suite, source.stored
        numbers, suite, names, models = source.runs, source.suite, source.names, source.models
        self.rows = source.rows
        self.names = tuple(names[row] for row in self.rows)
        self.models = [models[row] for row in self.rows]
        samples = source.samples(engine)
        self.flags = flag_counts(engine, numbers)
        by_position = {(sample.run, sample.position): sample for sample in samples}
        graders = [[spec.name for spec in case.graders] for case in suite.cases]
        self.ordinals = [ordinal for ordinal, case in enumerate(suite.cases) if is_judged_case(case)]
        self.samples = [sample for sample in samples if sample.case_ordinal in set(self.ordinals)]
        marks = [
            (replace(mark, judge=shown(mark.judge)), sample, graders[sample.case_ordinal][mark.row.ordinal])
            for mark in read_marks(engine, numbers)
            if (sample := by_position.get((mark.row.run, mark.row.position))) is not None
        ]
        by_judges = [
            (mark, sample) for mark, sample, grader in marks if grader != "geval" and not is_human(mark.judge)
        ]
        self.people = [(mark, sample) for mark, sample, _ in marks if is_human(mark.judge)]
        self.by_geval = [(mark, sample) for mark, sample, grader in marks if grader == "geval"]
        panel = source.conditions.panel
        marked = {mark.judge for mark, _ in by_judges}
        self.others = sorted(marked - panel)
        self.judges = tuple(sorted(panel & marked))
        self.panel = [(mark, sample) for mark, sample in by_judges if mark.judge in panel]
        self.geval = source.conditions.geval

    def measured(self) -> tuple[MeasuredEpoch, ...]:
        """Return the arrays of each epoch."""
        epochs = 1 + max(sample.epoch for sample in self.samples)
        return tuple(self._epoch(epoch) for epoch in range(epochs))

    def _epoch(self, epoch: int) -> MeasuredEpoch:
        shape = (len(self.rows), len(self.ordinals))
        at_case = {ordinal: column for column, ordinal in enumerate(self.ordinals)}
        at_model = {row: line for line, row in enumerate(self.rows)}
        at_judge = {judge: index for index, judge in enumerate(self.judges)}
        at_metric = {metric: index for index, metric in enumerate(METRICS)}
        marks = np.full((*shape, len(self.judges)), np.nan)
        geval = np.full((*shape, len(METRICS)), np.nan)
        status = np.full(shape, int(Status.ABSENT), dtype=np.int64)
        truncated = np.zeros(shape, dtype=np.bool_)
        tokens, latency, cost = (np.full(shape, np.nan) for _ in range(3))
        flags = np.zeros(shape, dtype=np.int64)
        for sample in self.samples:
            if sample.epoch != epoch:
                continue
            cell = at_model[sample.model], at_case[sample.case_ordinal]
            status[cell] = int(sample_status(sample))
            truncated[cell] = is_truncated(sample)
            for array, value in ((tokens, sample.tokens), (latency, sample.latency), (cost, sample.cost)):
                if value is not None:
                    array[cell] = value
            flags[cell] = self.flags.get((sample.run, sample.position), 0)
        for mark, sample in self.panel:
            if sample.epoch == epoch and mark.row.value is not None:
                cell = at_model[sample.model], at_case[sample.case_ordinal]
                marks[(*cell, at_judge[mark.judge])] = mark.row.value
        for mark, sample in self.by_geval:
            metric = at_metric.get(mark.row.metric)
            if sample.epoch != epoch or mark.judge != self.geval or metric is None:
                continue
            if mark.row.value is not None:
                cell = at_model[sample.model], at_case[sample.case_ordinal]
                geval[(*cell, metric)] = mark.row.value
        return MeasuredEpoch(
            self.names,
            tuple(_kind(self.suite, ordinal) for ordinal in self.ordinals),
            self.judges,
            METRICS,
            marks,
            geval,
            status,
            truncated,
            tokens,
            latency,
            cost,
            flags,
            self._barred_judges(),
        )

    def _barred_judges(self) -> np.ndarray[tuple[int, ...], np.dtype[np.bool_]]:
        """Return, shape (models, judges), whether a judge may not mark a model; a single judge marks all."""
        barred = np.zeros((len(self.models), len(self.judges)), dtype=np.bool_)
        if len(self.judges) < 2:
            return barred
        known = {shown(model.name): model for run in self.stored for _, model in run.judges}
        exclude = self.stored[-1].plan.get("panel", {}).get("exclude", "self")
        for column, name in enumerate(self.judges):
            judge = known.get(name, plain_model(name))
            barred[:, column] = [excluded(judge, model, exclude) is not None for model in self.models]
        return barred

    def missing(self) -> list[str]:
        """Return remarks about stopped runs, missing marks, and marks that are left out."""
        remarks = [*self.source.newer, *self.source.stopped()]
        unread = Counter(mark.judge for mark, _ in (*self.panel, *self.by_geval) if mark.row.value is None)
        remarks += [
            f"{judge} gave no readable mark {counted(count, 'time')}"
            for judge, count in sorted(unread.items())
        ]
        unjudged = len(self.suite.cases) - len(self.ordinals)
        if unjudged:
            remarks.append(f"{unjudged} cases that no judge marks are left out")
        others = sorted({mark.judge for mark, _ in self.by_geval} - {self.geval})
        remarks += [
            f"G-Eval by {geval_by(judge)} is left out: {geval_by(self.geval or 'none')} counts"
            for judge in others
        ]
        remarks += [f"marks by {judge} are left out: it is not on the board's panel" for judge in self.others]
        if not self.judges:
            remarks.append("no judge has marked anything")
        elif len(self.judges) == 1:
            remarks += [
                f"{model.name} was marked by itself: {self.judges[0]} is the only judge"
                for model in self.models
                if excluded(plain_model(self.judges[0]), model, "self") is not None
            ]
        return remarks


def _kind(suite: Suite, ordinal: int) -> PromptKind:
    case = suite.cases[ordinal]
    details = case.metadata
    return PromptKind(
        case.id, case.use_case, str(details.get("subcategory", "")), str(details.get("difficulty", ""))
    )
