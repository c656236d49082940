"""The `number` grader: the final number of an answer, compared exactly with the expected one."""

from __future__ import annotations

import re
from fractions import Fraction

from assay.core.documented import HelpText
from assay.core.grade import Grade
from assay.grading.check import check
from assay.grading.numbers.expected import (
    PARAMETERS,
    ExpectedNumber,
    expectation,
    expectation_problems,
    shown,
)
from assay.grading.numbers.final import FinalNumber, final_number
from assay.grading.numbers.numerals import Numeral, Value, as_integer
from assay.grading.numbers.units import unit_of
from assay.grading.text.answer import cut, line_before, marker_pattern

_QUICK = re.compile(r"[ *]*\$?(-?(?:[1-9]\d{0,2}(?:,\d{3})+|\d{1,18}))(?:\.(\d{1,15}))?[ *]*\.?\s*\Z")


@check(
    "number",
    version="1",
    names=PARAMETERS,
    prepare=expectation,
    problems=expectation_problems,
    about=HelpText("""
        Marks 1 if the answer's final number equals the expected one, within a tolerance if there is one.

        Of many numbers in a solution only one is the answer: the one after the marker `ANSWER:`, a boxed
        one, or the last on the last line. Two different final numbers are wrong even if one of them is
        right.

        The evidence shows which number was read, from where and why it does or does not match. Units,
        `1.234,5` and fractions are understood; see the unit and separator options if the value was right.
    """),
)
def number(answer: str, expected: ExpectedNumber) -> Grade:
    """Return 1 if the answer's final number is the expected one, else 0, with the reason.

    Parameters: `expect` (a number, or text like "3/4" or "1,250.50"), `tolerance` and `relative` (either is
    enough; 0 means exact), `unit` (text or list: a number in another known unit fails), `marker` (default
    `ANSWER:`), `decimal` ("." or ",": decides ambiguous notations such as `1,234`), `percent` (true: 25% and
    0.25 are the same).
    """
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
        evidence = {
            "expected": expected.shown,
            "where": final.where,
            "words": final.words,
            "verdict": final.problem,
        }
        return Grade(0.0, evidence)
    return _compare(final, final.numeral, expected)


_TENS = tuple(10**places for places in range(16))


def _quick_value(quick: re.Match[str]) -> Value:
    whole_part, fraction = quick.groups()
    digits = whole_part.replace(",", "") if "," in whole_part else whole_part
    if fraction is None:
        return int(digits)
    return as_integer(Fraction(int(digits + fraction), _TENS[len(fraction)]))


def _alone(answer: str, at: int, marker: str) -> bool:
    """Return whether this marker starts a word and no other marker is next to it."""
    if at == 0:
        return True
    if answer[at - 1].isalnum():
        return False
    start, end = line_before(answer, at)
    return start == end or marker_pattern(marker).search(answer, start, end) is None


def _compare(final: FinalNumber, numeral: Numeral, expected: ExpectedNumber) -> Grade:
    assert numeral.value is not None
    value = numeral.value
    unit = unit_of(numeral.unit)
    is_percent = unit == "%"
    if expected.units and unit and unit not in expected.units and not (expected.percent and is_percent):
        verdict = f"the unit is {numeral.unit!r}, not {' or '.join(sorted(expected.units))}"
        return _grade(value, final.words, final.where, expected, verdict, numeral.unit)
    # If the expectation has a percent sign, a bare number may be in percentage points.
    # If the expectation has a percent sign, a bare number may be in percentage points.
    if expected.percent and (is_percent or (expected.in_percent and not expected.accepts(value))):
        value = as_integer(Fraction(value) / 100)
    verdict = ""
    if numeral.other is not None and expected.accepts(numeral.other) and not expected.accepts(value):
        verdict = f"a different number; with the other decimal sign {cut(numeral.text, 40)!r} would be equal"
    return _grade(value, final.words, final.where, expected, verdict, numeral.unit)


def _grade(
    value: Value, words: str, where: str, expected: ExpectedNumber, verdict: str = "", unit: str = ""
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


def _verdict(value: Value, expected: ExpectedNumber, right: bool) -> str:
    if right:
        return "equal" if value == expected.value else "within the tolerance"
    if value == -expected.value:
        return "a different number: the sign is wrong"
    if value and expected.value in (value * 100, Fraction(value) / 100):
        return "a different number: off by a factor of 100 (declare `percent: true` if 25% may be 0.25)"
    return "a different number"
