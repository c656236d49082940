"""What each question of a sitting counts as, and when a model's sittings are enough to be published."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from enum import StrEnum
from typing import Final

from assay.core.exam import AnswerStatus, SessionState

LEAST_SITTINGS = 3


class Standing(StrEnum):
    """What a question of a sitting counts as."""

    MARKED = "marked"
    UNMARKED = "unmarked"
    UNREAD = "unread"
    EMPTY = "empty"
    LATE = "late"
    TIMED_OUT = "timed-out"
    UNANSWERED = "unanswered"
    EXCLUDED = "excluded"


ZERO_BY_RULE: Final = frozenset({Standing.EMPTY, Standing.LATE, Standing.TIMED_OUT, Standing.UNANSWERED})
"""These get 0 stars and no judge is asked."""
LACKING: Final = frozenset({Standing.UNMARKED, Standing.UNREAD})
"""These have no stars yet: the sitting is not fully marked."""


def standing(
    status: AnswerStatus | None, text: str | None, *, excluded: bool, asked: bool, stars: int | None
) -> Standing:
    """Return what a question counts as.

    `status` and `text` are the answer's, None where none was given. `asked` tells whether the judge was
    asked, `stars` are its mark, None where its replies could not be read. An exclusion comes before all else.
    """
    if excluded:
        return Standing.EXCLUDED
    if status is None:
        return Standing.UNANSWERED
    if status is AnswerStatus.LATE:
        return Standing.LATE
    if status is AnswerStatus.TIMED_OUT:
        return Standing.TIMED_OUT
    if not (text or "").strip():
        return Standing.EMPTY
    if not asked:
        return Standing.UNMARKED
    return Standing.UNREAD if stars is None else Standing.MARKED


@dataclass(frozen=True, slots=True)
class SittingState:
    """What bears on publication of one sitting: its session's state and how many answers lack stars."""

    state: SessionState
    lacking: int

    @property
    def counts(self) -> bool:
        """Whether the sitting enters the model's mean: finished and fully marked."""
        return self.state is SessionState.FINISHED and self.lacking == 0


def missing(sittings: Sequence[SittingState], *, least: int = LEAST_SITTINGS) -> tuple[str, ...]:
    """Say what a model lacks to be published; nothing where it is.

    It takes `least` finished, fully marked sittings under one prompting and one judge, and no finished
    sitting that is not fully marked: leaving one out would choose among results.
    """
    whole = sum(each.counts for each in sittings)
    lacking = [each for each in sittings if each.state is SessionState.FINISHED and each.lacking]
    told = []
    if whole + len(lacking) < least:
        finished = whole + len(lacking)
        told.append(f"{finished} of {least} finished sittings")
    if lacking:
        answers = sum(each.lacking for each in lacking)
        told.append(f"{answers} answers of {len(lacking)} finished sittings are unmarked or unread")
    return tuple(told)
