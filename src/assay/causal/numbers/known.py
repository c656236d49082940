"""The numbers that a text gives, and what follows from them alone."""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping
from fractions import Fraction

from assay.causal import queries as q
from assay.core.errors import InvalidInput

Levels = frozenset[tuple[str, int]]
Joint = list[tuple[dict[str, int], Fraction]]
ARBITRARY = Fraction(3, 7)
"""The share of level 1 where a text does not tell it; what depends on it will not equal the key."""


class Known:
    """Counts, and shares of chains in which each variable is told given others.

    A variable's shares must be given all that comes before it in a chain; of the `independent` the text says
    that they do not depend on the rest.
    """

    def __init__(self, independent: Iterable[str] = ()) -> None:
        self.independent = set(independent)
        self.counted: dict[Levels, Fraction] = {}
        self.shares: dict[str, dict[Levels, dict[int, Fraction]]] = {}
        self.trials: dict[tuple[tuple[str, int], Levels], Fraction] = {}
        self._joints: dict[frozenset[str], Joint] = {}

    def count(
        self, levels: Mapping[str, int], event: tuple[str, int], number: Fraction, hits: Fraction
    ) -> None:
        """Note how many units have these levels, and how many of them the event."""
        name, level = event
        self.counted[frozenset({**levels, name: level}.items())] = hits
        self.counted[frozenset({**levels, name: 1 - level}.items())] = number - hits

    def share(self, event: tuple[str, int], levels: Levels, share: Fraction, *, trial: bool) -> None:
        """Note the share with an event among units with these levels, or whom a lottery gave them."""
        if trial:
            self.trials[event, levels] = share
        else:
            self.shares.setdefault(event[0], {}).setdefault(levels, {})[event[1]] = share

    def number(self, term: q.Term) -> Fraction:
        """Return the value of a formula. InvalidInput where it takes more than what is told."""
        match term:
            case q.Number(number):
                return number
            case q.Arithmetic(sign, left, right):
                one, other = self.number(left), self.number(right)
                if sign == "/":
                    if not other:
                        raise InvalidInput("a ratio has the denominator 0")
                    return one / other
                smaller, larger = sorted((one, other))
                made = {"+": one + other, "-": one - other, "*": one * other, "min": smaller, "max": larger}
                return made[sign]
            case q.Root(inner):
                square = self.number(inner)
                root = Fraction(math.isqrt(abs(square.numerator)), math.isqrt(square.denominator))
                if root * root != square:
                    raise InvalidInput(f"{square}, from told numbers, is not the square of a fraction")
                return root
            case q.Probability(event, given, do) if do:
                return self._trial(event, frozenset((*given, *do)))
            case q.Probability(event, given, _):
                return self._share(dict(event), dict(given))
            case q.Adjusted(event, treatment, over, within, weights):
                return self._standardised(
                    dict(event), {**dict(treatment), **dict(within)}, over, dict(weights)
                )
        raise InvalidInput(f"{term!r} cannot be worked out from given numbers")

    def _trial(self, event: q.Levels, levels: Levels) -> Fraction:
        ((name, level),) = event
        if ((name, level), levels) in self.trials:
            return self.trials[(name, level), levels]
        if ((name, 1 - level), levels) in self.trials:
            return 1 - self.trials[(name, 1 - level), levels]
        raise InvalidInput(f"no experiment on {name!r} is told")

    def _share(self, event: Mapping[str, int], given: Mapping[str, int]) -> Fraction:
        if any(given.get(name, level) != level for name, level in event.items()):
            return Fraction(0)
        joint = self._joint({*event, *given})
        if not (whole := _mass(joint, given)):
            raise InvalidInput(f"nothing is told of units with {dict(given)!r}")
        return _mass(joint, {**given, **event}) / whole

    def _standardised(
        self,
        event: Mapping[str, int],
        unit: Mapping[str, int],
        over: Iterable[str],
        weights: Mapping[str, int],
    ) -> Fraction:
        names, found = list(over), Fraction(0)
        joint = self._joint({*names, *weights})
        for levels in sorted({tuple(world[name] for name in names) for world, _ in joint}):
            stratum = dict(zip(names, levels, strict=True))
            if all(weights.get(name, level) == level for name, level in stratum.items()):
                mass = _mass(joint, {**weights, **stratum})
                found += self._share(event, {**stratum, **unit}) * mass if mass else 0
        return found / _mass(joint, weights)

    def _joint(self, names: Iterable[str]) -> Joint:
        """Return the distribution of some variables and of what they are told given."""
        wanted = frozenset(names)
        if wanted not in self._joints:
            self._joints[wanted] = self._made(wanted)
        return self._joints[wanted]

    def _made(self, names: frozenset[str]) -> Joint:
        everyone = sum(self.counted.values())
        joint: Joint = [({}, Fraction(1))]
        if self.counted:
            joint = [(dict(levels), number / everyone) for levels, number in self.counted.items()]
        known = set(joint[0][0])
        waiting: dict[str, dict[Levels, dict[int, Fraction]]] = {}
        todo = sorted(names - known)
        untold: dict[str, int] = {}
        while todo:
            name = todo.pop()
            if name in self.shares:
                waiting[name] = self.shares[name]
                for other, level in {pair for levels in waiting[name] for pair in levels}:
                    untold[other] = max(level, untold.get(other, 1))
                    todo += [other] if other not in known and other not in waiting else []
            elif name in untold:
                waiting[name] = {
                    frozenset(): dict.fromkeys(range(1, untold[name] + 1), ARBITRARY / untold[name])
                }
            else:
                raise InvalidInput(f"nothing is told of {name!r}")
        while waiting:
            causes = {n: {each for levels in rows for each, _ in levels} for n, rows in waiting.items()}
            ready = [name for name in sorted(waiting) if causes[name] <= known]
            if not ready:
                raise InvalidInput(f"{', '.join(sorted(waiting))} are each told given another")
            name = max(
                ready,
                key=lambda each: (each in self.shares, each not in self.independent, -len(causes[each])),
            )
            rest = sorted(known - causes[name])
            if name in self.shares and rest and name not in self.independent:
                raise InvalidInput(
                    f"{name!r} is not told given {rest[0]!r}: tell that, or assume it has no effect and name "
                    f"{name!r} under `independent`"
                )
            joint = list(_extended(joint, name, waiting.pop(name)))
            known.add(name)
        return joint


def _mass(joint: Joint, levels: Mapping[str, int]) -> Fraction:
    return sum(
        (mass for world, mass in joint if all(world[n] == at for n, at in levels.items())), Fraction(0)
    )


def _extended(
    joint: Iterable[tuple[dict[str, int], Fraction]], name: str, rows: Mapping[Levels, Mapping[int, Fraction]]
) -> Iterable[tuple[dict[str, int], Fraction]]:
    size = 1 + max(level for row in rows.values() for level in row)
    for world, mass in joint:
        fitting = [
            (levels, row) for levels, row in rows.items() if all(world[each] == at for each, at in levels)
        ]
        if not fitting:
            continue
        row = dict(max(fitting, key=lambda pair: len(pair[0]))[1])
        if len(row) < max(size, 2):
            missing = next(at for at in range(max(size, 2)) if at not in row)
            row[missing] = 1 - sum(row.values(), Fraction(0))
        for level, share in row.items():
            yield {**world, name: level}, mass * share
