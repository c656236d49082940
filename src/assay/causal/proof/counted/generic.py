"""Facts of a graph from numbers: random mechanisms in a large finite field, and identities checked there.

Whether two variables are independent, or an adjustment gives the effect, for all mechanisms on a graph is the
question whether a polynomial in the mechanisms' parameters is zero. One that is not vanishes at a random
point of a field with 2**31 - 1 elements with chance at most degree / 2**31 (Schwartz 1980, Zippel 1979); one
that is zero always does. Two points are tried. Binary variables suffice: dependences that a graph allows show
in almost all binary models (Meek 1995).
"""

from __future__ import annotations

import random
from collections.abc import Collection, Iterator, Mapping, Sequence

import numpy as np
from numpy.typing import NDArray

from assay.causal.scm import Dag

PRIME = 2**31 - 1
POINTS = 2
MOST = 16
SMALL = 9

Field = NDArray[np.uint64]


class Generic:
    """Random binary mechanisms on a graph: its joint distribution as numbers of the field.

    `set_` variables are cut from their causes and drawn apart, so that conditioning on them is setting them.
    """

    def __init__(
        self, parents: Mapping[str, Sequence[str]], seed: int, *, set_: Collection[str] = ()
    ) -> None:
        self.names = list(parents)
        if len(self.names) > MOST:
            raise ValueError(f"{len(self.names)} variables are too many to enumerate: at most {MOST}")
        self._over: dict[frozenset[str], Field] = {}
        self._inverse: dict[frozenset[str], Field] = {}
        self.joint: Field = np.ones((2,) * len(self.names), dtype=np.uint64)
        for place, name in enumerate(self.names):
            causes = [] if name in set_ else [each for each in self.names[:place] if each in parents[name]]
            draws = random.Random(f"{seed} {name} {'set' if name in set_ else ''}")
            one = [draws.randrange(2, PRIME - 1) for _ in range(2 ** len(causes))]
            both = np.array([[PRIME + 1 - number, number] for number in one], dtype=np.uint64)
            shape = [2 if each in causes or each == name else 1 for each in self.names]
            self.joint = self.joint * both.reshape(shape) % PRIME

    def over(self, keep: Collection[str]) -> Field:
        """Return the distribution of some variables; the others' axes have length 1."""
        kept = frozenset(keep)
        if kept not in self._over:
            found = self.joint
            for axis, name in enumerate(self.names):
                if name not in kept:
                    found = found.sum(axis=axis, keepdims=True) % PRIME
            self._over[kept] = found
        return self._over[kept]

    def independent(self, left: Collection[str], right: Collection[str], given: Collection[str]) -> bool:
        """Return whether P(l, r, g) P(g) = P(l, g) P(r, g) for all levels."""
        one, other, seen = set(left), set(right), set(given)
        together = self.over(one | other | seen) * self.over(seen) % PRIME
        return bool(np.all(together == self.over(one | seen) * self.over(other | seen) % PRIME))

    def conditional(self, event: Collection[str], given: Collection[str]) -> Field:
        """Return P(event | given) for all levels."""
        below = frozenset(given)
        if below not in self._inverse:
            self._inverse[below] = inverse(self.over(below))
        return self.over(below.union(event)) * self._inverse[below] % PRIME


def inverse(numbers: Field) -> Field:
    """Return the field's inverses. ValueError where a number is 0, which random mechanisms never make it."""
    found = [pow(int(number), -1, PRIME) for number in numbers.ravel()]
    return np.array(found, dtype=np.uint64).reshape(numbers.shape)


class Numbers:
    """A graph's random mechanisms, made when first needed and kept.

    A small graph is enumerated whole; of a larger one, only what lies upstream of what is asked about.
    """

    def __init__(self, dag: Dag) -> None:
        self.dag = dag
        self._known: dict[tuple[frozenset[str], tuple[str, ...], str, int], Generic] = {}

    def points(self, asked: Collection[str], *, set_: Sequence[str] = (), off: str = "") -> Iterator[Generic]:
        """Yield mechanisms that cover `asked`, at each random point. `off` is a variable without effects."""
        parents = {name: [c for c in causes if c != off] for name, causes in self.dag.parents.items()}
        needed = set(parents) if len(parents) <= SMALL else set(asked)
        for name in reversed(list(parents)):
            if name in needed:
                needed.update(() if name in set_ else parents[name])
        names = frozenset(needed)
        for seed in range(POINTS):
            key = names, tuple(sorted(set_)), off, seed
            if key not in self._known:
                part = {name: causes for name, causes in parents.items() if name in names}
                self._known[key] = Generic(part, seed, set_=set_)
            yield self._known[key]


def separated(numbers: Numbers, left: str, right: str, given: Sequence[str], do: Sequence[str] = ()) -> bool:
    """Return whether two variables are independent given others at every random point, with `do` set.

    What is set is given as well: it is cut from its causes, so that to see it is to set it.
    """
    seen = [*given, *(name for name in do if name not in (left, right, *given))]
    points = numbers.points({left, right, *seen}, set_=do)
    return all(point.independent({left}, {right}, seen) for point in points)


def adjusts(numbers: Numbers, treatments: Sequence[str], outcome: str, over: Sequence[str]) -> bool:
    """Return whether standardising over a set gives what setting the treatments does to the outcome."""
    if {outcome, *treatments} & set(over):
        return False
    asked = {outcome, *treatments, *over}
    worlds = zip(numbers.points(asked), numbers.points(asked, set_=treatments), strict=True)
    for seen, made in worlds:
        mixed = seen.conditional({outcome}, {*treatments, *over}) * seen.over(set(over)) % PRIME
        for axis, name in enumerate(seen.names):
            if name in over:
                mixed = mixed.sum(axis=axis, keepdims=True) % PRIME
        if not np.array_equal(mixed.ravel(), made.conditional({outcome}, treatments).ravel()):
            return False
    return True


def instruments(
    numbers: Numbers, instrument: str, treatment: str, outcome: str, given: Sequence[str]
) -> bool:
    """Return whether the instrument moves the treatment, and the outcome only through it.

    The treatment's effects are switched off; what then still joins instrument and outcome is another way
    than through the treatment. The treatment may move neither the instrument nor what is given.
    """
    if instrument in given:
        return False
    asked = {instrument, treatment, outcome, *given}
    if any(point.independent({instrument}, {treatment}, given) for point in numbers.points(asked)):
        return False
    silent = numbers.points(asked, off=treatment)
    if not all(point.independent({instrument}, {outcome}, given) for point in silent):
        return False
    made = numbers.points(asked, set_=[treatment])
    return all(point.independent({treatment}, {n}, ()) for point in made for n in (instrument, *given))


def front_door(numbers: Numbers, treatment: str, outcome: str, mediators: Sequence[str]) -> bool:
    """Return whether the front-door conditions hold, each seen in the numbers.

    Setting the mediators leaves the treatment nothing to do; treatment and mediators share no cause; and
    adjusting for the treatment gives the mediators' effect on the outcome.
    """
    ms = list(mediators)
    fixed = numbers.points({treatment, outcome, *ms}, set_=[treatment, *ms])
    if not all(point.independent({treatment}, {outcome}, ms) for point in fixed):
        return False
    reached = all(adjusts(numbers, [treatment], m, []) for m in ms)
    return reached and adjusts(numbers, ms, outcome, [treatment])
