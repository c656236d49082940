"""Probabilities, effects and counterfactuals by counting the units of a population."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from fractions import Fraction

from assay.causal.proof.counted.worlds import ACTUAL, Setting, World, agrees, population
from assay.causal.scm import Scm
from assay.core.errors import InvalidInput

Kinds = list[tuple[int, World]]


class Census:
    """Counts over one model. The population of each world is made once and kept."""

    def __init__(self, scm: Scm) -> None:
        self.scm = scm
        self._kinds: dict[tuple[tuple[str, int], ...], Kinds] = {}

    def kinds(self, do: Mapping[str, int]) -> Kinds:
        """Return the kinds of units, with weights, in the world where `do` is set."""
        setting = tuple(sorted(do.items()))
        if setting not in self._kinds:
            units = population(self.scm, [Setting(do, {})])
            self._kinds[setting] = [(weight, world) for weight, (world,) in units]
        return self._kinds[setting]

    def share(self, event: Mapping[str, int], given: Mapping[str, int], do: Mapping[str, int]) -> Fraction:
        """Return the share with the event among the units that have what is given."""
        among = self._among(given, do)
        hits = sum(weight for weight, world in among if agrees(world, event))
        return Fraction(hits, sum(weight for weight, _ in among))

    def mean(self, name: str, given: Mapping[str, int], do: Mapping[str, int]) -> Fraction:
        """Return the mean of a variable's numbers over the units that have what is given."""
        among = self._among(given, do)
        variable = self.scm.by_name[name]
        numbers = variable.values or tuple(map(Fraction, range(variable.size)))
        total = sum((weight * numbers[world[name]] for weight, world in among), Fraction(0))
        return Fraction(total) / sum(weight for weight, _ in among)

    def standardised(
        self,
        event: Mapping[str, int],
        treatment: Mapping[str, int],
        over: Sequence[str],
        within: Mapping[str, int],
        weights: Mapping[str, int],
    ) -> Fraction:
        """Weigh each unit of the standard by the share with the event among its treated peers."""
        standard = self._among(weights, {})
        peers: dict[tuple[int, ...], list[int]] = {}
        for weight, world in self._among({}, {}):
            if agrees(world, treatment) and agrees(world, within):
                tally = peers.setdefault(tuple(world[name] for name in over), [0, 0])
                tally[0] += weight * agrees(world, event)
                tally[1] += weight
        sizes: dict[tuple[int, ...], int] = {}
        for weight, world in standard:
            stratum = tuple(world[name] for name in over)
            sizes[stratum] = sizes.get(stratum, 0) + weight
        if lacking := [stratum for stratum in sizes if stratum not in peers]:
            raise InvalidInput(f"nobody with {over!r} = {lacking[0]!r} had {dict(treatment)!r}")
        everyone = sum(sizes.values())
        return sum(
            (Fraction(*peers[stratum]) * Fraction(size, everyone) for stratum, size in sizes.items()),
            Fraction(0),
        )

    def counterfactual(
        self,
        event: Mapping[str, int],
        do: Mapping[str, int],
        mediators: Mapping[str, Mapping[str, int]],
        given: Mapping[str, int],
    ) -> Fraction:
        """Follow each unit through its worlds: the actual one, each mediator's, then the one asked about."""
        settings = [ACTUAL, *(Setting(setting, {}) for setting in mediators.values())]
        copied = {name: place for place, name in enumerate(mediators, start=1)}
        units = population(self.scm, [*settings, Setting(do, copied)])
        among = [(weight, worlds[-1]) for weight, worlds in units if agrees(worlds[0], given)]
        hits = sum(weight for weight, world in among if agrees(world, event))
        return Fraction(hits, sum(weight for weight, _ in among))

    def _among(self, given: Mapping[str, int], do: Mapping[str, int]) -> Kinds:
        unknown = [name for name in (*given, *do) if name not in self.scm.by_name]
        if unknown:
            raise InvalidInput(f"there is no variable {unknown[0]!r} to count by")
        found = [(weight, world) for weight, world in self.kinds(do) if weight and agrees(world, given)]
        if not found:
            raise InvalidInput(f"no unit has {dict(given)!r} under do {dict(do)!r}")
        return found
