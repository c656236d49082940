"""Four figures of one model that are the options whatever is asked; which one is asked for is drawn apart."""

from __future__ import annotations

import itertools
from collections.abc import Callable, Mapping
from fractions import Fraction

from assay.causal.draft import Answer, right, wrong
from assay.causal.draws import apart
from assay.causal.options.numbered import Figure
from assay.causal.proof.derived.route import Derived
from assay.causal.scm import Scm
from assay.causal.search.rough import Rough
from assay.causal.wording.figures import rounded, stands_for


def asked(
    world: Scm,
    figures: Mapping[str, Figure],
    state: str,
    *,
    show: Callable[[Fraction], str],
    places: int,
    least: Fraction,
) -> tuple[Answer, ...] | None:
    """Return all figures as answers, the right one being `state`; None unless they are `least` apart.

    As the options are the same whichever is asked for, nothing about them can tell. `places` counts the
    decimals of the numbers that `show` writes.
    """
    if not _plausible(world, figures, least):
        return None
    route = Derived(world)
    values = {name: route.number(each.term) for name, each in figures.items()}
    if not apart(list(values.values()), least):
        return None
    key = figures[state]

    def answer(name: str) -> Answer:
        value, each = values[name], figures[name]
        claim = stands_for(key.term, value, places)
        if name == state:
            return right(show(value), claim, why=f"This is {key.why}.")
        why = f"This is {each.why}; asked for is {key.why}, {show(rounded(values[state], places))}."
        return wrong(each.kind, show(value), claim, why=why, of=stands_for(each.term, value, places))

    return tuple(map(answer, figures))


def _plausible(world: Scm, figures: Mapping[str, Figure], least: Fraction) -> bool:
    """Return whether the figures may be far enough apart, by a fast calculation where there is one."""
    rough = Rough(world)
    try:
        values = sorted(rough.number(each.term) for each in figures.values())
    except TypeError:
        return True
    return all(high - low >= float(least) * 0.999 for low, high in itertools.pairwise(values))
