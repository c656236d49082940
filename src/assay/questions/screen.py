"""What reviewers' decisions come to: accepted, rejected, or in need of one more reviewer."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from enum import StrEnum
from typing import Final

from assay.core.question import QuestionState

MECHANICAL: Final = "mechanical: no finding"
"""The reason of an acceptance that rests on the mechanical screening alone; nobody may write it by hand."""

NO_FAULT: Final = "no fault found"


class Decision(StrEnum):
    """What a reviewer decides about a question."""

    ACCEPT = "accept"
    REJECT = "reject"


@dataclass(frozen=True, slots=True)
class Decided:
    """A reviewer's decision about a question. `seconds` is how long it was read, None where unknown."""

    uuid: str
    decision: Decision
    reason: str = ""
    seconds: float | None = None


def settle(decisions: Sequence[Decision], *, second: bool) -> QuestionState:
    """Return the state that different reviewers' decisions on one version of a question give it.

    One decision settles it. With `second` the majority does, of two or more: until there is one, after the
    first decision or while they disagree, it is `reviewed`.
    """
    accepts = sum(each is Decision.ACCEPT for each in decisions)
    rejects = len(decisions) - accepts
    if not decisions:
        return QuestionState.RAW
    if accepts == rejects or (second and len(decisions) < 2):
        return QuestionState.REVIEWED
    return QuestionState.ACCEPTED if accepts > rejects else QuestionState.REJECTED
