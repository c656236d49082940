"""The rows of measurements, and the batches in which they are committed."""

from __future__ import annotations

from typing import NamedTuple


class CallRow(NamedTuple):
    """One attempt of a call: the columns of `calls` except its id. Unknown tokens, cost and latency are None.

    `attempt` counts from 1; the last attempt of a call counts. `sealed`, here and in the other rows, holds
    the values that `store.sealing` has encrypted.
    """

    run: int
    position: int
    purpose: str
    model: int
    request_hash: bytes
    attempt: int
    status: str
    error: str | None
    detail: str | None
    http_status: int | None
    prompt_tokens: int | None
    completion_tokens: int | None
    reasoning_tokens: int | None
    cached_tokens: int | None
    cost: float | None
    provider: str | None
    served_model: str | None
    fingerprint: str | None
    finish_reason: str | None
    native_finish_reason: str | None
    started_at: float
    latency: float | None
    answer: str | None
    sealed: bytes | None = None


class SampleRow(NamedTuple):
    """One finished sample; `score` is 0-100, None if it errored or could not be graded.

    `conditions` is the number of its conditions; None if they were not recorded.
    """

    run: int
    position: int
    model: int
    case_ordinal: int
    epoch: int
    status: str
    score: float | None
    routing_changed: int
    finished_at: float
    conditions: int | None = None
    sealed: bytes | None = None


class ConditionsRow(NamedTuple):
    """The conditions of samples: a number, the JSON body and the body's SHA-256."""

    id: int
    digest: str
    body: str


class GradeRow(NamedTuple):
    """One grader's mark on a sample; `value` is 0-1, None if ungraded for `reason`; evidence is JSON."""

    run: int
    position: int
    ordinal: int
    grader: str
    value: float | None
    reason: str | None
    evidence: str
    sealed: bytes | None = None


class MarkRow(NamedTuple):
    """One judge's mark on a sample for one metric, in the metric's units; None if unread for `reason`.

    `key` identifies the answer, the judge and the way of judging; a mark with the same key is not paid for
    again. If it is None, the mark must not be reused. `reused` is 1 for a copy of an earlier mark.
    """

    run: int
    position: int
    ordinal: int
    judge: int
    metric: str
    value: float | None
    reason: str | None
    rationale: str
    mode: str
    key: bytes | None
    reused: int
    marked_at: float
    sealed: bytes | None = None


class Batch:
    """Rows that are committed together."""

    __slots__ = ("calls", "conditions", "grades", "marks", "samples")

    def __init__(self) -> None:
        self.calls: list[CallRow] = []
        self.conditions: list[ConditionsRow] = []
        self.samples: list[SampleRow] = []
        self.grades: list[GradeRow] = []
        self.marks: list[MarkRow] = []

    def __len__(self) -> int:
        return len(self.calls) + len(self.samples) + len(self.marks)

    @property
    def runs(self) -> set[int]:
        """The runs of the rows."""
        return {row.run for rows in (self.calls, self.samples, self.marks) for row in rows}

    @property
    def positions(self) -> set[int]:
        """The positions of the rows."""
        return {row.position for rows in (self.calls, self.samples, self.marks) for row in rows}

    @property
    def newest(self) -> float:
        """The time of the newest row in UTC seconds since 1970; 0 without rows."""
        times = [row.started_at for row in self.calls] + [row.marked_at for row in self.marks]
        return max(times + [row.finished_at for row in self.samples], default=0.0)
