"""Numbers spelled out."""

from __future__ import annotations

import pytest

from assay.grading.numbers.spelled import in_digits


@pytest.mark.parametrize(
    ("text", "digits"),
    [
        ("forty-two minutes", "42 minutes"),
        ("Three hundred and five", "305"),
        ("one thousand two hundred", "1200"),
        ("two million", "2000000"),
        ("a dozen eggs", "12 eggs"),
        ("someone often weighs it", "someone often weighs it"),
        ("a hundred", "100"),
    ],
    ids=range(7),
)
def test_words_become_digits(text: str, digits: str) -> None:
    """Units, tens, hundreds and scales are added up; words that only hold them are left alone."""
    assert in_digits(text) == digits
