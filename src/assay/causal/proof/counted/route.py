"""The second route to an answer: counting the units of a population, and random numbers on the graph."""

from __future__ import annotations

from fractions import Fraction
from functools import cached_property
from itertools import combinations

from assay.causal import queries as q
from assay.causal.proof.counted import generic
from assay.causal.proof.counted.census import Census
from assay.causal.proof.counted.equivalence import Orientations, adjacent
from assay.causal.proof.counted.identification import identifiable
from assay.causal.scm import Dag, Scm
from assay.core.errors import InvalidInput


class Counted:
    """Answers queries about one model or graph by counting."""

    def __init__(self, world: Scm | Dag) -> None:
        self.world = world
        self.dag = world.dag
        self.numbers = generic.Numbers(world.dag)
        self._sets: dict[tuple[tuple[str, ...], str], list[set[str]]] = {}

    @cached_property
    def census(self) -> Census:
        """The population. InvalidInput for a bare graph."""
        if not isinstance(self.world, Scm):
            raise InvalidInput("a bare graph has no units to count: give a model with its numbers")
        return Census(self.world)

    @cached_property
    def orientations(self) -> Orientations:
        """The graphs that are Markov equivalent to this one."""
        return Orientations(self.dag)

    def number(self, term: q.Term) -> Fraction:
        """Return the value of a term."""
        if isinstance(term, q.Number):
            return term.number
        if isinstance(term, q.Arithmetic):
            return self._arithmetic(term)
        if isinstance(term, q.Rounded):
            return _rounded(self.number(term.term), term.places)
        if isinstance(term, q.Root):
            return _root(self.number(term.term))
        if isinstance(term, q.Probability):
            return self.census.share(dict(term.event), dict(term.given), dict(term.do))
        if isinstance(term, q.Mean):
            return self.census.mean(term.variable, dict(term.given), dict(term.do))
        if isinstance(term, q.Adjusted):
            return self.census.standardised(
                dict(term.event), dict(term.treatment), term.over, dict(term.within), dict(term.weights)
            )
        if isinstance(term, q.Counterfactual):
            mediators = {name: dict(setting) for name, setting in term.mediators}
            return self.census.counterfactual(dict(term.event), dict(term.do), mediators, dict(term.given))
        raise TypeError(f"{type(term).__name__} cannot be counted")

    def holds(self, fact: q.Fact) -> bool:
        """Return whether a fact holds."""
        if isinstance(fact, q.Compare):
            return self._compare(fact)
        if isinstance(fact, q.Not):
            return not self.holds(fact.fact)
        if isinstance(fact, q.Separated):
            return generic.separated(self.numbers, fact.left, fact.right, fact.given, fact.do)
        if isinstance(fact, q.ValidAdjustment):
            return generic.adjusts(self.numbers, fact.treatments, fact.outcome, fact.over)
        if isinstance(fact, q.MinimalAdjustment):
            return set(fact.over) in _smallest(self._valid(fact.treatments, fact.outcome))
        if isinstance(fact, q.AdjustmentExists):
            return len(self._valid(fact.treatments, fact.outcome)) > 0
        if isinstance(fact, q.ValidInstrument):
            return generic.instruments(
                self.numbers, fact.instrument, fact.treatment, fact.outcome, fact.given
            )
        if isinstance(fact, q.ValidFrontDoor):
            return generic.front_door(self.numbers, fact.treatment, fact.outcome, fact.mediators)
        if isinstance(fact, q.Causes):
            return self._moves(fact.cause, fact.effect)
        if isinstance(fact, q.Identifiable):
            return identifiable(self.dag, fact.treatment, fact.outcome, fact.also)
        if isinstance(fact, q.Adjacent):
            return adjacent(self.numbers, fact.left, fact.right)
        if isinstance(fact, q.Compelled):
            return self.orientations.always(fact.cause, fact.effect)
        raise TypeError(f"{type(fact).__name__} cannot be counted")

    def _moves(self, cause: str, effect: str) -> bool:
        """Return whether setting a variable to one level or the other tells in another."""
        made = self.numbers.points({cause, effect}, set_=[cause])
        return not all(point.independent({cause}, {effect}, ()) for point in made)

    def _arithmetic(self, term: q.Arithmetic) -> Fraction:
        left, right = self.number(term.left), self.number(term.right)
        if term.sign == "+":
            return left + right
        if term.sign == "-":
            return left - right
        if term.sign == "*":
            return left * right
        if term.sign in ("min", "max"):
            return left if (left < right) == (term.sign == "min") else right
        return Fraction(left.numerator * right.denominator, left.denominator * right.numerator)

    def _compare(self, fact: q.Compare) -> bool:
        gap = self.number(fact.left) - self.number(fact.right)
        sign = (gap > 0) - (gap < 0)
        holding = {"<": (-1,), "<=": (-1, 0), "=": (0,), "!=": (-1, 1), ">=": (0, 1), ">": (1,)}
        return sign in holding[fact.relation]

    def _valid(self, treatments: tuple[str, ...], outcome: str) -> list[set[str]]:
        asked = treatments, outcome
        if asked not in self._sets:
            free = set(self.dag.observed) - {outcome, *treatments}
            subsets = (set(c) for size in range(len(free) + 1) for c in combinations(sorted(free), size))
            self._sets[asked] = [
                s for s in subsets if generic.adjusts(self.numbers, treatments, outcome, [*s])
            ]
        return self._sets[asked]


def _smallest(sets: list[set[str]]) -> list[set[str]]:
    return [one for one in sets if all(not other.issubset(one) or other == one for other in sets)]


def _root(number: Fraction) -> Fraction:
    near = Fraction(float(abs(number)) ** 0.5).limit_denominator(round(number.denominator**0.5))
    if near * near == number:
        return near
    raise InvalidInput(f"no fraction gives {number} when it is squared")


def _rounded(number: Fraction, places: int) -> Fraction:
    size = abs(number) * 10**places + Fraction(1, 2)
    return Fraction((size.numerator // size.denominator) * (1 if number >= 0 else -1), 10**places)
