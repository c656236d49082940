"""One (case, model, epoch) with its answer."""

from __future__ import annotations

from dataclasses import dataclass

from assay.core.ask import CallStatus, ModelReply
from assay.core.grade import Grade

SampleStatus = CallStatus


@dataclass(frozen=True, slots=True)
class SampleKey:
    """Which sample of a run: positions of the case in the suite and of the model in the run; epoch from 0."""

    case: int
    model: int
    epoch: int


@dataclass(frozen=True, slots=True)
class Sample:
    """A finished sample: the reply, one grade for each of the case's graders, and the score they give.

    `score` is 0-1, or None when the sample errored or nothing could be graded. An `invalid` sample
    scores 0.
    """

    key: SampleKey
    reply: ModelReply
    grades: tuple[Grade, ...]
    score: float | None

    @property
    def status(self) -> SampleStatus:
        """Whether there is a visible answer: `ok`, `invalid` or `error`."""
        return self.reply.status
