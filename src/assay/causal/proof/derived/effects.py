"""Probabilities under interventions by truncated factorisation, and counterfactuals by the mediation formula.

Sources: Pearl, Causality (2009), equations 1.37 (truncated factorisation), 3.19 (adjustment), and Pearl,
Direct and Indirect Effects (2001), for nested counterfactuals of models with independent disturbances.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from fractions import Fraction

from assay.causal.proof.derived.factor import TableFactor, eliminated, reduced
from assay.causal.scm import Scm, Variable
from assay.core.errors import InvalidInput

Levels = Mapping[str, int]


class Effects:
    """The formulas of one model. Its mechanisms are written as tables of whole numbers once."""

    def __init__(self, scm: Scm) -> None:
        self.scm = scm
        self.scale = {
            name: math.lcm(*(chance.denominator for row in variable.table.values() for chance in row))
            for name, variable in scm.by_name.items()
        }
        self.factors = {name: _factor(variable, self.scale[name]) for name, variable in scm.by_name.items()}
        self._totals: dict[tuple[frozenset[tuple[str, int]], frozenset[tuple[str, int]]], Fraction] = {}

    def joint(self, keep: Sequence[str], evidence: Levels, do: Levels) -> dict[tuple[int, ...], Fraction]:
        """Return P(keep, evidence | do) by levels of `keep`: only ancestors of what is asked take part."""
        unknown = [name for name in (*keep, *evidence, *do) if name not in self.factors]
        if unknown:
            raise InvalidInput(f"the model has no variable {unknown[0]!r}: it has {', '.join(self.factors)}")
        needed = self._ancestors({*keep, *evidence}, cut=set(do))
        factors = [TableFactor((n,), {(do[n],): 1}) if n in do else self.factors[n] for n in needed]
        scale = math.prod(self.scale[name] for name in needed if name not in do)
        free = [name for name in keep if name not in evidence]
        found = eliminated([reduced(factor, evidence) for factor in factors], free)
        order = [found.scope.index(name) for name in free]
        return {
            tuple(key[place] for place in order): Fraction(mass, scale) for key, mass in found.table.items()
        }

    def probability(self, event: Levels, given: Levels, do: Levels) -> Fraction:
        """Return P(event | given, do). InvalidInput where what is given cannot happen."""
        below = self._total(given, do)
        if below == 0:
            shown = f"given {dict(given)!r} under do {dict(do)!r}"
            raise InvalidInput(f"{shown} has probability 0: nothing follows")
        if any(given.get(name, level) != level for name, level in event.items()):
            return Fraction(0)
        return self._total({**given, **event}, do) / below

    def mean(self, name: str, given: Levels, do: Levels) -> Fraction:
        """Return E[variable | given, do] over the variable's numeric values."""
        variable = self.scm.by_name[name]
        return sum(
            (
                variable.value(level) * self.probability({name: level}, given, do)
                for level in range(variable.size)
            ),
            Fraction(0),
        )

    def standardised(
        self, event: Levels, treatment: Levels, over: Sequence[str], within: Levels, weights: Levels
    ) -> Fraction:
        """Return the sum over z of P(event | treatment, z, within) P(z | weights)."""
        names = list(dict.fromkeys(over))
        conditions = {**within, **treatment}
        if any(conditions.get(name, level) != level for name, level in event.items()):
            return Fraction(0)
        mix = self._marked(names, weights)
        with_event = self._marked(names, {**conditions, **event})
        strata = self._marked(names, conditions)
        everyone = sum(mix.values())
        found = Fraction(0)
        for levels, mass in mix.items():
            if mass:
                if not strata.get(levels):
                    empty = dict(zip(names, levels, strict=True))
                    raise InvalidInput(f"given {empty | conditions!r} has probability 0: nothing follows")
                found += with_event.get(levels, Fraction(0)) / strata[levels] * mass / everyone
        return found

    def counterfactual(
        self, event: Levels, do: Levels, mediators: Mapping[str, Levels], given: Levels
    ) -> Fraction:
        """Return P(event had `do` been set, mediators at their own settings' levels | given).

        Every variable downstream of a setting gets a copy in the world where it is needed; upstream
        variables are shared (the twin network of Balke and Pearl 1994). A variable needed in two worlds must
        be certain given its causes, so that both copies follow from what the worlds share; InvalidInput
        otherwise, for then the answer is not a function of the mechanisms' tables.
        """
        settings = [dict(do), *(dict(setting) for setting in mediators.values()), {}]
        moved = {name for setting in settings for name in self._below(set(setting))}
        worlds = {name: number for number, name in enumerate(mediators, start=1)}
        factors: dict[str, TableFactor] = {}
        scale = 1

        def copy(name: str, world: int) -> str:
            """Return the label of a variable in a world (-1: the actual one), and add its mechanism there."""
            nonlocal scale
            if world == 0 and name in worlds:
                return copy(name, worlds[name])
            if name in settings[world]:
                level = settings[world][name]
                label = f"{name}={level}"
                factors[label] = TableFactor((label,), {(level,): 1})
                return label
            label = f"{name}@{world}" if name in moved else name
            if label not in factors:
                upstream = [
                    copy(parent, world if name in moved else -1) for parent in self.scm.by_name[name].parents
                ]
                factors[label] = TableFactor((*upstream, label), self.factors[name].table)
                scale *= self.scale[name]
            return label

        asked = {copy(name, 0): level for name, level in event.items()}
        seen = {copy(name, -1): level for name, level in given.items()}
        for name in moved:
            copies = sum(label.partition("@")[0] == name and "@" in label for label in factors)
            if copies > 1 and not self._certain(name):
                raise InvalidInput(
                    f"{name!r} would be needed in two worlds at once: the effect is not identified"
                )
        below = _mass(factors, seen)
        if below == 0:
            raise InvalidInput(f"given {dict(given)!r} has probability 0: nothing follows")
        return Fraction(_mass(factors, seen | asked), below)

    def _marked(self, names: Sequence[str], levels: Levels) -> dict[tuple[int, ...], Fraction]:
        """Return P(names, levels) by all names' levels, those that are given included."""
        free = self.joint(names, levels, {})
        if not any(name in levels for name in names):
            return free
        found = {}
        for key, mass in free.items():
            rest = iter(key)
            found[tuple(levels[name] if name in levels else next(rest) for name in names)] = mass
        return found

    def _total(self, levels: Levels, do: Levels) -> Fraction:
        key = frozenset(levels.items()), frozenset(do.items())
        if key not in self._totals:
            self._totals[key] = self.joint((), levels, do).get((), Fraction(0))
        return self._totals[key]

    def _ancestors(self, names: set[str], *, cut: set[str]) -> list[str]:
        """Return these variables and what lies upstream, not passing through `cut`."""
        found: set[str] = set()
        open_ = list(names)
        while open_:
            name = open_.pop()
            if name not in found:
                found.add(name)
                open_ += [] if name in cut else self.scm.by_name[name].parents
        return [name for name in self.scm.by_name if name in found]

    def _certain(self, name: str) -> bool:
        """Return whether a variable follows from its causes without chance."""
        return all(max(row) == 1 for row in self.scm.by_name[name].table.values())

    def _below(self, names: set[str]) -> set[str]:
        """Return what lies downstream of these; they themselves only where one lies below another."""
        found: set[str] = set()
        for name, variable in self.scm.by_name.items():
            if (found | names).intersection(variable.parents):
                found.add(name)
        return found


def _factor(variable: Variable, scale: int) -> TableFactor:
    """Return a mechanism as a table of whole numbers over `scale`; impossible rows are left out."""
    return TableFactor(
        (*variable.parents, variable.name),
        {
            (*key, level): chance.numerator * (scale // chance.denominator)
            for key, row in variable.table.items()
            for level, chance in enumerate(row)
            if chance
        },
    )


def _mass(factors: Mapping[str, TableFactor], levels: Levels) -> int:
    found = eliminated([reduced(factor, levels) for factor in factors.values()], ())
    return found.table.get((), 0)
