"""Drawing the models behind a question: parameters, then each mechanism's chances, causes first."""

from __future__ import annotations

import itertools
import operator
import random
from collections import defaultdict
from collections.abc import Callable, Mapping, Sequence
from fractions import Fraction
from functools import cached_property
from typing import Any

import numpy as np
import numpy.typing as npt

from assay.causal import queries as q
from assay.causal.numbers.formula import Parameter, bound, parsed, with_names
from assay.causal.numbers.recipe import CastRole, Recipe, Task, Value, levels_of
from assay.causal.numbers.rough import JOIN, ChanceArray, Rough
from assay.causal.proof.derived.route import Derived
from assay.causal.scm import Scm, Variable
from assay.core.errors import InvalidInput

States = Mapping[str, tuple[str, ...]]
Parameters = dict[str, q.Term | Fraction]
Drawn = npt.NDArray[Any]
"""Numbers with a place for each model: floats, or fractions as objects."""
Pick = Callable[[Sequence[Fraction]], Drawn]
LEAST_SIZE, MOST_SIZE, SIZES = 500, 3_000, 100
"""Of how many units counts are told, in steps of SIZES."""
COARSE = 20
"""The denominator of chances where the answer is an exact fraction."""
NEAR, NOUGHT = 1e-6, -1e-12
"""How near to a whole number of units counts as one, and from where a chance counts as not below 0."""
_JOIN: dict[str, Callable[[Any, Any], Any]] = {**JOIN, "/": operator.truediv}


class Models:
    """Models drawn for a task in one of its states: all at once in floating point, and each exactly.

    `names` are what the state's names stand for. Where counts are told, chances are rounded so that each
    count is a whole number of units. `possible` says in which models all chances lie between 0 and 1.
    """

    def __init__(
        self, recipe: Recipe, task: Task, names: States, rng: random.Random, count: int, *, coarse: bool
    ) -> None:
        self.recipe, self.task, self.names = recipe, task, names
        self._picks: list[tuple[Sequence[Fraction], list[int]]] = []

        def pick(values: Sequence[Fraction]) -> Drawn:
            values = (coarse and [each for each in values if COARSE % each.denominator == 0]) or values
            places = rng.choices(range(len(values)), k=count)
            self._picks.append((values, places))
            return np.array(values, dtype=float)[places]

        drawer = _Drawer(task, names, pick, float, count)
        tables = {name: drawer.table(name) for name in task.model}
        self.possible = np.ones(count, dtype=bool)
        for table in tables.values():
            self.possible &= (table.reshape(-1, count) > NOUGHT).all(axis=0)
        found = {
            name: ChanceArray(drawer.causes(name), table, tuple(map(float, range(table.shape[-2]))))
            for name, table in tables.items()
        }
        parameters = {name: np.broadcast_to(each, (count,)) for name, each in drawer.parameters.items()}
        self.rough = Rough(found, parameters)
        for given in task.given:
            if given.name:
                parameters[given.name] = self.rough.number(with_names(parsed(given.number), names))

    @cached_property
    def graph(self) -> Scm:
        """A model with the same variables and causes, and even chances."""
        variables = []
        for name, each in self.rough.mechanisms.items():
            size = len(each.values)
            even = dict.fromkeys(np.ndindex(each.chances.shape[:-2]), (Fraction(1, size),) * size)
            variables.append(Variable(name, each.causes, even, self._hidden(name)))
        return Scm(tuple(variables))

    def _hidden(self, name: str) -> bool:
        return self.recipe.cast[name].role is CastRole.HIDDEN

    def exact(self, at: int) -> tuple[Scm, Parameters]:
        """Return one of the models and its parameters."""
        picks = iter(self._picks)

        def pick(_: Sequence[Fraction]) -> Drawn:
            values, places = next(picks)
            return np.array([values[places[at]]], dtype=object)

        drawer, variables = _Drawer(self.task, self.names, pick, Fraction, 1), []
        for name in self.task.model:
            table = drawer.table(name)
            rows = {levels: tuple(table[levels][:, 0]) for levels in np.ndindex(table.shape[:-2])}
            variables.append(Variable(name, drawer.causes(name), rows, self._hidden(name)))
        scm, parameters = Scm(tuple(variables)), {n: np.ravel(v)[0] for n, v in drawer.parameters.items()}
        for given in self.task.given:
            if given.name:
                number = bound(parsed(given.number), self.names, parameters)
                parameters[given.name] = Derived(scm).number(number)
        return scm, parameters


class _Drawer:
    """Draws the variables of models one after another, in floating point or exactly."""

    def __init__(
        self, task: Task, names: States, pick: Pick, kind: type[float] | type[Fraction], count: int
    ) -> None:
        self.task, self.names, self.pick, self.kind, self.count = task, names, pick, kind, count
        sizes = [Fraction(size) for size in range(LEAST_SIZE, MOST_SIZE + 1, SIZES)]
        counted = any(given.counts for given in task.given)
        self.cells: list[tuple[dict[str, int], Drawn]] = [({}, pick(sizes))] if counted else []
        self.parameters: dict[str, Any] = {
            name: kind(behind[0]) for name, behind in names.items() if behind[0].isdigit()
        }
        for name, value in (*task.draws.items(), *task.lets.items()):
            self.parameters[name] = self._number(value)

    def causes(self, name: str) -> tuple[str, ...]:
        """Return the variables that a variable depends on."""
        return tuple(
            each for cause in self.task.model[name].given for each in self.names.get(cause, (cause,))
        )

    def table(self, name: str) -> Drawn:
        """Draw a variable's chances: axes for its causes, one for its levels and one for the models."""
        causes, rows = self.causes(name), {}
        sizes = [levels_of(self.task, cause) for cause in causes]
        units = self._units(causes)
        for levels in itertools.product(*map(range, sizes)):
            values = self.task.model[name].row(levels, self.names)
            if values is None:
                raise InvalidInput(
                    f"{name!r} has no row for {', '.join(causes)} = {levels}: write one, or use *"
                )
            chances = [self._chance(value, units.get(levels)) for value in values]
            rows[levels] = [self.kind(1) - sum(chances, self.kind(0)), *chances]
        self.cells = [
            ({**cell, name: level}, units * chance)
            for cell, units in self.cells
            for level, chance in enumerate(rows[tuple(cell[cause] for cause in causes)])
        ]
        whole = [np.broadcast_to(np.asarray(each), (self.count,)) for row in rows.values() for each in row]
        return np.array(whole).reshape(*sizes, -1, self.count)

    def _number(self, value: Value) -> Any:
        return self.pick(value) if isinstance(value, tuple) else self._reckoned(with_names(value, self.names))

    def _reckoned(self, term: q.Term) -> Any:
        """Return the value of a formula without probabilities."""
        match term:
            case q.Number(number):
                return self.kind(number)
            case Parameter(name) if name in self.parameters:
                return self.parameters[name]
            case q.Arithmetic(sign, left, right):
                return _JOIN[sign](self._reckoned(left), self._reckoned(right))
        raise InvalidInput(f"{term!r} cannot stand in a model: use numbers and parameters")

    def _units(self, causes: Sequence[str]) -> Mapping[tuple[int, ...], Drawn]:
        """Return how many units have each combination of levels; nothing where nothing is counted."""
        found: defaultdict[tuple[int, ...], Any] = defaultdict(lambda: self.kind(0))
        for cell, units in self.cells:
            levels = tuple(cell[cause] for cause in causes)
            found[levels] = found[levels] + units
        return found

    def _chance(self, value: Value, units: Drawn | None) -> Any:
        """Return a chance; where units are counted, one that is drawn makes a whole number of them."""
        chance = self._number(value)
        if units is None or not isinstance(value, tuple):
            return chance
        half = self.kind(0.5 + NEAR)  # so that halves are rounded up in floating point too
        whole = (units + half) // 1
        hits = np.minimum(np.maximum((chance * whole + half) // 1, 1), whole - 1)
        rounded = (abs(units - whole) < NEAR) & (whole >= 2) & (chance > 0) & (chance < 1)
        return np.where(rounded, self.kind(1) * hits / np.maximum(whole, 1), chance)
