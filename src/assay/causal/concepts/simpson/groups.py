"""Three groups, two ways, one outcome: tables that turn round when split, under either story."""

from __future__ import annotations

import random
from dataclasses import dataclass
from fractions import Fraction

from assay.causal.queries import Term, adjusted_difference, crude, effect, p, term
from assay.causal.scm import Scm, binary, levels

GROUPS = range(3)
MARK = binary("W", "X Y", {(x, y): Fraction(2 + x + 2 * y, 6) for x in (0, 1) for y in (0, 1)})
CRUDE = crude("X", "Y")
EVERYBODY = adjusted_difference("X", "Y", ("G",))
TAKERS = adjusted_difference("X", "Y", ("G",), weights={"X": 1})
OTHERS = adjusted_difference("X", "Y", ("G",), weights={"X": 0})


@dataclass(frozen=True, slots=True)
class Tally:
    """How many units each group has without and with x, and how many in twenty of them succeed."""

    sizes: tuple[tuple[int, int], ...]
    rates: tuple[tuple[int, int], ...]

    def share(self, *cells: tuple[int, int]) -> Fraction:
        """Return the share of all units that are in these cells of group and way."""
        return Fraction(sum(self.sizes[g][x] for g, x in cells), sum(map(sum, self.sizes)))

    def outcome(self) -> dict[tuple[int, ...] | int, Fraction]:
        """Return the chance of success by way and group."""
        return {(x, g): Fraction(self.rates[g][x], 20) for x in (0, 1) for g in GROUPS}

    def early(self) -> Scm:
        """Return the model in which the group comes first and bears on the way taken."""
        rows = [self.share((g, 0), (g, 1)) for g in GROUPS]
        taken = {g: self.share((g, 1)) / rows[g] for g in GROUPS}
        return Scm(
            (
                levels("G", "", {(): rows}),
                binary("X", "G", {g: taken[g] for g in GROUPS}),
                binary("Y", "X G", self.outcome()),
                MARK,
            )
        )

    def late(self) -> Scm:
        """Return the model in which the way taken comes first and bears on the group."""
        taken = self.share(*((g, 1) for g in GROUPS))
        shares = (1 - taken, taken)
        return Scm(
            (
                binary("X", "", taken),
                levels("G", "X", {x: [self.share((g, x)) / shares[x] for g in GROUPS] for x in (0, 1)}),
                binary("Y", "X G", self.outcome()),
                MARK,
            )
        )

    def differences(self) -> tuple[Fraction, Fraction, Fraction, Fraction]:
        """Return the crude difference and those weighted by all, by those with x and by those without."""
        gains = [Fraction(self.rates[g][1] - self.rates[g][0], 20) for g in GROUPS]
        sizes = [[self.sizes[g][x] for g in GROUPS] for x in (0, 1)]
        means = [
            Fraction(sum(self.rates[g][x] * sizes[x][g] for g in GROUPS), 20 * sum(sizes[x])) for x in (0, 1)
        ]
        mixes = ([a + b for a, b in zip(*sizes, strict=True)], sizes[1], sizes[0])
        weighted = [
            sum((a * b for a, b in zip(gains, mix, strict=True)), Fraction(0)) / sum(mix) for mix in mixes
        ]
        return (means[1] - means[0], weighted[0], weighted[1], weighted[2])

    def turns_round(self) -> bool:
        """Return whether all groups point one way, by a tenth at least, and the total the other way."""
        gains = [b - a for a, b in self.rates]
        total = self.differences()[0]
        one_way = all(gain >= 1 for gain in gains) or all(gain <= -1 for gain in gains)
        return one_way and total * gains[0] < 0 and abs(total) >= Fraction(2, 100)


def tally(rng: random.Random, unit: int) -> Tally | None:
    """Draw a table whose sizes are multiples of `unit`; None if it does not turn round."""
    leaning = [2, 5, 8]
    step = rng.choice((1, -1))
    sizes = []
    for lean in leaning:
        total, part = rng.randint(10, 16), lean + rng.randint(-1, 1)
        more = max(1, total * part // 10)
        sizes.append(((total - more) * unit, more * unit))
    low = rng.randint(2, 5)
    levels_ = [low, low + rng.randint(3, 6), low + rng.randint(7, 12)][::step]
    gains = [rng.choice((1, -1))] * 3
    gains = [gain * rng.randint(1, 4) for gain in gains]
    rates = [(level, level + gain) for level, gain in zip(levels_, gains, strict=True)]
    if any(not 1 <= rate <= 19 for pair in rates for rate in pair):
        return None
    places = rng.sample(GROUPS, 3)
    if places[1] == 1 or rng.random() < 0.5:
        places = sorted(places)
    found = Tally(tuple(sizes[g] for g in places), tuple(rates[g] for g in places))
    return found if found.turns_round() else None


def by_group(weights: dict[str, int]) -> Term:
    """Return the effects in the groups, weighted by the mix of groups among those with these levels."""
    total = term(0)
    for g in GROUPS:
        total = total + effect("X", "Y", given={"G": g}) * p({"G": g}, weights)
    return total
