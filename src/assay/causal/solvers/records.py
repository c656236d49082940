"""Records taken at face value: how one who thinks that a record is the thing itself hears a question."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace

from assay.causal import queries as q
from assay.causal.scm import Dag, Scm
from assay.causal.solvers.compound import inside
from assay.core.errors import InvalidInput


@dataclass(frozen=True, slots=True)
class Records:
    """True variables, each with its record: the variable that is taken for it."""

    taken: Mapping[str, str]

    def world(self, world: Scm | Dag) -> Scm | Dag:
        """Return the world to one who has never seen the true variables: they are hidden.

        InvalidInput for a record of or by a variable that the world does not have.
        """
        if unknown := [name for pair in self.taken.items() for name in pair if name not in world.dag.parents]:
            raise InvalidInput(f"a record of or by {unknown[0]!r}: name two of {', '.join(world.dag.names)}")
        if isinstance(world, Dag):
            return replace(world, hidden=world.hidden | self.taken.keys())
        return Scm(tuple(replace(v, hidden=v.hidden or v.name in self.taken) for v in world.variables))

    def query(self, query: q.Query) -> q.Query:
        """Return the question as it is heard. What is then named twice in it is named once.

        Treatments and outcomes keep their places before what is adjusted for or held fixed. A record that is
        held fixed tells no more, so it is separated from everything. InvalidInput where one record is given
        or set at two levels, or where a thing and its record are asked about together.
        """
        one, some, levels = self._name, self._names, self._levels
        match query:
            case q.Probability(event, given, do):
                return q.Probability(levels(event), *self._known(given, do))
            case q.Mean(variable, given, do):
                return q.Mean(one(variable), *self._known(given, do))
            case q.Adjusted(event, treatment, over, within, weights):
                asked = levels(event), levels(treatment)
                rest = some(over, but=[name for part in asked for name, _ in part])
                return q.Adjusted(*asked, rest, levels(within), levels(weights))
            case q.Counterfactual(event, do, mediators, given):
                fixed = tuple((one(name), levels(setting)) for name, setting in mediators)
                return q.Counterfactual(levels(event), levels(do), fixed, levels(given))
            case q.PathCount(start, end, paths, given):
                ends = _two(one(start), one(end))
                return q.PathCount(*ends, paths, some(given, but=ends))
            case q.ValidSets(treatment, outcome, minimal):
                return q.ValidSets(*_two(one(treatment), one(outcome)), minimal)
            case q.Separated(left, right, given):
                return _separated(*_two(one(left), one(right)), some(given))
            case q.ValidAdjustment(treatments, outcome, over):
                return q.ValidAdjustment(*self._effect(treatments, outcome, over))
            case q.MinimalAdjustment(treatments, outcome, over):
                return q.MinimalAdjustment(*self._effect(treatments, outcome, over))
            case q.AdjustmentExists(treatments, outcome):
                return q.AdjustmentExists(*self._effect(treatments, outcome, ())[:2])
            case q.ValidInstrument(instrument, treatment, outcome, given):
                named = one(instrument), *_two(one(treatment), one(outcome))
                return q.ValidInstrument(*named, some(given, but=named))
            case q.ValidFrontDoor(treatment, outcome, mediators):
                ends = _two(one(treatment), one(outcome))
                return q.ValidFrontDoor(*ends, some(mediators, but=ends))
            case q.Causes(cause, effect):
                return q.Causes(*_two(one(cause), one(effect)))
        return inside(query, self.query)

    def _name(self, name: str) -> str:
        return self.taken.get(name, name)

    def _names(self, names: Iterable[str], but: Iterable[str] = ()) -> tuple[str, ...]:
        left_out = set(but)
        return tuple(dict.fromkeys(found for each in names if (found := self._name(each)) not in left_out))

    def _levels(self, levels: q.Levels) -> q.Levels:
        found = dict.fromkeys((self._name(name), level) for name, level in levels)
        if len({name for name, _ in found}) < len(found):
            raise InvalidInput(f"taken at face value, {levels!r} has one record at two levels")
        return tuple(found)

    def _known(self, given: q.Levels, do: q.Levels) -> tuple[q.Levels, q.Levels]:
        both, set_ = self._levels((*given, *do)), self._levels(do)
        return tuple(each for each in both if each not in set_), set_

    def _effect(
        self, treatments: tuple[str, ...], outcome: str, over: tuple[str, ...]
    ) -> tuple[tuple[str, ...], str, tuple[str, ...]]:
        xs, y = self._names(treatments), self._name(outcome)
        for x in xs:
            _two(x, y)
        return xs, y, self._names(over, but=(*xs, y))


def _two(one: str, other: str) -> tuple[str, str]:
    if one == other:
        raise InvalidInput(f"taken at face value, a question about {one!r} and itself")
    return one, other


def _separated(left: str, right: str, given: tuple[str, ...]) -> q.Fact:
    if {left, right}.isdisjoint(given):
        return q.Separated(left, right, given)
    return q.Compare(q.term(1), "=", q.term(1))
