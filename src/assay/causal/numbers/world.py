"""A task in one of its states, and a model drawn for it with the numbers that a text tells."""

from __future__ import annotations

import math
import random
from collections.abc import Sequence
from dataclasses import dataclass, replace
from fractions import Fraction

from assay.causal import queries as q
from assay.causal.numbers.formula import bound, parsed, with_names
from assay.causal.numbers.model import LEAST_SIZE, Models, Parameters, States
from assay.causal.numbers.recipe import Ask, Given, Recipe, Task, names_of, told_terms
from assay.causal.numbers.rough import Numbers, Truths
from assay.causal.numbers.tell import Told, Untellable, shown
from assay.causal.proof.derived.route import Derived
from assay.causal.scm import Scm
from assay.causal.solvers import naive

MOST_UNITS = 20_000


@dataclass(frozen=True, slots=True)
class TaskState:
    """A task in one of its states."""

    recipe: Recipe
    task: Task
    state: str

    def ask(self, name: str) -> Ask:
        """Return what may be asked, by its name."""
        return self.recipe.asks[name]

    def figure(self, ask: str) -> str:
        """Return the name of the figure that answers what is asked."""
        return self.task.key[self.state][ask]

    def formula(self, ask: str, figure: str = "") -> q.Term:
        """Return the formula of a figure as an answer to what is asked; without one, of the right answer."""
        return self.recipe.answer(ask, figure or self.figure(ask))

    def why(self, ask: str) -> str:
        """Return what the right answer to what is asked is, with names of variables."""
        found = self.recipe.figures[self.figure(ask)].why
        return f"100% minus ({found})" if self.ask(ask).opposite else found

    def names(self, ask: str = "") -> States:
        """Return what the names of the state stand for, and those of levels in a question."""
        return names_of(self.recipe, self.task, self.state, ask) if ask else self.task.states[self.state]


class Worlds:
    """Models drawn for a task in one of its states: many at once in floating point, and each exactly."""

    def __init__(self, case: TaskState, rng: random.Random, count: int, *, coarse: bool = False) -> None:
        self.case = case
        self.models = Models(case.recipe, case.task, case.names(), rng, count, coarse=coarse)

    def values(self, ask: str, formula: q.Term) -> Numbers:
        """Return the values of a formula with the names that it has in a question."""
        return self.models.rough.number(with_names(formula, self.case.names(ask)))

    def holding(self, ask: str) -> Truths:
        """Return in which models what must hold does, as a question names it."""
        found: Truths = self.models.possible.copy()
        for fact in self.case.task.must:
            found &= self.models.rough.holds(with_names(fact, self.case.names(ask)))
        return found

    def heard(self, ask: str, target: q.Term, read: naive.Reading) -> Numbers:
        """Return what is answered by one who misreads what is asked for."""
        term = read(with_names(target, self.case.names(ask)), self.models.graph)
        assert isinstance(term, q.Term)
        return self.models.rough.number(term)

    def world(self, at: int) -> World:
        """Return one of the models, exactly."""
        return World(self.case, *self.models.exact(at))


@dataclass(frozen=True, slots=True)
class World:
    """A model, its parameters, and the numbers that a text tells."""

    case: TaskState
    scm: Scm
    parameters: Parameters
    told: tuple[Told, ...] = ()

    def term(self, ask: str, formula: q.Term) -> q.Term:
        """Return a formula with the names that it has in a question bound to this model."""
        return bound(with_names(formula, self.case.names(ask)), {}, self.parameters)  # type: ignore[no-any-return]

    def answer(self, ask: str) -> q.Term:
        """Return the formula of the answer to what is asked."""
        return self.term(ask, self.case.formula(ask))

    def target(self, ask: str) -> q.Term:
        """Return the quantity that is asked for."""
        return self.term(ask, parsed(self.case.ask(ask).target))

    def telling(self, level: int) -> World | None:
        """Return the same with the numbers to tell at a level.

        None where one cannot be written exactly, or takes too many units.
        """
        route = Derived(self.scm)
        told = []
        for given in self.case.task.given:
            if level in given.levels:
                if (one := self._told(given, route)) is None:
                    return None
                told.append(one)
        return replace(self, told=tuple(told))

    def _told(self, given: Given, route: Derived) -> Told | None:
        names = self.case.names()
        if given.number:
            found = Told(given, (), ((route.number(bound(parsed(given.number), names, self.parameters)),),))
        else:
            terms = told_terms(self.case.task, given, names)
            if given.counts:
                counts = _counted(route, terms)
                return None if counts is None else Told(given, terms, counts)
            found = Told(given, terms, tuple((route.number(term),) for term in terms))
        try:
            for (number,) in found.numbers:
                shown(number, given.display)
        except Untellable:
            return None
        return found


def _counted(route: Derived, terms: Sequence[q.Probability]) -> tuple[tuple[Fraction, ...], ...] | None:
    """Return how many units there are of each sort, and how many of them have the event, in whole numbers."""
    sizes = [route.number(q.Probability(term.given)) for term in terms]
    hits = [size * route.number(term) for size, term in zip(sizes, terms, strict=True)]
    step = math.lcm(*(number.denominator for number in (*sizes, *hits)))
    everyone = step * -(-LEAST_SIZE // step)
    if everyone > MOST_UNITS:
        return None
    return tuple((size * everyone, hit * everyone) for size, hit in zip(sizes, hits, strict=True))
