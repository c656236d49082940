"""Imported workbench answers as the rows that a run of Assay stores: calls, samples, grades and marks."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any, Protocol, TypeVar

import orjson

from assay.core.ask import CallStatus, ErrorKind
from assay.core.case import Case, SampleKey
from assay.core.grade import Grade
from assay.core.judging import Mark, Panel
from assay.core.model import Model
from assay.core.suite import Suite
from assay.files.workbench import GivenAnswer, GivenChoice, GivenMark
from assay.grading.choice import choice
from assay.grading.composite import metrics_grade, panel_grade, sample_score
from assay.grading.geval import GEval
from assay.grading.marks import Rubric
from assay.runs.imports.imported_rows import row_hash
from assay.runs.imports.imported_runs import imported_call
from assay.runs.judging.bench import storable
from assay.runs.plan import Plan, stored_plan
from assay.runs.watch.history import IMPORTED
from assay.store.rows import Batch, CallRow, GradeRow, MarkRow, SampleRow
from assay.store.runs import StoredRun

RUBRIC, GEVAL, FLAGS = 0, 1, 2
"""The ordinals of a case's two graders, and of the flags, which have no grader in the suite."""
MODE = "imported"
NO_MARK = "no mark in the imported file"

Given = TypeVar("Given", contravariant=True)


class RowMaker(Protocol[Given]):
    """Conversion of one kind of answers to rows, with the plan of the runs that hold them."""

    def case(self, given: Given) -> str: ...

    def put(
        self, batch: Batch, run: StoredRun, position: int, key: SampleKey, given: Given, row_hash: bytes
    ) -> None: ...

    def plan(self, models: Sequence[Model], before: Mapping[str, Any]) -> dict[str, Any]: ...


def answer_hash(answer: GivenAnswer, model: Model) -> bytes:
    """Return the hash of a judged answer (`row_hash`).

    Rationales and times are left out, because only one of the two layouts has them.
    """
    content = [
        answer.text,
        answer.prompt_tokens,
        answer.completion_tokens,
        answer.latency,
        sorted(answer.flags),
        *(sorted([mark.by, mark.value] for mark in marks) for marks in (answer.marks, answer.geval)),
    ]
    return row_hash([answer.prompt.id, model.name], content)


def choice_hash(given: GivenChoice, model: Model) -> bytes:
    """Return the hash of an answer to a causal question (`row_hash`).

    Prompt tokens and times are left out, because only one of the two layouts has them.
    """
    content = [given.text, given.completion_tokens, given.latency, given.recorded]
    return row_hash(["choice", given.question, model.name], content)


@dataclass(slots=True)
class JudgedRows:
    """Rows of judged answers. `judges` has each judge's model with its row. Counts are of added rows."""

    suite: Suite
    judges: Mapping[str, tuple[int, Model]]
    geval: tuple[int, Model]
    clock: Callable[[], float]
    marks: int = 0
    unread: int = 0
    counts: Counter[str] = field(default_factory=Counter)

    def case(self, given: GivenAnswer) -> str:
        """Return the id of an answer's case."""
        return given.prompt.id

    def plan(self, models: Sequence[Model], before: Mapping[str, Any]) -> dict[str, Any]:
        """Return the plan of a run of these models, with this file's judges and those it had before."""
        known = stored_plan(self.suite, models, before).panel if before else Panel()
        rows = dict(zip(known.names, before.get("judges", ()), strict=True))
        rows |= {model.name: row for row, model in (*self.judges.values(), self.geval)}
        geval = self.geval[1].name
        panel = Panel(tuple(name for name in rows if name != geval), geval)
        plan = replace(_plan(self.suite, models), panel=panel)
        return {**plan.described(), "judges": [rows[name] for name in panel.names], "run": None}

    def put(
        self, batch: Batch, run: StoredRun, position: int, key: SampleKey, given: GivenAnswer, row_hash: bytes
    ) -> None:
        """Put one answer into a batch: its call, sample, grades and marks."""
        row, case, at = run.models[key.model][0], self.suite.cases[key.case], given.at or self.clock()
        invalid = not given.text.strip()
        grades = () if invalid else self._grades(given)
        score = 0.0 if invalid else sample_score(self.suite.use_case(case.use_case), case, grades)
        call = _call(run.id, position, row, at, given, row_hash)
        batch.calls.append(call)
        batch.samples.append(SampleRow(run.id, position, row, key.case, 0, call.status, score, 0, at))
        for ordinal, grade in enumerate(grades):
            batch.grades.append(_grade_row(run.id, position, ordinal, case.graders[ordinal].name, grade))
        batch.grades.append(_grade_row(run.id, position, FLAGS, IMPORTED, _flags(given)))
        if not invalid:
            batch.marks.extend(self._marks(run.id, position, given, at))
        self.counts["ungraded" if score is None else call.status] += 1

    def _grades(self, answer: GivenAnswer) -> tuple[Grade, ...]:
        """Return the grades that the marks make, in the order of a case's graders."""
        panel = [(self.judges[given.by][1].name, _mark(given)) for given in answer.marks]
        metrics = [(given.by, _mark(given)) for given in answer.geval]
        return panel_grade(Rubric.scale, panel), metrics_grade(GEval.scale, metrics)

    def _marks(self, run: int, position: int, answer: GivenAnswer, at: float) -> list[MarkRow]:
        given = [(RUBRIC, self.judges[mark.by][0], Rubric.name, _mark(mark)) for mark in answer.marks]
        given += [(GEVAL, self.geval[0], mark.by, _mark(mark)) for mark in answer.geval]
        self.marks += len(given)
        self.unread += sum(mark.value is None for _, _, _, mark in given)
        return [
            MarkRow(
                run=run,
                position=position,
                ordinal=ordinal,
                judge=judge,
                metric=metric,
                value=mark.value,
                reason=mark.reason,
                rationale=mark.rationale,
                mode=MODE,
                key=None,
                reused=0,
                marked_at=at,
            )
            for ordinal, judge, metric, mark in given
        ]


@dataclass(slots=True)
class ChoiceRows:
    """Rows of answers to causal questions, graded by the letter that they choose. Counts are of added rows.

    `differing` counts the answers in which the project read another letter than `choice` does.
    """

    suite: Suite
    clock: Callable[[], float]
    differing: int = 0
    counts: Counter[str] = field(default_factory=Counter)

    def case(self, given: GivenChoice) -> str:
        """Return the id of an answer's case."""
        return given.question

    def plan(self, models: Sequence[Model], before: Mapping[str, Any]) -> dict[str, Any]:
        """Return the plan of a run of these models: every question once."""
        return {**_plan(self.suite, models).described(), "run": None}

    def put(
        self, batch: Batch, run: StoredRun, position: int, key: SampleKey, given: GivenChoice, row_hash: bytes
    ) -> None:
        """Put one answer into a batch: its call, its sample and its grade; an error has no score."""
        row, case, at = run.models[key.model][0], self.suite.cases[key.case], given.at or self.clock()
        call = _call(run.id, position, row, at, given, row_hash)
        score: float | None = None if given.text is None else 0.0
        if call.answer is not None:
            grade = self._grade(case, given, call.answer)
            batch.grades.append(_grade_row(run.id, position, 0, choice.name, grade))
            score = 100.0 * (grade.value or 0.0)
        batch.calls.append(call)
        batch.samples.append(SampleRow(run.id, position, row, key.case, 0, call.status, score, 0, at))
        self.counts[call.status] += 1

    def _grade(self, case: Case, given: GivenChoice, answer: str) -> Grade:
        """Return Assay's grade; a recorded letter that differs is added to its evidence."""
        (spec,) = case.graders
        grade = choice.read(case, spec, answer, ())
        if given.recorded is None or given.recorded == grade.evidence["letter"]:
            return grade
        self.differing += 1
        recorded = {"letter": given.recorded, "right": given.recorded == grade.evidence["expected"]}
        return replace(grade, evidence={**grade.evidence, "recorded": recorded})


def _plan(suite: Suite, models: Sequence[Model]) -> Plan:
    epochs = {use_case.name: 1 for use_case in suite.use_cases}
    return Plan(suite, tuple(models), epochs, tuple(range(len(suite.cases))))


def _mark(given: GivenMark) -> Mark:
    reason = None if given.value is not None else storable(given.reason or NO_MARK)
    return Mark(given.value, storable(given.rationale), reason, MODE)


def _grade_row(run: int, position: int, ordinal: int, grader: str, grade: Grade) -> GradeRow:
    evidence = orjson.dumps(grade.evidence).decode()
    return GradeRow(run, position, ordinal, grader, grade.value, grade.reason, evidence)


def _flags(answer: GivenAnswer) -> Grade:
    """Return the flags of the other project's auto-checks as a grade with weight 0."""
    flags = []
    for flag in answer.flags:
        code, _, text = flag.partition(":")
        flags.append({"code": code.strip(), "says": text.strip() or code.strip()})
    return Grade(0.0 if flags else 1.0, {"flags": flags})


def _call(
    run: int, position: int, model: int, at: float, given: GivenAnswer | GivenChoice, row_hash: bytes
) -> CallRow:
    """Return the call of an imported answer; values that the file does not have are unknown."""
    text = given.text if given.text and given.text.strip() else None
    status, error = CallStatus.OK, None
    if given.text is None:
        status = CallStatus.ERROR
    elif text is None:
        status = CallStatus.INVALID
        error = ErrorKind.TRUNCATED if given.completion_tokens else ErrorKind.EMPTY
    return imported_call(
        *(run, position, model, at, row_hash, status),
        error=error,
        prompt_tokens=given.prompt_tokens,
        completion_tokens=given.completion_tokens,
        latency=given.latency,
        answer=None if text is None else storable(text),
    )
