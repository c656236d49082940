"""Declaring a kind of constraint: its id, its parameters, and its measure."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from assay.core.documented import HelpText
from assay.grading.parameters import RELATIONS, GraderParameter, Parameters, ParameterShape


@dataclass(frozen=True, slots=True)
class ConstraintFinding:
    """The result of a constraint on an answer: whether it is followed, what was counted, what was wanted."""

    followed: bool
    counted: Any
    wanted: str


@dataclass(frozen=True, slots=True)
class Range:
    """The allowed counts of one quantity: `least` to `most`, None without an upper limit."""

    quantity: str
    least: int
    most: int | None


def allowed_range(quantity: str, relation: str, number: int) -> Range:
    """Return the counts that have a relation to a number."""
    match relation:
        case "at least":
            return Range(quantity, number, None)
        case "more than":
            return Range(quantity, number + 1, None)
        case "at most":
            return Range(quantity, 0, number)
        case "less than":
            return Range(quantity, 0, number - 1)
        case _:
            return Range(quantity, number, number)


@dataclass(frozen=True, slots=True)
class Demands:
    """The demands of a constraint that other constraints can contradict.

    `ranges` are counts; `phrases` are texts that must occur, `words` texts that must not occur as whole
    words, `letters` characters that must not occur anywhere; `begins` and `ends` are the fixed beginning and
    end of the answer; `case` is "upper" or "lower" if the other case is forbidden; `language` is the answer's
    language.
    """

    ranges: tuple[Range, ...] = ()
    phrases: tuple[str, ...] = ()
    words: tuple[str, ...] = ()
    letters: str = ""
    begins: str | None = None
    ends: str | None = None
    case: str | None = None
    language: str | None = None


def no_demands(parameters: Parameters) -> Demands:
    """Return no demands."""
    return Demands()


def no_problems(parameters: Parameters) -> tuple[str, ...]:
    """Return no problems."""
    return ()


Measure = Callable[[str, Parameters], ConstraintFinding]


@dataclass(frozen=True, slots=True)
class ConstraintKind:
    """A kind of constraint.

    `measure(answer, parameters)` is called with well-formed parameters only. `extra_problems` says what is
    wrong between or within parameters that have the right shapes.
    """

    id: str
    parameters: tuple[GraderParameter, ...]
    measure: Measure
    help: HelpText
    demands: Callable[[Parameters], Demands] = no_demands
    extra_problems: Callable[[Parameters], tuple[str, ...]] = no_problems

    def problems(self, parameters: Parameters) -> tuple[str, ...]:
        """Return the problems of the parameters, without `kind` itself."""
        known = {parameter.name for parameter in self.parameters}
        unknown = sorted(set(parameters) - known)
        problems = [f"has no parameter {name!r}: write {self._names()}" for name in unknown]
        wrong = [text for parameter in self.parameters if (text := parameter.problem(parameters)) is not None]
        return (*problems, *(wrong or self.extra_problems(parameters)))

    def _names(self) -> str:
        return ", ".join(parameter.name for parameter in self.parameters) or "no parameters"


KINDS: dict[str, ConstraintKind] = {}
"""All kinds by id, declared by the modules of this package."""


def kind(
    id_: str,
    *parameters: GraderParameter,
    demands: Callable[[Parameters], Demands] = no_demands,
    extra_problems: Callable[[Parameters], tuple[str, ...]] = no_problems,
    about: HelpText,
) -> Callable[[Measure], Measure]:
    """Declare a function as the measure of the kind of constraint with that id."""

    def declared(measure: Measure) -> Measure:
        KINDS[id_] = ConstraintKind(id_, parameters, measure, about, demands, extra_problems)
        return measure

    return declared


def text(name: str, *, choices: tuple[str, ...] = (), required: bool = True) -> GraderParameter:
    """Return a text parameter."""
    return GraderParameter(name, ParameterShape.TEXT, required, choices)


def count(name: str, *, required: bool = True) -> GraderParameter:
    """Return a parameter that is a whole number from 0."""
    return GraderParameter(name, ParameterShape.COUNT, required)


def relation(name: str = "relation") -> GraderParameter:
    """Return a parameter for the relation between the count and the wanted number."""
    return GraderParameter(name, ParameterShape.RELATION)


def texts(name: str, *, required: bool = True) -> GraderParameter:
    """Return a parameter that is a list of texts."""
    return GraderParameter(name, ParameterShape.TEXTS, required)


def letter(name: str = "letter") -> GraderParameter:
    """Return a parameter that is one character."""
    return GraderParameter(name, ParameterShape.LETTER)


def flag(name: str) -> GraderParameter:
    """Return an optional parameter that is true or false."""
    return GraderParameter(name, ParameterShape.FLAG, required=False)


def compare_count(counted: int, how: str, number: int, what: str) -> ConstraintFinding:
    """Return the finding of a count in relation to a number."""
    return ConstraintFinding(RELATIONS[how](counted, number), counted, f"{how} {number} {what}")
