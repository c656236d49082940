"""A number in the answer, compared exactly with the number expected."""

from __future__ import annotations

import re
from fractions import Fraction
from typing import ClassVar

from assay.core.ask import Ask, Reply
from assay.core.case import Case, GraderSpec
from assay.core.grade import Grade
from assay.grading.numbers.expected import Expected, expectation, faults, shown, whole
from assay.grading.numbers.final import Final, final_number
from assay.grading.numbers.numerals import Numeral, Value
from assay.grading.numbers.units import unit_of
from assay.grading.prepared import Prepared
from assay.grading.text.answer import cut, line_before, marker_pattern

_QUICK = re.compile(r"[ *]*\$?(-?(?:[1-9]\d{0,2}(?:,\d{3})+|\d{1,18}))(?:\.(\d{1,15}))?[ *]*\.?\s*\Z")


class Number:
    """Marks 1 when the answer's final number is the expected one, else 0, and says why.

    Parameters: `expect` (a number, or text like "3/4" or "1,250.50"), `tolerance` and `relative` (each
    enough by itself; 0 means exact), `unit` (text or list: a number in another known unit fails),
    `marker` (default `ANSWER:`), `decimal` ("." or ",": settles `1,234` where both readings are
    possible), `percent` (true: 25% and 0.25 are the same).
    """

    name: ClassVar[str] = "number"
    version: ClassVar[str] = "1"

    def problems(self, spec: GraderSpec) -> tuple[str, ...]:
        """Return what is wrong with the parameters."""
        return faults(spec.parameters)

    def asks(self, case: Case, spec: GraderSpec, answer: str) -> tuple[Ask, ...]:
        """Ask nothing: the comparison is mechanical."""
        return ()

    def read(self, case: Case, spec: GraderSpec, answer: str, replies: tuple[Reply, ...]) -> Grade:
        """Return 1 or 0 with what was found, where, and why it does or does not match."""
        return mark(answer, _PREPARED(spec))


def mark(answer: str, expected: Expected) -> Grade:
    """Grade one answer against what is expected."""
    at = answer.rfind(expected.marker)
    if at >= 0 and expected.quick:
        quick = _QUICK.match(answer, at + len(expected.marker))
        if quick and _alone(answer, at, expected.marker):
            grade = _grade(_quick_value(quick), quick[0].strip(), expected.where, expected)
            if grade.value or (quick[1].isdecimal() and len(quick[2] or "") != 3):
                return grade
    final = final_number(
        answer,
        expected.marker,
        decimal=expected.decimal,
        units=expected.units,
        scaled=expected.scaled,
    )
    if final.numeral is None:
        return Grade(
            0.0,
            {
                "expected": expected.shown,
                "where": final.where,
                "words": final.words,
                "verdict": final.problem,
            },
        )
    return _judged(final, final.numeral, expected)


_TENS = tuple(10**places for places in range(16))
_PREPARED: Prepared[Expected] = Prepared(lambda spec: expectation(spec.parameters))


def _quick_value(quick: re.Match[str]) -> Value:
    whole_part, fraction = quick.groups()
    digits = whole_part.replace(",", "") if "," in whole_part else whole_part
    if fraction is None:
        return int(digits)
    return whole(Fraction(int(digits + fraction), _TENS[len(fraction)]))


def _alone(answer: str, at: int, marker: str) -> bool:
    """Whether no other marker stands beside this one, which itself starts a word."""
    if at == 0:
        return True
    if answer[at - 1].isalnum():
        return False
    start, end = line_before(answer, at)
    return start == end or marker_pattern(marker).search(answer, start, end) is None


def _judged(final: Final, numeral: Numeral, expected: Expected) -> Grade:
    assert numeral.value is not None
    value = numeral.value
    unit = unit_of(numeral.unit)
    is_percent = unit == "%"
    if expected.units and unit and unit not in expected.units and not (expected.percent and is_percent):
        verdict = f"the unit is {numeral.unit!r}, not {' or '.join(sorted(expected.units))}"
        return _grade(value, final.words, final.where, expected, verdict, numeral.unit)
    if expected.percent and (is_percent or (expected.in_percent and _reads_as_points(value, expected))):
        value = whole(Fraction(value) / 100)
    verdict = ""
    if numeral.other is not None and expected.accepts(numeral.other) and not expected.accepts(value):
        verdict = f"a different number; with the other decimal sign {cut(numeral.text, 40)!r} would be equal"
    return _grade(value, final.words, final.where, expected, verdict, numeral.unit)


def _reads_as_points(value: Value, expected: Expected) -> bool:
    """A bare number may stand for percentage points where the gold is written with a percent sign."""
    return not expected.accepts(value)


def _grade(
    value: Value, words: str, where: str, expected: Expected, verdict: str = "", unit: str = ""
) -> Grade:
    right = not verdict and expected.accepts(value)
    if not verdict:
        verdict = _verdict(value, expected, right)
    evidence = {
        "expected": expected.shown,
        "value": expected.plain if value == expected.value else shown(value),
        "where": where,
        "words": words,
        "verdict": verdict,
    }
    if unit:
        evidence["unit"] = unit
    return Grade(1.0 if right else 0.0, evidence)


def _verdict(value: Value, expected: Expected, right: bool) -> str:
    if right:
        return "equal" if value == expected.value else "within the tolerance"
    if value == -expected.value:
        return "a different number: the sign is wrong"
    if value and expected.value in (value * 100, Fraction(value) / 100):
        return "a different number: off by a factor of 100 (declare `percent: true` if 25% may be 0.25)"
    return "a different number"
