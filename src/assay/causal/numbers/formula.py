"""Formulas as they stand in the data, such as `P(Y=1 | X=1, do(Z=0)) - 5%`, read into terms.

A formula consists of numbers (`0.25`, `5%`), parameters by name, + - * /, brackets, `min(a, b)`, `max(a, b)`,
`round(a, places)`, `sqrt(a)` and

    P(Y=1 | X=1, do(Z=0))                              a probability
    E(Y | X=1, do(Z=0))                                a mean
    adj(Y=1; X=1; over Z, W; within S=1; weights X=0)  a probability standardised over Z and W
    cf(Y=1; do X=0; M under X=1 | X=1, Y=1)            a counterfactual: Y had X been 0, M as it would be
    under X=1
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, fields, replace
from fractions import Fraction
from functools import cache
from typing import Any, TypeVar

from assay.causal import queries as q
from assay.core.errors import InvalidInput

_TOKEN = re.compile(r"\s*(?:(\d+(?:\.\d+)?%?)|([A-Za-z_]\w*)|([-+*/()|=,;]))")
_RELATION = re.compile(r"<=|>=|!=|<|>")
_QUERIES = ("P", "E", "adj", "cf")
_FUNCTIONS = ("min", "max", "round", "sqrt")


Read = TypeVar("Read")


@dataclass(frozen=True, slots=True)
class Parameter(q.Term):
    """A number that is drawn or given, by its name."""

    name: str


@dataclass(frozen=True, slots=True, order=True)
class LevelOf:
    """A level that a state or a question fixes, by its name: `X=had`."""

    name: str


@cache
def parsed(text: str) -> q.Term:
    """Return a formula as a term; every bare name is a parameter. InvalidInput where it cannot be read."""
    reader = _Reader(text)
    found = reader.sum()
    reader.end()
    return found


@cache
def condition(text: str) -> q.Fact:
    """Return a condition such as `P(Y=1) > 5%`. InvalidInput where it is not two formulas and a relation."""
    relations = _RELATION.findall(text)
    if len(relations) != 1:
        raise InvalidInput(f"the condition {text!r} needs one of <, <=, >, >= and != between two formulas")
    left, right = text.split(relations[0])
    return q.Compare(parsed(left.strip()), relations[0], parsed(right.strip()))


def bound(
    query: Any, variables: Mapping[str, Sequence[str]], parameters: Mapping[str, q.Term | Fraction]
) -> Any:
    """Return a term or fact with names replaced by those of variables, and parameters by terms or numbers.

    Named levels become numbers. A name may stand for several variables only after `over`. Names that are not
    in `variables` are kept. InvalidInput for an unknown parameter.
    """
    match query:
        case LevelOf(name):
            if not (level := "".join(variables.get(name, ()))).isdigit():
                raise InvalidInput(
                    f"{name!r} is not a level: give it one in a state or under `levels` of what is asked"
                )
            return int(level)
        case Parameter(name):
            if name not in parameters:
                raise InvalidInput(f"{name!r} is not a parameter: draw it, or define it under `let`")
            found = parameters[name]
            return found if isinstance(found, q.Term) else q.Number(found)
        case q.Arithmetic(sign, left, right):
            return q.Arithmetic(sign, bound(left, variables, parameters), bound(right, variables, parameters))
        case q.Term() | q.Fact():
            changed = {f.name: bound(getattr(query, f.name), variables, parameters) for f in fields(query)}
            return replace(query, **changed)
        case tuple() if query and all(isinstance(each, str) for each in query):
            return tuple(name for each in query for name in variables.get(each, (each,)))
        case tuple():
            made = tuple(bound(each, variables, parameters) for each in query)
            return tuple(sorted(made)) if made and _is_level(made[0]) else made
        case str():
            several = variables.get(query, (query,))
            if len(several) != 1:
                raise InvalidInput(f"{query!r} stands for {', '.join(several)}: it may only follow `over`")
            return several[0]
    return query


@cache
def _with_names(query: Any, variables: tuple[tuple[str, tuple[str, ...]], ...]) -> Any:
    behind = dict(variables)
    kept: dict[str, q.Term | Fraction] = {name: Parameter(name) for name in names(query)[1]}
    levels = {name: Fraction(of[0]) for name, of in behind.items() if of[0].isdigit()}
    return bound(query, behind, {**kept, **levels})


def with_names(query: Any, variables: Mapping[str, tuple[str, ...]]) -> Any:
    """Return a term or fact with the names of variables and levels replaced; other parameters are left.

    This part is the same for all models, and is done once.
    """
    return _with_names(query, tuple(variables.items()))


def names(query: Any) -> tuple[set[str], set[str]]:
    """Return the variables and the parameters of a term or fact."""
    if isinstance(query, Parameter):
        return set(), {query.name}
    if isinstance(query, q.Arithmetic | q.Compare):
        parts: tuple[Any, ...] = (query.left, query.right)
    elif isinstance(query, q.Term | q.Fact):
        parts = tuple(getattr(query, field.name) for field in fields(query))
    elif isinstance(query, tuple):
        parts = query
    else:
        return ({query} if isinstance(query, str) else set()), set()
    found: tuple[set[str], set[str]] = set(), set()
    for part in parts:
        for every, more in zip(found, names(part), strict=True):
            every |= more
    return found


def _is_level(part: object) -> bool:
    return isinstance(part, tuple) and len(part) == 2 and isinstance(part[1], int | LevelOf)


class _Reader:
    """A reader of one formula by recursive descent."""

    def __init__(self, text: str) -> None:
        self.text = text
        self.tokens = list(self._tokens())
        self.at = 0

    def _tokens(self) -> Iterator[tuple[str, str]]:
        place = 0
        while self.text[place:].strip():
            match = _TOKEN.match(self.text, place)
            if match is None:
                raise InvalidInput(
                    f"the formula {self.text!r} has {self.text[place:].strip()[0]!r}: remove it"
                )
            yield ("number" if match[1] else "name" if match[2] else "sign"), match[1] or match[2] or match[3]
            place = match.end()

    def sum(self) -> q.Term:
        return self._chain(("+", "-"), lambda: self._chain(("*", "/"), self.factor))

    def _chain(self, signs: tuple[str, ...], part: Callable[[], q.Term]) -> q.Term:
        found = part()
        while self.peek() in signs:
            found = q.Arithmetic(self.take(), found, part())
        return found

    def factor(self) -> q.Term:
        if self.peek() == "-":
            self.take()
            return q.Number(Fraction(0)) - self.factor()
        if self.peek() == "(":
            return self.between(self.sum)
        kind, token = self.next()
        if kind == "number":
            return q.Number(Fraction(token[:-1]) / 100 if token.endswith("%") else Fraction(token))
        if kind == "name":
            return self.call(token) if self.peek() == "(" else Parameter(token)
        raise self.wrong(f"has {token!r} where a number, a parameter or P(...) is due")

    def call(self, name: str) -> q.Term:
        if name in _FUNCTIONS:
            return self.between(lambda: self.function(name))
        if name not in _QUERIES:
            raise self.wrong(f"has {name!r}: write one of {', '.join((*_QUERIES, *_FUNCTIONS))}")
        queries = {"P": self.query_P, "E": self.query_E, "adj": self.query_adj, "cf": self.query_cf}
        return self.between(queries[name])

    def function(self, name: str) -> q.Term:
        found = self.sum()
        if name == "sqrt":
            return q.Root(found)
        while self.peek() == ",":
            self.take()
            other = self.sum()
            if name == "round":
                if not isinstance(other, q.Number) or other.number.denominator != 1:
                    raise self.wrong("rounds to a number of places that is not whole")
                return q.Rounded(found, int(other.number))
            found = q.Arithmetic(name, found, other)
        return found

    def query_P(self) -> q.Term:  # noqa: N802 - the name that the formula has
        event = self.levels()
        return q.Probability(event, *self.conditions())

    def query_E(self) -> q.Term:  # noqa: N802 - the name that the formula has
        variable = self.name()
        return q.Mean(variable, *self.conditions())

    def query_adj(self) -> q.Term:
        event = self.levels()
        treatment, parts = (), {"over": (), "within": (), "weights": ()}  # type: Any, dict[str, Any]
        while self.peek() == ";":
            self.take()
            if (word := self.peek()) in parts:
                self.take()
                parts[word] = self.listed() if word == "over" else self.levels()
            else:
                treatment = self.levels()
        return q.Adjusted(event, treatment, parts["over"], parts["within"], parts["weights"])

    def query_cf(self) -> q.Term:
        event, do, mediators, given = self.levels(), (), [], ()  # type: q.Levels, q.Levels, Any, q.Levels
        while self.peek() == ";":
            self.take()
            if (word := self.name()) == "do":
                do = self.levels()
            else:
                self.expect("under")
                mediators.append((word, self.levels()))
        if self.peek() == "|":
            self.take()
            given = self.levels()
        return q.Counterfactual(event, do, tuple(mediators), given)

    def conditions(self) -> tuple[q.Levels, q.Levels]:
        """Return what stands after the bar: what is seen, and what is set."""
        given: q.Levels = ()
        do: q.Levels = ()
        if self.peek() != "|":
            return given, do
        self.take()
        while True:
            if self.peek() == "do":
                self.take()
                do += self.between(self.levels)
            else:
                given += (self.level(),)
            if self.peek() != ",":
                return tuple(sorted(given)), tuple(sorted(do))
            self.take()

    def levels(self) -> q.Levels:
        found = [self.level()]
        while self.peek() == ",":
            self.take()
            found.append(self.level())
        return tuple(sorted(found))

    def level(self) -> tuple[str, Any]:
        name = self.name()
        self.expect("=")
        kind, token = self.next()
        if kind == "sign" or "." in token or "%" in token:
            raise self.wrong(f"has {name}={token}: write a level such as {name}=1")
        return name, int(token) if kind == "number" else LevelOf(token)

    def listed(self) -> tuple[str, ...]:
        found = [self.name()]
        while self.peek() == ",":
            self.take()
            found.append(self.name())
        return tuple(found)

    def name(self) -> str:
        kind, token = self.next()
        if kind != "name":
            raise self.wrong(f"has {token!r} where the name of a variable is due")
        return token

    def between(self, part: Callable[[], Read]) -> Read:
        self.expect("(")
        found = part()
        self.expect(")")
        return found

    def peek(self) -> str:
        return self.tokens[self.at][1] if self.at < len(self.tokens) else ""

    def take(self) -> str:
        return self.next()[1]

    def next(self) -> tuple[str, str]:
        if self.at == len(self.tokens):
            raise self.wrong("ends too early")
        self.at += 1
        return self.tokens[self.at - 1]

    def expect(self, token: str) -> None:
        if (found := self.take()) != token:
            raise self.wrong(f"has {found!r} where {token!r} is due")

    def end(self) -> None:
        if self.at < len(self.tokens):
            raise self.wrong(f"has {self.peek()!r} after its end")

    def wrong(self, text: str) -> InvalidInput:
        return InvalidInput(f"the formula {self.text!r} {text}")
