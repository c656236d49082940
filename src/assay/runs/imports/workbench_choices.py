"""Imported answers to the causal questions of seed 002, graded here by the letter that they choose."""

from __future__ import annotations

import hashlib
from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

import orjson

from assay.core.case import Case
from assay.core.grade import Grade
from assay.core.model import Model
from assay.core.sample import SampleKey
from assay.core.suite import Suite
from assay.files.workbench import GivenChoice
from assay.grading.choice import Choice
from assay.runs.imports.imported_rows import IDENTITY
from assay.runs.imports.workbench_ledger import grade_row, imported_call
from assay.runs.plan import Plan
from assay.store.ledger import Batch, SampleRow
from assay.store.runs import StoredRun

GRADER = Choice()


def fingerprint(given: GivenChoice, model: Model) -> bytes:
    """Return 32 bytes: half of them say which row this is, the other half what it holds.

    Prompt tokens and times do not count: only one of the two layouts has them.
    """
    identity = ["choice", given.question, model.name]
    held = [given.text, given.completion_tokens, given.latency, given.recorded]
    hashed = (hashlib.sha256(orjson.dumps(part)).digest()[:IDENTITY] for part in (identity, held))
    return b"".join(hashed)


@dataclass(slots=True)
class Choices:
    """Answers to causal questions, as rows of a batch. Counts are of what was added.

    `differing` counts the answers in which the project read another letter than `choice` does.
    """

    suite: Suite
    clock: Callable[[], float]
    differing: int = 0
    counts: Counter[str] = field(default_factory=Counter)

    def case(self, given: GivenChoice) -> str:
        """Return the case that an answer belongs to."""
        return given.question

    def plan(self, models: Sequence[Model], before: Mapping[str, Any]) -> dict[str, Any]:
        """Return the plan of a run of these models: every question once."""
        epochs = {use_case.name: 1 for use_case in self.suite.use_cases}
        plan = Plan(self.suite, tuple(models), epochs, tuple(range(len(self.suite.cases))))
        return {**plan.described(), "run": None}

    def put(
        self, batch: Batch, run: StoredRun, position: int, key: SampleKey, given: GivenChoice, mark: bytes
    ) -> None:
        """Put one answer into a batch: its call, its sample, its grade; an error has no score."""
        row, case, at = run.models[key.model][0], self.suite.cases[key.case], given.at or self.clock()
        call = imported_call(run.id, position, row, at, given, mark)
        score: float | None = None if given.text is None else 0.0
        if call.answer is not None:
            grade = self._grade(case, given, call.answer)
            batch.grades.append(grade_row(run.id, position, 0, Choice.name, grade))
            score = 100.0 * (grade.value or 0.0)
        batch.calls.append(call)
        batch.samples.append(SampleRow(run.id, position, row, key.case, 0, call.status, score, 0, at))
        self.counts[call.status] += 1

    def _grade(self, case: Case, given: GivenChoice, answer: str) -> Grade:
        """Return our grade; a recorded letter that differs stands beside, in its evidence."""
        (spec,) = case.graders
        grade = GRADER.read(case, spec, answer, ())
        if given.recorded is None or given.recorded == grade.evidence["letter"]:
            return grade
        self.differing += 1
        beside = {"letter": given.recorded, "right": given.recorded == grade.evidence["expected"]}
        return replace(grade, evidence={**grade.evidence, "recorded": beside})
