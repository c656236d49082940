"""Adding up grades: one score for a sample from the marks of its graders."""

from __future__ import annotations

from collections.abc import Sequence

from assay.core.case import Case, Grading
from assay.core.grade import Grade
from assay.core.suite import UseCase

Marks = list[tuple[float, float | None]]


def sample_score(use_case: UseCase, case: Case, grades: Sequence[Grade]) -> float | None:
    """Return a sample's score, 0-100, from one grade for each of the case's graders.

    Within the mechanical checks, and within the judge's part, marks are averaged by weight; a hybrid case
    adds the two parts by its own weights, else the use case's. None when a check that counts is ungraded, or
    the whole judge's part: half a score is not a score. Of several judged graders those that gave a mark
    count, as on a board, where with G-Eval missing the composite is the judges' half; but where a panel was
    asked and none of its judges gave a mark, the answer is ungraded, whatever G-Eval says.
    """
    if len(grades) == 1 and case.graders[0].weight:
        return None if grades[0].value is None else 100.0 * grades[0].value
    checks, asked = _marks(case, grades, judged=False), _marks(case, grades, judged=True)
    judged = [mark for mark in asked if mark[1] is not None]
    if any(grade.value is None and grade.evidence.get("judges") for grade in grades):
        return None
    if any(value is None for _, value in checks) or (asked and not judged) or not (checks or judged):
        return None
    if not (checks and judged):
        return 100.0 * _mean(checks or judged)
    for_checks, for_judge = case.weights or use_case.weights if use_case.grading is Grading.HYBRID else (1, 1)
    return 100.0 * (for_checks * _mean(checks) + for_judge * _mean(judged)) / (for_checks + for_judge)


def checks_score(case: Case, grades: Sequence[Grade]) -> float | None:
    """Return the mechanical part of a sample's score, 0-100; None without one or when it is ungraded."""
    checks = _marks(case, grades, judged=False)
    if not checks or any(value is None for _, value in checks):
        return None
    return 100.0 * _mean(checks)


def _marks(case: Case, grades: Sequence[Grade], *, judged: bool) -> Marks:
    return [
        (spec.weight, grade.value)
        for spec, grade in zip(case.graders, grades, strict=True)
        if spec.weight and spec.judged is judged
    ]


def _mean(marks: Marks) -> float:
    return sum(weight * (value or 0.0) for weight, value in marks) / sum(weight for weight, _ in marks)
