"""The marks and samples of a board's runs, on their way from the store into arrays."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import numpy as np
from sqlalchemy import Engine

from assay.core.case import Case
from assay.core.errors import InvalidInput
from assay.core.model import Model
from assay.core.suite import Suite
from assay.grading.kinship import excluded
from assay.ranking.measured import Measured, PromptKind, Status
from assay.store.boards import BoardSample, board_samples, flag_counts
from assay.store.marks import RunMark, read_marks
from assay.store.runs import StoredRun

JUDGED = ("rubric", "geval")
METRICS = ("correctness", "coherence", "instruction_following")


def is_judged_case(case: Case) -> bool:
    """Return whether judges mark a case's answers."""
    return any(spec.judged or spec.name in JUDGED for spec in case.graders)


class Table:
    """Samples and marks of the chosen runs, on their way into arrays."""

    def __init__(
        self,
        engine: Engine,
        suite: Suite,
        chosen: dict[int, int],
        stored: Sequence[StoredRun],
        wanted: Sequence[str],
    ) -> None:
        self.suite = suite
        self.stored = stored
        numbers = [run.id for run in stored]
        subjects = {
            row: (model, run.id) for run in stored for row, model in run.models if chosen.get(row) == run.id
        }
        names = _named({row: model for row, (model, _) in subjects.items()})
        self.rows = sorted(subjects, key=lambda row: names[row])
        self.names = tuple(names[row] for row in self.rows)
        self.models = [subjects[row][0] for row in self.rows]
        self.samples = [each for each in board_samples(engine, numbers) if chosen.get(each.model) == each.run]
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
        found = sorted({mark.judge for mark, _ in self.panel})
        unknown = [judge for judge in wanted if judge not in found]
        if unknown:
            raise InvalidInput(
                f"judge {unknown[0]!r} gave no marks here: there are {', '.join(found) or 'none'}"
            )
        self.judges = tuple(judge for judge in found if not wanted or judge in wanted)
        self.panel = [(mark, sample) for mark, sample in self.panel if mark.judge in self.judges]
        self.geval = self._geval_judge()

    def _geval_judge(self) -> str | None:
        """Return whose G-Eval counts: that of the newest run's panel, else of the one who marked most."""
        marked = [mark.judge for mark, _ in self.by_geval]
        named = _shown(str(self.stored[-1].plan.get("panel", {}).get("geval")))
        if named in marked:
            return str(named)
        return max(sorted(set(marked)), key=marked.count, default=None)

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
            status[cell] = _status(sample)
            truncated[cell] = sample.status == "invalid" and "token limit" in (sample.error or "")
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
        known = {_shown(model.name): model for run in self.stored for _, model in run.judges}
        exclude = self.stored[-1].plan.get("panel", {}).get("exclude", "self")
        for column, name in enumerate(self.judges):
            judge = known.get(name, _model(name))
            own[:, column] = [excluded(judge, model, exclude) is not None for model in self.models]
        return own

    def missing(self) -> list[str]:
        """Say what the board lacks: runs that stopped, marks that are missing, other G-Eval judges."""
        told = [
            f"run {run.id} {run.status}{'' if run.reason is None else ': ' + run.reason}"
            for run in self.stored
            if run.status != "finished"
        ]
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
        told += [f"G-Eval by {judge} is left out: {self.geval} counts" for judge in others]
        if not self.judges:
            told.append("no judge has marked anything")
        elif len(self.judges) == 1:
            told += [
                f"{model.name} was marked by itself: {self.judges[0]} is the only judge"
                for model in self.models
                if excluded(_model(self.judges[0]), model, "self") is not None
            ]
        return told


def _status(sample: BoardSample) -> int:
    if sample.status == "error":
        return int(Status.ERROR)
    if sample.status == "invalid":
        return int(Status.INVALID)
    return int(Status.OK if sample.scored else Status.UNGRADED)


def _model(name: str) -> Model:
    provider, _, upstream = name.partition("/")
    return Model(provider, upstream) if upstream else Model("imported", name)


def _named(models: dict[int, Model]) -> dict[int, str]:
    """Return a name for each model row; settings of one model that differ get their fingerprint's start."""
    shown = {row: _shown(model.name) for row, model in models.items()}
    names = list(shown.values())
    return {
        row: shown[row] if names.count(shown[row]) == 1 else f"{shown[row]} ({model.fingerprint[:6]})"
        for row, model in models.items()
    }


def _shown(name: str) -> str:
    """Return a name without the provider of imported models, which is nobody."""
    return name.removeprefix("imported/")


def _kind(suite: Suite, ordinal: int) -> PromptKind:
    case = suite.cases[ordinal]
    told = case.metadata
    return PromptKind(
        case.id, case.use_case, str(told.get("subcategory", "")), str(told.get("difficulty", ""))
    )


def _named_plainly(mark: RunMark) -> RunMark:
    return replace(mark, judge=_shown(mark.judge))
