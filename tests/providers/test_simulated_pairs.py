"""The simulated judges on pairs of answers: by what the answers deserve, and by position where they lean."""

from __future__ import annotations

import json
from datetime import date
from hashlib import sha256

import pytest
from asking import Put, talk

from assay.core.ask import Message, ModelAsk
from assay.core.case import Case, Exemplar, GraderSpec
from assay.providers.simulated import serve_simulated, simulated_provider

MARKS = (1, 3, 4, 5)
CASE = Case(
    "case",
    "writing",
    (Message("user", "Write."),),
    (GraderSpec("rubric"),),
    exemplars=tuple(Exemplar(f"worth {mark}", 1.0, marks=float(mark)) for mark in MARKS),
)


def chosen(judge: str, first: int, second: int) -> str:
    """Return the winner that a judge names, for answers that deserve these marks."""
    digests = {
        place: sha256(f"worth {mark}".encode()).hexdigest()
        for place, mark in (("first", first), ("second", second))
    }
    about = {"case": "case", "grader": "pairs", "token": "bcdfghjklm", **digests}
    ask = ModelAsk("judge", "", (Message("user", "Compare."),), about=about)

    async def work(put: Put) -> str:
        reply = (await put(judge, ask)).reply
        verdict = json.loads(reply.text or "{}")
        assert verdict["token"] == "bcdfghjklm"
        assert verdict["rationale"].startswith("Simulated: ")
        return str(verdict["winner"])

    return talk(lambda: serve_simulated((CASE,), today=lambda: date(2026, 11, 1)), simulated_provider, work)


@pytest.mark.parametrize(
    ("judge", "first", "second", "winner"),
    [
        ("judge", 5, 3, "A"),
        ("judge", 3, 5, "B"),
        ("judge", 4, 4, "tie"),
        ("judge-strict", 4, 4, "tie"),
        ("judge-leaning", 4, 4, "A"),
        ("judge-leaning", 4, 5, "tie"),
        ("judge-leaning", 3, 5, "B"),
        ("judge-seven", 5, 3, "C"),
    ],
)
def test_the_answer_that_deserves_more_wins(judge: str, first: int, second: int, winner: str) -> None:
    """Equal marks tie; a judge that leans adds a mark to the answer shown first."""
    assert chosen(judge, first, second) == winner
