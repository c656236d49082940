"""Parameters of graders: their declaration, their problems, and values prepared from them."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from enum import StrEnum
from typing import Any, Generic, TypeVar

from assay.core.case import GraderSpec
from assay.grading.text import pattern

Parameters = Mapping[str, Any]


class ParameterShape(StrEnum):
    """The type of a parameter's value, as a problem names it."""

    TEXT = "a text"
    LETTER = "a single character"
    COUNT = "a whole number from 0"
    RELATION = "'at least', 'at most', 'less than', 'more than' or 'exactly'"
    TEXTS = "a list of texts"
    PATTERNS = "a list of patterns"
    FLAG = "true or false"
    ANY = "any value"

    def fits(self, value: object) -> bool:
        """Return whether the value has this type; texts and lists must not be empty."""
        match self:
            case ParameterShape.TEXT:
                return isinstance(value, str) and bool(value.strip())
            case ParameterShape.LETTER:
                return isinstance(value, str) and len(value) == 1 and not value.isspace()
            case ParameterShape.COUNT:
                return isinstance(value, int) and not isinstance(value, bool) and value >= 0
            case ParameterShape.RELATION:
                return value in RELATIONS
            case ParameterShape.TEXTS | ParameterShape.PATTERNS:
                return (
                    isinstance(value, list | tuple)
                    and bool(value)
                    and all(isinstance(item, str) and bool(item.strip()) for item in value)
                )
            case ParameterShape.FLAG:
                return isinstance(value, bool)
            case ParameterShape.ANY:
                return True


RELATIONS: Mapping[str, Callable[[int, int], bool]] = {
    "at least": lambda counted, wanted: counted >= wanted,
    "at most": lambda counted, wanted: counted <= wanted,
    "less than": lambda counted, wanted: counted < wanted,
    "more than": lambda counted, wanted: counted > wanted,
    "exactly": lambda counted, wanted: counted == wanted,
}


@dataclass(frozen=True, slots=True)
class GraderParameter:
    """One declared parameter. `choices` restricts a text to these values."""

    name: str
    shape: ParameterShape
    required: bool = True
    choices: tuple[str, ...] = ()

    def problem(self, parameters: Parameters) -> str | None:
        """Return the problem of this parameter's value, or None."""
        if self.name not in parameters:
            return f"lacks {self.name!r}: write {self.wanted}" if self.required else None
        value = parameters[self.name]
        if not self.shape.fits(value) or (self.choices and value not in self.choices):
            return f"{self.name} is {value!r}: write {self.wanted}"
        return None

    @property
    def wanted(self) -> str:
        """What a suite must write."""
        if self.choices:
            return "one of " + ", ".join(repr(choice) for choice in self.choices)
        return str(self.shape)


def parameter_problems(declared: Sequence[GraderParameter], parameters: Parameters) -> list[str]:
    """Return the problems of a grader's parameters: unknown, missing, wrong types, unusable patterns."""
    names = sorted(parameter.name for parameter in declared)
    problems = [
        f"unknown parameter {name!r}: write one of {', '.join(names)}"
        for name in sorted(set(parameters) - {*names})
    ]
    for parameter in declared:
        problem = parameter.problem(parameters)
        if problem is not None:
            problems.append(problem)
        elif parameter.shape is ParameterShape.PATTERNS:
            unusable = map(pattern.problem, parameters.get(parameter.name, ()))
            problems += [f"{parameter.name}: {text}" for text in unusable if text is not None]
    return problems


def order_problems(parameters: Parameters, least: str, most: str) -> list[str]:
    """Return a problem if the lower limit is above the upper one."""
    low, high = parameters.get(least), parameters.get(most)
    if isinstance(low, int) and isinstance(high, int) and low > high:
        return [f"{least} {low} is above {most} {high}"]
    return []


def number_problems(parameters: Parameters, name: str, least: float, most: float) -> list[str]:
    """Return a problem if an optional parameter is not a number or is outside its limits."""
    value = parameters.get(name, least)
    if isinstance(value, bool) or not isinstance(value, int | float) or not least <= value <= most:
        return [f"{name} is {value!r}: write a number from {least:g} to {most:g}"]
    return []


T = TypeVar("T")


class PreparedSpecs(Generic[T]):
    """A cache of values computed from specs, each once.

    Specs are frozen but contain mappings, so they have no hash. Entries are found by identity and keep the
    spec itself, so that no other spec can get the same identity. With more than `most` specs the oldest entry
    is dropped.
    """

    __slots__ = ("_entries", "_make", "_most")

    def __init__(self, make: Callable[[GraderSpec], T], most: int = 4096) -> None:
        self._make = make
        self._most = most
        self._entries: dict[int, tuple[GraderSpec, T]] = {}

    def __call__(self, spec: GraderSpec) -> T:
        """Return the value for this spec."""
        entry = self._entries.get(id(spec))
        if entry is not None:
            return entry[1]
        value = self._make(spec)
        while len(self._entries) >= self._most:
            self._entries.pop(next(iter(self._entries), 0), None)
        self._entries[id(spec)] = (spec, value)
        return value

    def __len__(self) -> int:
        return len(self._entries)
