"""How simulated models answer exam questions: not knowing the keys they pick, and say that they do."""

from __future__ import annotations

import hashlib
import re
from collections.abc import Callable, Mapping
from typing import Final

from assay.providers.served import Conversation
from assay.providers.simulated_models import Answer, draw

EXAM: Final = "exam"
LETTERED: Final = re.compile(r"^([A-Z])\. \S", re.MULTILINE)
STATEMENT: Final = re.compile(r"\bTrue or False\b|“正确”或“错误”")
LAST: Final = re.compile(r"(?:Question:|问题：)\n")
SEVERAL: Final = 0.15


def sits_exam(about: Mapping[str, str]) -> bool:
    """Whether a request is a question of an exam."""
    return about.get("instrument") == EXAM


def exam_answer(seed: int, conversation: Conversation, how: Callable[[str], Answer]) -> str:
    """Return a made-up answer to an exam question, labelled as such.

    Good models agree: each question has one answer that most of them give, by a hash of the question. `how`
    says how well the model answers a question of that name: where it slips it gives the next answer, where
    it fails none. Whether any of them is right is chance.
    """
    text = LAST.split(conversation[-1][1])[-1]
    name = hashlib.sha256(text.encode()).hexdigest()
    kind = how(name)
    if kind is Answer.FAILURE:
        return "Simulated: this question is left open, because a simulated model sometimes fails."
    given = _given(seed, text, name, slip=kind is Answer.SLIP)
    return f"{given}. Simulated: this was picked by a hash of the question, for no reason in the matter."


def _given(seed: int, text: str, name: str, *, slip: bool) -> str:
    letters: list[str] = sorted(set(LETTERED.findall(text)))
    if STATEMENT.search(text):
        return "False" if (draw(seed, name, "statement") < 0.5) ^ slip else "True"
    if not letters:
        return f"Answer {int(1000 * draw(seed, name, 'text', slip))}"
    place = int(draw(seed, name, "choice") * len(letters)) + slip
    if draw(seed, name, "several") < SEVERAL:
        return " and ".join(sorted({letters[place % len(letters)], letters[(place + 1) % len(letters)]}))
    return letters[place % len(letters)]
