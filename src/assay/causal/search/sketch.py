"""Facts of a graph, fast: to throw away most of the graphs drawn. It proves nothing."""

from __future__ import annotations

from collections.abc import Collection, Iterator

from assay.causal.scm import Dag


class Sketch:
    """Separation, adjustment and open paths of one graph by walking along its arrows."""

    def __init__(self, dag: Dag) -> None:
        self.parents = {name: set(parents) for name, parents in dag.parents.items()}
        self.children: dict[str, set[str]] = {name: set() for name in dag.parents}
        for cause, effect in dag.edges:
            self.children[cause].add(effect)

    @property
    def lonely(self) -> bool:
        """Return whether a variable has no arrow at all."""
        return any(not (self.parents[name] or self.children[name]) for name in self.parents)

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
        on_path = {name for name in self.below(x) - {x} if y in self.below(name)}
        if {x, y} & set(over) or any(self.below(name) & set(over) for name in on_path):
            return False
        arrows = {name: tuple(p - {x} if name in on_path else p) for name, p in self.parents.items()}
        return Sketch(Dag(arrows)).separated(x, y, over)

    def paths(self, x: str, y: str, *, backdoor: bool = False) -> Iterator[tuple[str, ...]]:
        """Give each path that visits no variable twice."""
        firsts = self.parents[x] if backdoor else self.parents[x] | self.children[x]
        stack: list[tuple[str, ...]] = [(x, first) for first in sorted(firsts)]
        while stack:
            path = stack.pop()
            if path[-1] == y:
                yield path
                continue
            beside = self.parents[path[-1]] | self.children[path[-1]]
            stack += [(*path, name) for name in sorted(beside.difference(path))]

    def open(self, path: tuple[str, ...], given: Collection[str]) -> bool:
        """Return whether a path is open given a set."""
        for before, name, after in zip(path, path[1:], path[2:], strict=False):
            if before in self.parents[name] and after in self.parents[name]:
                if not self.below(name) & set(given):
                    return False
            elif name in given:
                return False
        return True


def _reach(name: str, along: dict[str, set[str]]) -> set[str]:
    found, todo = {name}, [name]
    while todo:
        new = along[todo.pop()] - found
        found |= new
        todo += new
    return found
