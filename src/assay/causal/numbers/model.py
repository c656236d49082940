"""Drawing the model behind a question: parameters, then each mechanism's chances, causes first."""

from __future__ import annotations

import itertools
import random
from collections import defaultdict
from collections.abc import Mapping, Sequence
from fractions import Fraction

from assay.causal import queries as q
from assay.causal.numbers.formula import bound, parsed, with_names
from assay.causal.numbers.recipe import CastRole, Recipe, Task, Value, levels_of
from assay.causal.proof.derived.route import Derived
from assay.causal.scm import Row, Scm, Variable
from assay.causal.search.rough import Rough
from assay.core.errors import InvalidInput

States = Mapping[str, tuple[str, ...]]
Parameters = dict[str, q.Term | Fraction]
LEAST_SIZE, MOST_SIZE, SIZES = 500, 3_000, 100
"""Of how many units counts are told, in steps of SIZES."""
COARSE = 20
"""The denominator of chances where the answer is an exact fraction."""


def drawn_model(
    recipe: Recipe,
    task: Task,
    names: States,
    binding: Sequence[States],
    rng: random.Random,
    *,
    coarse: bool = False,
) -> tuple[Rough, Parameters] | None:
    """Draw a model, ready for rough answers, and its parameters.

    None where a chance lies outside 0 to 1, or what must hold does not.
    `names` are what the state's names stand for. What must hold, must do so under each `binding` of names, as
    questions have them. Where counts are told, chances are rounded so that each count is a whole number of
    units.
    """
    drawer = _Drawer(task, names, rng, coarse=coarse)
    if not all(drawer.draw(name, hidden=recipe.cast[name].role is CastRole.HIDDEN) for name in task.model):
        return None
    world, parameters = Scm(tuple(drawer.variables)), drawer.parameters
    for given in task.given:
        if given.name:
            parameters[given.name] = Derived(world).number(bound(parsed(given.number), names, parameters))
    rough = Rough(world)
    must = {with_names(fact, tuple(each.items())) for fact in task.must for each in binding}
    holding = all(_holds(rough, bound(fact, {}, parameters) if left else fact) for fact, left in must)
    return (rough, parameters) if holding else None


class _Drawer:
    """Draws the variables of a model one after another."""

    def __init__(self, task: Task, names: States, rng: random.Random, *, coarse: bool) -> None:
        self.task, self.names, self.rng, self.coarse = task, names, rng, coarse
        counted = any(given.counts for given in task.given)
        self.size = SIZES * rng.randint(LEAST_SIZE // SIZES, MOST_SIZE // SIZES) if counted else 0
        self.cells: list[tuple[dict[str, int], Fraction]] = [({}, Fraction(self.size))]
        self.variables: list[Variable] = []
        self.parameters: Parameters = {
            name: Fraction(behind[0]) for name, behind in names.items() if behind[0].isdigit()
        }
        for name, value in task.draws.items():
            self.parameters[name] = self._number(value)
        for name, formula in task.lets.items():
            self.parameters[name] = plain(bound(formula, names, self.parameters))

    def draw(self, name: str, *, hidden: bool) -> bool:
        """Draw a variable's chances; return whether all of them lie between 0 and 1."""
        mechanism = self.task.model[name]
        causes = tuple(each for cause in mechanism.given for each in self.names.get(cause, (cause,)))
        rows: dict[tuple[int, ...], Row] = {}
        units = self._units(causes)
        for levels in itertools.product(*(range(levels_of(self.task, cause)) for cause in causes)):
            values = mechanism.row(levels, self.names)
            if values is None:
                raise InvalidInput(
                    f"{name!r} has no row for {', '.join(causes)} = {levels}: write one, or use *"
                )
            chances = [self._whole(self._number(value), value, units[levels]) for value in values]
            if min(chances) < 0 or sum(chances) > 1:
                return False
            rows[levels] = (1 - sum(chances, Fraction(0)), *chances)
        self.variables.append(Variable(name, causes, rows, hidden))
        if self.size:
            self.cells = [
                ({**cell, name: level}, units * chance)
                for cell, units in self.cells
                for level, chance in enumerate(rows[tuple(cell[cause] for cause in causes)])
            ]
        return True

    def _number(self, value: Value) -> Fraction:
        if not isinstance(value, tuple):
            return plain(bound(value, self.names, self.parameters))
        round_ones: Sequence[Fraction] = [each for each in value if COARSE % each.denominator == 0]
        return self.rng.choice(round_ones if self.coarse and round_ones else value)

    def _units(self, causes: Sequence[str]) -> Mapping[tuple[int, ...], Fraction]:
        """Return how many units have each combination of levels, 0 where nothing is counted."""
        found: defaultdict[tuple[int, ...], Fraction] = defaultdict(Fraction)
        if self.size:
            for cell, units in self.cells:
                found[tuple(cell[cause] for cause in causes)] += units
        return found

    @staticmethod
    def _whole(chance: Fraction, value: Value, units: Fraction) -> Fraction:
        """Return the chance nearest to a drawn one that is a whole number of units."""
        if units < 2 or units.denominator != 1 or not isinstance(value, tuple) or chance in (0, 1):
            return chance
        return Fraction(min(max(round(chance * units), 1), int(units) - 1), int(units))


def plain(term: q.Term) -> Fraction:
    """Return the value of a formula without probabilities."""
    match term:
        case q.Number(number):
            return number
        case q.Arithmetic("/", left, right):
            return plain(left) / plain(right)
        case q.Arithmetic(sign, left, right):
            one, other = plain(left), plain(right)
            smaller, larger = sorted((one, other))
            made = {"+": one + other, "-": one - other, "*": one * other, "min": smaller, "max": larger}
            return made[sign]
    raise InvalidInput(f"{term!r} cannot stand in a model: use numbers and parameters")


def _holds(rough: Rough, fact: q.Compare) -> bool:
    one, other = rough.number(fact.left), rough.number(fact.right)
    made = {"<": one < other, "<=": one <= other, ">": one > other, ">=": one >= other, "!=": one != other}
    return made[fact.relation]
