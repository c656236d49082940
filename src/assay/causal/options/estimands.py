"""Numeric answers: the quantity asked for among others of the same model, at a rank drawn beforehand."""

from __future__ import annotations

import itertools
import random
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from fractions import Fraction

from assay.causal.draft import Answer, Kind, right, wrong
from assay.causal.proof.derived.route import Derived
from assay.causal.proof.proof import Claim
from assay.causal.queries import Rounded, Term
from assay.causal.scm import Scm
from assay.causal.search.rough import Rough
from assay.causal.wording.figures import points, rounded, stands_for


@dataclass(frozen=True, slots=True)
class Estimand:
    """A quantity that a reader may mistake for the one asked for, and why it is not that one."""

    term: Term
    kind: Kind
    why: str


@dataclass(frozen=True, slots=True)
class Place:
    """Where the key will stand: its rank, whether it is nearest to the mean, whether farthest from any."""

    rank: int
    central: bool
    lone: bool


def place(rng: random.Random) -> Place:
    """Draw the key's place, before any model is drawn."""
    rank = rng.randrange(4)
    inside = rank in (1, 2)
    special = rng.random() < (0.5 if inside else 0.35)
    return Place(rank, inside and special, not inside and special)


def offered(
    rng: random.Random,
    world: Scm,
    asked: Estimand,
    others: Sequence[Estimand],
    wanted: Place,
    *,
    least: Fraction = Fraction(1, 80),
    places: int = 3,
    show: Callable[[Fraction], str] = points,
) -> tuple[Answer, ...] | None:
    """Return four answers, the key at its place, all at least `least` apart; None if there are none.

    `places` are the decimals of the shares: three for percentages with one. `asked.kind` is not used.
    """
    sketch = Rough(world)
    near = sketch.number(asked.term)
    values = [sketch.number(each.term) for each in others]
    fitting = []
    for three in itertools.combinations(range(len(others)), 3):
        numbers = [values[place] for place in three]
        if _apart([near, *numbers], float(least)) and _placed(near, numbers, wanted):
            fitting.append(three)
    if not fitting:
        return None
    size = rng.randrange(4)
    sized = [three for three in fitting if sum(abs(values[at]) < abs(near) for at in three) == size]
    chosen = rng.choice(sized or fitting)
    route = Derived(world)
    key = route.number(asked.term)
    answers = [right(show(rounded(key, places)), stands_for(asked.term, key, places), why=asked.why)]
    for each in (others[at] for at in chosen):
        value = rounded(route.number(each.term), places)
        claim = stands_for(asked.term, value, places)
        of = Claim(Rounded(each.term, places), value)
        answers.append(wrong(each.kind, show(value), claim, why=each.why, of=of))
    return tuple(rng.sample(answers, len(answers)))


def _apart(values: Sequence[float], least: float) -> bool:
    return all(abs(one - other) >= least for one, other in itertools.combinations(values, 2))


def _placed(key: float, others: Sequence[float], wanted: Place) -> bool:
    mean = (key + sum(others)) / 4
    central = all(abs(key - mean) < abs(other - mean) for other in others)
    gaps = [min(abs(one - other) for other in rest) for one, rest in _each([key, *others])]
    lone = gaps[0] > max(gaps[1:])
    return Place(sum(other < key for other in others), central, lone) == wanted


def _each(values: Sequence[float]) -> list[tuple[float, list[float]]]:
    """Return each value with the others."""
    return [(value, [*values[:at], *values[at + 1 :]]) for at, value in enumerate(values)]
