"""Imported workbench answers that judges marked, as a run of Assay's own has them: calls, samples, grades."""

from __future__ import annotations

import hashlib
from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

import orjson

from assay.core.ask import CallStatus, ErrorKind
from assay.core.grade import Grade
from assay.core.judging import Mark, Panel
from assay.core.model import Model
from assay.core.sample import SampleKey
from assay.core.suite import Suite
from assay.files.workbench import GivenAnswer, GivenChoice, GivenMark
from assay.grading.composite import sample_score
from assay.grading.geval import GEval
from assay.grading.panel import metrics_grade, panel_grade
from assay.grading.rubric import Rubric
from assay.runs.history import IMPORTED
from assay.runs.imports.imported_rows import IDENTITY
from assay.runs.judged.bench import storable
from assay.runs.plan import Plan, stored_plan
from assay.store.ledger import Batch, CallRow, GradeRow, MarkRow, SampleRow
from assay.store.runs import StoredRun

RUBRIC, GEVAL, FLAGS = 0, 1, 2
"""The ordinals of a case's two graders, and of the flags, which no grader of the suite gave."""

MODE = "imported"
UNTOLD = "no mark in the imported file"

Row = tuple[GivenAnswer, Model, bytes]
"""An answer with its model and its fingerprint."""


def fingerprint(answer: GivenAnswer, model: Model) -> bytes:
    """Return 32 bytes: half of them say which row this is, the other half what it holds.

    Rationales and times do not count: only one of the two layouts has them.
    """
    identity = [answer.prompt.id, model.name]
    held = [
        answer.text,
        answer.prompt_tokens,
        answer.completion_tokens,
        answer.latency,
        sorted(answer.flags),
        *(sorted([mark.by, mark.value] for mark in marks) for marks in (answer.marks, answer.geval)),
    ]
    hashed = (hashlib.sha256(orjson.dumps(part)).digest()[:IDENTITY] for part in (identity, held))
    return b"".join(hashed)


@dataclass(slots=True)
class Judged:
    """Answers that judges marked, as rows of a batch.

    `judges` gives each judge's model with its row. Counts are of what was added.
    """

    suite: Suite
    judges: Mapping[str, tuple[int, Model]]
    geval: tuple[int, Model]
    clock: Callable[[], float]
    marks: int = 0
    unread: int = 0
    counts: Counter[str] = field(default_factory=Counter)

    def case(self, given: GivenAnswer) -> str:
        """Return the case that an answer belongs to."""
        return given.prompt.id

    def plan(self, models: Sequence[Model], before: Mapping[str, Any]) -> dict[str, Any]:
        """Return the plan of a run of these models, whose judges are this file's and those it had before."""
        known = stored_plan(self.suite, models, before).panel if before else Panel()
        rows = dict(zip(known.names, before.get("judges", ()), strict=True))
        rows |= {model.name: row for row, model in (*self.judges.values(), self.geval)}
        geval = self.geval[1].name
        panel = Panel(tuple(name for name in rows if name != geval), geval)
        epochs = {use_case.name: 1 for use_case in self.suite.use_cases}
        plan = Plan(self.suite, tuple(models), epochs, tuple(range(len(self.suite.cases))), panel=panel)
        return {**plan.described(), "judges": [rows[name] for name in panel.names], "run": None}

    def put(
        self, batch: Batch, run: StoredRun, position: int, key: SampleKey, given: GivenAnswer, mark: bytes
    ) -> None:
        """Put one answer into a batch: its call, its sample, its grades, its marks."""
        row, case, at = run.models[key.model][0], self.suite.cases[key.case], given.at or self.clock()
        invalid = not given.text.strip()
        grades = () if invalid else self._grades(given)
        score = 0.0 if invalid else sample_score(self.suite.use_case(case.use_case), case, grades)
        call = imported_call(run.id, position, row, at, given, mark)
        batch.calls.append(call)
        batch.samples.append(SampleRow(run.id, position, row, key.case, 0, call.status, score, 0, at))
        for ordinal, grade in enumerate(grades):
            batch.grades.append(grade_row(run.id, position, ordinal, case.graders[ordinal].name, grade))
        batch.grades.append(grade_row(run.id, position, FLAGS, IMPORTED, _flags(given)))
        if not invalid:
            batch.marks.extend(self._marks(run.id, position, given, at))
        self.counts["ungraded" if score is None else call.status] += 1

    def _grades(self, answer: GivenAnswer) -> tuple[Grade, ...]:
        """Return what the marks come to, in the order of a case's graders."""
        panel = [(self.judges[given.by][1].name, _mark(given)) for given in answer.marks]
        metrics = [(given.by, _mark(given)) for given in answer.geval]
        return panel_grade(Rubric.scale, panel), metrics_grade(GEval.scale, metrics)

    def _marks(self, run: int, position: int, answer: GivenAnswer, at: float) -> list[MarkRow]:
        given = [(RUBRIC, self.judges[mark.by][0], Rubric.name, _mark(mark)) for mark in answer.marks]
        given += [(GEVAL, self.geval[0], mark.by, _mark(mark)) for mark in answer.geval]
        self.marks += len(given)
        self.unread += sum(mark.value is None for _, _, _, mark in given)
        return [
            MarkRow(run, position, ordinal, judge, metric, *told, MODE, None, 0, at)
            for ordinal, judge, metric, mark in given
            for told in [(mark.value, mark.reason, mark.rationale)]
        ]


def _mark(given: GivenMark) -> Mark:
    reason = None if given.value is not None else storable(given.reason or UNTOLD)
    return Mark(given.value, storable(given.rationale), reason, MODE)


def grade_row(run: int, position: int, ordinal: int, grader: str, grade: Grade) -> GradeRow:
    """Return a grade as it is stored."""
    evidence = orjson.dumps(grade.evidence).decode()
    return GradeRow(run, position, ordinal, grader, grade.value, grade.reason, evidence)


def _flags(answer: GivenAnswer) -> Grade:
    """Return what the other project's auto-checks flagged, as a grade that weighs nothing."""
    flags = []
    for flag in answer.flags:
        code, _, said = flag.partition(":")
        flags.append({"code": code.strip(), "says": said.strip() or code.strip()})
    return Grade(0.0 if flags else 1.0, {"flags": flags})


def imported_call(
    run: int, position: int, model: int, at: float, given: GivenAnswer | GivenChoice, mark: bytes
) -> CallRow:
    """Return the call that an answer stands for; what the file does not tell is unknown."""
    text = given.text if given.text and given.text.strip() else None
    status, error = CallStatus.OK, None
    if given.text is None:
        status = CallStatus.ERROR
    elif text is None:
        status = CallStatus.INVALID
        error = ErrorKind.TRUNCATED if given.completion_tokens else ErrorKind.EMPTY
    return CallRow(
        run=run,
        position=position,
        purpose="subject",
        model=model,
        request_hash=mark,
        attempt=1,
        status=status.value,
        error=error,
        detail="imported",
        http_status=None,
        prompt_tokens=given.prompt_tokens,
        completion_tokens=given.completion_tokens,
        reasoning_tokens=None,
        cached_tokens=None,
        cost=None,
        provider=None,
        served_model=None,
        fingerprint=None,
        finish_reason=None,
        native_finish_reason=None,
        started_at=at,
        latency=given.latency,
        answer=None if text is None else storable(text),
    )
