"""Answers to unclear requests."""

from __future__ import annotations

from typing import Any

import pytest

from assay.core.case import Case, GraderSpec
from assay.core.grade import Grade
from assay.grading.checks.ambiguity_check import AmbiguityCheck

PARAMETERS_1: dict[str, Any] = {"about": ["format", "column", "deadline", "audience"]}
PARAMETERS_2: dict[str, Any] = {"accept_assumptions": False}
PARAMETERS_3: dict[str, Any] = {"about": ["size", "budget"]}
PASSING = [
    (PARAMETERS_1, "Could you tell me which column you want to sort by?"),
    (
        PARAMETERS_1,
        "Before I write this, a few questions:\n\n1. What's the file format?\n2. How large is the file?",
    ),
    (PARAMETERS_1, "Sure! Should I sort by the date column or the name column?"),
    (PARAMETERS_1, "I'd need more details to help:\n\n- the deadline\n- the budget"),
    (
        PARAMETERS_1,
        "Here's a script. I've assumed that the file is CSV with a header row.\n```python\nx=1\n```",
    ),
    (PARAMETERS_1, "Your request is a bit ambiguous. If you mean X, do this. If you mean Y, do that."),
    (PARAMETERS_1, "**Assumptions:** the list is sorted.\n\nHere's the code."),
    (PARAMETERS_1, "Happy to help! What's the target audience, and when is the deadline?"),
    (PARAMETERS_1, "Please specify the format."),
    (PARAMETERS_1, 'I\'m interpreting "clean up" as removing duplicates.'),
    (PARAMETERS_1, "It depends on what you mean by fast."),
    (PARAMETERS_1, "Which format would you prefer?"),
    (PARAMETERS_1, "I don't see an attachment. Could you paste the text?"),
    (PARAMETERS_2, "Which language should I use?"),
    (PARAMETERS_2, 'What do you mean by "better"? Is it speed, or memory?'),
    (PARAMETERS_3, "What budget would you like me to plan for?"),
    (PARAMETERS_3, "Do you have a budget in mind?"),
    (PARAMETERS_3, "It's hard to say without more details: the size of the data matters most."),
    (
        PARAMETERS_3,
        (
            "Happy to! A couple of quick questions first:\n- **Budget**: roughly how much?\n- **Size**: "
            "how many seats?"
        ),
    ),
]
FLAGGED = [
    (
        PARAMETERS_1,
        "Here's a script that sorts it.\n```python\nx=1\n```\nWould you like me to add a column filter?",
        "NOTHING_ASKED",
    ),
    (
        PARAMETERS_1,
        "Here's the code. Let me know if you have any questions about the format!",
        "NOTHING_ASKED",
    ),
    (
        PARAMETERS_1,
        "Why does format matter? Because parsers are strict. Here is the script.",
        "NOTHING_ASKED",
    ),
    (
        PARAMETERS_1,
        "Here is the email.\n\nHi all, the deadline has moved. Does anyone object? Best, Ann",
        "NOTHING_ASKED",
    ),
    (PARAMETERS_1, "Done. Does that make sense?", "NOTHING_ASKED"),
    (PARAMETERS_1, "How do you sort a column? You call sort().", "NOTHING_ASKED"),
    (PARAMETERS_1, "What is your favourite colour?", "ASKS_OF_ANOTHER_MATTER"),
    (
        PARAMETERS_1,
        "Here's a draft. Feel free to adjust the deadline. Let me know if you'd like any changes!",
        "NOTHING_ASKED",
    ),
    (PARAMETERS_2, "I assume Python. Here it is.", "NOTHING_ASKED"),
    (PARAMETERS_2, "Here it is. Would you like me to explain?", "NOTHING_ASKED"),
    (PARAMETERS_2, "Can you see the difference? The second is faster.", "NOTHING_ASKED"),
    (PARAMETERS_3, "Here's the plan. Would you like me to adjust the budget?", "NOTHING_ASKED"),
    (PARAMETERS_3, "Here is the plan. What would you like to do next?", "NOTHING_ASKED"),
]


def grade(answer: str, parameters: dict[str, Any]) -> Grade:
    """Grade one answer after checking that the parameters are sound."""
    spec = GraderSpec("ambiguity_check", parameters)
    assert AmbiguityCheck().problems(spec) == ()
    return AmbiguityCheck().read(Case("case", "checks", (), ()), spec, answer, ())


@pytest.mark.parametrize(("parameters", "answer"), PASSING, ids=range(len(PASSING)))
def test_no_flag(parameters: dict[str, Any], answer: str) -> None:
    """An answer that asks back, or says what it assumes, passes."""
    found = grade(answer, parameters)
    assert (found.value, found.evidence["flags"]) == (1.0, [])


@pytest.mark.parametrize(("parameters", "answer", "code"), FLAGGED, ids=range(len(FLAGGED)))
def test_a_flag(parameters: dict[str, Any], answer: str, code: str) -> None:
    """An answer that only offers, asks rhetorically or answers without a word is flagged."""
    found = grade(answer, parameters)
    assert found.value == 0.0
    assert code in [each["code"] for each in found.evidence["flags"]]
