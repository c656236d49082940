"""Terms about many models at once, fast: to throw away most of the models drawn. It proves nothing."""

from __future__ import annotations

import itertools
import operator
from collections.abc import Callable, Mapping
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from assay.causal import queries as q
from assay.causal.numbers.formula import Parameter
from assay.causal.scm import Scm

Numbers = npt.NDArray[np.float64]
Truths = npt.NDArray[np.bool_]
JOIN: dict[str, Callable[[Numbers, Numbers], Numbers]] = {
    "+": operator.add,
    "-": operator.sub,
    "*": operator.mul,
    "min": np.minimum,
    "max": np.maximum,
}
_RELATE: dict[str, Callable[[Numbers, Numbers], Truths]] = {
    "<": operator.lt,
    "<=": operator.le,
    ">": operator.gt,
    ">=": operator.ge,
    "!=": operator.ne,
}


@dataclass(frozen=True, slots=True)
class ChanceArray:
    """A variable's causes and its chances: an axis for each cause, one for its levels and one for the models.

    `values` are the numbers that levels stand for.
    """

    causes: tuple[str, ...]
    chances: Numbers
    values: tuple[float, ...]


class Rough:
    """Answers terms without counterfactuals about models of one graph, with the error of floating point.

    Numbers and truths have a place for each model; `parameters` are the numbers that names stand for.
    """

    def __init__(self, mechanisms: Mapping[str, ChanceArray], parameters: Mapping[str, Numbers]) -> None:
        self.mechanisms, self.parameters = mechanisms, parameters
        self.axis = {name: at for at, name in enumerate(mechanisms)}
        self.count = next(iter(mechanisms.values())).chances.shape[-1]
        self.factors = {name: self._factor(name, each) for name, each in mechanisms.items()}
        self._joints: dict[q.Levels, Numbers] = {}
        self._masses: dict[object, Numbers] = {}

    @classmethod
    def of(cls, scm: Scm) -> Rough:
        """Return answers about a single model."""
        found = {}
        for each in scm.variables:
            sizes = [scm.by_name[cause].size for cause in each.parents]
            rows = [[float(chance) for chance in row] for _, row in sorted(each.table.items())]
            values = tuple(float(each.value(level)) for level in range(each.size))
            chances = np.array(rows).reshape(*sizes, each.size, 1)
            found[each.name] = ChanceArray(each.parents, chances, values)
        return cls(found, {})

    def holds(self, fact: q.Compare) -> Truths:
        """Return in which models a comparison is true; none with a number that is not known is."""
        left, right = self.number(fact.left), self.number(fact.right)
        return _RELATE[fact.relation](left, right) & ~np.isnan(left) & ~np.isnan(right)

    def number(self, term: q.Term) -> Numbers:
        """Return the values of a term; NaN, which is near nothing, where what is given cannot happen."""
        match term:
            case q.Number(number):
                return np.full(self.count, float(number))
            case Parameter(name):
                return self.parameters[name]
            case q.Arithmetic("/", left, right):
                return _share(self.number(left), self.number(right))
            case q.Arithmetic(sign, left, right):
                return JOIN[sign](self.number(left), self.number(right))
            case q.Rounded(inner, places):
                return np.round(self.number(inner), places)
            case q.Root(inner):
                return np.sqrt(np.maximum(self.number(inner), 0.0))
            case q.Probability(event, given, do):
                given_levels = dict(given)
                if any(given_levels.get(name, level) != level for name, level in event):
                    return np.zeros(self.count)
                return _share(self._mass({**given_levels, **dict(event)}, do), self._mass(given_levels, do))
            case q.Mean(variable, given, do):
                found = np.zeros(self.count)
                for level, value in enumerate(self.mechanisms[variable].values):
                    found = found + value * self.number(q.Probability(((variable, level),), given, do))
                return found
            case q.Adjusted(event, treatment, over, within, weights):
                return self._standardised(dict(event), dict(treatment), over, dict(within), dict(weights))
        raise TypeError(f"no rough value of {term!r}")

    def _levels(self, name: str) -> range:
        return range(len(self.mechanisms[name].values))

    def _mass(self, levels: Mapping[str, int], do: q.Levels) -> Numbers:
        asked = (frozenset(levels.items()), do)
        if asked not in self._masses:
            index: list[int | slice] = [slice(None)] * len(self.axis)
            for name, level in levels.items():
                index[self.axis[name]] = level
            self._masses[asked] = self._joint(do)[tuple(index)].reshape(-1, self.count).sum(axis=0)
        return self._masses[asked]

    def _joint(self, do: q.Levels) -> Numbers:
        """Return the chances of all worlds, with an axis for each variable, where some are set."""
        if do not in self._joints:
            levels, joint = dict(do), np.ones((1,) * (len(self.axis) + 1))
            for name, factor in self.factors.items():
                if name in levels:
                    shape = [1] * (len(self.axis) + 1)
                    shape[self.axis[name]] = len(self._levels(name))
                    factor = np.eye(len(self._levels(name)))[levels[name]].reshape(shape)
                joint = joint * factor
            self._joints[do] = joint
        return self._joints[do]

    def _factor(self, name: str, mechanism: ChanceArray) -> Numbers:
        """Return a variable's chances with the axes of all variables, and that of the models last."""
        axes = [self.axis[each] for each in (*mechanism.causes, name)]
        shape = [1] * len(self.axis)
        for axis, size in zip(axes, mechanism.chances.shape, strict=False):
            shape[axis] = size
        return mechanism.chances.transpose(*np.argsort(axes), -1).reshape(*shape, self.count)

    def _standardised(
        self,
        event: dict[str, int],
        treatment: dict[str, int],
        over: tuple[str, ...],
        within: dict[str, int],
        weights: dict[str, int],
    ) -> Numbers:
        names = [name for name in over if name not in weights]
        fixed = {name: weights[name] for name in over if name in weights}
        whole, found = self._mass(weights, ()), np.zeros(self.count)
        for levels in itertools.product(*map(self._levels, names)):
            levels_of = dict(zip(names, levels, strict=True))
            mass = self._mass({**weights, **levels_of}, ())
            unit = {**fixed, **levels_of, **within, **treatment}
            chance = _share(self._mass({**unit, **event}, ()), self._mass(unit, ()))
            found = found + np.where(mass > 0, chance * mass, 0.0)
        return _share(found, whole)


def _share(part: Numbers, whole: Numbers) -> Numbers:
    return np.divide(part, whole, out=np.full_like(part, np.nan), where=whole != 0)
