"""The marks that a run lacks, by answer and judge."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from typing import NamedTuple

from sqlalchemy import Engine

from assay.core.judging import is_judged
from assay.grading.registry import grader
from assay.runs.judging.judges import Judge, assign_judges
from assay.runs.plan import Plan
from assay.store.ledger import stored_answers
from assay.store.marks import readable_marks

AT_ONCE = 2_000


class DueMark(NamedTuple):
    """A mark that an answer should get: the grader's ordinal, the judge's row, the metric, the bench."""

    ordinal: int
    judge: int
    metric: str
    bench: str


@dataclass(frozen=True, slots=True)
class MissingMarks:
    """The marks that a run's visible answers lack, by position.

    `given` has the (judge, metric) pairs that marked some answer; `unmarked` are the positions of answers
    that no judge of the panel marked.
    """

    by_position: Mapping[int, frozenset[DueMark]]
    given: frozenset[tuple[int, str]]
    unmarked: frozenset[int]

    @property
    def askable(self) -> frozenset[int]:
        """The positions that lack a mark of a judge that has marked others, so that asking again may help."""
        return frozenset(
            position
            for position, missing in self.by_position.items()
            if any((mark.judge, mark.metric) in self.given for mark in missing)
        )

    def of_judge(self, row: int) -> list[int]:
        """Return the positions that lack a mark of one judge, in order."""
        return sorted(
            position
            for position, missing in self.by_position.items()
            if any(mark.judge == row for mark in missing)
        )


def missing_marks(engine: Engine, run: int, plan: Plan) -> MissingMarks:
    """Return the marks of a plan's judges that the answers of a run lack."""
    positions = sorted(stored_answers(engine, run))
    rows = [row for row, _ in plan.judges]
    due_marks = _due_marks(plan)
    by_position: dict[int, frozenset[DueMark]] = {}
    given: set[tuple[int, str]] = set()
    unmarked = set()
    for start in range(0, len(positions), AT_ONCE):
        chunk: Sequence[int] = positions[start : start + AT_ONCE]
        marked = readable_marks(engine, run, rows, (chunk[0], chunk[-1]))
        for position in chunk:
            sample, marks = plan.locate(position), marked.get(position, set())
            given |= {(judge, metric) for _, judge, metric in marks}
            due = due_marks(sample.case, sample.model)
            missing = frozenset(mark for mark in due if mark[:3] not in marks)
            if missing:
                by_position[position] = missing
            panel = {mark for mark in due if mark.bench == "panel"}
            if panel and panel <= missing:
                unmarked.add(position)
    return MissingMarks(by_position, frozenset(given), frozenset(unmarked))


def _due_marks(plan: Plan) -> Callable[[int, int], frozenset[DueMark]]:
    """Return the function that gives the due marks of a case's answer by a model, by their ordinals."""
    judges = {model.name: Judge(model, row, None) for row, model in plan.judges}

    @cache
    def due_marks(case: int, model: int) -> frozenset[DueMark]:
        graders = [
            (ordinal, spec, grader(spec.name)) for ordinal, spec in enumerate(plan.suite.cases[case].graders)
        ]
        return frozenset(
            DueMark(ordinal, assigned.judge.row, metric, maker.bench)
            for ordinal, spec, maker in graders
            if is_judged(maker)
            for assigned in assign_judges(plan.panel, judges, maker.bench, plan.models[model])[0]
            for metric in maker.metrics(spec)
        )

    return due_marks
