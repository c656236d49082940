"""Terms in floating point, fast: to throw away most of the worlds drawn. It proves nothing."""

from __future__ import annotations

import itertools
import math
import operator
from collections.abc import Callable, Mapping

import numpy as np
import numpy.typing as npt

from assay.causal import queries as q
from assay.causal.scm import Scm, Variable

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
        self.factors = [self._factor(variable) for variable in scm.variables]
        self._joints: dict[q.Levels, npt.NDArray[np.float64]] = {}
        self._masses: dict[object, float] = {}

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
            case q.Root(inner):
                return math.sqrt(max(0.0, self.number(inner)))
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
        asked = (frozenset(levels.items()), do)
        if asked not in self._masses:
            index: list[int | slice] = [slice(None)] * len(self.place)
            for name, level in levels.items():
                index[self.place[name]] = level
            self._masses[asked] = float(self._joint(do)[tuple(index)].sum())
        return self._masses[asked]

    def _joint(self, do: q.Levels) -> npt.NDArray[np.float64]:
        """Return the chances of all worlds, with an axis for each variable, where some are set."""
        if do not in self._joints:
            levels, joint = dict(do), np.ones((1,) * len(self.place))
            for variable, factor in zip(self.scm.variables, self.factors, strict=True):
                if variable.name in levels:
                    shape = [1] * len(self.place)
                    shape[self.place[variable.name]] = variable.size
                    factor = np.eye(variable.size)[levels[variable.name]].reshape(shape)
                joint = joint * factor
            self._joints[do] = joint
        return self._joints[do]

    def _factor(self, variable: Variable) -> npt.NDArray[np.float64]:
        """Return a variable's chances, with the axes of its causes and its own."""
        names = (*variable.parents, variable.name)
        sizes = [self.scm.by_name[name].size for name in names]
        table = np.array([[float(share) for share in row] for _, row in sorted(variable.table.items())])
        places = [self.place[name] for name in names]
        shape = [1] * len(self.place)
        for place, size in zip(places, sizes, strict=True):
            shape[place] = size
        return table.reshape(sizes).transpose(np.argsort(places)).reshape(shape)

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
