"""Suites: the list, one suite with its cases and graders, and the result of a check."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Annotated, Final, Literal

from assay.core.ask import Message
from assay.core.case import Case
from assay.core.errors import Problem
from assay.core.suite import Suite, UseCase
from assay.results.figure import Figure, Flat, Hidden, Listed
from assay.results.table import Column, Table


@dataclass(frozen=True, slots=True)
class ListedSuite:
    """A suite in the list: built in, or stored because it was run here."""

    name: Annotated[str, Figure("suite")]
    version: Annotated[str, Figure("version")]
    visibility: Annotated[Literal["public", "private"], Figure("visibility")]
    cases: Annotated[int, Figure("cases")]
    digest: Annotated[str, Figure("digest", meaning="SHA-256 of its content")]
    built_in: Annotated[bool, Figure("built in")]


SUITES: Final = Table(
    ListedSuite,
    (
        "name",
        "version",
        "visibility",
        "cases",
        Column("digest", lambda suite: suite.digest[:12]),
        Column("from", lambda suite: "built in" if suite.built_in else "database"),
    ),
    name="suites",
)


@dataclass(frozen=True, slots=True)
class GraderWeight:
    """A grader of a case."""

    name: Annotated[str, Figure("grader")]
    weight: Annotated[
        float, Figure("weight", meaning="weight in the case's score; 0 for a check that only flags")
    ]


@dataclass(frozen=True, slots=True)
class ShownCase:
    """A case as it is shown; a private suite's prompt only if it is revealed."""

    case: Annotated[Case, Flat(only=("id", "max_tokens", "tags"))]
    revealed: Annotated[bool, Hidden()]

    @property
    def graders(self) -> Annotated[tuple[GraderWeight, ...], Figure("graders")]:
        """The graders, in the order of the case."""
        return tuple(GraderWeight(spec.name, spec.weight) for spec in self.case.graders)

    @property
    def exemplars(self) -> Annotated[int, Figure("exemplars", meaning="answers with known marks")]:
        """The number of answers with known marks."""
        return len(self.case.exemplars)

    @property
    def messages(self) -> Annotated[tuple[Message, ...] | None, Figure("messages", meaning="none if hidden")]:
        """The prompt; None if it is hidden."""
        return self.case.messages if self.revealed else None


@dataclass(frozen=True, slots=True)
class ShownUseCase:
    """A use case with its cases."""

    use_case: Annotated[UseCase, Flat(only=("name", "title", "grading"))]
    revealed: Annotated[bool, Hidden()]

    @property
    def base(self) -> Annotated[int, Figure("base", meaning="samples of each case a day")]:
        """The number of samples of each case on an ordinary day."""
        return self.use_case.base

    @property
    def full(
        self,
    ) -> Annotated[int, Figure("full", meaning="samples of each case when a model is suspected")]:
        """The number of samples of each case in a re-run at full power."""
        return self.use_case.full

    @property
    def cases(self) -> Annotated[tuple[ShownCase, ...], Figure("cases")]:
        """The cases in their order."""
        return tuple(ShownCase(case, self.revealed) for case in self.use_case.cases)


@dataclass(frozen=True, slots=True)
class ShownSuite:
    """A suite as it is shown; a private suite's prompts only if they are revealed."""

    suite: Annotated[
        Suite,
        Flat(
            only=("name", "version", "title", "description", "visibility", "digest", "judge", "parameters"),
        ),
    ]
    reveal: Annotated[bool, Hidden()]

    @property
    def cases(self) -> Annotated[int, Figure("cases")]:
        """The number of cases."""
        return len(self.suite.cases)

    @property
    def base_calls(
        self,
    ) -> Annotated[int, Figure("calls", meaning="calls of an ordinary day, for one model")]:
        """The number of samples of one model on an ordinary day."""
        return sum(use_case.base * len(use_case.cases) for use_case in self.suite.use_cases)

    @property
    def hidden(
        self,
    ) -> Annotated[bool, Figure("hidden", meaning="a private suite shows its prompts only with --reveal")]:
        """Whether prompts are left out."""
        return not self.reveal and self.suite.visibility != "public"

    @property
    def use_cases(self) -> Annotated[tuple[ShownUseCase, ...], Figure("use cases")]:
        """The use cases in their order."""
        return tuple(ShownUseCase(use_case, not self.hidden) for use_case in self.suite.use_cases)


def _samples(shown: ShownUseCase) -> str:
    use_case = shown.use_case
    return f"{use_case.base} -> {use_case.full}" if use_case.full > use_case.base else str(use_case.base)


def _graders(shown: ShownUseCase) -> str:
    cases = shown.use_case.cases
    return "\n".join(f"{case.id}: {', '.join(spec.name for spec in case.graders)}" for case in cases)


USE_CASES: Final = Table(
    ShownUseCase,
    (
        Column("use case", lambda shown: shown.use_case.name),
        Column("grading", lambda shown: shown.use_case.grading.value),
        Column("cases", lambda shown: len(shown.use_case.cases), right=True),
        Column("samples a day", _samples, right=True),
        Column("case: graders", _graders),
    ),
)


@dataclass(frozen=True, slots=True)
class SuiteCheck:
    """The result of a suite's check. `suite` is None if it has problems; it can be run with warnings."""

    suite: Annotated[Suite | None, Flat(only=("name", "version", "digest"))]
    problems: tuple[Problem, ...]
    weaknesses: Annotated[tuple[Problem, ...], Hidden()]

    @property
    def good(self) -> Annotated[bool, Figure("good", meaning="whether it can be run")]:
        """Whether the suite can be run."""
        return self.suite is not None

    @property
    def use_cases(self) -> Annotated[int | None, Figure("use cases")]:
        """The number of use cases; None if the suite has problems."""
        return None if self.suite is None else len(self.suite.use_cases)

    @property
    def cases(self) -> Annotated[int | None, Figure("cases")]:
        """The number of cases; None if the suite has problems."""
        return None if self.suite is None else len(self.suite.cases)

    @property
    def warnings(
        self,
    ) -> Annotated[tuple[str, ...], Figure("warnings", meaning="weaknesses of the suite"), Listed("text")]:
        """The weaknesses of the suite, one line each."""
        return tuple(str(problem) for problem in self.weaknesses)


SCHEMAS: Final[dict[str, tuple[type | Table, str]]] = {
    "suite-check": (SuiteCheck, "assay suite check --json"),
    "suite-list": (SUITES, "assay suite list --json"),
    "suite-show": (ShownSuite, "assay suite show --json"),
}
