"""Asking back, and saying what was assumed."""

from __future__ import annotations

import pytest
from every_row import every_row

from assay.grading.checks.requests import assumption, requests
from assay.grading.text.prose import prose


@pytest.mark.parametrize(
    "answer",
    [
        "Which language should I use?",
        "Should I sort by date or by name?",
        "What would you like the tone to be?",
        "I'd need more details: the deadline and the audience.",
        "Please specify the format.",
        "A few questions first:\n\n1. What's the budget?\n2. How many seats?",
        "If you tell me the version, I can be more precise.",
    ],
    ids=range(7),
)
def test_asking_back(answer: str) -> None:
    """A question or request whose reply would change the answer."""
    assert list(requests(prose(answer)))


@every_row(
    "answer",
    [
        "Done. Would you like me to add tests?",
        "Does that make sense?",
        "What would you like to do next?",
        "Why does it matter? Because parsers are strict.",
        "## What is a mutex?\n\nA lock.",
        'She asked: "Where are you?" and left.',
        "Let me know if you have any questions!",
        "Could it be faster? It could, with an index. The index is small and pays for itself in a day.",
    ],
    ids=range(8),
)
def test_not_asking_back(answer: str) -> None:
    """Offers, courtesies, headings, quotations and rhetorical questions."""
    assert list(requests(prose(answer))) == []


@pytest.mark.parametrize(
    ("answer", "stated"),
    [
        ("I'll assume Python 3.", True),
        ("**Assumptions:** sorted input.", True),
        ("I'm reading this as a request for CSV.", True),
        ('"Clean" could mean two things here.', True),
        ("If you want speed, use A. If you need safety, use B.", True),
        ("Don't assume the list is sorted.", False),
        ("Here is the script.", False),
    ],
    ids=range(7),
)
def test_assumptions(answer: str, stated: bool) -> None:
    """An assumption or several readings are told apart from an answer without any."""
    assert (assumption(prose(answer)) is not None) is stated
