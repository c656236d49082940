"""Terms in floating point, fast: to throw away most of the worlds drawn. It proves nothing."""

from __future__ import annotations

import itertools
import math
import operator
from collections.abc import Callable, Mapping

from assay.causal import queries as q
from assay.causal.scm import Scm

_JOIN: dict[str, Callable[[float, float], float]] = {
    "+": operator.add,
    "-": operator.sub,
    "*": operator.mul,
    "min": min,
    "max": max,
}


class Rough:
    """Answers terms without counterfactuals about one model, with the error of floating point."""

    def __init__(self, scm: Scm) -> None:
        self.scm = scm
        self.place = {name: at for at, name in enumerate(scm.by_name)}
        self._worlds: dict[q.Levels, list[tuple[tuple[int, ...], float]]] = {}

    def number(self, term: q.Term) -> float:
        """Return the value of a term; NaN, which is near nothing, where what is given cannot happen."""
        match term:
            case q.Number(number):
                return float(number)
            case q.Arithmetic("/", left, right):
                return _share(self.number(left), self.number(right))
            case q.Arithmetic(sign, left, right):
                return _JOIN[sign](self.number(left), self.number(right))
            case q.Rounded(inner, _):
                return self.number(inner)
            case q.Probability(event, given, do):
                given_levels = dict(given)
                if any(given_levels.get(name, level) != level for name, level in event):
                    return 0.0
                return _share(self._mass({**given_levels, **dict(event)}, do), self._mass(given_levels, do))
            case q.Mean(variable, given, do):
                levels = range(self.scm.by_name[variable].size)
                value = self.scm.by_name[variable].value
                return sum(
                    float(value(level)) * self.number(q.Probability(((variable, level),), given, do))
                    for level in levels
                )
            case q.Adjusted(event, treatment, over, within, weights):
                return self._standardised(dict(event), dict(treatment), over, dict(within), dict(weights))
        raise TypeError(f"no rough value of {term!r}")

    def _mass(self, levels: Mapping[str, int], do: q.Levels) -> float:
        wanted = [(self.place[name], level) for name, level in levels.items()]
        return sum(mass for world, mass in self._joint(do) if all(world[at] == level for at, level in wanted))

    def _joint(self, do: q.Levels) -> list[tuple[tuple[int, ...], float]]:
        if do not in self._worlds:
            self._worlds[do] = self._listed(dict(do))
        return self._worlds[do]

    def _listed(self, do: Mapping[str, int]) -> list[tuple[tuple[int, ...], float]]:
        worlds: list[tuple[tuple[int, ...], float]] = [((), 1.0)]
        for variable in self.scm.variables:
            above = [self.place[parent] for parent in variable.parents]
            rows = {key: [float(share) for share in row] for key, row in variable.table.items()}
            if variable.name in do:
                worlds = [((*world, do[variable.name]), mass) for world, mass in worlds]
            else:
                worlds = [
                    ((*world, level), mass * share)
                    for world, mass in worlds
                    for level, share in enumerate(rows[tuple(world[at] for at in above)])
                    if share
                ]
        return worlds

    def _standardised(
        self,
        event: dict[str, int],
        treatment: dict[str, int],
        over: tuple[str, ...],
        within: dict[str, int],
        weights: dict[str, int],
    ) -> float:
        names = [name for name in over if name not in weights]
        fixed = {name: weights[name] for name in over if name in weights}
        whole, found = self._mass(weights, ()), 0.0
        if not whole:
            return math.nan
        for levels in itertools.product(*(range(self.scm.by_name[name].size) for name in names)):
            levels_of = dict(zip(names, levels, strict=True))
            if mass := self._mass({**weights, **levels_of}, ()):
                unit = {**fixed, **levels_of, **within, **treatment}
                found += _share(self._mass({**unit, **event}, ()), self._mass(unit, ())) * mass / whole
        return found


def _share(part: float, whole: float) -> float:
    return part / whole if whole else math.nan
