"""The one error tree. Kinds become exit statuses in the CLI and problem+json on the web."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Problem:
    """One thing wrong with an input: where it stands, and what to write instead."""

    text: str
    file: str | None = None
    line: int | None = None

    def __str__(self) -> str:
        if self.file is None:
            return self.text
        place = self.file if self.line is None else f"{self.file}:{self.line}"
        return f"{place}: {self.text}"


class AssayError(Exception):
    """Anything Assay tells its user. The message says what is wrong, the value, and what to do."""

    status = 500
    exit_status = 2


class InvalidInput(AssayError):
    """The input cannot be used as it is. Carries every problem found, not only the first."""

    status = 422

    def __init__(self, problems: str | Problem | Sequence[Problem]) -> None:
        if isinstance(problems, str):
            problems = Problem(problems)
        self.problems = (problems,) if isinstance(problems, Problem) else tuple(problems)
        super().__init__("\n".join(str(problem) for problem in self.problems))


class NotFound(AssayError):
    """There is no such thing."""

    status = 404


class Conflict(AssayError):
    """The request contradicts what is already there, or somebody else holds it."""

    status = 409


class Denied(AssayError):
    """Nobody, or not this one, may do that. `status` is 401 or 403."""

    def __init__(self, message: str, *, status: int = 403) -> None:
        super().__init__(message)
        self.status = status


class Upstream(AssayError):
    """A service that Assay depends on failed, or the budget for asking it is spent."""

    status = 502
    exit_status = 3
