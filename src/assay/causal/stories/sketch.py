"""Facts of a graph, fast: to throw away most of the graphs drawn. It proves nothing."""

from __future__ import annotations

import itertools
from collections.abc import Collection, Mapping

from assay.causal.scm import Dag


class Sketch:
    """Facts of one graph, found by walking along its arrows."""

    def __init__(self, dag: Dag) -> None:
        self._read({name: set(parents) for name, parents in dag.parents.items()})

    @classmethod
    def of(cls, parents: Mapping[str, set[str]]) -> Sketch:
        """Return the sketch of a graph whose variables are in no particular order."""
        made = cls.__new__(cls)
        made._read(parents)
        return made

    def _read(self, parents: Mapping[str, set[str]]) -> None:
        self.parents = dict(parents)
        self._compelled: dict[str, set[str]] | None = None
        self._proper: dict[tuple[str, str], tuple[set[str], Sketch]] = {}
        self.children: dict[str, set[str]] = {name: set() for name in parents}
        for name, causes in parents.items():
            for cause in causes:
                self.children[cause].add(name)

    def below(self, name: str) -> set[str]:
        """Return a variable and all that it affects."""
        return _reach(name, self.children)

    def causes(self, cause: str, effect: str) -> bool:
        """Return whether a directed path leads from one to the other."""
        return effect in self.below(cause)

    def separated(self, left: str, right: str, given: Collection[str], *, backdoor: bool = False) -> bool:
        """Return whether all paths are blocked; with `backdoor`, those that start against an arrow."""
        held = set(given)
        above = set().union(*(_reach(name, self.parents) for name in held)) if held else set()
        todo: list[tuple[str, bool]] = [(name, True) for name in self.parents[left]]
        if not backdoor:
            todo += [(name, False) for name in self.children[left]]
        seen: set[tuple[str, bool]] = set()
        while todo:
            name, upward = todo.pop()
            if (name, upward) in seen or name == left:
                continue
            seen.add((name, upward))
            if name == right:
                return False
            if name not in held:
                todo += [(child, False) for child in self.children[name]]
                if upward:
                    todo += [(parent, True) for parent in self.parents[name]]
            if not upward and name in above:
                todo += [(parent, True) for parent in self.parents[name]]
        return True

    def valid(self, x: str, y: str, over: Collection[str]) -> bool:
        """Return whether a set is valid for adjustment (Shpitser and others 2010)."""
        forbidden, cut = self.proper(x, y)
        return not forbidden & {*over} and x not in over and y not in over and cut.separated(x, y, over)

    def proper(self, x: str, y: str) -> tuple[set[str], Sketch]:
        """Return what lies on causal paths or below, and the graph without the first arrows of such paths."""
        if (x, y) not in self._proper:
            on_path = {name for name in self.below(x) - {x} if y in self.below(name)}
            forbidden = set().union(*(self.below(name) for name in on_path))
            cut = Sketch.of({name: p - {x} if name in on_path else p for name, p in self.parents.items()})
            self._proper[x, y] = forbidden, cut
        return self._proper[x, y]

    def minimal(self, x: str, y: str, over: Collection[str]) -> bool:
        """Return whether a set is valid for adjustment and no part of it is."""
        parts = itertools.chain.from_iterable(itertools.combinations(over, size) for size in range(len(over)))
        return self.valid(x, y, over) and not any(self.valid(x, y, part) for part in parts)

    def valid_for(self, xs: Collection[str], y: str, over: Collection[str]) -> bool:
        """Return whether a set is valid for adjustment of the joint effect of several treatments."""
        proper = self.without(into=xs)
        on_path = {
            name for x in xs for name in proper.below(x) - set(xs) if self.without(out_of=xs).causes(name, y)
        }
        if {y, *xs} & set(over) or any(self.below(name) & set(over) for name in on_path):
            return False
        cut = Sketch.of({n: p - set(xs) if n in on_path else p for n, p in self.parents.items()})
        return all(cut.separated(x, y, {*over, *(set(xs) - {x})}) for x in xs)

    def adjustable(self, x: str, y: str, measured: Collection[str]) -> bool:
        """Return whether some set of measured variables is valid for adjustment (van der Zander 2014)."""
        forbidden, _ = self.proper(x, y)
        above = _reach(x, self.parents) | _reach(y, self.parents)
        return self.valid(x, y, (above & set(measured)) - forbidden - {x, y})

    def instrument(self, z: str, x: str, y: str, given: Collection[str]) -> bool:
        """Return whether a variable is an instrument given others (Pearl 2009, definition 7.4.1)."""
        if z in given or {z, *given} & (self.below(x) - {x}) or self.separated(z, x, given):
            return False
        return self.without(out_of=(x,)).separated(z, y, given)

    def front_door(self, x: str, y: str, mediators: Collection[str]) -> bool:
        """Return whether the front-door criterion holds (Pearl 2009, definition 3.3.3)."""
        if self.without(into=mediators, out_of=mediators).causes(x, y):
            return False
        if not all(self.without(out_of=(x,)).separated(x, m, ()) for m in mediators):
            return False
        cut = self.without(out_of=mediators)
        return all(cut.separated(m, y, {x}) for m in mediators)

    def identifiable(self, x: str, y: str, measured: Collection[str]) -> bool:
        """Return whether an effect is a function of the measured distribution (Tian and Pearl 2002)."""
        upstream = _reach(y, self.parents)
        seen = upstream & set(measured)
        if x not in upstream:
            return True
        direct: dict[str, set[str]] = {name: set() for name in seen}
        joined: dict[str, set[str]] = {name: set() for name in seen}
        onward = {n: set() if n in seen else self.children[n] for n in self.children}
        for name in upstream:
            reached = set().union(*(_reach(child, onward) for child in self.children[name])) & seen
            for other in reached:
                if name in seen:
                    direct[other].add(name)
                else:
                    joined[other] |= reached
        left = _reach(y, _within(direct, seen - {x}))
        while left:
            district = _reach(next(iter(left)), _within(joined, left))
            if not _computable(district, seen, direct, joined):
                return False
            left -= district
        return True

    def compelled(self, cause: str, effect: str) -> bool:
        """Return whether every Markov equivalent graph has an arrow (Meek 1995)."""
        if self._compelled is None:
            beside = {name: self.parents[name] | self.children[name] for name in self.parents}
            into = {
                name: {a for a in parents if parents - beside[a] - {a}}
                for name, parents in self.parents.items()
            }
            left = {(a, b) for b, parents in self.parents.items() for a in parents - into[b]}
            while follow := {
                (a, b)
                for a, b in left
                if into[a] - beside[b]
                or any(a in into[c] for c in into[b])
                or any(open_ - beside[c] - {c} for open_ in [into[b] & beside[a] - into[a]] for c in open_)
            }:
                for a, b in follow:
                    into[b].add(a)
                left -= follow
            self._compelled = into
        return cause in self._compelled[effect]

    def without(self, into: Collection[str] = (), out_of: Collection[str] = ()) -> Sketch:
        """Return the graph without the arrows into or out of some variables."""
        gone = set(out_of)
        kept = {n: set() if n in into else p - gone for n, p in self.parents.items()}
        return Sketch.of(kept)


def _within(edges: Mapping[str, set[str]], names: set[str]) -> dict[str, set[str]]:
    return {name: edges[name] & names for name in names}


def _computable(
    wanted: set[str], known: set[str], direct: Mapping[str, set[str]], joined: Mapping[str, set[str]]
) -> bool:
    """Return whether the factor of a district follows from the distribution of the variables around it."""
    while True:
        known = _reach(next(iter(wanted)), _within(joined, known))
        if known == wanted:
            return True
        above = set().union(*(_reach(name, _within(direct, known)) for name in wanted))
        if above in (wanted, known):
            return above == wanted
        known = above


def _reach(name: str, along: dict[str, set[str]]) -> set[str]:
    found, todo = {name}, [name]
    while todo:
        new = along[todo.pop()] - found
        found |= new
        todo += new
    return found
