"""Counting paths without following them: by orders of the variables between, and by dependence along each."""

from __future__ import annotations

import itertools
from collections.abc import Iterator, Sequence

from assay.causal.proof.counted.generic import POINTS, Generic
from assay.causal.queries import Paths
from assay.causal.scm import Dag


def count(dag: Dag, start: str, end: str, kind: Paths, given: Sequence[str]) -> int:
    """Return how many paths of a kind join two variables."""
    return sum(_counts(dag, path, kind, given) for path in _chains(dag, start, end))


def _chains(dag: Dag, start: str, end: str) -> Iterator[tuple[str, ...]]:
    """Yield every order of every choice of variables between in which neighbours are joined by an arrow."""
    joined = {frozenset(edge) for edge in dag.edges}
    between = [name for name in dag.names if name not in (start, end)]
    for size in range(len(between) + 1):
        for middle in itertools.permutations(between, size):
            path = (start, *middle, end)
            if all(frozenset(pair) in joined for pair in itertools.pairwise(path)):
                yield path


def _counts(dag: Dag, path: Sequence[str], kind: Paths, given: Sequence[str]) -> bool:
    arrows = set(dag.edges)
    if kind is Paths.CAUSAL:
        return all((a, b) in arrows for a, b in itertools.pairwise(path))
    if kind in (Paths.BACKDOOR, Paths.OPEN_BACKDOOR) and (path[0], path[1]) in arrows:
        return False
    return kind in (Paths.ALL, Paths.BACKDOOR) or carries(dag, path, given)


def carries(dag: Dag, path: Sequence[str], given: Sequence[str]) -> bool:
    """Return whether a path alone makes its ends dependent given others.

    All arrows but the path's are taken away, and every variable between that sends anything downstream to a
    given one gets a private effect that is given instead: dependence of the ends is then the path's own.
    """
    steps = list(itertools.pairwise(path))
    kept = {edge for edge in dag.edges if edge in steps or edge[::-1] in steps}
    parents = {name: [a for a, b in kept if b == name] for name in dag.names if name in path}
    seen = [name for name in given if name in path]
    for name in path[1:-1]:
        if any(_reaches(dag, name, other) for other in given):
            parents[f"below {name}"] = [name]
            seen.append(f"below {name}")
    return not all(Generic(parents, seed).independent({path[0]}, {path[-1]}, seen) for seed in range(POINTS))


def _reaches(dag: Dag, start: str, end: str) -> bool:
    """Return whether an arrow chain leads on from one variable to another."""
    layer = {start}
    for _ in dag.names:
        layer = {effect for cause, effect in dag.edges if cause in layer}
        if end in layer:
            return True
    return False
