"""What the simulated models write when they are asked for statements about material, or to verify some.

All of it is made up of the material's own sentences, and says so.
"""

from __future__ import annotations

import json
import re

from assay.providers.served import Asked
from assay.providers.simulated_models import draw

SAYS, DENIES = "Simulated: the material says", "Simulated: the material denies"
SLIPS = 0.1
"""The share of statements that a simulated verifier gets wrong."""

_SENTENCE = re.compile(r"[^.。!！?？;；\n]{8,}")
SPAN = 200


def statements_answer(asked: Asked, seed: int) -> str | None:
    """Return the answer to an ask for statements or for their verification, None for any other ask."""
    deed = asked.about.get("deed")
    if deed == "write-statements":
        return _written(asked.about["material"], int(asked.about["each"]))
    if deed == "verify-statements":
        return _verified(asked.model, json.loads(asked.about["statements"]), seed)
    return None


def _written(material: str, each: int) -> str:
    pieces = [found[0].strip()[:SPAN] for found in _SENTENCE.finditer(material)] or [material[:SPAN]]
    made = []
    for number in range(2 * each):
        piece, true = pieces[number % len(pieces)], number < each
        made.append(
            {
                "text": f"{SAYS if true else DENIES} “{piece}”.",
                "correct": true,
                "span": piece,
                "why": "Simulated: made up of the material's own sentence.",
            }
        )
    return json.dumps({"statements": made}, ensure_ascii=False)


def _verified(model: str, statements: list[str], seed: int) -> str:
    answers = []
    for number, text in enumerate(statements, 1):
        known = text.startswith((SAYS, DENIES))
        slips = draw(seed, model, text, "verify") < SLIPS
        said = str(text.startswith(SAYS) is not slips).lower() if known else "unclear"
        answers.append({"number": number, "answer": said})
    return json.dumps({"answers": answers})
