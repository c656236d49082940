"""A model's numbers in floating point, to look through many models quickly; keys are proved exactly."""

from __future__ import annotations

import itertools
from collections.abc import Mapping, Sequence

from assay.causal import queries as q
from assay.causal.scm import Scm
from assay.core.errors import InvalidInput

Rows = Sequence[tuple[tuple[int, ...], float]]


class Sketch:
    """All combinations of levels with their probabilities, and terms read off them.

    InvalidInput for a term of another kind than probabilities, means, standardisations and their arithmetic.
    """

    def __init__(self, scm: Scm) -> None:
        self.scm = scm
        self.at = {variable.name: place for place, variable in enumerate(scm.variables)}
        self._worlds: dict[q.Levels, Rows] = {}

    def number(self, term: q.Term) -> float:
        """Return the value of a term; NaN where it is not defined."""
        match term:
            case q.Number(number):
                return float(number)
            case q.Arithmetic(sign, left, right):
                one, other = self.number(left), self.number(right)
                if sign == "/":
                    return one / other if other else float("nan")
                return {"+": one + other, "-": one - other, "*": one * other}[sign]
            case q.Rounded(inner, _):
                return self.number(inner)
            case q.Probability(event, given, do):
                rows = self._rows(do)
                return self._share(rows, dict(given), dict(event))
            case q.Adjusted(event, treatment, over, within, weights):
                return self._standardised(dict(event), dict(treatment), over, dict(within), dict(weights))
        raise InvalidInput(f"{type(term).__name__} cannot be sketched: use the proof")

    def _rows(self, do: q.Levels) -> Rows:
        if do not in self._worlds:
            fixed, rows = dict(do), []
            sizes = [
                (fixed[each.name],) if each.name in fixed else range(each.size) for each in self.scm.variables
            ]
            for levels in itertools.product(*sizes):
                mass = 1.0
                for each, level in zip(self.scm.variables, levels, strict=True):
                    if each.name not in fixed:
                        row = each.table[tuple(levels[self.at[parent]] for parent in each.parents)]
                        mass *= row[level].numerator / row[level].denominator
                if mass:
                    rows.append((levels, mass))
            self._worlds[do] = rows
        return self._worlds[do]

    def _share(self, rows: Rows, given: Mapping[str, int], event: Mapping[str, int]) -> float:
        below = self._mass(rows, given)
        return (
            self._mass(rows, {**event, **given} if _agree(event, given) else None) / below
            if below
            else float("nan")
        )

    def _mass(self, rows: Rows, levels: Mapping[str, int] | None) -> float:
        if levels is None:
            return 0.0
        wanted = [(self.at[name], level) for name, level in levels.items()]
        return sum(mass for row, mass in rows if all(row[place] == level for place, level in wanted))

    def _standardised(
        self,
        event: Mapping[str, int],
        treatment: Mapping[str, int],
        over: Sequence[str],
        within: Mapping[str, int],
        weights: Mapping[str, int],
    ) -> float:
        rows, total = self._rows(()), 0.0
        for levels in itertools.product(*(range(self.scm.by_name[name].size) for name in over)):
            group = dict(zip(over, levels, strict=True))
            if weight := self._share(rows, weights, group):
                total += weight * self._share(rows, {**group, **within, **treatment}, event)
        return total


def _agree(event: Mapping[str, int], given: Mapping[str, int]) -> bool:
    return all(given.get(name, level) == level for name, level in event.items())
