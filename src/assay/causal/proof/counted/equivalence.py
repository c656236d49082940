"""Which arrows all Markov equivalent graphs share, and who is adjacent, by trying everything.

Adding the variables one by one, in every order, and drawing each arrow from the earlier to the later, gives
every orientation without a cycle. Those are kept in which each variable has exactly the pairs of parents
without an arrow between them that it has in the graph itself. Sets of variables are whole numbers, a bit for
each variable.
"""

from __future__ import annotations

from functools import cached_property
from itertools import combinations

from assay.causal.proof.counted.generic import Numbers
from assay.causal.scm import Dag


class Orientations:
    """The graphs with a graph's skeleton and its v-structures."""

    def __init__(self, dag: Dag) -> None:
        self.place = {name: number for number, name in enumerate(dag.names)}
        self.count = len(self.place)
        self.beside = [0] * self.count
        for cause, effect in dag.edges:
            self.beside[self.place[cause]] |= 1 << self.place[effect]
            self.beside[self.place[effect]] |= 1 << self.place[cause]
        above = [sum(1 << self.place[cause] for cause in dag.parents[name]) for name in dag.names]
        self.meetings = [self._strangers(parents) for parents in above]

    def _strangers(self, members: int) -> frozenset[tuple[int, int]]:
        """Return the pairs of a set that no arrow joins."""
        numbers = [number for number in range(self.count) if members >> number & 1]
        return frozenset((a, b) for a, b in combinations(numbers, 2) if not self.beside[a] >> b & 1)

    @cached_property
    def steps(self) -> list[tuple[int, int]]:
        """All (variables added before, next variable) that occur in an order of an equivalent graph."""
        reached, forward = {0}, []
        for before in range(1 << self.count):
            if before in reached:
                for number in range(self.count):
                    if not before >> number & 1 and self._fits(number, before):
                        reached.add(before | 1 << number)
                        forward.append((before, number))
        finishing, kept = {(1 << self.count) - 1}, []
        for before, number in reversed(forward):
            if before | 1 << number in finishing:
                finishing.add(before)
                kept.append((before, number))
        return kept

    def _fits(self, number: int, before: int) -> bool:
        return self._strangers(self.beside[number] & before) == self.meetings[number]

    def always(self, cause: str, effect: str) -> bool:
        """Return whether an arrow leads from one variable to the other in every orientation."""
        a, b = self.place[cause], self.place[effect]
        return bool(self.beside[a] >> b & 1) and all(
            before >> a & 1 for before, number in self.steps if number == b
        )


def adjacent(numbers: Numbers, left: str, right: str) -> bool:
    """Return whether two variables are dependent given every set of other variables, at a random point."""
    rest = [name for name in numbers.dag.names if name not in (left, right)]
    return all(
        any(not point.independent({left}, {right}, over) for point in numbers.points({left, right, *over}))
        for size in range(len(rest) + 1)
        for over in combinations(rest, size)
    )
