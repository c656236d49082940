"""The names of people who mark answers beside judges: `human`, or `human/NAME`."""

from __future__ import annotations

import re
from typing import Final

from assay.core.errors import InvalidInput
from assay.core.model import Model

HUMAN: Final = "human"
"""The provider of people in the table of judges, and the name of all people together."""

_NAME = re.compile(r"[\w.-]{1,64}")


def is_human(judge: str) -> bool:
    """Return whether a judge's name is that of a person: `human` or `human/NAME`."""
    return judge == HUMAN or judge.startswith(f"{HUMAN}/")


def plain_judge(judge: str) -> str:
    """Return a judge's name as it is shown: `human` for the person without a name."""
    return HUMAN if judge == f"{HUMAN}/{HUMAN}" else judge


def human_judge(text: str) -> Model:
    """Return the judge that `human` or `human:NAME` names. Raises InvalidInput for another name."""
    kind, colon, name = text.partition(":")
    if kind != HUMAN or (colon and not _NAME.fullmatch(name)):
        raise InvalidInput(
            f"invalid judge {text!r}: write human, or human:NAME with a name of letters, digits, '-', '_' "
            "and '.'"
        )
    return Model(HUMAN, name or HUMAN)
