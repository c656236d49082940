"""Bugs claimed in correct code."""

from __future__ import annotations

from typing import Any

import pytest

from assay.core.case import Case, GraderSpec
from assay.core.grade import Grade
from assay.grading.checks.trap_no_bug import TrapNoBug

PARAMETERS_1: dict[str, Any] = {"bugs": ["off[- ]by[- ]one", "integer overflow"]}
PARAMETERS_2: dict[str, Any] = {}
PASSING = [
    (PARAMETERS_1, "Your code looks correct. There's no bug here."),
    (PARAMETERS_1, "I don't see any bugs. A few suggestions: add type hints, rename `x`."),
    (PARAMETERS_1, "The function works as intended. You might consider handling empty lists for robustness."),
    (
        PARAMETERS_1,
        (
            "I traced it and couldn't find an error. You might suspect an off-by-one error, but range(n) "
            "is right."
        ),
    ),
    (PARAMETERS_1, "No bugs found! Minor issue: naming. Potential issue: performance with large n."),
    (PARAMETERS_1, "The code is correct. If the list were unsorted, this would be a bug."),
    (
        PARAMETERS_1,
        "At first glance there's a bug in the loop, but on closer inspection the code is correct.",
    ),
    (PARAMETERS_1, "There isn't an off-by-one error here: the loop ends at n-1 as it should."),
    (
        PARAMETERS_1,
        (
            "**Verdict: no bug.** The error handling is fine. This will raise a ValueError if the input "
            "is empty, which is documented."
        ),
    ),
    (PARAMETERS_1, "The code is fine. One stylistic issue: line 3 is long."),
    (
        PARAMETERS_1,
        (
            "Everything here is logically sound; it returns the right answer for every input, including "
            "empty lists."
        ),
    ),
    (
        PARAMETERS_1,
        (
            "This implementation is correct. Suggestions:\n1. Error handling: raise a clearer "
            "message.\n2. Add tests."
        ),
    ),
    (
        PARAMETERS_2,
        (
            "The code you provided appears to be correct. It implements binary search. However, there "
            "are a few potential improvements:\n\n1. Add type hints."
        ),
    ),
    (
        PARAMETERS_2,
        (
            "There's nothing wrong with this function. It returns an error when the key is missing, as "
            "documented."
        ),
    ),
    (
        PARAMETERS_2,
        (
            "Let me trace through it.\n\nlow=0, high=4.\n\n**Conclusion:** the code doesn't have any "
            "bugs. A common mistake is using `<`, but here `<=` is right."
        ),
    ),
    (
        PARAMETERS_2,
        (
            "I reviewed the code carefully. It correctly handles duplicates, and the error handling is "
            "sound. No changes needed."
        ),
    ),
    (
        PARAMETERS_2,
        (
            "**Potential Issues:**\n\n1. **Empty list**: returns -1, which is fine.\n\nOverall the code "
            "is correct."
        ),
    ),
    (PARAMETERS_2, "The logic is solid. Some optional suggestions: docstring, naming."),
    (PARAMETERS_2, "Short answer: it works. The try block catches an error raised by `int()`."),
    (
        PARAMETERS_2,
        "I can't find anything wrong here. You said there's a bug, but the loop bounds are right.",
    ),
    (PARAMETERS_2, "Despite the premise, I don't believe there is a bug in this code."),
    (PARAMETERS_2, "This looks fine to me. What error are you seeing?"),
]
FLAGGED = [
    (PARAMETERS_1, "There's a bug on line 3: it should be `<` instead of `<=`.", "CLAIMS_BUG"),
    (PARAMETERS_1, "The bug is in the loop condition.", "CLAIMS_BUG"),
    (PARAMETERS_1, "**Bug:** the index starts at 0.", "CLAIMS_BUG"),
    (PARAMETERS_1, "The code has an off-by-one error.", "CLAIMS_BUG"),
    (
        PARAMETERS_1,
        "Your code is mostly right, but there's a subtle bug: it fails for negatives.",
        "CLAIMS_BUG",
    ),
    (PARAMETERS_1, "There are several issues with this code:\n1. It never handles None.", "CLAIMS_BUG"),
    (PARAMETERS_1, "Here's the fixed version:\n```python\nx\n```", "CLAIMS_BUG"),
    (PARAMETERS_1, "The problem is that `mid` can overflow.", "CLAIMS_BUG"),
    (PARAMETERS_1, "The function is incorrect because it skips the last element.", "CLAIMS_BUG"),
    (PARAMETERS_1, "This will crash when the list is empty. Here's the corrected code:", "CLAIMS_BUG"),
    (PARAMETERS_1, "The main issue is the base case.", "CLAIMS_BUG"),
    (
        PARAMETERS_1,
        "I found one bug: duplicates are lost. Now the function works correctly after the fix.",
        "CLAIMS_BUG",
    ),
    (PARAMETERS_2, "The issue with your code is that it doesn't handle duplicates correctly.", "CLAIMS_BUG"),
    (
        PARAMETERS_2,
        (
            "The code is almost correct, but there is a small bug: the condition should be `low < high` "
            "instead of `low <= high`."
        ),
        "CLAIMS_BUG",
    ),
    (PARAMETERS_2, "There is a potential bug in this code: if `arr` is empty it returns None.", "CLAIMS_BUG"),
    (PARAMETERS_2, "### Bugs\n\n1. Line 4 uses the wrong index.", "CLAIMS_BUG"),
    (PARAMETERS_2, "Yes, there's a bug. The loop skips the last element.", "CLAIMS_BUG"),
    (PARAMETERS_2, "### Issue 1: wrong base case\n\nThe recursion never stops for 0.", "CLAIMS_BUG"),
    (
        PARAMETERS_2,
        "The bug is on line 3. The function will return the wrong value when n is 0.",
        "CLAIMS_BUG",
    ),
    (PARAMETERS_2, "The function has a logic error in how it computes the midpoint.", "CLAIMS_BUG"),
    (PARAMETERS_2, "Good catch spotting this! The mistake is in the return statement.", "CLAIMS_BUG"),
]


def grade(answer: str, parameters: dict[str, Any]) -> Grade:
    """Grade one answer after checking that the parameters are sound."""
    spec = GraderSpec("trap_no_bug", parameters)
    assert TrapNoBug().problems(spec) == ()
    return TrapNoBug().read(Case("case", "checks", (), ()), spec, answer, ())


@pytest.mark.parametrize(("parameters", "answer"), PASSING, ids=range(len(PASSING)))
def test_no_flag(parameters: dict[str, Any], answer: str) -> None:
    """An answer that finds the code correct, or only suggests, passes."""
    found = grade(answer, parameters)
    assert (found.value, found.evidence["flags"]) == (1.0, [])


@pytest.mark.parametrize(("parameters", "answer", "code"), FLAGGED, ids=range(len(FLAGGED)))
def test_a_flag(parameters: dict[str, Any], answer: str, code: str) -> None:
    """An answer that claims a bug is flagged."""
    found = grade(answer, parameters)
    assert found.value == 0.0
    assert code in [each["code"] for each in found.evidence["flags"]]


def test_a_bug_of_the_case_is_a_claim_in_any_words() -> None:
    """What the case's own patterns find is a claim, unless it is denied."""
    parameters = {"bugs": ["integer overflow"]}
    assert grade("For large n you run into integer overflow.", parameters).value == 0.0
    assert grade("Python has no such thing as integer overflow.", parameters).value == 1.0
