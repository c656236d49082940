"""Banned words in answers."""

from __future__ import annotations

from typing import Any

import pytest

from assay.core.case import Case, GraderSpec
from assay.core.grade import Grade
from assay.grading.checks.banned_words import BannedWords

PARAMETERS_1: dict[str, Any] = {
    "words": ["delve", "leverage", "tapestry", "game-changer", "in conclusion", "very", "robust"]
}
PARAMETERS_2: dict[str, Any] = {"words": ["can", "I", "leverage"], "forms": False}
PASSING = [
    (PARAMETERS_1, "We use tools."),
    (PARAMETERS_1, 'I avoided words such as "delve" and "leverage", as asked.'),
    (
        PARAMETERS_1,
        "Here is a version without the banned words (delve, leverage, tapestry):\n\nWe use tools.",
    ),
    (PARAMETERS_1, 'Changes: "leverage" → "use"; "robust" → "strong".'),
    (PARAMETERS_1, "```python\nvery = leverage(robust=True)\n```\nDone."),
    (PARAMETERS_1, "`robust_scale` works."),
    (PARAMETERS_1, "Every one."),
    (PARAMETERS_1, '| Before | After |\n|---|---|\n| "delve into" | "look at" |'),
    (PARAMETERS_1, 'I replaced "leverage" with "use".'),
    (PARAMETERS_1, "**Original:** We leverage it.\n\n**Edited:** We use it."),
    (PARAMETERS_2, "We can't."),
    (PARAMETERS_2, "Levers and leveraged things"),
]
FLAGGED = [
    (PARAMETERS_1, "We leverage tools.", "BANNED_WORD"),
    (PARAMETERS_1, "Let's delve into it", "BANNED_WORD"),
    (PARAMETERS_1, "Delving deeper", "BANNED_WORD"),
    (PARAMETERS_1, "A rich tapestry", "BANNED_WORD"),
    (PARAMETERS_1, "It's a game changer.", "BANNED_WORD"),
    (PARAMETERS_1, "It’s a **game‑changer**", "BANNED_WORD"),
    (PARAMETERS_1, "In conclusion, fine.", "BANNED_WORD"),
    (PARAMETERS_1, "*Very* good", "BANNED_WORD"),
    (PARAMETERS_1, "Leveraging our robust tools", "BANNED_WORD"),
    (PARAMETERS_1, "```\nDear Ann, we leverage it\n```", "BANNED_WORD"),
    (PARAMETERS_1, "Robustly built", "BANNED_WORD"),
    (PARAMETERS_1, 'Its "very" best.', "BANNED_WORD"),
    (PARAMETERS_2, "We can.", "BANNED_WORD"),
    (PARAMETERS_2, "I'm here", "BANNED_WORD"),
    (PARAMETERS_2, "leverage's end", "BANNED_WORD"),
]


def grade(answer: str, parameters: dict[str, Any]) -> Grade:
    """Grade one answer after checking that the parameters are sound."""
    spec = GraderSpec("banned_words", parameters)
    assert BannedWords().problems(spec) == ()
    return BannedWords().read(Case("case", "checks", (), ()), spec, answer, ())


@pytest.mark.parametrize(("parameters", "answer"), PASSING, ids=range(len(PASSING)))
def test_no_flag(parameters: dict[str, Any], answer: str) -> None:
    """An answer without a banned word passes, also where it speaks of the ban or shows code."""
    found = grade(answer, parameters)
    assert (found.value, found.evidence["flags"]) == (1.0, [])


@pytest.mark.parametrize(("parameters", "answer", "code"), FLAGGED, ids=range(len(FLAGGED)))
def test_a_flag(parameters: dict[str, Any], answer: str, code: str) -> None:
    """An answer that uses a banned word in any form is flagged."""
    found = grade(answer, parameters)
    assert found.value == 0.0
    assert code in [each["code"] for each in found.evidence["flags"]]
