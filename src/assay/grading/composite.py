"""Combining grades: a sample's score from its graders, a grade from the marks of a panel."""

from __future__ import annotations

from collections.abc import Sequence
from math import fsum
from typing import Any

from assay.core.case import Case, Grading
from assay.core.grade import Grade
from assay.core.judging import Mark
from assay.core.suite import UseCase

Marks = list[tuple[float, float | None]]


def sample_score(use_case: UseCase, case: Case, grades: Sequence[Grade]) -> float | None:
    """Return a sample's score, 0-100, from one grade for each of the case's graders.

    The marks of mechanical checks, and those of judged graders, are averaged by weight. A hybrid case
    combines the two means by its own weights, or else by the use case's. None if a check with a weight is
    ungraded, or if all judged graders are. Otherwise judged graders without a mark are left out, as on a
    board, where without G-Eval the composite is the judges' half. But if a panel was asked and no judge gave
    a mark, the answer is ungraded even with a mark of G-Eval.
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


def _marks(case: Case, grades: Sequence[Grade], *, judged: bool) -> Marks:
    return [
        (spec.weight, grade.value)
        for spec, grade in zip(case.graders, grades, strict=True)
        if spec.weight and spec.judged is judged
    ]


def _mean(marks: Marks) -> float:
    return sum(weight * (value or 0.0) for weight, value in marks) / sum(weight for weight, _ in marks)


NamedMarks = Sequence[tuple[str, Mark]]


def panel_grade(scale: tuple[float, float], marks: NamedMarks) -> Grade:
    """Return the grade from the marks of a panel: the mean of (mark - low) / (high - low).

    `marks` pairs each judge's name with its mark; judges without a mark are left out of the mean. The
    evidence contains every judge's mark, and the judges that are `missing`. Raises ValueError for a judge
    named twice.
    """
    return _mean_grade("judge", scale, marks)


def metrics_grade(scale: tuple[float, float], marks: NamedMarks) -> Grade:
    """Return the grade from one judge's marks for several metrics: their mean, rescaled to 0-1.

    `marks` pairs each metric's name with its mark; metrics without a mark are left out of the mean. Raises
    ValueError for a metric named twice.
    """
    return _mean_grade("metric", scale, marks)


def _mean_grade(word: str, scale: tuple[float, float], marks: NamedMarks) -> Grade:
    names = [name for name, _ in marks]
    if len(set(names)) < len(names):
        twice = sorted({name for name in names if names.count(name) > 1})
        raise ValueError(f"more than one mark by {', '.join(twice)}: give one mark for each {word}")
    low, high = scale
    shown = [_shown(word, name, mark, scale) for name, mark in marks]
    given = [entry["mark"] for entry in shown if entry["mark"] is not None]
    evidence: dict[str, Any] = {
        f"{word}s": shown,
        "missing": [entry[word] for entry in shown if entry["mark"] is None],
        "scale": [low, high],
    }
    if not given:
        reasons = "; ".join(f"{entry[word]}: {entry['reason']}" for entry in shown)
        return Grade(None, evidence, reasons or f"no marks: no {word} was asked")
    evidence["mean"] = fsum(given) / len(given)
    return Grade(fsum((mark - low) / (high - low) for mark in given) / len(given), evidence)


def _shown(word: str, name: str, mark: Mark, scale: tuple[float, float]) -> dict[str, Any]:
    """Return one mark as JSON values; one outside the scale is shown as missing."""
    value, reason = mark.value, mark.reason
    if value is None:
        reason = reason or "no mark"
    elif not scale[0] <= value <= scale[1]:
        reason = f"a mark of {value:g} is outside {scale[0]:g}-{scale[1]:g}"
        value = None
    shown: dict[str, Any] = {word: name, "mark": value, "rationale": mark.rationale, "mode": mark.mode}
    return shown if reason is None else {**shown, "reason": reason}
