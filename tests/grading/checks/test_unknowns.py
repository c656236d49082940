"""Limits that a model acknowledges."""

from __future__ import annotations

from every_row import every_row

from assay.grading.checks.unknowns import limit
from assay.grading.text.prose import prose


@every_row(
    "answer, acknowledged",
    [
        ("I don't have access to live data.", True),
        ("I have no memory of earlier chats.", True),
        ("My knowledge cutoff is 2023.", True),
        ("I'm not sure which version I am.", True),
        ("I may be wrong about this.", True),
        ("There is no way for me to check.", True),
        ("It is sunny in Oslo.", False),
        ("You can't see it from there.", False),
    ],
    ids=range(8),
)
def test_limits(answer: str, acknowledged: bool) -> None:
    """What the model cannot do, know or be sure of; not what others cannot."""
    assert (limit(prose(answer)) is not None) is acknowledged
