"""Structural causal models over finite variables, with exact probabilities, and their graphs."""

from __future__ import annotations

import itertools
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from fractions import Fraction

from assay.core.errors import InvalidInput

Row = tuple[Fraction, ...]


@dataclass(frozen=True, slots=True)
class Dag:
    """A directed acyclic graph: each variable's parents, causes before effects. `hidden` are unmeasured."""

    parents: Mapping[str, tuple[str, ...]]
    hidden: frozenset[str] = frozenset()

    def __post_init__(self) -> None:
        known: set[str] = set()
        for name, parents in self.parents.items():
            if missing := [parent for parent in parents if parent not in known]:
                raise InvalidInput(f"{name!r} comes before its cause {missing[0]!r}: list causes first")
            known.add(name)
        if unknown := sorted(self.hidden - known):
            raise InvalidInput(f"hidden variable {unknown[0]!r} is not in the graph")

    @property
    def names(self) -> tuple[str, ...]:
        """All variables, causes before effects."""
        return tuple(self.parents)

    @property
    def observed(self) -> tuple[str, ...]:
        """The measured variables, causes before effects."""
        return tuple(name for name in self.parents if name not in self.hidden)

    @property
    def edges(self) -> tuple[tuple[str, str], ...]:
        """All arrows, as (cause, effect)."""
        return tuple((parent, name) for name, parents in self.parents.items() for parent in parents)

    @property
    def dag(self) -> Dag:
        """The graph itself, so that graphs and models can be asked alike."""
        return self


def dag(arrows: str, *, hidden: str = "") -> Dag:
    """Return the graph of arrows such as `"Z>X Z>Y X>Y"`; `hidden` names unmeasured variables (`"U V"`).

    A name without an arrow is a variable of its own. InvalidInput for a cycle.
    """
    parents: dict[str, list[str]] = {}
    for word in arrows.split():
        chain = word.split(">")
        for name in chain:
            parents.setdefault(name, [])
        for cause, effect in itertools.pairwise(chain):
            if cause not in parents[effect]:
                parents[effect].append(cause)
    ordered: dict[str, tuple[str, ...]] = {}
    while len(ordered) < len(parents):
        free = [n for n in parents if n not in ordered and all(p in ordered for p in parents[n])]
        if not free:
            raise InvalidInput(f"the arrows {arrows!r} hold a cycle: turn one round")
        ordered |= {name: tuple(parents[name]) for name in free}
    return Dag(ordered, frozenset(hidden.split()))


@dataclass(frozen=True, slots=True)
class Variable:
    """One variable's mechanism.

    `table` gives for each combination of the parents' levels (in the order of `parents`) the probability of
    each level, which sum to 1. Levels are counted from 0; `values` are the numbers that they stand for.
    """

    name: str
    parents: tuple[str, ...]
    table: Mapping[tuple[int, ...], Row]
    hidden: bool = False
    values: Row = ()

    @property
    def size(self) -> int:
        """The number of levels."""
        return len(next(iter(self.table.values())))

    def value(self, level: int) -> Fraction:
        """The number that a level stands for: the level itself unless `values` says otherwise."""
        return self.values[level] if self.values else Fraction(level)


@dataclass(frozen=True, slots=True)
class Scm:
    """A structural causal model: mechanisms with independent disturbances, causes before effects.

    InvalidInput for a row that is missing or does not sum to 1.
    """

    variables: tuple[Variable, ...]
    dag: Dag = field(init=False)
    by_name: Mapping[str, Variable] = field(init=False)

    def __post_init__(self) -> None:
        by_name = {each.name: each for each in self.variables}
        if len(by_name) < len(self.variables):
            raise InvalidInput(f"two variables share a name: {[each.name for each in self.variables]!r}")
        hidden = frozenset(each.name for each in self.variables if each.hidden)
        object.__setattr__(self, "dag", Dag({v.name: v.parents for v in self.variables}, hidden))
        object.__setattr__(self, "by_name", by_name)
        for variable in self.variables:
            sizes = [range(by_name[parent].size) for parent in variable.parents]
            _check(variable, itertools.product(*sizes))


def _check(variable: Variable, wanted: Iterable[tuple[int, ...]]) -> None:
    rows = set(wanted)
    if rows != set(variable.table):
        odd = sorted(rows.symmetric_difference(variable.table))[0]
        raise InvalidInput(f"{variable.name!r} has a missing or unknown row of parents' levels {odd!r}")
    for levels, row in variable.table.items():
        if len(row) != variable.size or sum(row) != 1 or min(row) < 0:
            shown = ", ".join(map(str, row))
            raise InvalidInput(f"{variable.name!r} given {levels!r}: ({shown}) is no distribution")
    if variable.values and len(variable.values) != variable.size:
        raise InvalidInput(f"{variable.name!r} has {variable.size} levels but {len(variable.values)} values")


def binary(
    name: str,
    parents: str = "",
    table: Fraction | Mapping[tuple[int, ...] | int, Fraction] = Fraction(1, 2),
    *,
    hidden: bool = False,
) -> Variable:
    """Return a variable with levels 0 and 1, from the probability of 1 for each combination of parents.

    `parents` are names apart by spaces; with one parent the keys may be plain levels, with none `table` is
    the probability itself.
    """
    rows = table if isinstance(table, Mapping) else {(): table}
    return Variable(
        name,
        tuple(parents.split()),
        {_key(key): (1 - Fraction(p), Fraction(p)) for key, p in rows.items()},
        hidden,
    )


def levels(
    name: str,
    parents: str,
    table: Mapping[tuple[int, ...] | int, Iterable[Fraction]],
    *,
    values: Iterable[Fraction | int] = (),
    hidden: bool = False,
) -> Variable:
    """Return a variable with several levels; `table` gives all levels' probabilities per row of parents."""
    rows = {_key(key): tuple(map(Fraction, row)) for key, row in table.items()}
    return Variable(name, tuple(parents.split()), rows, hidden, tuple(map(Fraction, values)))


def _key(key: tuple[int, ...] | int) -> tuple[int, ...]:
    return key if isinstance(key, tuple) else (key,)
