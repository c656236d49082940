"""A grader's mark on a sample, and the protocol every grader follows."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, Protocol

from assay.core.ask import Ask, Reply
from assay.core.case import Case, GraderSpec


@dataclass(frozen=True, slots=True)
class Grade:
    """A mark from 0 to 1 with its evidence (plain JSON values), or `ungraded` with the reason.

    `value` is None if and only if the answer could not be graded (no judge, no sandbox, a judge's reply
    without a mark).
    """

    value: float | None
    evidence: Mapping[str, Any] = field(default_factory=dict)
    reason: str | None = None

    @classmethod
    def ungraded(cls, reason: str, **evidence: Any) -> Grade:
        """Return the grade of an answer that could not be graded."""
        return cls(None, evidence, reason)


class Grader(Protocol):
    """A rule that marks an answer. It makes no calls itself.

    `name` is its name in suites; `version` enters the digest of every suite that uses it.
    `problems` lists the faults of the parameters in a suite (empty if there are none).
    `asks` returns the requests to a judge or the sandbox (none for a mechanical check); `read` turns
    the replies, in the order of the asks, into a grade, or into one more ask, whose reply is
    then appended to the replies.
    """

    @property
    def name(self) -> str: ...

    @property
    def version(self) -> str: ...

    def problems(self, spec: GraderSpec) -> tuple[str, ...]: ...

    def asks(self, case: Case, spec: GraderSpec, answer: str) -> tuple[Ask, ...]: ...

    def read(self, case: Case, spec: GraderSpec, answer: str, replies: tuple[Reply, ...]) -> Grade | Ask: ...
