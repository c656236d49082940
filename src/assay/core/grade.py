"""A grader's mark on a sample, and the protocol every grader follows."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, ClassVar, Protocol

from assay.core.ask import Ask, Reply
from assay.core.case import Case, GraderSpec


@dataclass(frozen=True, slots=True)
class Grade:
    """A mark from 0 to 1 with its evidence (plain JSON values), or `ungraded` with the reason.

    `value` is None exactly when the answer could not be graded (no judge, no sandbox, an unreadable
    verdict): never a guess.
    """

    value: float | None
    evidence: Mapping[str, Any] = field(default_factory=dict)
    reason: str | None = None

    @classmethod
    def ungraded(cls, reason: str, **evidence: Any) -> Grade:
        """Return the grade of an answer that could not be graded."""
        return cls(None, evidence, reason)


class Grader(Protocol):
    """Marks an answer. It asks and reads; whoever runs it does the talking.

    `name` is what suites call it, `version` enters the digest of every suite that uses it.
    `problems` lists what is wrong with the parameters a suite gives (empty when all is well).
    `asks` says what to put to a judge or the sandbox (nothing, for a mechanical check); `read` turns
    the replies, in the order of the asks, into a grade, or into one more ask, whose reply is
    then appended to the replies.
    """

    name: ClassVar[str]
    version: ClassVar[str]

    def problems(self, spec: GraderSpec) -> tuple[str, ...]: ...

    def asks(self, case: Case, spec: GraderSpec, answer: str) -> tuple[Ask, ...]: ...

    def read(self, case: Case, spec: GraderSpec, answer: str, replies: tuple[Reply, ...]) -> Grade | Ask: ...
