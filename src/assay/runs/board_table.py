"""The marks and samples of a board's runs, on their way from the store into arrays."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
from sqlalchemy import Engine

from assay.core.suite import Suite
from assay.grading.kinship import excluded
from assay.ranking.measured import Measured, PromptKind, Status
from assay.runs.boards.kind import is_judged_case
from assay.runs.boards.names import geval_by, is_truncated, plain_model, sample_status, shown
from assay.runs.boards.source import Source
from assay.store.boards import flag_counts
from assay.store.marks import RunMark, read_marks

METRICS = ("correctness", "coherence", "instruction_following")


class Table:
    """Samples and marks of the chosen runs, on their way into arrays."""

    def __init__(self, engine: Engine, source: Source) -> None:
        self.source = source
        self.suite, self.stored = source.suite, source.stored
        numbers, suite, names, models = source.runs, source.suite, source.names, source.models
        self.rows = source.rows
        self.names = tuple(names[row] for row in self.rows)
        self.models = [models[row] for row in self.rows]
        self.samples = source.samples(engine)
        self.flags = flag_counts(engine, numbers)
        self.place = {(each.run, each.position): each for each in self.samples}
        graders = [[spec.name for spec in case.graders] for case in suite.cases]
        self.ordinals = [ordinal for ordinal, case in enumerate(suite.cases) if is_judged_case(case)]
        self.samples = [each for each in self.samples if each.case_ordinal in set(self.ordinals)]
        marks = [
            (mark, sample, graders[sample.case_ordinal][mark.row.ordinal])
            for mark in map(_named_plainly, read_marks(engine, numbers))
            if (sample := self.place.get((mark.row.run, mark.row.position))) is not None
        ]
        self.panel = [(mark, sample) for mark, sample, grader in marks if grader != "geval"]
        self.by_geval = [(mark, sample) for mark, sample, grader in marks if grader == "geval"]
        panel = source.conditions.panel
        marked = {mark.judge for mark, _ in self.panel}
        self.others = sorted(marked - panel)
        self.judges = tuple(sorted(panel & marked))
        self.panel = [(mark, sample) for mark, sample in self.panel if mark.judge in panel]
        self.geval = source.conditions.geval

    def measured(self) -> tuple[Measured, ...]:
        """Return one `Measured` for each epoch."""
        epochs = 1 + max(each.epoch for each in self.samples)
        return tuple(self._epoch(epoch) for epoch in range(epochs))

    def _epoch(self, epoch: int) -> Measured:
        at_case = {ordinal: place for place, ordinal in enumerate(self.ordinals)}
        shape = (len(self.rows), len(self.ordinals))
        at_model = {row: place for place, row in enumerate(self.rows)}
        at_judge = {judge: place for place, judge in enumerate(self.judges)}
        at_metric = {metric: place for place, metric in enumerate(METRICS)}
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
        return Measured(
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
            self._own(),
        )

    def _own(self) -> np.ndarray[tuple[int, ...], np.dtype[np.bool_]]:
        """Return which judge may not mark which model; a single judge marks all, and that is told."""
        own = np.zeros((len(self.models), len(self.judges)), dtype=np.bool_)
        if len(self.judges) < 2:
            return own
        known = {shown(model.name): model for run in self.stored for _, model in run.judges}
        exclude = self.stored[-1].plan.get("panel", {}).get("exclude", "self")
        for column, name in enumerate(self.judges):
            judge = known.get(name, plain_model(name))
            own[:, column] = [excluded(judge, model, exclude) is not None for model in self.models]
        return own

    def missing(self) -> list[str]:
        """Say what the board lacks: runs that stopped, marks that are missing, other G-Eval judges."""
        told = [*self.source.newer, *self.source.stopped()]
        lacking: dict[str, int] = {}
        for mark, _ in (*self.panel, *self.by_geval):
            if mark.row.value is None:
                lacking[mark.judge] = lacking.get(mark.judge, 0) + 1
        told += [
            f"{judge} gave no readable mark {count} {'time' if count == 1 else 'times'}"
            for judge, count in sorted(lacking.items())
        ]
        unjudged = len(self.suite.cases) - len(self.ordinals)
        if unjudged:
            told.append(f"{unjudged} cases that no judge marks are left out")
        others = sorted({mark.judge for mark, _ in self.by_geval} - {self.geval})
        told += [
            f"G-Eval by {geval_by(judge)} is left out: {geval_by(self.geval or 'none')} counts"
            for judge in others
        ]
        told += [f"marks by {judge} are left out: it is not on the board's panel" for judge in self.others]
        if not self.judges:
            told.append("no judge has marked anything")
        elif len(self.judges) == 1:
            told += [
                f"{model.name} was marked by itself: {self.judges[0]} is the only judge"
                for model in self.models
                if excluded(plain_model(self.judges[0]), model, "self") is not None
            ]
        return told


def _kind(suite: Suite, ordinal: int) -> PromptKind:
    case = suite.cases[ordinal]
    told = case.metadata
    return PromptKind(
        case.id, case.use_case, str(told.get("subcategory", "")), str(told.get("difficulty", ""))
    )


def _named_plainly(mark: RunMark) -> RunMark:
    return replace(mark, judge=shown(mark.judge))
