"""Facts of a graph from numbers: random mechanisms in a large finite field, and identities checked there.

Whether two variables are independent, or an adjustment gives the effect, for all mechanisms on a graph is the
question whether a polynomial in the mechanisms' parameters is zero. One that is not vanishes at a random
point of a field with 2**31 - 1 elements with chance at most degree / 2**31 (Schwartz 1980, Zippel 1979); one
that is zero always does. Two points are tried. Binary variables suffice: dependences that a graph allows show
in almost all binary models (Meek 1995).
"""

from __future__ import annotations

import random
from collections.abc import Collection, Mapping, Sequence

import numpy as np
from numpy.typing import NDArray

from assay.causal.scm import Dag

PRIME = 2**31 - 1
POINTS = 2
MOST = 16

Field = NDArray[np.uint64]


class Generic:
    """Random binary mechanisms on a graph: its joint distribution as numbers of the field.

    Only `names` and what lies upstream take part. `set_` variables are cut from their causes and uniform, so
    that conditioning on them is setting them.
    """

    def __init__(
        self,
        parents: Mapping[str, Sequence[str]],
        names: Collection[str],
        seed: int,
        *,
        set_: Collection[str] = (),
    ) -> None:
        needed = set(names)
        for name in reversed(list(parents)):
            if name in needed and name not in set_:
                needed.update(parents[name])
        self.names = [name for name in parents if name in needed]
        if len(self.names) > MOST:
            raise ValueError(f"{len(self.names)} variables are too many to enumerate: at most {MOST}")
        self.joint: Field = np.ones((2,) * len(self.names), dtype=np.uint64)
        for name in self.names:
            causes = [] if name in set_ else [each for each in self.names if each in parents[name]]
            draws = random.Random(f"{seed} {name} {'set' if name in set_ else ''}")
            one = np.array(
                [draws.randrange(2, PRIME - 1) for _ in range(2 ** len(causes))], dtype=np.uint64
            ).reshape((2,) * len(causes))
            both = np.stack([(PRIME + 1 - one) % PRIME, one], axis=-1)
            axes = [each for each in self.names if each in causes or each == name]
            both = np.moveaxis(both, -1, axes.index(name))
            shape = [2 if each in axes else 1 for each in self.names]
            self.joint = self.joint * both.reshape(shape) % PRIME

    def over(self, keep: Collection[str]) -> Field:
        """Return the distribution of some variables; the others' axes have length 1."""
        found = self.joint
        for axis, name in enumerate(self.names):
            if name not in keep:
                found = found.sum(axis=axis, keepdims=True) % PRIME
        return found

    def independent(self, left: Collection[str], right: Collection[str], given: Collection[str]) -> bool:
        """Return whether P(l, r, g) P(g) = P(l, g) P(r, g) for all levels."""
        one, other, seen = set(left), set(right), set(given)
        together = self.over(one | other | seen) * self.over(seen) % PRIME
        return bool(np.all(together == self.over(one | seen) * self.over(other | seen) % PRIME))

    def conditional(self, event: Collection[str], given: Collection[str]) -> Field:
        """Return P(event | given) for all levels."""
        return self.over(set(event) | set(given)) * inverse(self.over(set(given))) % PRIME


def inverse(numbers: Field) -> Field:
    """Return the field's inverses, by Fermat's little theorem."""
    found, power, exponent = np.ones_like(numbers), numbers % PRIME, PRIME - 2
    while exponent:
        if exponent & 1:
            found = found * power % PRIME
        power = power * power % PRIME
        exponent >>= 1
    return found


def separated(dag: Dag, left: str, right: str, given: Sequence[str]) -> bool:
    """Return whether two variables are independent given others at every random point."""
    asked = {left, right, *given}
    return all(
        Generic(dag.parents, asked, seed).independent({left}, {right}, given) for seed in range(POINTS)
    )


def adjusts(dag: Dag, treatments: Sequence[str], outcome: str, over: Sequence[str]) -> bool:
    """Return whether standardising over a set gives what setting the treatments does to the outcome."""
    if {outcome, *treatments} & set(over):
        return False
    for seed in range(POINTS):
        asked = {outcome, *treatments, *over}
        seen = Generic(dag.parents, dag.names, seed)
        made = Generic(dag.parents, asked, seed, set_=treatments)
        by_stratum = seen.conditional({outcome}, {*treatments, *over})
        mixed = by_stratum * seen.over(set(over)) % PRIME
        for axis, name in enumerate(seen.names):
            if name in over:
                mixed = mixed.sum(axis=axis, keepdims=True) % PRIME
        if not np.array_equal(mixed.ravel(), made.conditional({outcome}, treatments).ravel()):
            return False
    return True


def instruments(dag: Dag, instrument: str, treatment: str, outcome: str, given: Sequence[str]) -> bool:
    """Return whether the instrument moves the treatment, and the outcome only through it.

    The treatment's pull on its effects is switched off by setting it; what then still joins instrument and
    outcome is another way than through the treatment. Nothing given may be moved by the treatment.
    """
    if instrument in given:
        return False
    for seed in range(POINTS):
        seen = Generic(dag.parents, dag.names, seed)
        if seen.independent({instrument}, {treatment}, given):
            return False
        off = {name: [c for c in causes if c != treatment] for name, causes in dag.parents.items()}
        if not Generic(off, dag.names, seed).independent({instrument}, {outcome}, given):
            return False
        made = Generic(dag.parents, dag.names, seed, set_=[treatment])
        if any(not made.independent({treatment}, {name}, ()) for name in given):
            return False
    return True


def front_door(dag: Dag, treatment: str, outcome: str, mediators: Sequence[str]) -> bool:
    """Return whether the front-door conditions hold, each seen in the numbers.

    Setting the mediators leaves the treatment nothing to do; treatment and mediators share no cause; and
    adjusting for the treatment gives the mediators' effect on the outcome.
    """
    ms = list(mediators)
    for seed in range(POINTS):
        fixed = Generic(dag.parents, dag.names, seed, set_=[treatment, *ms])
        if not fixed.independent({treatment}, {outcome}, ms):
            return False
    return all(adjusts(dag, [treatment], m, []) for m in ms) and adjusts(dag, ms, outcome, [treatment])
