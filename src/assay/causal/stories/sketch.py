"""Facts of many graphs at once, fast: to throw away most of the stories drawn. It proves nothing."""

from __future__ import annotations

import functools
import itertools
import operator
from collections.abc import Collection, Iterable, Mapping, Sequence
from typing import Self

from assay.causal import queries as q
from assay.core.errors import InvalidInput

Graphs = int
"""A set of graphs: bit `n` is set where graph `n` belongs to it."""
Members = Mapping[str, Graphs]
"""A set of variables that differs by graph: for each variable the graphs in which it is a member."""
Arrows = Mapping[str, Members]


class Sketch:
    """Facts of several graphs with the same variables, all found by one walk along their arrows.

    `parents[b][a]` and `children[a][b]` are the graphs with an arrow from a to b, `every` is all graphs.
    """

    def __init__(self, names: Iterable[str], graphs: Sequence[Mapping[str, Iterable[str]]]) -> None:
        parents: dict[str, dict[str, Graphs]] = {name: {} for name in names}
        for number, graph in enumerate(graphs):
            for name, causes in graph.items():
                for cause in causes:
                    parents[name][cause] = parents[name].get(cause, 0) | 1 << number
        self._read(parents, (1 << len(graphs)) - 1)

    @classmethod
    def _of(cls, parents: Arrows, every: Graphs) -> Self:
        made = cls.__new__(cls)
        made._read(parents, every)
        return made

    def _read(self, parents: Arrows, every: Graphs) -> None:
        self.parents, self.every = parents, every
        self.children: dict[str, dict[str, Graphs]] = {name: {} for name in parents}
        for name, causes in parents.items():
            for cause, graphs in causes.items():
                self.children[cause][name] = graphs
        self._proper: dict[tuple[tuple[str, ...], str], tuple[Members, Sketch]] = {}

    def holds(self, query: q.Query, measured: Collection[str]) -> Graphs:
        """Return in which graphs a query is true, where these variables are measured."""
        match query:
            case q.Not(fact):
                return self.every & ~self.holds(fact, measured)
            case q.Compare(q.Number(left), "=", q.Number(right)):
                return self.every if left == right else 0
            case q.ValidAdjustment(xs, y, over):
                return self._valid(xs, y, self._members(over))
            case q.MinimalAdjustment(xs, y, over):
                return self._minimal(xs, y, over) if set(over) <= set(measured) else 0
            case q.AdjustmentExists((x,), y):
                return self._adjustable(x, y, measured)
            case q.Separated(left, right, given, do):
                seen = {*given, *do} - {left, right}
                return self._without(into=do)._separated(left, right, self._members(seen))
            case q.ValidInstrument(z, x, y, given):
                return self._instrument(z, x, y, given)
            case q.ValidFrontDoor(x, y, mediators):
                return self._front_door(x, y, mediators)
            case q.Causes(cause, effect):
                return self._causes(cause, effect)
            case q.Identifiable(x, y, also):
                return self._identifiable(x, y, {*measured, *also})
            case q.Adjacent(left, right):
                return self._beside[left].get(right, 0)
            case q.Compelled(cause, effect):
                return self._compelled[effect].get(cause, 0)
        raise InvalidInput(f"no search for {type(query).__name__}")

    def by_truths(self, facts: Sequence[Graphs]) -> dict[tuple[bool, ...], Graphs]:
        """Return the graphs by which of several facts hold in them, falsehoods first."""
        found: dict[tuple[bool, ...], Graphs] = {(): self.every}
        for fact in facts:
            found = {
                (*truths, holds): both
                for truths, at in found.items()
                for holds in (False, True)
                if (both := at & (fact if holds else ~fact))
            }
        return found

    def _members(self, names: Iterable[str]) -> dict[str, Graphs]:
        return dict.fromkeys(names, self.every)

    def _below(self, name: str) -> Members:
        """Return a variable and all that it affects."""
        return _reach({name: self.every}, self.children)

    def _causes(self, cause: str, effect: str) -> Graphs:
        return self._below(cause).get(effect, 0)

    def _without(self, into: Collection[str] = (), out_of: Collection[str] = ()) -> Sketch:
        """Return the graphs without the arrows into or out of some variables."""
        if not into and not out_of:
            return self
        kept = {
            name: {} if name in into else {cause: at for cause, at in causes.items() if cause not in out_of}
            for name, causes in self.parents.items()
        }
        return Sketch._of(kept, self.every)

    def _separated(self, left: str, right: str, given: Members) -> Graphs:
        """Return where all paths are blocked."""
        above = _reach(given, self.parents)
        joined = 0
        seen: dict[tuple[str, bool], Graphs] = {}
        todo = [(name, True, at) for name, at in self.parents[left].items()]
        todo += [(name, False, at) for name, at in self.children[left].items()]
        while todo:
            name, upward, at = todo.pop()
            at &= ~seen.get((name, upward), 0) & ~joined
            if not at or name == left:
                continue
            seen[name, upward] = seen.get((name, upward), 0) | at
            if name == right:
                joined |= at
                continue
            open_ = at & ~given.get(name, 0)
            back = open_ if upward else at & above.get(name, 0)
            if open_:
                todo += [
                    (child, False, now) for child, to in self.children[name].items() if (now := open_ & to)
                ]
            if back:
                todo += [
                    (parent, True, now) for parent, to in self.parents[name].items() if (now := back & to)
                ]
        return self.every & ~joined

    def _valid(self, xs: tuple[str, ...], y: str, over: Members) -> Graphs:
        """Return where a set is valid for adjustment (Shpitser and others 2010)."""
        forbidden, cut = self._without_paths(xs, y)
        found = self.every & ~_union(at & forbidden.get(name, 0) for name, at in over.items())
        found &= ~_union(over.get(name, 0) for name in (y, *xs))
        for x in xs:
            found &= cut._separated(x, y, {**over, **self._members(set(xs) - {x})})
        return found

    def _without_paths(self, xs: tuple[str, ...], y: str) -> tuple[Members, Sketch]:
        """Return what lies on causal paths or below, and the graphs without such paths' first arrows."""
        if (xs, y) not in self._proper:
            below = _reach(self._members(xs), self._without(into=xs).children)
            above = _reach({y: self.every}, self._without(out_of=xs).parents)
            on_path = _both(below, above, leave=xs)
            cut = {
                name: {
                    cause: at & ~on_path.get(name, 0) if cause in xs else at for cause, at in causes.items()
                }
                for name, causes in self.parents.items()
            }
            self._proper[xs, y] = _reach(on_path, self.children), Sketch._of(cut, self.every)
        return self._proper[xs, y]

    def _minimal(self, xs: tuple[str, ...], y: str, over: Collection[str]) -> Graphs:
        """Return where a set is valid for adjustment and no part of it is."""
        found = self._valid(xs, y, self._members(over))
        for part in itertools.chain.from_iterable(
            itertools.combinations(over, size) for size in range(len(over))
        ):
            found &= ~self._valid(xs, y, self._members(part))
        return found

    def _adjustable(self, x: str, y: str, measured: Collection[str]) -> Graphs:
        """Return where some set of measured variables is valid for adjustment (van der Zander 2014)."""
        forbidden, _ = self._without_paths((x,), y)
        above = _reach(self._members((x, y)), self.parents)
        over = {n: at & ~forbidden.get(n, 0) for n, at in above.items() if n in measured and n not in (x, y)}
        return self._valid((x,), y, over)

    def _instrument(self, z: str, x: str, y: str, given: Collection[str]) -> Graphs:
        """Return where a variable is an instrument given others (Pearl 2009, definition 7.4.1)."""
        if z in given:
            return 0
        below, held = self._below(x), self._members(given)
        found = self._without(out_of=(x,))._separated(z, y, held) & ~self._separated(z, x, held)
        return found & ~_union(below.get(name, 0) for name in {z, *given} - {x})

    def _front_door(self, x: str, y: str, mediators: Collection[str]) -> Graphs:
        """Return where the front-door criterion holds (Pearl 2009, definition 3.3.3)."""
        found = self.every & ~self._without(into=mediators, out_of=mediators)._causes(x, y)
        cut, onward = self._without(out_of=(x,)), self._without(out_of=mediators)
        for mediator in mediators:
            found &= cut._separated(x, mediator, {}) & onward._separated(mediator, y, {x: self.every})
        return found

    def _identifiable(self, x: str, y: str, measured: Collection[str]) -> Graphs:
        """Return where an effect is a function of the measured distribution (Tian and Pearl 2002)."""
        upstream = _reach({y: self.every}, self.parents)
        seen = {name: at for name, at in upstream.items() if name in measured}
        onward = {
            name: {child: at & ~seen.get(name, 0) for child, at in children.items()}
            for name, children in self.children.items()
        }
        direct: dict[str, dict[str, Graphs]] = {name: {} for name in seen}
        joined: dict[str, dict[str, Graphs]] = {name: {} for name in seen}
        for name, here in upstream.items():
            start = {child: at & here for child, at in self.children[name].items()}
            reached = _both(_reach(start, onward), seen)
            if name in seen:
                for other, at in reached.items():
                    direct[other][name] = direct[other].get(name, 0) | at
            else:
                for one, other in itertools.product(reached, repeat=2):
                    joined[one][other] = joined[one].get(other, 0) | reached[one] & reached[other]
        left = _reach({y: self.every}, _within(direct, {**seen, x: 0}))
        found, linked = self.every, _within(joined, left)
        for name, at in left.items():
            district = _reach({name: at}, linked)
            found &= ~at | _computable(name, district, seen, direct, joined)
        return found | self.every & ~upstream.get(x, 0)

    @functools.cached_property
    def _beside(self) -> Arrows:
        """Which variables an arrow joins, either way."""
        return {
            name: {
                other: self.parents[name].get(other, 0) | self.children[name].get(other, 0)
                for other in {*self.parents[name], *self.children[name]}
            }
            for name in self.parents
        }

    @functools.cached_property
    def _compelled(self) -> Arrows:
        """The arrows that every Markov equivalent graph has, as `parents` has all (Meek 1995)."""
        beside = self._beside

        def apart(one: str, others: Members) -> Graphs:
            return _union(at & ~beside[one].get(other, 0) for other, at in others.items() if other != one)

        into = {
            b: {a: at & apart(a, causes) for a, at in causes.items()} for b, causes in self.parents.items()
        }
        changed = True
        while changed:
            changed = False
            for b, causes in self.parents.items():
                for a, arrow in causes.items():
                    unsure = {c: at & beside[a].get(c, 0) & ~into[a].get(c, 0) for c, at in into[b].items()}
                    follows = apart(b, into[a])
                    follows |= _union(at & into[c].get(a, 0) for c, at in into[b].items())
                    follows |= _union(at & apart(c, unsure) for c, at in unsure.items())
                    if new := arrow & follows & ~into[b][a]:
                        into[b][a] |= new
                        changed = True
        return into


@functools.lru_cache(maxsize=4096)
def bits(several: int) -> tuple[int, ...]:
    """Return the numbers in a set, such as those of graphs, lowest first."""
    return tuple(number for number in range(several.bit_length()) if several >> number & 1)


def _union(several: Iterable[Graphs]) -> Graphs:
    return functools.reduce(operator.or_, several, 0)


def _both(one: Members, other: Members, leave: Collection[str] = ()) -> dict[str, Graphs]:
    """Return what two sets have in common, but for some variables."""
    return {n: both for n, at in one.items() if n not in leave and (both := at & other.get(n, 0))}


def _within(arrows: Arrows, members: Members) -> Arrows:
    """Return the arrows between members."""
    return {
        name: {other: at & members.get(name, 0) & members.get(other, 0) for other, at in others.items()}
        for name, others in arrows.items()
    }


def _reach(start: Members, along: Arrows) -> dict[str, Graphs]:
    """Return a set and all that can be reached from it."""
    found = dict(start)
    todo = list(found.items())
    while todo:
        name, at = todo.pop()
        for other, arrow in along[name].items():
            if new := at & arrow & ~found.get(other, 0):
                found[other] = found.get(other, 0) | new
                todo.append((other, new))
    return found


def _differ(one: Members, other: Members) -> Graphs:
    return _union(one.get(name, 0) ^ other.get(name, 0) for name in {*one, *other})


def _computable(name: str, wanted: Members, known: Members, direct: Arrows, joined: Arrows) -> Graphs:
    """Return where the factor of a variable's district follows from the distribution of those around it."""
    found, left = 0, wanted[name]
    while left:
        known = _reach({name: left}, _within(joined, known))
        above = _reach({each: at & left for each, at in wanted.items()}, _within(direct, known))
        found |= left & ~_differ(above, wanted)
        left &= _differ(above, wanted) & _differ(above, known)
        known = above
    return found
