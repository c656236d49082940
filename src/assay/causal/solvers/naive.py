"""How reasoners of graded skill misread a query: each turns it into the one that they would answer."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from fractions import Fraction
from functools import cache

from assay.causal import queries as q
from assay.causal.scm import Dag, Scm
from assay.causal.solvers.compound import inside

World = Scm | Dag
Reading = Callable[[q.Query, World], q.Query]


def marginal(query: q.Query, world: World) -> q.Query:
    """Read as one who takes association for causation: nothing is ever held fixed, and no path is blocked."""
    match query:
        case q.Probability(event, given, do) if do:
            return q.Probability(event, _joined(given, do))
        case q.Mean(variable, given, do) if do:
            return q.Mean(variable, _joined(given, do))
        case q.Adjusted(event, treatment, _, within, _):
            return q.Probability(event, _joined(within, treatment))
        case q.Counterfactual(event, do, _, _):
            return q.Probability(event, do)
        case q.Separated(left, right, _, _):
            return q.Separated(left, right)
        case q.ValidAdjustment(_, _, over) | q.MinimalAdjustment(_, _, over):
            return _constant(not over)
        case q.AdjustmentExists() | q.ValidFrontDoor() | q.Identifiable():
            return _constant(True)
        case q.ValidInstrument(instrument, treatment, _, _):
            return q.Not(q.Separated(instrument, treatment))
        case q.Causes(left, right) | q.Adjacent(left, right) | q.Compelled(left, right):
            return q.Not(q.Separated(left, right))
    return inside(query, lambda part: marginal(part, world))


def adjusting(query: q.Query, world: World) -> q.Query:
    """Read as one who adjusts for all that was measured, and thinks that conditioning only ever blocks."""
    match query:
        case q.Probability(event, given, do) if do:
            rest = _rest(world, (*event, *given, *do))
            return q.Adjusted(event, do, rest, given, given)
        case q.Mean(variable, given, do) if do:
            rest = _rest(world, ((variable, 0), *given, *do))
            return _mean(
                variable, world, lambda level: q.Adjusted(((variable, level),), do, rest, given, given)
            )
        case q.Adjusted(event, treatment, _, within, weights):
            rest = _rest(world, (*event, *treatment, *within, *weights))
            return q.Adjusted(event, treatment, rest, within, weights)
        case q.Counterfactual(event, do, _, _):
            return q.Adjusted(event, do, _rest(world, (*event, *do)))
        case q.Separated(left, right, blocked, _):
            return _constant(not _joined_around(world.dag, left, right, set(blocked)))
        case q.ValidAdjustment(xs, y, over) | q.MinimalAdjustment(xs, y, over):
            return _constant(set(over) == set(world.dag.observed) - {y, *xs})
        case q.AdjustmentExists():
            return _constant(True)
        case q.ValidFrontDoor():
            return _constant(False)
        case q.ValidInstrument(instrument, treatment, _, _):
            return q.Not(q.Separated(instrument, treatment))
        case q.Identifiable(treatment, outcome, also):
            measured = {*world.dag.observed, *also} - {treatment, outcome}
            return _constant(not _joined_around(world.dag, treatment, outcome, measured, backdoor=True))
        case q.Causes(left, right) | q.Adjacent(left, right) | q.Compelled(left, right):
            return q.Not(q.Separated(left, right, _rest(world, ((left, 0), (right, 0)))))
    return inside(query, lambda part: adjusting(part, world))


def _joined(given: q.Levels, do: q.Levels) -> q.Levels:
    return tuple(sorted((dict(given) | dict(do)).items()))


def _rest(world: World, used: Iterable[tuple[str, int]]) -> tuple[str, ...]:
    names = {name for name, _ in used}
    return tuple(name for name in world.dag.observed if name not in names)


def _mean(variable: str, world: World, chance: Callable[[int], q.Term]) -> q.Term:
    if not isinstance(world, Scm):
        return q.Number(Fraction(0))
    found: q.Term = q.Number(Fraction(0))
    for level in range(world.by_name[variable].size):
        found = found + chance(level) * world.by_name[variable].value(level)
    return found


@cache
def _constant(truth: bool) -> q.Fact:
    return q.Compare(q.Number(Fraction(truth)), "=", q.Number(Fraction(1)))


def _joined_around(dag: Dag, start: str, end: str, avoid: set[str], *, backdoor: bool = False) -> bool:
    """Return whether a path that touches none of `avoid` joins two variables, whichever way its arrows point.

    With `backdoor` its first arrow points to the start.
    """
    beside: dict[str, set[str]] = {name: set() for name in dag.names}
    for cause, effect in dag.edges:
        beside[cause].add(effect)
        beside[effect].add(cause)
    reached = {start}
    new = (set(dag.parents[start]) if backdoor else beside[start]) - (avoid - {end})
    while new:
        reached |= new
        new = set().union(*(beside[name] for name in new - {end})) - reached - (avoid - {end})
    return end in reached
