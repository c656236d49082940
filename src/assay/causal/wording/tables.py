"""Small tables of whole numbers, drawn from a model's exact distribution."""

from __future__ import annotations

import itertools
import math
from collections.abc import Mapping, Sequence
from fractions import Fraction

from assay.causal.proof.proof import Proof
from assay.causal.queries import p
from assay.core.errors import InvalidInput


def table(header: Sequence[str], rows: Sequence[Sequence[str]]) -> str:
    """Return a table in Markdown, columns padded to one width."""
    lines = [list(header), *map(list, rows)]
    widths = [max(len(line[place]) for line in lines) for place in range(len(header))]
    drawn = [
        "| " + " | ".join(cell.ljust(w) for cell, w in zip(line, widths, strict=True)) + " |"
        for line in lines
    ]
    drawn.insert(1, "|" + "|".join("-" * (w + 2) for w in widths) + "|")
    return "\n".join(drawn)


def counts(
    proof: Proof, over: Mapping[str, int], size: int, given: Mapping[str, int] | None = None
) -> dict[tuple[int, ...], int]:
    """Return how many of `size` units have each combination of levels.

    `over` names the variables with their number of levels. InvalidInput where a number would not be whole.
    """
    found = {}
    for levels in itertools.product(*(range(count) for count in over.values())):
        share = proof.number(p(dict(zip(over, levels, strict=True)), given)) * size
        if share.denominator != 1:
            raise InvalidInput(f"{share} of {size} units is no whole number: choose another size")
        found[levels] = int(share)
    return found


def whole_size(shares: Sequence[Fraction], least: int) -> int:
    """Return the smallest size, at least `least`, at which every share is a whole number of units."""
    step = math.lcm(*(share.denominator for share in shares))
    return step * -(-least // step)
