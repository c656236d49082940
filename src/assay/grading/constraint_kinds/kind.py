"""A kind of constraint: its id, its parameters, and how an answer is measured against it."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from enum import StrEnum
from typing import Any

Parameters = Mapping[str, Any]


@dataclass(frozen=True, slots=True)
class Finding:
    """What a constraint found in an answer: whether it is followed, what was counted, what was wanted."""

    followed: bool
    counted: Any
    wanted: str


class Shape(StrEnum):
    """What a parameter's value must be."""

    TEXT = "a text"
    LETTER = "a single character"
    COUNT = "a whole number from 0"
    RELATION = "'at least', 'at most', 'less than', 'more than' or 'exactly'"
    TEXTS = "a list of texts"
    FLAG = "true or false"

    def fits(self, value: object) -> bool:
        """Return whether the value has this shape; texts and lists must not be empty."""
        match self:
            case Shape.TEXT:
                return isinstance(value, str) and bool(value.strip())
            case Shape.LETTER:
                return isinstance(value, str) and len(value) == 1 and not value.isspace()
            case Shape.COUNT:
                return isinstance(value, int) and not isinstance(value, bool) and value >= 0
            case Shape.RELATION:
                return value in RELATIONS
            case Shape.TEXTS:
                return (
                    isinstance(value, list | tuple)
                    and bool(value)
                    and all(isinstance(item, str) and bool(item.strip()) for item in value)
                )
            case Shape.FLAG:
                return isinstance(value, bool)


RELATIONS: Mapping[str, Callable[[int, int], bool]] = {
    "at least": lambda counted, wanted: counted >= wanted,
    "at most": lambda counted, wanted: counted <= wanted,
    "less than": lambda counted, wanted: counted < wanted,
    "more than": lambda counted, wanted: counted > wanted,
    "exactly": lambda counted, wanted: counted == wanted,
}


@dataclass(frozen=True, slots=True)
class Parameter:
    """One parameter of a kind. `choices` narrows a text to these values."""

    name: str
    shape: Shape
    required: bool = True
    choices: tuple[str, ...] = ()

    def problem(self, parameters: Parameters) -> str | None:
        """Return what is wrong with this parameter's value, or None."""
        if self.name not in parameters:
            return f"lacks {self.name!r}: write {self.wanted}" if self.required else None
        value = parameters[self.name]
        if not self.shape.fits(value) or (self.choices and value not in self.choices):
            return f"{self.name} is {value!r}: write {self.wanted}"
        return None

    @property
    def wanted(self) -> str:
        """What to write, in words."""
        if self.choices:
            return "one of " + ", ".join(repr(choice) for choice in self.choices)
        return str(self.shape)


@dataclass(frozen=True, slots=True)
class Range:
    """The counts of one quantity that a constraint allows: `least` to `most`, None for no upper end."""

    quantity: str
    least: int
    most: int | None


def allow(quantity: str, relation: str, number: int) -> Range:
    """Return the counts that a relation to a number allows."""
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
    """What a constraint demands in terms that other constraints can contradict.

    `ranges` are counts; `phrases` are texts that must occur, `words` texts that must not occur as whole
    words, `letters` characters that must not occur anywhere; `begins` and `ends` are fixed ends of the
    answer; `case` is "upper" or "lower" where the other case is barred; `language` is the answer's language.
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
    """Demand nothing that another constraint could contradict."""
    return Demands()


def no_faults(parameters: Parameters) -> tuple[str, ...]:
    """Find nothing wrong between the parameters."""
    return ()


@dataclass(frozen=True, slots=True)
class Kind:
    """A kind of constraint.

    `measure(answer, parameters)` is called with well-formed parameters only. `faults` says what is wrong
    between or within parameters that have the right shapes.
    """

    id: str
    parameters: tuple[Parameter, ...]
    measure: Callable[[str, Parameters], Finding]
    demands: Callable[[Parameters], Demands] = no_demands
    faults: Callable[[Parameters], tuple[str, ...]] = no_faults

    def problems(self, parameters: Parameters) -> tuple[str, ...]:
        """Return what is wrong with the parameters, `kind` itself left out."""
        known = {parameter.name for parameter in self.parameters}
        unknown = sorted(set(parameters) - known)
        found = [f"does not know {name!r}: it takes {self._names()}" for name in unknown]
        wrong = [text for parameter in self.parameters if (text := parameter.problem(parameters)) is not None]
        return (*found, *(wrong or self.faults(parameters)))

    def _names(self) -> str:
        return ", ".join(parameter.name for parameter in self.parameters) or "no parameters"


def text(name: str, *, choices: tuple[str, ...] = (), required: bool = True) -> Parameter:
    """A text parameter."""
    return Parameter(name, Shape.TEXT, required, choices)


def count(name: str, *, required: bool = True) -> Parameter:
    """A parameter that is a whole number from 0."""
    return Parameter(name, Shape.COUNT, required)


def relation(name: str = "relation") -> Parameter:
    """A parameter that relates what is counted to what is wanted."""
    return Parameter(name, Shape.RELATION)


def texts(name: str, *, required: bool = True) -> Parameter:
    """A parameter that lists texts."""
    return Parameter(name, Shape.TEXTS, required)


def letter(name: str = "letter") -> Parameter:
    """A parameter that is one character."""
    return Parameter(name, Shape.LETTER)


def flag(name: str) -> Parameter:
    """An optional parameter that is true or false."""
    return Parameter(name, Shape.FLAG, required=False)


def compared(counted: int, how: str, number: int, what: str) -> Finding:
    """Return the finding of a count compared with a number."""
    return Finding(RELATIONS[how](counted, number), counted, f"{how} {number} {what}")
