"""Four figures of one model, of which one is asked for; the others are what other reasoning arrives at."""

from __future__ import annotations

import itertools
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from fractions import Fraction

from assay.causal.draft import Answer, Kind, right, wrong
from assay.causal.draws import apart, at_rank
from assay.causal.proof.derived.route import Derived
from assay.causal.queries import Term
from assay.causal.scm import Scm
from assay.causal.search.rough import Rough
from assay.causal.wording.figures import rounded, stands_for


@dataclass(frozen=True, slots=True)
class Figure:
    """A number that some reasoning arrives at: what it is (`why`, a sentence's end), and what is wrong."""

    term: Term
    why: str
    kind: Kind = Kind.PARTIAL


def figures(
    world: Scm,
    asked: Figure,
    others: Sequence[Figure],
    rank: int | None,
    *,
    central: bool | None = None,
    show: Callable[[Fraction], str],
    places: int,
    least: Fraction,
    target: Term | None = None,
) -> tuple[Answer, ...] | None:
    """Return the answers, or None unless the key stands at `rank` and all are `least` apart.

    `rank` is None where the key was drawn evenly among the four: then its place tells nothing as it is.
    `places` counts the decimals of the numbers as fractions that `show` writes. `target` is the quantity
    that the stem asks for, where `asked` is the formula that gives it. `central` asks that the key be nearer
    to the mean than the figure of the opposite rank, or farther: drawn evenly, it keeps the key from being
    known by lying in the middle.
    """
    if not _plausible(world, (asked, *others), rank, least, central):
        return None
    route = Derived(world)
    values = [route.number(each.term) for each in (asked, *others)]
    if not apart(values, least) or not (rank is None or at_rank(values[0], values[1:], rank)):
        return None
    wanted = target or asked.term
    made = [right(show(values[0]), stands_for(wanted, values[0], places), why=f"This is {asked.why}.")]
    for each, value in zip(others, values[1:], strict=True):
        claim = stands_for(wanted, value, places)
        why = f"This is {each.why}; asked for is {asked.why}, {show(rounded(values[0], places))}."
        made.append(wrong(each.kind, show(value), claim, why=why, of=stands_for(each.term, value, places)))
    return tuple(made)


def _plausible(
    world: Scm, all_figures: Sequence[Figure], rank: int | None, least: Fraction, central: bool | None
) -> bool:
    """Return whether the figures may pass, by a fast calculation."""
    rough = Rough(world)
    values = [rough.number(each.term) for each in all_figures]
    slack = float(least) * 0.999
    ordered = sorted(values)
    wide = all(high - low >= slack for low, high in itertools.pairwise(ordered))
    if rank is None or not wide or ordered.index(values[0]) != rank:
        return wide and rank is None
    mean = sum(values) / len(values)
    nearer = abs(values[0] - mean) < abs(ordered[-1 - rank] - mean)
    return central is None or nearer is central
