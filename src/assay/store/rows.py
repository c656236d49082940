"""The rows that measurements enter the database as, and the batches they are committed in."""

from __future__ import annotations

from typing import NamedTuple


class CallRow(NamedTuple):
    """One attempt of a call: the columns of `calls` but its id. Tokens, cost, latency: None where unknown.

    `attempt` counts from 1. The last one of a call is the one that counted. `sealed`, here and in the other
    rows, is what `store.sealing` has encrypted of the row.
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
    """One finished sample; `score` is 0-100, None when it errored or could not be graded.

    `conditions` is the number of what it was produced under, None where that was not recorded.
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
    """What samples were produced under: number and SHA-256 of the body, which is JSON."""

    id: int
    digest: str
    body: str


class GradeRow(NamedTuple):
    """One grader's mark on a sample; `value` is 0-1, None when ungraded for `reason`; evidence is JSON."""

    run: int
    position: int
    ordinal: int
    grader: str
    value: float | None
    reason: str | None
    evidence: str
    sealed: bytes | None = None


class MarkRow(NamedTuple):
    """One judge's mark on a sample for one metric, in its own units; None, for `reason`, where unread.

    `key` names what was judged, by whom and how: equal keys are never paid for twice. None: not to be
    used again. `reused` is 1 for a mark that an earlier question gave.
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
        """The runs of its rows."""
        return {row.run for rows in (self.calls, self.samples, self.marks) for row in rows}

    @property
    def positions(self) -> set[int]:
        """The positions of its rows."""
        return {row.position for rows in (self.calls, self.samples, self.marks) for row in rows}

    @property
    def newest(self) -> float:
        """The time of its newest row, UTC seconds since 1970; 0 without rows."""
        times = [row.started_at for row in self.calls] + [row.marked_at for row in self.marks]
        return max(times + [row.finished_at for row in self.samples], default=0.0)
