"""Which marks a run still lacks: by judge, by answer, and whether the judge gave any mark at all."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from typing import NamedTuple

from sqlalchemy import Engine

from assay.core.judging import is_judged
from assay.grading.registry import grader
from assay.runs.judged.seating import Judge, seated
from assay.runs.plan import Plan
from assay.store.ledger import stored_answers
from assay.store.marks import readable_marks

AT_ONCE = 2_000


class Owed(NamedTuple):
    """One mark that a judge owes an answer: the grader's ordinal, the judge's row, the metric, the bench."""

    ordinal: int
    judge: int
    metric: str
    bench: str


@dataclass(frozen=True, slots=True)
class MissingMarks:
    """The marks that a run's visible answers lack, by position. `given` has the (judge, metric) pairs that
    marked some answer; `unmarked` are the answers that no judge of the panel marked.
    """

    by_position: Mapping[int, frozenset[Owed]]
    given: frozenset[tuple[int, str]]
    unmarked: frozenset[int]

    @property
    def askable(self) -> frozenset[int]:
        """The answers that lack a mark of a judge that has marked others, so that asking again may help."""
        return frozenset(
            position
            for position, owed in self.by_position.items()
            if any((each.judge, each.metric) in self.given for each in owed)
        )

    def of_judge(self, row: int) -> list[int]:
        """Return the answers that lack a mark of one judge, in order."""
        return sorted(
            position for position, owed in self.by_position.items() if any(each.judge == row for each in owed)
        )


def missing_marks(engine: Engine, run: int, plan: Plan) -> MissingMarks:
    """Return what the judges of a plan still owe the answers of a run."""
    positions = sorted(stored_answers(engine, run))
    rows = [row for row, _ in plan.judges]
    wanted = _wanted(plan)
    by_position: dict[int, frozenset[Owed]] = {}
    given: set[tuple[int, str]] = set()
    unmarked = set()
    for start in range(0, len(positions), AT_ONCE):
        chunk: Sequence[int] = positions[start : start + AT_ONCE]
        marked = readable_marks(engine, run, rows, (chunk[0], chunk[-1]))
        for position in chunk:
            at, there = plan.locate(position), marked.get(position, set())
            given |= {(judge, metric) for _, judge, metric in there}
            owed = wanted(at.case, at.model)
            lacking = frozenset(each for each in owed if each[:3] not in there)
            if lacking:
                by_position[position] = lacking
            panel = {each for each in owed if each.bench == "panel"}
            if panel and panel <= lacking:
                unmarked.add(position)
    return MissingMarks(by_position, frozenset(given), frozenset(unmarked))


def _wanted(plan: Plan) -> Callable[[int, int], frozenset[Owed]]:
    """Return what tells the marks that a case's answer by a model is owed, by their ordinals."""
    judges = {model.name: Judge(model, row, None) for row, model in plan.judges}

    @cache
    def wanted(case: int, model: int) -> frozenset[Owed]:
        made = [(at, spec, grader(spec.name)) for at, spec in enumerate(plan.suite.cases[case].graders)]
        return frozenset(
            Owed(at, seat.judge.row, metric, maker.bench)
            for at, spec, maker in made
            if is_judged(maker)
            for seat in seated(plan.panel, judges, maker.bench, plan.models[model])[0]
            for metric in maker.metrics(spec)
        )

    return wanted
