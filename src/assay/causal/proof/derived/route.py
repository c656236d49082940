"""The first route to an answer: graph criteria, and formulas of the mechanisms' tables in exact fractions."""

from __future__ import annotations

import math
import operator
from collections.abc import Callable
from fractions import Fraction
from functools import cached_property

from assay.causal import queries as q
from assay.causal.proof.derived.effects import Effects
from assay.causal.proof.derived.equivalence import compelled
from assay.causal.proof.derived.graph import Graph
from assay.causal.proof.derived.identification import identifiable
from assay.causal.scm import Dag, Scm
from assay.core.errors import InvalidInput

_RELATIONS = {
    "<": operator.lt,
    "<=": operator.le,
    "=": operator.eq,
    "!=": operator.ne,
    ">=": operator.ge,
    ">": operator.gt,
}
_JOIN: dict[str, Callable[[Fraction, Fraction], Fraction]] = {
    "+": operator.add,
    "-": operator.sub,
    "*": operator.mul,
    "min": min,
    "max": max,
}


class Derived:
    """Answers queries about one model or graph by derivation."""

    def __init__(self, world: Scm | Dag) -> None:
        self.world = world
        self._known: dict[q.Query, q.Answered] = {}

    @cached_property
    def graph(self) -> Graph:
        """The graph, ready to be searched."""
        return Graph(self.world.dag)

    @cached_property
    def _compelled(self) -> frozenset[tuple[str, str]]:
        return compelled(self.world.dag)

    @cached_property
    def effects(self) -> Effects:
        """The formulas of the model. InvalidInput for a bare graph."""
        if isinstance(self.world, Scm):
            return Effects(self.world)
        raise InvalidInput("a bare graph has no probabilities: ask about its structure, or give a model")

    def number(self, term: q.Term) -> Fraction:
        """Return the value of a term."""
        if term not in self._known:
            self._known[term] = self._number(term)
        return Fraction(self._known[term])

    def holds(self, fact: q.Fact) -> bool:
        """Return whether a fact holds."""
        if fact not in self._known:
            self._known[fact] = self._holds(fact)
        return bool(self._known[fact])

    def _number(self, term: q.Term) -> Fraction:
        match term:
            case q.Number(number):
                return number
            case q.Arithmetic("/", left, right):
                if (below := self.number(right)) == 0:
                    raise InvalidInput(f"a ratio with denominator 0: {right!r}")
                return self.number(left) / below
            case q.Arithmetic(sign, left, right):
                return Fraction(_JOIN[sign](self.number(left), self.number(right)))
            case q.Rounded(inner, places):
                scaled = self.number(inner) * 10**places
                whole, rest = divmod(abs(scaled), 1)
                away = whole + (rest >= Fraction(1, 2))
                return Fraction(away if scaled >= 0 else -away, 10**places)
            case q.Root(inner):
                square = self.number(inner)
                root = Fraction(math.isqrt(max(square.numerator, 0)), math.isqrt(square.denominator))
                if root**2 != square:
                    raise InvalidInput(f"{square} is not the square of a fraction")
                return root
            case q.Probability(event, given, do):
                return self.effects.probability(dict(event), dict(given), dict(do))
            case q.Mean(variable, given, do):
                return self.effects.mean(variable, dict(given), dict(do))
            case q.Adjusted(event, treatment, over, within, weights):
                return self.effects.standardised(
                    dict(event), dict(treatment), over, dict(within), dict(weights)
                )
            case q.Counterfactual(event, do, mediators, given):
                settings = {name: dict(setting) for name, setting in mediators}
                return self.effects.counterfactual(dict(event), dict(do), settings, dict(given))
        raise TypeError(f"no derivation for {type(term).__name__}")

    def _holds(self, fact: q.Fact) -> bool:
        match fact:
            case q.Compare(left, relation, right):
                return bool(_RELATIONS[relation](self.number(left), self.number(right)))
            case q.Not(inner):
                return not self.holds(inner)
            case q.Separated(left_name, right_name, given, do):
                return self.graph.separated({left_name}, right_name, given, do)
            case q.ValidAdjustment(treatments, outcome, over):
                return self.graph.valid_adjustment(treatments, outcome, over)
            case q.MinimalAdjustment(treatments, outcome, over):
                sets = self.graph.valid_sets(treatments, outcome)
                return frozenset(over) in self.graph.minimal(sets)
            case q.AdjustmentExists(treatments, outcome):
                return bool(self.graph.valid_sets(treatments, outcome))
            case q.ValidInstrument(instrument, treatment, outcome, given):
                return self.graph.valid_instrument(instrument, treatment, outcome, given)
            case q.ValidFrontDoor(treatment, outcome, mediators):
                return self.graph.valid_front_door(treatment, outcome, mediators)
            case q.Causes(cause, effect):
                return self.graph.causes(cause, effect)
            case q.Identifiable(treatment, outcome, also):
                return identifiable(self.world.dag, treatment, outcome, also)
            case q.Adjacent(left_name, right_name):
                return self.graph.adjacent(left_name, right_name)
            case q.Compelled(cause, effect):
                return (cause, effect) in self._compelled
        raise TypeError(f"no derivation for {type(fact).__name__}")
