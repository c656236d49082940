"""The one error tree. Kinds become exit statuses in the CLI and problem+json on the web."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

POSITION = re.compile(r"\[\d+\]")


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


def group_problems(problems: Iterable[Problem]) -> list[str]:
    """Return one line for each different fault: the first place where it stands, and how many more there are.

    Faults are equal when their texts differ only in the position within a list (`cases[3]`).
    """
    groups: dict[str, list[Problem]] = {}
    for problem in problems:
        groups.setdefault(POSITION.sub("[]", problem.text), []).append(problem)
    return [_group_line(group) for group in groups.values()]


def _group_line(group: Sequence[Problem]) -> str:
    more = len(group) - 1
    if not more:
        return str(group[0])
    last = group[-1]
    place = last.file if last.line is None else f"{last.file}:{last.line}"
    places = "1 more place" if more == 1 else f"{more:,} more places"
    until = "" if last.file is None else f", the last at {place}"
    return f"{group[0]} (the same in {places}{until})"


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
        super().__init__("\n".join(group_problems(self.problems)))


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
