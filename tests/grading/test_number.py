"""The number grader."""

from __future__ import annotations

from decimal import Decimal
from typing import Any

import pytest
from every_row import every_row
from hypothesis import given
from hypothesis import strategies as st

from assay.core.case import Case, GraderSpec
from assay.core.grade import Grade
from assay.grading.number import number

CASE = Case("case", "math", (), ())


def grade(answer: str, expect: Any, **parameters: Any) -> Grade:
    """Grade one answer after checking that the parameters are sound."""
    spec = GraderSpec("number", {"expect": expect, **parameters})
    assert number.problems(spec) == ()
    return number.read(CASE, spec, answer, ())


@every_row(
    "answer, expect",
    [
        ("ANSWER: 42", 42),
        ("**ANSWER:** 42", 42),
        ("**ANSWER: 42**", 42),
        ("Answer: 42.", 42),
        ("ANSWER：42", 42),
        ("ANSWER:\n\n\\[\n\\boxed{42}\n\\]", 42),
        ("ANSWER: $\\boxed{\\dfrac{3}{4}}$", "3/4"),
        ("ANSWER: 1.234,56 €", 1234.56),
        ("ANSWER: 42\\,\\text{km}", 42),
        ("ANSWER: 42\\%", 42),
        ("ANSWER: 60 km/h", 60),
        ("ANSWER: `18`", 18),
        ("ANSWER: - 5", -5),
        ("ANSWER: 5 m²", 5),
        ("ANSWER: 18.00", 18),
        ("ANSWER: 9 × 2 = 18", 18),
        ("ANSWER: 16 - 3 - 4 = 9", 9),
        ("ANSWER: 18 (9 × 2 = 18)", 18),
        ("ANSWER: 18, since 3 + 4 = 7", 18),
        ("ANSWER: x = 3", 3),
        ("ANSWER: 42 minutes (0.7 hours)", 42),
        ("ANSWER: 0.5 or 1/2", 0.5),
        ("ANSWER: $3.50 per box of 12", 3.5),
        ("<think>ANSWER: 3</think>ANSWER: 4", 4),
        ("ANSWER: 3\n\nI slipped there: 2 + 2 is 4.\n\nANSWER: 4", 4),
        ("3 + 4 = 7\n#### 18", 18),
        ("The answer is 5.\nBut wait.\n\\boxed{6}", 6),
        ("\\boxed{5}\nNo: the answer is 6.", 6),
        ("The answer is not obvious.\nTotal: 3 * 4 = 12", 12),
        ("#### 2. Compute\nTotal: 12", 12),
        ("Janet makes **$18** per day at 2 markets.", 18),
        ("I get 17 here.\nThanks!", 17),
        ("Of her 16 eggs she sells 9.", 9),
    ],
)
def test_the_final_number_is_found(answer: str, expect: Any) -> None:
    """Markers, boxes, stated answers and final lines lead to the number, in whatever dress."""
    found = grade(answer, expect)
    assert found.value == 1, found.evidence


@every_row(
    "answer, expect, verdict",
    [
        ("ANSWER: either 3 or 4", 3, "contradictory"),
        ("ANSWER: $3$ or $4$", 4, "contradictory"),
        ("ANSWER: x = 3 or x = 4", 4, "contradictory"),
        ("ANSWER: 3, 4", 3, "several"),
        ("ANSWER: 3 and 4", 4, "several"),
        ("ANSWER: 3-4", 3, "several"),
        ("ANSWER: 3 to 4", 3, "several"),
        ("ANSWER: x = 3, y = 4", 4, "several"),
        ("ANSWER: ±3", 3, "several"),
        ("ANSWER: 3 hours and 20 minutes", 20, "several"),
        ("ANSWER: 3\nANSWER: 4", 4, "contradict"),
        ("ANSWER: 3, ANSWER: 4", 4, "contradict"),
        ("\\boxed{3} or \\boxed{4}", 4, "contradictory"),
        ("So it is either 3 or 4.", 4, "contradictory"),
        ("It lies between 3 and 4.", 4, "several"),
        ("ANSWER: 9 * 2", 9, "not worked out"),
        ("ANSWER: 3\\pi", 3, "symbolic"),
        ("ANSWER: 2\\sqrt{3}", 3, "symbolic"),
        ("So x is $\\frac{\\sqrt{3}}{2}$", 2, "not worked out"),
        ("ANSWER: 12/05/2024", 12, "a date"),
        ("ANSWER: a dozen", 12, "no number"),
        ("ANSWER: cannot be determined", 5, "no number"),
        ("", 0, "no number"),
        ("ANSWER: 0,123", 123, "a different number"),
        ("ANSWER: 25%", 0.25, "factor of 100"),
        ("ANSWER: -5", 5, "sign"),
        ("ANSWER: 1.234", 1234, "other decimal sign"),
        ("ANSWER: 41", 42, "a different number"),
    ],
)
def test_a_wrong_or_contradictory_answer_fails_and_says_why(answer: str, expect: Any, verdict: str) -> None:
    """An answer that names the right number among others, or hides it, is not right."""
    found = grade(answer, expect)
    assert found.value == 0
    assert verdict in found.evidence["verdict"]


def test_evidence_tells_what_was_taken_and_from_where() -> None:
    """The evidence holds the value, the place, the words and the verdict."""
    assert grade("So:\n**ANSWER: $1,250.50**", "1250.5").evidence == {
        "expected": "1250.5",
        "value": "1250.5",
        "where": "after the last 'ANSWER:'",
        "words": "$1,250.50**",
        "verdict": "equal",
    }


def test_a_declared_marker_is_used_instead_of_the_default() -> None:
    """`marker` names another sign; a one-letter marker keeps its capitals."""
    assert grade("ANSWER: 3\nA: 4\nplan a: 5", 4, marker="A:").value == 1


@pytest.mark.parametrize(
    ("answer", "expect", "parameters", "value"),
    [
        ("ANSWER: 3.15", 3.14, {"tolerance": 0.01}, 1),
        ("ANSWER: 3.16", 3.14, {"tolerance": 0.01}, 0),
        ("ANSWER: 101", 100, {"relative": 0.01}, 1),
        ("ANSWER: 102", 100, {"relative": 0.01}, 0),
        ("ANSWER: 0.30000000000000004", 0.3, {}, 0),
        ("ANSWER: 0.333", "1/3", {"tolerance": 0.001}, 1),
    ],
)
def test_tolerance_is_exact_at_its_bounds(answer: str, expect: Any, parameters: Any, value: int) -> None:
    """Decimals are compared as written: 3.15 is within 0.01 of 3.14, and 0.1 + 0.2 is not 0.3."""
    assert grade(answer, expect, **parameters).value == value


@pytest.mark.parametrize(
    ("answer", "expect", "value"),
    [
        ("ANSWER: 25%", "25%", 1),
        ("ANSWER: 0.25", "25%", 1),
        ("ANSWER: 25", "25%", 1),
        ("ANSWER: 25%", 0.25, 1),
        ("ANSWER: 25", 0.25, 0),
        ("ANSWER: 2.5%", "25%", 0),
    ],
)
def test_percent_and_fraction_are_one_where_declared(answer: str, expect: Any, value: int) -> None:
    """With `percent`, 25% and 0.25 are the same; a bare 25 is, where the key is written in percent."""
    assert grade(answer, expect, percent=True).value == value


@every_row(
    "answer, expect, unit, value",
    [
        ("ANSWER: 5 km", 5, "km", 1),
        ("ANSWER: 5 kilometres", 5, "km", 1),
        ("ANSWER: 5", 5, "km", 1),
        ("ANSWER: 5 m", 5, "km", 0),
        ("ANSWER: €5", 5, "USD", 0),
        ("ANSWER: 5 tall boxes", 5, "km", 1),
        ("ANSWER: 1.5 hours or 90 minutes", 90, "minutes", 1),
        ("ANSWER: 5 million", 5, "million dollars", 1),
    ],
)
def test_another_known_unit_fails(answer: str, expect: Any, unit: str, value: int) -> None:
    """A declared unit may be left out or spelled otherwise, but not be another one."""
    assert grade(answer, expect, unit=unit).value == value


def test_a_decimal_comma_is_declared() -> None:
    """`decimal: ","` reads 1.234 as a thousand and more, and leaves a numeric key alone."""
    assert grade("ANSWER: 1.234", 1234, decimal=",").value == 1
    assert grade("ANSWER: 1,234", 1.234, decimal=",").value == 1


@every_row(
    "parameters, part",
    [
        ({}, "no expect"),
        ({"expect": "3 or 4"}, "not one number"),
        ({"expect": True}, "not one number"),
        ({"expect": float("nan")}, "not one number"),
        ({"expect": 1, "tolerance": -1}, "tolerance"),
        ({"expect": 1, "decimal": ";"}, "decimal"),
        ({"expect": 1, "percent": "yes"}, "percent"),
        ({"expect": 1, "marker": ""}, "marker"),
        ({"expect": 1, "unit": 5}, "unit"),
        ({"expect": 1, "tolerence": 1}, "unknown parameter 'tolerence'"),
    ],
)
def test_unsound_parameters_are_named(parameters: dict[str, Any], part: str) -> None:
    """Every fault of a spec is reported before anything is graded."""
    assert part in "\n".join(number.problems(GraderSpec("number", parameters)))


STYLES = {
    "plain": lambda text: text,
    "english": lambda text: _grouped(text, ",", "."),
    "german": lambda text: _grouped(text, ".", ","),
    "french": lambda text: _grouped(text, "\u202f", ","),
    "swiss": lambda text: _grouped(text, "'", "."),
    "latex": lambda text: f"$\\boxed{{{_grouped(text, '{,}', '.')}}}$",
    "thin space": lambda text: f"${_grouped(text, chr(92) + ',', '.')}$",
    "bold": lambda text: f"**{text}**",
    "unicode minus": lambda text: text.replace("-", "−"),
    "full width": lambda text: text.translate({48 + digit: 0xFF10 + digit for digit in range(10)}),
    "euros": lambda text: f"{_grouped(text, '.', ',')} €",
    "kilometres": lambda text: f"{text}\\,\\text{{km}}",
}


def _grouped(text: str, separator: str, point: str) -> str:
    sign = "-" if text.startswith("-") else ""
    whole, _, tail = text.lstrip("-").partition(".")
    return sign + f"{int(whole):,}".replace(",", separator) + (point + tail if tail else "")


amounts = st.decimals(-(10**12), 10**12, places=2, allow_nan=False).map(lambda value: f"{value:f}")


@given(amounts, st.sampled_from(sorted(STYLES)))
def test_a_number_in_any_style_grades_1(amount: str, style: str) -> None:
    """Formatting a number in any supported style never loses it."""
    assert grade(f"Some work.\nANSWER: {STYLES[style](amount)}", amount).value == 1


@given(amounts, amounts, st.sampled_from(sorted(STYLES)))
def test_a_different_number_in_any_style_grades_0(amount: str, other: str, style: str) -> None:
    """No style turns one number into another."""
    expected = 1 if Decimal(amount) == Decimal(other) else 0
    assert grade(f"ANSWER: {STYLES[style](other)}", amount).value == expected


@given(st.text(max_size=200), st.integers(-100, 100))
def test_any_text_gets_a_grade(answer: str, expect: int) -> None:
    """No text, however odd, makes the grader fail."""
    assert grade(answer, expect).value in (0, 1)


@given(st.text(alphabet="0123456789.,'/^e-+ $\\{}()=ANSWER:or%*_\n#", max_size=120))
def test_any_text_made_of_number_signs_gets_a_grade(answer: str) -> None:
    """Nor does any salad of the very signs that it looks for."""
    assert grade("ANSWER: " + answer, 1).value in (0, 1)
