"""Where the final number of an answer is found."""

import pytest

from assay.grading.numbers.final import final_number


@pytest.mark.parametrize(
    ("answer", "where"),
    [
        ("ANSWER: 5", "after the last 'ANSWER:'"),
        ("\\boxed{5}", "in the last \\boxed{}"),
        ("7\n#### 5", "after the last '####'"),
        ("The answer is 5.", "after 'the answer is'"),
        ("3 + 2 makes\n5", "on the final line"),
        ("It makes 5.\nGlad to help!", "on the last line with a number"),
        ("Glad to help!", "in the answer"),
    ],
)
def test_the_place_is_told(answer: str, where: str) -> None:
    """Each rung of the ladder names itself."""
    assert final_number(answer, "ANSWER:").where == where


def test_a_declared_marker_is_not_passed_over() -> None:
    """Words without a number after the marker are no answer, whatever stands elsewhere."""
    found = final_number("\\boxed{5}\nANSWER: cannot be determined", "ANSWER:")
    assert found.numeral is None


def test_a_unit_decides_between_restatements() -> None:
    """Of two values joined by `or`, the one in the declared unit counts."""
    found = final_number("ANSWER: 1.5 hours or 90 minutes", "ANSWER:", units=["min"])
    assert found.numeral is not None
    assert found.numeral.value == 90


def test_a_long_tail_is_cut() -> None:
    """A line of thousands of equations is read in bounded time, from its start."""
    found = final_number("ANSWER: 5\u00a0km " + "x = 1, " * 20_000, "ANSWER:")
    assert found.numeral is None or found.numeral.value in (1, 5)
