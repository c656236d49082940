"""The result of reviewers' decisions on a question: accepted, rejected, or one more reviewer needed."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from enum import StrEnum
from typing import Final

from assay.core.question import QuestionState

NO_FAULT: Final = "no fault found"


class Decision(StrEnum):
    """A reviewer's decision about a question."""

    ACCEPT = "accept"
    REJECT = "reject"


@dataclass(frozen=True, slots=True)
class Decided:
    """A reviewer's decision about a question. `seconds` is the reading time, None if unknown."""

    uuid: str
    decision: Decision
    reason: str = ""
    seconds: float | None = None


def settle(decisions: Sequence[Decision], *, second: bool) -> QuestionState:
    """Return the state of a question after decisions of different reviewers on one version of it.

    One decision is enough. With `second`, a majority of two or more is needed; until then, after the first
    decision or while they disagree, the question is `reviewed`.
    """
    accepts = sum(decision is Decision.ACCEPT for decision in decisions)
    rejects = len(decisions) - accepts
    if not decisions:
        return QuestionState.RAW
    if accepts == rejects or (second and len(decisions) < 2):
        return QuestionState.REVIEWED
    return QuestionState.ACCEPTED if accepts > rejects else QuestionState.REJECTED
