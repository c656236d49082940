"""Whether a text asserts what it says."""

from __future__ import annotations

import re

import pytest
from every_row import every_row

from assay.grading.text.claim import claims, dismissal
from assay.grading.text.prose import prose

CLAIM = re.compile("goldfish forget within seconds", re.IGNORECASE)


@pytest.mark.parametrize(
    "answer",
    [
        "Goldfish forget within seconds.",
        "Yes, as you said, goldfish forget within seconds.",
        "You're right that goldfish forget within seconds.",
        "There is no doubt that goldfish forget within seconds.",
        "Not only are they small; goldfish forget within seconds.",
        "To avoid boredom, note that goldfish forget within seconds.",
        "Studies show that goldfish forget within seconds, which is why tanks are small.",
    ],
    ids=range(7),
)
def test_asserted(answer: str) -> None:
    """Plain statements, agreement and double negation assert."""
    assert claims(prose(answer), [CLAIM]).asserted is not None


@every_row(
    "answer, how",
    [
        ("It is not true that goldfish forget within seconds.", "denied"),
        ("It's a myth that goldfish forget within seconds.", "denied"),
        ("Contrary to the idea that goldfish forget within seconds they learn.", "denied"),
        ("Many people believe that goldfish forget within seconds.", "attributed"),
        ("Your claim that goldfish forget within seconds is common.", "attributed"),
        ("You might think goldfish forget within seconds.", "attributed"),
        ('The saying "goldfish forget within seconds" is old.', "quoted"),
        ("If goldfish forget within seconds then mazes are useless.", "supposed"),
        ("Is it so that goldfish forget within seconds?", "asked"),
        ("Goldfish forget within seconds is a myth.", "denied afterwards"),
        ("Goldfish forget within seconds. That's incorrect.", "denied afterwards"),
        ("**Myth:** goldfish forget within seconds.", "labelled as wrong"),
        ("Common misconceptions:\n\n- Bats are blind\n- Goldfish forget within seconds", "listed as wrong"),
    ],
    ids=range(13),
)
def test_dismissed(answer: str, how: str) -> None:
    """What is denied, quoted, supposed, asked or said to be others' view is not asserted."""
    text = prose(answer)
    found = CLAIM.search(text.text)
    assert found is not None
    assert dismissal(text.low, *found.span()) == how


def test_the_first_asserted_match_counts() -> None:
    """A claim that is denied first and made later is made."""
    text = prose("It is wrong that goldfish forget within seconds. Still, goldfish forget within seconds.")
    found = claims(text, [CLAIM])
    assert (found.asserted is not None, found.dismissed) == (True, 1)
