"""Several marks on one answer, from a panel of judges or for several metrics, made one grade."""

from __future__ import annotations

from collections.abc import Sequence
from math import fsum
from typing import Any

from assay.core.grade import Grade
from assay.core.judging import Mark

Marks = Sequence[tuple[str, Mark]]


def panel_grade(scale: tuple[float, float], marks: Marks) -> Grade:
    """Return the grade that the marks of a panel make: the mean of (mark - low) / (high - low).

    `marks` pairs each judge's name with its mark; the mean is taken over the judges that gave one. The
    evidence tells every judge's mark, and who is `missing`. Raises ValueError for a judge named twice.
    """
    return _grade("judge", scale, marks)


def metrics_grade(scale: tuple[float, float], marks: Marks) -> Grade:
    """Return the grade that one judge's marks for several metrics make: their mean, rescaled to 0-1.

    `marks` pairs each metric's name with its mark; the mean is taken over the metrics that returned one.
    Raises ValueError for a metric that is named twice.
    """
    return _grade("metric", scale, marks)


def _grade(word: str, scale: tuple[float, float], marks: Marks) -> Grade:
    names = [name for name, _ in marks]
    if len(set(names)) < len(names):
        twice = sorted({name for name in names if names.count(name) > 1})
        raise ValueError(f"each {word} marks an answer once, these did more often: {', '.join(twice)}")
    low, high = scale
    told = [_told(word, name, mark, scale) for name, mark in marks]
    given = [one["mark"] for one in told if one["mark"] is not None]
    evidence: dict[str, Any] = {
        f"{word}s": told,
        "missing": [one[word] for one in told if one["mark"] is None],
        "scale": [low, high],
    }
    if not given:
        reasons = "; ".join(f"{one[word]}: {one['reason']}" for one in told)
        return Grade(None, evidence, reasons or f"no {word} gave a mark: none was asked")
    evidence["mean"] = fsum(given) / len(given)
    return Grade(fsum((mark - low) / (high - low) for mark in given) / len(given), evidence)


def _told(word: str, name: str, mark: Mark, scale: tuple[float, float]) -> dict[str, Any]:
    """Return one mark as JSON values; one outside the scale is told as missing."""
    value, reason = mark.value, mark.reason
    if value is None:
        reason = reason or "no mark"
    elif not scale[0] <= value <= scale[1]:
        reason = f"a mark of {value:g} is outside {scale[0]:g}-{scale[1]:g}"
        value = None
    told: dict[str, Any] = {word: name, "mark": value, "rationale": mark.rationale, "mode": mark.mode}
    return told if reason is None else {**told, "reason": reason}
