"""Asking a model, blind to the keys, whether statements follow from their material."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Sequence
from enum import StrEnum
from typing import Final

import numpy as np

from assay.core.ask import Message, ModelAsk
from assay.questions.prompt_text import filled, prompt_text
from assay.questions.statements import Unreadable, entries, fence

PURPOSE: Final = "verify"


class Answer(StrEnum):
    """What the material makes of a statement."""

    TRUE = "true"
    FALSE = "false"
    UNCLEAR = "unclear"


def verify_ask(
    model: str, material: str, statements: Sequence[str], *, again: Sequence[tuple[str, str]] = ()
) -> ModelAsk:
    """Return the ask whether each statement follows from the material; nothing in it tells a key.

    Put the statements in an order that does not tell it either. `again` holds earlier replies with why they
    could not be read.
    """
    words = prompt_text("verify")
    listed = "\n".join(f"{number}. {text}" for number, text in enumerate(statements, 1))
    asked = filled(words.ask, code=fence(material), material=material, statements=listed)
    messages = [Message("system", words.system), Message("user", asked)]
    for reply, why in again:
        messages += [
            Message("assistant", reply or "(nothing)"),
            Message("user", filled(words.again, why=why, count=len(statements))),
        ]
    about = {"deed": "verify-statements", "statements": json.dumps(list(statements), ensure_ascii=False)}
    return ModelAsk(PURPOSE, model, tuple(messages), sealed=True, about=about)


def read_answers(text: str, count: int) -> tuple[Answer, ...] | Unreadable:
    """Return the answers of a reply: one for each of `count` statements, in their order."""
    listed = entries(text, "answers")
    if isinstance(listed, Unreadable):
        return listed
    if [one.get("number") for one in listed] != list(range(1, count + 1)):
        return Unreadable(f"the entries are not numbered 1 to {count} in order")
    known = {each.value for each in Answer}
    for one in listed:
        if set(one) != {"number", "answer"} or one["answer"] not in known:
            return Unreadable(f"the answer of entry {one['number']} is not true, false or unclear")
    return tuple(Answer(one["answer"]) for one in listed)


def unverified(true: bool, answer: Answer) -> str | None:
    """Return why a statement with that key is dropped after that answer, None where they agree."""
    if answer is Answer.UNCLEAR:
        return "the verifier cannot tell from the material"
    return None if (answer is Answer.TRUE) is true else "the verifier says the opposite"


def blind_order(uuid: str, count: int) -> list[int]:
    """Return an order for a question's statements that does not tell their keys: always the same for it."""
    seed = int.from_bytes(hashlib.blake2b(uuid.encode(), digest_size=8).digest())
    return [int(number) for number in np.random.default_rng(seed).permutation(count)]
